//go:build mpi && cgo && !purego

// This file pins the start and the end of MPI, and that messages and reductions allocate nothing; it starts the tests
// under mpirun.

package mpi_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	empi "github.com/emer/empi/v2/mpi"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/sys/invariants"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// Starting and ending MPI, its effect on signals, and blocking operations.

func TestRanksAreNumberedAndTheLevelIsAtLeastWhatWasAskedFor(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		require.Equal(t, os.Getenv(ranksEnv), fmt.Sprint(w.Size()))
		require.GreaterOrEqual(t, w.ThreadLevel(), mpi.Funneled)
		parts, err := w.AllGather([]byte{byte(w.Rank())})
		require.NoError(t, err)
		for rank, part := range parts {
			require.Equal(t, []byte{byte(rank)}, part)
		}
	})
}

func TestCollectivesAgreeOnTheWorldAndOnAPartOfIt(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{Threads: mpi.Serialized}, func(t *testing.T, w *mpi.World) {
		collectives(t, w)
		handle, err := w.Split(w.Rank()%2, -w.Rank())
		require.NoError(t, err)
		part, err := mpi.Start(mpi.Options{Threads: mpi.Serialized, Comm: &handle})
		require.NoError(t, err)
		require.Equal(t, (w.Size()+1-w.Rank()%2)/2, part.Size())
		collectives(t, part)
		require.NoError(t, part.Close())
		collectives(t, w)
	})
}

// collectives calls each of them, with lengths that differ by rank.
func collectives(t *testing.T, w *mpi.World) {
	n := int64(w.Size())
	of := func(rank int) []byte { return bytes.Repeat([]byte{byte(rank + 1)}, rank*1000) }
	require.NoError(t, w.Barrier())
	for root := range w.Size() {
		got, err := w.Bcast(of(w.Rank()), root)
		require.NoError(t, err)
		require.True(t, bytes.Equal(of(root), got))
	}
	gathered, err := w.Gather(of(w.Rank()))
	require.NoError(t, err)
	require.Equal(t, w.Rank() == 0, gathered != nil)
	all, err := w.AllGather(of(w.Rank()))
	require.NoError(t, err)
	require.Len(t, all, w.Size())
	for rank := range all {
		require.True(t, bytes.Equal(of(rank), all[rank]))
		require.True(t, gathered == nil || bytes.Equal(of(rank), gathered[rank]))
	}
	// Lengths, among them none at all, of every pattern that the ranks can have.
	for pattern := range 1 << w.Size() {
		of := func(rank int) []byte { return bytes.Repeat([]byte{byte(rank)}, (pattern>>rank&1)*(rank+1)*70001) }
		all, err := w.AllGatherBytes(of(w.Rank()))
		require.NoError(t, err)
		require.Len(t, all, w.Size())
		for rank := range all {
			require.True(t, bytes.Equal(of(rank), all[rank]))
		}
	}
	rank, size, err := w.NodeRanks() // there is one machine
	require.NoError(t, err)
	require.Equal(t, []int{w.Rank(), w.Size()}, []int{rank, size})
	mine := int64(w.Rank())
	for op, want := range [...][2]int64{mpi.Sum: {n * (n - 1) / 2, n}, mpi.Min: {0, 1}, mpi.Max: {n - 1, 1}} {
		op := mpi.Op(op)
		whole, real := []int64{mine, 1}, []float64{float64(mine), 1}
		require.NoError(t, w.AllReduceInt64(op, whole))
		require.NoError(t, w.AllReduceFloat64(op, real))
		require.Equal(t, want[:], whole)
		require.Equal(t, []float64{float64(want[0]), float64(want[1])}, real)
	}
	require.NoError(t, w.AllReduceInt64(mpi.Sum, nil))
	require.ErrorContains(t, w.AllReduceFloat64(9, []float64{1}), "use Sum, Min or Max")
	_, err = w.Bcast(nil, w.Size())
	require.ErrorContains(t, err, fmt.Sprintf("there is no rank %d", w.Size()))
}

