// What MPI costs, alone and between ranks: `go test -tags mpi -run '^$' -bench . ./internal/mpi`.
// Each case runs under mpirun; rank 0 takes the time. calls/msg are those of MPI, of
// sender and receiver together, but for one in each Poll.

//go:build mpi && cgo && !purego

package mpi_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/mpi"
)

// benchEnv names the case that ranks are to run.
const benchEnv = "ROSS_TEST_BENCH"

// A benchCase does something n times, in all ranks, and returns how long it took.
type benchCase struct {
	name  string
	np    int
	level mpi.ThreadLevel
	bytes int // of each time
	body  func(w *bench, n int) time.Duration
}

// bench is what cases use.
type bench struct {
	*mpi.World
	box     *mpi.Mailbox
	polls   uint64
	r       *mpi.Reduction
	words   []uint64
	yields  bool // there are more ranks than processors
	buffers bool
}

var benchCases = []benchCase{
	{"EmptyPoll/np=1/level=funneled", 1, mpi.Funneled, 0, emptyPoll},
	{"EmptyPoll/np=2/level=funneled", 2, mpi.Funneled, 0, emptyPoll},
	{"EmptyPoll/np=2/level=multiple", 2, mpi.Multiple, 0, emptyPoll},
	{"Post/bytes=72", 2, mpi.Funneled, 72, post},
	{"Post/bytes=4096", 2, mpi.Funneled, 4096, post},
	{"PostBuffer/bytes=72", 2, mpi.Funneled, 72, buffered(post)},
	{"PostBuffer/bytes=4096", 2, mpi.Funneled, 4096, buffered(post)},
	{"PostBuffer/bytes=5120", 2, mpi.Funneled, 5120, buffered(post)},
	{"Latency/bytes=72", 2, mpi.Funneled, 72, pingPong},
	{"Latency/bytes=4096", 2, mpi.Funneled, 4096, pingPong},
	{"Latency/bytes=5120", 2, mpi.Funneled, 5120, pingPong},
	{"LatencyBuffer/bytes=5120", 2, mpi.Funneled, 5120, buffered(pingPong)},
	{"Latency/bytes=65536", 2, mpi.Funneled, 65536, pingPong},
	{"Stream/bytes=72", 2, mpi.Funneled, 72, stream},
	{"Stream/bytes=4096", 2, mpi.Funneled, 4096, stream},
	{"Stream/bytes=5120", 2, mpi.Funneled, 5120, stream},
	{"StreamBuffer/bytes=5120", 2, mpi.Funneled, 5120, buffered(stream)},
	{"Stream/bytes=16384", 2, mpi.Funneled, 16384, stream},
	{"Stream/bytes=65536", 2, mpi.Funneled, 65536, stream},
	{"Reduction/np=2", 2, mpi.Funneled, 0, reduce},
	{"Reduction/np=4", 4, mpi.Funneled, 0, reduce},
	{"Words/words=64", 2, mpi.Funneled, 512, reduceWords},
	{"Words/words=4096", 2, mpi.Funneled, 32768, reduceWords},
}

func BenchmarkMPI(b *testing.B) {
	took := regexp.MustCompile(`took ([0-9.]+) ns, ([0-9.]+) calls`)
	for _, c := range benchCases {
		ns, calls := 0.0, 0.0
		b.Run(c.name, func(b *testing.B) {
			if b.N == 1 { // the ranks find out themselves how often to do it
				out, err := mpirun(b, c.np, benchEnv+"="+c.name)
				require.NoError(b, err, out)
				found := took.FindStringSubmatch(out)
				require.NotEmpty(b, found, out)
				ns, _ = strconv.ParseFloat(found[1], 64)
				calls, _ = strconv.ParseFloat(found[2], 64)
			}
			b.ReportMetric(ns, "ns/op")
			if calls > 0 {
				b.ReportMetric(calls, "calls/msg")
			}
			if c.bytes > 0 {
				b.ReportMetric(1e3*float64(c.bytes)/ns, "MB/s")
			}
		})
	}
}

