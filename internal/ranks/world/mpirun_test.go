// Mailboxes on MPI: the tests start this test binary under mpirun, to run themselves again
// in each rank.

//go:build mpi && cgo && !purego

package world_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// caseEnv is the environment variable that selects what ranks do.
const caseEnv = "ROSS_TEST_CASE"

// mpirun runs the calling test in n ranks, and returns what they print and mpirun's exit
// status.
func mpirun(t testing.TB, n int, what string, env ...string) (string, int) {
	t.Helper()
	args := []string{"-np", fmt.Sprint(n)}
	version, err := exec.Command("mpirun", "--version").Output()
	require.NoError(t, err, "mpirun: install Open MPI (libopenmpi-dev and openmpi-bin), as make test-mpi does")
	if bytes.Contains(version, []byte("Open MPI")) {
		args = append(args, "--oversubscribe")
	}
	args = append(args, os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$", "-test.count=1", "-test.timeout="+
		testkit.RankLimit(t).String())
	if dir := os.Getenv("GOCOVERDIR"); dir != "" && testing.CoverMode() != "" {
		args = append(args, "-test.gocoverdir="+dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Limit(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun", args...)
	cmd.Env = append(session.Env(t, env...), caseEnv+"="+what)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%d ranks: %v, %v:\n%s", n, err, ctx.Err(), out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// pause lets other ranks have the processor: there may be fewer processors than ranks.
func pause() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// onMPI runs body in n ranks, and fails if it fails in one of them.
func onMPI(t *testing.T, n int, what string, level mpi.ThreadLevel, body func(w world.World), env ...string) {
	t.Helper()
	if os.Getenv(caseEnv) == "" {
		out, status := mpirun(t, n, what, env...)
		require.Zero(t, status, out)
		require.Equal(t, n, strings.Count(out, "PASS"), "one for each rank:\n%s", out)
		return
	}
	if os.Getenv(caseEnv) != what {
		return
	}
	w, err := world.MPI(level, nil)
	require.NoError(t, err)
	defer func() {
		if t.Failed() {
			_ = w.Abort(1) // others may wait
		}
		require.NoError(t, w.Close())
		require.NoError(t, w.Close(), "closing twice does nothing")
	}()
	body(w)
}

const seed = 20260803

// Traffic of 1 to 20,000 words. Some go by MPI: with rings, where one rank wants
// none, and where a mailbox has more rings than it looks at one by one.
func TestRanksOfAMachineExchangeMessagesInOrder(t *testing.T) {
	type layout struct {
		ranks, boxes int
		rings        bool
	}
	all := []layout{{2, 1, true}, {2, 2, true}, {3, 1, true}, {3, 2, true}, {4, 1, true}, {4, 2, true}, {4, 3, true},
		{2, 2, false}, {3, 1, false}}
	for _, c := range testlevel.Pick(all, all, []layout{{2, 1, true}, {3, 2, true}, {2, 2, false}}) {
		what := fmt.Sprintf("%d/%d/%v", c.ranks, c.boxes, c.rings)
		level := mpi.Multiple
		if c.boxes == 1 {
			level = mpi.Serialized
		}
		onMPI(t, c.ranks, what, level, func(w world.World) {
			if !c.rings && w.Rank() == w.Size()-1 {
				t.Setenv("ROSS_NEAR", "0")
			}
			l := load{seed: seed, perPair: 150, most: 20000, short: 400, rings: c.rings, near: true, pause: pause}
			boxes := l.run(t, w, c.boxes)
			for _, m := range boxes {
				require.Equal(t, c.rings, m.Near())
				require.NoError(t, w.Barrier()) // then MPI has finished the long message
			}
			counts := boxes[0].Counts()
			require.NoError(t, w.Close())
			for _, m := range boxes {
				require.False(t, m.PollNear(nil))
				require.False(t, m.Room(1-min(w.Rank(), 1), 0))
				_, err := m.Poll(nil)
				require.ErrorIs(t, err, mpi.ErrClosed)
				require.False(t, m.Near())
			}
			require.Equal(t, counts.Near, boxes[0].Counts().Near)
		})
	}
}

// Open MPI without the part of it that shares windows does what other libraries may do.
func TestWhereMPICannotShareMemoryItCarriesAll(t *testing.T) {
	onMPI(t, 2, "unshared", mpi.Multiple, func(w world.World) {
		_, open := os.LookupEnv("OMPI_COMM_WORLD_SIZE")
		l := load{seed: seed, perPair: 50, most: 20000, short: 400, rings: !open, near: true, pause: pause}
		for _, m := range l.run(t, w, 2) {
			require.Equal(t, !open, m.Near())
		}
		r, err := w.Reduction()
		require.NoError(t, err)
		require.NoError(t, r.Start(&mpi.Record{}))
		for done := false; !done; {
			_, done, err = r.Test()
			require.NoError(t, err)
		}
	}, "OMPI_MCA_osc=^sm")
}

// TestRanksOfMPISleepUntilSomebodyWakesThem has ranks sleep for messages, and for the end of reductions, for as long as
// it takes: what does not wake them hangs. Lists are reduced by MPI, which wakes nobody, so there they sleep for a
// while.
func TestRanksOfMPISleepUntilSomebodyWakesThem(t *testing.T) {
	never := func() bool { return false }
	onMPI(t, 3, "sleep", mpi.Serialized, func(w world.World) {
		boxes, err := w.Mailboxes(1)
		require.NoError(t, err)
		r, err := w.Reduction()
		require.NoError(t, err)
		m := boxes[0].(world.Sleeper)
		came := 0
		for i := 1; i <= 300; i++ {
			for to := range w.Size() {
				require.True(t, to == w.Rank() || m.Post(to, 0, make([]uint64, 1+i%200)))
			}
			for came < 2*i {
				require.True(t, m.Sleep(never, true, -1))
				_, err := m.Poll(func(int, []uint64) { came++ })
				require.NoError(t, err)
			}
			before := r.Calls()
			require.NoError(t,
				r.Start(&mpi.Record{Balance: int64(w.Rank() + i), Key: [mpi.KeyWords]uint64{uint64(7 - w.Rank())}}))
			rec, done, err := r.Test()
			for ; !done; rec, done, err = r.Test() {
				require.True(t, m.Sleep(func() bool { _, done, _ := r.Test(); return done }, false, -1))
			}
			require.NoError(t, err)
			require.Equal(t, []int64{int64(3 + 3*i), 5, 2}, []int64{rec.Balance, int64(rec.Key[0]), int64(rec.Rank)})
			require.Equal(t, before, r.Calls(), "MPI has no part in it")
			if i%100 > 0 {
				continue
			}
			require.NoError(t, r.StartWords([]uint64{5, uint64(w.Rank())}))
			least, done, err := r.TestWords()
			for ; !done; least, done, err = r.TestWords() {
				require.True(t, m.Sleep(never, false, -1))
			}
			require.NoError(t, err)
			require.Equal(t, []uint64{5, 0}, least)
		}
	})
}

func TestMessagesThroughRingsMakeNoCallOfMPI(t *testing.T) {
	onMPI(t, 2, "calls", mpi.Serialized, func(w world.World) {
		boxes, err := w.Mailboxes(1)
		require.NoError(t, err)
		m, other := boxes[0], 1-w.Rank()
		before := m.Counts().Calls
		sent, came := uint64(0), uint64(0)
		for came < 10000 || sent < 10000 {
			if sent < 10000 && m.Room(other, 0) {
				require.True(t, m.Post(other, 0, []uint64{sent, 1, 2, 3}))
				sent++
			}
			any, err := m.Poll(func(_ int, words []uint64) {
				require.Equal(t, came, words[0])
				came++
			})
			require.NoError(t, err)
			if !any {
				pause()
			}
		}
		require.Equal(t, before, m.Counts().Calls)
		require.EqualValues(t, 10000, m.Counts().Near)
	})
}

func TestMistakesAreReturnedByPollOnMPI(t *testing.T) {
	onMPI(t, 2, "mistakes", mpi.Serialized, func(w world.World) {
		boxes, err := w.Mailboxes(1)
		require.NoError(t, err)
		require.False(t, boxes[0].Post(2, 0, nil))
		_, err = boxes[0].Poll(nil)
		require.ErrorContains(t, err, "mailbox 0 of rank 2")
		_, err = w.Mailboxes(1)
		require.ErrorContains(t, err, "it exists")
		_, err = w.Mailboxes(2 + w.Rank())
		require.ErrorContains(t, err, "ranks have 2 to 3")
	})
}

// A rank that ends while another waits for it: what is in rings does not matter.
func TestAbortEndsRanksThatLookIntoRings(t *testing.T) {
	if os.Getenv(caseEnv) == "" {
		out, status := mpirun(t, 3, "abort")
		require.Equal(t, 3, status, out)
		require.NotContains(t, out, "PASS")
		return
	}
	w, err := world.MPI(mpi.Serialized, nil)
	require.NoError(t, err)
	boxes, err := w.Mailboxes(1)
	require.NoError(t, err)
	require.NoError(t, w.Barrier())
	for i := 0; ; i++ {
		if w.Rank() == 1 && i == 1000 {
			_ = w.Abort(3)
		}
		boxes[0].Post((w.Rank()+1)%3, 0, make([]uint64, 100+i%20000))
		boxes[0].PollNear(func(int, []uint64) {})
		pause()
	}
}

// benchCases are what BenchmarkMailbox has two ranks do n times.
var benchCases = map[string]func(w *bench, n int) time.Duration{
	"EmptyPollNear": func(w *bench, n int) time.Duration {
		from := time.Now()
		for range n {
			w.box.PollNear(w.f)
		}
		return time.Since(from)
	},
	"EmptyPoll": func(w *bench, n int) time.Duration {
		from := time.Now()
		for range n {
			w.poll()
		}
		return time.Since(from)
	},
	"Latency/bytes=72":    pingPong(9),
	"Latency/bytes=1536":  pingPong(192),
	"Latency/bytes=16384": pingPong(2048),
	"Latency/bytes=65536": pingPong(8192),
	"Stream/bytes=72":     stream(9),
	"Stream/bytes=1536":   stream(192),
	"Stream/bytes=16384":  stream(2048),
	"Stream/bytes=65536":  stream(8192),
}

type bench struct {
	world.World
	box  world.Mailbox
	came int
	sum  uint64
	f    func(int, []uint64)
}

func (w *bench) poll() {
	if _, err := w.box.Poll(w.f); err != nil {
		panic(err) // there is nobody to tell
	}
}

func (w *bench) send(words []uint64) {
	for !w.box.Room(1-w.Rank(), 0) || !w.box.Post(1-w.Rank(), 0, words) {
		w.poll()
	}
}

func (w *bench) receive(n int) {
	for n += w.came; w.came < n; {
		w.poll()
	}
}

// pingPong is half a round trip.
func pingPong(words int) func(*bench, int) time.Duration {
	return func(w *bench, n int) time.Duration {
		message, from := make([]uint64, words), time.Now()
		for range n / 2 {
			if w.Rank() == 0 {
				w.send(message)
			}
			w.receive(1)
			if w.Rank() == 1 {
				w.send(message)
			}
		}
		return time.Since(from)
	}
}

// stream is one way, as fast as it goes; the last message is answered.
func stream(words int) func(*bench, int) time.Duration {
	return func(w *bench, n int) time.Duration {
		message, from := make([]uint64, words), time.Now()
		if w.Rank() == 1 {
			w.receive(n)
			w.send(message)
			return 0
		}
		for range n {
			w.send(message)
		}
		w.receive(1)
		return time.Since(from)
	}
}

func BenchmarkMailbox(b *testing.B) {
	for _, way := range []string{"rings", "mpi"} {
		for name := range benchCases {
			ns := 0.0
			b.Run(name+"/way="+way, func(b *testing.B) {
				if b.N == 1 { // the ranks find out themselves how often to do it
					near := map[string]string{"rings": "1", "mpi": "0"}[way]
					out, status := mpirun(b, 2, name, "ROSS_NEAR="+near)
					require.Zero(b, status, out)
					_, took, _ := strings.Cut(out, "took ")
					_, err := fmt.Sscan(took, &ns)
					require.NoError(b, err, out)
				}
				b.ReportMetric(ns, "ns/op")
			})
		}
	}
}

func TestMain(m *testing.M) {
	if body := benchCases[os.Getenv(caseEnv)]; body != nil {
		if err := timed(body); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// timed does it more and more often, until that takes a fifth of a second; rank 0 prints how
// long one time took.
func timed(body func(*bench, int) time.Duration) error {
	mw, err := world.MPI(mpi.Serialized, nil)
	if err != nil {
		return err
	}
	boxes, err := mw.Mailboxes(1)
	if err != nil {
		return err
	}
	w := &bench{World: mw, box: boxes[0]}
	w.f = func(_ int, words []uint64) {
		for _, v := range words { // they have come when they are read
			w.sum += v
		}
		w.came++
	}
	for n := 128; n > 0; {
		if err := w.Barrier(); err != nil {
			return err
		}
		d := body(w, n)
		next := 2 * n
		if d > 200*time.Millisecond {
			next = 0
			if w.Rank() == 0 {
				fmt.Printf("took %.1f ns\n", float64(d.Nanoseconds())/float64(n))
			}
		}
		agreed, err := w.Bcast(binary.LittleEndian.AppendUint64(nil, uint64(next)), 0)
		if err != nil {
			return err
		}
		n = int(binary.LittleEndian.Uint64(agreed))
	}
	return w.Close()
}