func TestASecondWorldWorksAndMPIEndsWithTheLast(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{Threads: mpi.Multiple}, func(t *testing.T, w *mpi.World) {
		second, err := mpi.Start(mpi.Options{Threads: mpi.Multiple})
		require.NoError(t, err)
		collectives(t, second)
		require.NoError(t, second.Close())
		require.NoError(t, second.Close(), "closing twice does nothing")
		collectives(t, w)
		require.NoError(t, w.Close())
		for _, err := range afterClose(w) {
			require.ErrorIs(t, err, mpi.ErrClosed)
		}
		_, err = mpi.Start(mpi.Options{})
		require.ErrorContains(t, err, "it was finalized before")
	})
}

func afterClose(w *mpi.World) []error {
	_, a := w.Bcast(nil, 0)
	_, b := w.Gather(nil)
	_, c := w.Mailbox(0)
	_, d := w.Reduction()
	_, e := w.Broadcast()
	_, f := w.Split(0, 0)
	_, g := w.AllGatherBytes(nil)
	_, _, h := w.NodeRanks()
	return []error{a, b, c, d, e, f, g, h, w.Barrier(), w.Abort(1), w.AllReduceInt64(mpi.Sum, []int64{1})}
}

// If MPI is already initialized, it is used, and is not finalized.
func TestMPIThatAnotherPackageInitializedIsUsed(t *testing.T) {
	if !isRank() {
		out, err := mpirun(t, 2)
		require.NoError(t, err, out)
		return
	}
	require.NoError(t, empi.InitThreadSafe())
	w, err := mpi.Start(mpi.Options{Threads: mpi.Multiple})
	require.NoError(t, err)
	collectives(t, w)
	require.NoError(t, w.Close())
	comm, err := empi.NewComm(nil)
	require.NoError(t, err)
	require.NoError(t, comm.Barrier(), "it is still there")
	empi.Finalize()
}

func TestMPIWithTooFewThreadsIsRefused(t *testing.T) {
	if !isRank() {
		out, err := mpirun(t, 1)
		require.NoError(t, err, out)
		return
	}
	empi.Init()
	_, err := mpi.Start(mpi.Options{Threads: mpi.Multiple})
	require.ErrorContains(t, err, `level "multiple" is needed, but MPI was initialized with "single"`)
	_, err = mpi.Start(mpi.Options{Threads: 4})
	require.ErrorContains(t, err, "ThreadLevel(4)")
	empi.Finalize()
}

func TestACommunicatorThatDoesNotExistIsAnError(t *testing.T) {
	onRanks(t, []int{1}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		none := int32(math.MaxInt32)
		_, err := mpi.Start(mpi.Options{Comm: &none})
		var e *mpi.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "MPI_Comm_dup", e.Call)
		require.Contains(t, e.Text, "comm")
		require.NoError(t, w.Barrier())
	})
}

func TestGoKeepsItsSignals(t *testing.T) {
	onRanks(t, []int{1, 2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		func() {
			defer func() {
				_, ok := recover().(runtime.Error)
				require.True(t, ok, "a nil dereference is a panic")
			}()
			var p *mpi.Record
			p.Balance++
		}()
		c := make(chan os.Signal, 1)
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGABRT, syscall.SIGUSR1} {
			signal.Notify(c, s)
			require.NoError(t, syscall.Kill(os.Getpid(), s))
			require.Equal(t, s, <-c)
		}
	})
}

// levelEnv is the environment variable with the thread level at which ranks start.
const levelEnv = "ROSS_TEST_LEVEL"

// Abort is called by a goroutine while the one that may call MPI is in it for ever,
// as are all other ranks.
func TestAbortEndsAllRanksWhileTheyHangInMPI(t *testing.T) {
	levels := []mpi.ThreadLevel{mpi.Funneled, mpi.Multiple}
	if !isRank() {
		for i, level := range levels {
			out, err := mpirun(t, 3, fmt.Sprintf("%s=%d", levelEnv, i))
			var e *exec.ExitError
			require.ErrorAs(t, err, &e, level)
			require.Equal(t, 3, e.ExitCode(), "%v: %s", level, out)
			require.NotContains(t, out, "PASS", level)
		}
		return
	}
	i, err := strconv.Atoi(os.Getenv(levelEnv))
	require.NoError(t, err)
	w, err := mpi.Start(mpi.Options{Threads: levels[i]})
	require.NoError(t, err)
	if w.Rank() == 1 {
		go func() { _ = w.Abort(3) }()
	}
	if w.Rank() == 2 {
		for { // takes part in nothing: the others wait for it
			pause()
		}
	}
	_ = w.Barrier()
	t.Error("nobody is to get here")
}