func TestMain(m *testing.M) {
	for _, c := range benchCases {
		if isRank() && os.Getenv(benchEnv) == c.name {
			if err := c.run(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// run does the case more and more often, until that takes a quarter of a second.
func (c benchCase) run() error {
	w, err := mpi.Start(mpi.Options{Threads: c.level})
	if err != nil {
		return err
	}
	s := &bench{World: w, words: make([]uint64, c.bytes/8), yields: c.np > 2}
	if s.box, err = w.Mailbox(0); err != nil {
		return err
	}
	if s.r, err = w.Reduction(); err != nil {
		return err
	}
	for n := 100; n > 0; {
		if err := w.Barrier(); err != nil {
			return err
		}
		before, polls, sent := s.box.Counts().Calls, s.polls, s.box.Sent()
		d := c.body(s, n)
		counts := []int64{int64(s.box.Counts().Calls - before - (s.polls - polls)), int64(s.box.Sent() - sent)}
		if err := w.AllReduceInt64(mpi.Sum, counts); err != nil {
			return err
		}
		next := 2 * n
		if d > 250*time.Millisecond {
			next = 0
			if w.Rank() == 0 {
				fmt.Printf("took %.1f ns, %.2f calls\n", float64(d.Nanoseconds())/float64(n), float64(counts[0])/float64(max(1, counts[1])))
			}
		}
		told, err := w.Bcast(binary.LittleEndian.AppendUint64(nil, uint64(next)), 0)
		if err != nil {
			return err
		}
		n = int(binary.LittleEndian.Uint64(told))
	}
	return w.Close()
}

// must ends the rank, and so all of them, because the error cannot be returned.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (w *bench) poll() {
	w.polls++
	if !must(w.box.Poll(func(int, []uint64) {})) && w.yields {
		pause()
	}
}

// receive polls until there have been n messages in all.
func (w *bench) receive(n uint64) {
	for w.box.Received() < n {
		w.poll()
	}
}

func (w *bench) send(to int) {
	for !w.post(to) {
		w.poll()
	}
}

func (w *bench) post(to int) bool {
	if !w.buffers {
		return w.box.Post(to, 0, w.words)
	}
	words := w.box.Buffer()
	if words == nil {
		return false
	}
	words[0]++
	return w.box.PostBuffer(to, 0, len(w.words))
}

// buffered is a case with PostBuffer instead of Post; nothing but a word is written.
func buffered(body func(*bench, int) time.Duration) func(*bench, int) time.Duration {
	return func(w *bench, n int) time.Duration {
		w.buffers = true
		return body(w, n)
	}
}

func emptyPoll(w *bench, n int) time.Duration {
	from := time.Now()
	for range n {
		w.poll()
	}
	return time.Since(from)
}

// post is the time of Post alone, in bursts that find room.
func post(w *bench, n int) (d time.Duration) {
	const burst = 10
	for ; n > 0; n -= burst {
		if w.Rank() == 1 {
			w.receive(w.box.Received() + burst)
			w.send(0)
			continue
		}
		from := time.Now()
		for range burst {
			w.send(1)
		}
		d += time.Since(from)
		w.receive(w.box.Received() + 1)
	}
	return d
}

// pingPong is half a round trip.
func pingPong(w *bench, n int) time.Duration {
	from := time.Now()
	for range n / 2 {
		if w.Rank() == 0 {
			w.send(1)
		}
		w.receive(w.box.Received() + 1)
		if w.Rank() == 1 {
			w.send(0)
		}
	}
	return time.Since(from)
}

// stream is one way, as fast as it goes; the last message is answered.
func stream(w *bench, n int) time.Duration {
	from := time.Now()
	if w.Rank() == 1 {
		w.receive(w.box.Received() + uint64(n))
		w.send(0)
		return 0
	}
	for range n {
		w.send(1)
	}
	w.receive(w.box.Received() + 1)
	return time.Since(from)
}

func reduce(w *bench, n int) time.Duration {
	from := time.Now()
	for range n {
		if err := w.r.Start(&mpi.Record{Balance: 1}); err != nil {
			panic(err)
		}
		for {
			_, done, err := w.r.Test()
			if must(done, err) {
				break
			}
			if w.yields {
				pause()
			}
		}
	}
	return time.Since(from)
}

func reduceWords(w *bench, n int) time.Duration {
	from := time.Now()
	for range n {
		if err := w.r.StartWords(w.words); err != nil {
			panic(err)
		}
		for done := false; !done; {
			var err error
			_, done, err = w.r.TestWords()
			must(done, err)
		}
	}
	return time.Since(from)
}