// How tests come to have several ranks: the test starts this test binary under
// mpirun, to run the same test again; there it is one of the ranks.

// ranksEnv is set in ranks, to the number of them.
const ranksEnv = "ROSS_TEST_RANKS"

func isRank() bool { return os.Getenv(ranksEnv) != "" }

// onRanks runs body in each rank, for each number of ranks, and fails if it
// fails in one of them.
func onRanks(t *testing.T, ranks []int, opts mpi.Options, body func(t *testing.T, w *mpi.World)) {
	if isRank() {
		w, err := mpi.Start(opts)
		require.NoError(t, err)
		body(t, w)
		if t.Failed() {
			_ = w.Abort(1)
		}
		require.NoError(t, w.Close())
		return
	}
	if testlevel.Is(testlevel.Few) && len(ranks) > 2 {
		ranks = ranks[1:3]
	}
	for _, n := range ranks {
		t.Run(fmt.Sprintf("np=%d", n), func(t *testing.T) {
			out, err := mpirun(t, n)
			require.NoError(t, err, out)
			require.Equal(t, n, strings.Count(out, "PASS"), "one for each rank:\n%s", out)
		})
	}
}

// mpirun runs the calling test in n ranks, with variables in their environment,
// and returns what they print.
func mpirun(t testing.TB, n int, env ...string) (string, error) {
	t.Helper()
	name := strings.Split(t.Name(), "/")[0]
	args := []string{"-np", fmt.Sprint(n)}
	if version, err := exec.Command("mpirun", "--version").Output(); err != nil {
		t.Fatalf("mpirun: %v: install Open MPI (libopenmpi-dev and openmpi-bin), as make test-mpi does", err)
	} else if bytes.Contains(version, []byte("Open MPI")) {
		args = append(args, "--oversubscribe")
	}
	args = append(args, os.Args[0], "-test.run=^"+name+"$", "-test.count=1", "-test.timeout="+
		testkit.RankLimit(t).String())
	if dir := os.Getenv("GOCOVERDIR"); dir != "" && testing.CoverMode() != "" {
		args = append(args, "-test.gocoverdir="+dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Limit(t))
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun", args...)
	cmd.Env = append(session.Env(t, env...), fmt.Sprintf("%s=%d", ranksEnv, n))
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%d ranks hang:\n%s", n, out)
	}
	return string(out), err
}

// pause lets other ranks have the processor: there may be fewer processors than ranks.
func pause() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// mailboxes makes n mailboxes.
func mailboxes(t testing.TB, w *mpi.World, n int) []*mpi.Mailbox {
	all := make([]*mpi.Mailbox, n)
	for i := range all {
		var err error
		all[i], err = w.Mailbox(i)
		require.NoError(t, err)
	}
	return all
}

func TestMessagesAndReductionsAllocateNothing(t *testing.T) {
	if invariants.Enabled || racetest.Slow {
		t.Skip("assertions and watches on memory allocate on their own")
	}
	onRanks(t, []int{1}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		m := mailboxes(t, w, 1)[0]
		r, err := w.Reduction()
		require.NoError(t, err)
		words, sum := make([]uint64, 4096), uint64(0)
		allocs := testalloc.PerRun(1000, func() {
			for _, n := range []int{9, len(words)} {
				for want := m.Received() + 1; !m.Post(0, 0, words[:n]) || m.Received() < want; {
					if _, err := m.Poll(func(_ int, words []uint64) { sum += words[0] }); err != nil {
						t.Error(err)
					}
				}
			}
			if err := r.Start(&mpi.Record{Balance: int64(sum)}); err != nil {
				t.Error(err)
			}
			if _, err := r.Wait(); err != nil {
				t.Error(err)
			}
		})
		for m.Received() < m.Sent() || !m.Idle() {
			_, err := m.Poll(func(int, []uint64) {})
			require.NoError(t, err)
		}
		require.Zero(t, allocs)
	})
}
