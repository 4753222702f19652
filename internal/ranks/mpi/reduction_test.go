//go:build mpi && cgo && !purego

// This file pins reductions and broadcasts, and what MPI costs.

package mpi_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/ranks/mpi"
)

// Reductions and broadcasts.

func TestGoAndCShareOneRecord(t *testing.T) {
	typ := reflect.TypeFor[mpi.Record]()
	goSide := []uint32{uint32(typ.Size())}
	for i := range typ.NumField() {
		goSide = append(goSide, uint32(typ.Field(i).Offset))
	}
	require.Equal(t, csrc.MPILayout(), goSide)
}

// recordOf is the record of a rank in a round, with keys that often agree in the
// first words and are sometimes equal.
func recordOf(round, rank int) mpi.Record {
	r := rand.New(rand.NewPCG(uint64(round), uint64(rank)))
	rec := mpi.Record{Balance: r.Int64() >> 8, Flags: 1 << r.IntN(64), Rank: uint64(rank)}
	if r.IntN(2) == 0 {
		rec.Balance = -rec.Balance
	}
	for i := range rec.Counters {
		rec.Counters[i] = r.Uint64()
	}
	for i := range rec.Key {
		rec.Key[i] = someWord(r, round)
	}
	return rec
}

// someWord is one of two; their sign bit shows that they are unsigned.
func someWord(r *rand.Rand, round int) uint64 {
	return []uint64{0, 1, 1 << 63, 1<<64 - 1}[r.IntN(2)+2*(round%2)]
}

// combined is what a reduction is to give.
func combined(round, ranks int) mpi.Record {
	all := recordOf(round, 0)
	for rank := 1; rank < ranks; rank++ {
		rec := recordOf(round, rank)
		all.Balance += rec.Balance
		all.Flags |= rec.Flags
		for i := range rec.Counters {
			all.Counters[i] += rec.Counters[i]
		}
		if slices.Compare(rec.Key[:], all.Key[:]) < 0 {
			all.Key, all.Rank = rec.Key, rec.Rank
		}
	}
	return all
}

// rounds does reductions, a step at a time.
type rounds struct {
	w    *mpi.World
	r    *mpi.Reduction
	done int
	open bool
}

const manyRounds = 100

func newRounds(w *mpi.World, r *mpi.Reduction) *rounds { return &rounds{w: w, r: r} }

// step starts a round or tests it, and reports whether all are done.
func (s *rounds) step(t *testing.T) bool {
	if !s.open {
		s.open = assert.NoError(t, s.start())
		return !s.open
	}
	want, got, done, err := s.test()
	if !assert.NoError(t, err) {
		return true
	}
	if done {
		assert.Equal(t, want, got, "round %d", s.done)
		s.open = false
		s.done++
	}
	return s.done == manyRounds
}

// lists reports whether the round is one of lists, of s.done words.
func (s *rounds) lists() bool { return s.done%3 == 1 }

func (s *rounds) start() error {
	if s.lists() {
		return s.r.StartWords(wordsOf(s.done, s.w.Rank(), s.done))
	}
	rec := recordOf(s.done, s.w.Rank())
	rec.Rank = 77 // does not count
	return s.r.Start(&rec)
}

func (s *rounds) test() (want, got any, done bool, err error) {
	if s.lists() {
		words, done, err := s.r.TestWords()
		return leastWords(s.done, s.w.Size(), s.done), words, done, err
	}
	rec, done, err := s.r.Test()
	return combined(s.done, s.w.Size()), *cmp.Or(rec, &mpi.Record{}), done, err
}

func TestReductionsCombineTheRecordsOfAllRanks(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		r, err := w.Reduction()
		require.NoError(t, err)
		s := newRounds(w, r)
		for !s.step(t) && !t.Failed() {
			pause()
		}
		require.Greater(t, r.Calls(), uint64(2*manyRounds))
		rec := recordOf(0, w.Rank())
		require.NoError(t, r.Start(&rec))
		require.ErrorContains(t, r.Start(&rec), "the last one is under way")
		got, err := r.Wait()
		require.NoError(t, err)
		require.Equal(t, combined(0, w.Size()), *got)
		require.NoError(t, w.Close())
		require.ErrorIs(t, r.Start(&rec), mpi.ErrClosed)
		_, _, err = r.Test()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}

// wordsOf is the list of a rank in a round: long lists agree in most words.
func wordsOf(round, rank, n int) []uint64 {
	all, own := rand.New(rand.NewPCG(seed, uint64(round))), rand.New(rand.NewPCG(uint64(round), uint64(rank)))
	words := make([]uint64, n)
	from := all.IntN(n)
	for i := range words {
		words[i] = someWord(all, round)
		if i >= from {
			words[i] = someWord(own, round)
		}
	}
	return words
}

// leastWords is what a reduction of lists is to give.
func leastWords(round, ranks, n int) []uint64 {
	least := wordsOf(round, 0, n)
	for rank := 1; rank < ranks; rank++ {
		if words := wordsOf(round, rank, n); slices.Compare(words, least) < 0 {
			least = words
		}
	}
	return least
}

func TestListsOfAnyLengthAreCombinedToTheLeast(t *testing.T) {
	lengths := []int{1, 2, 3, 17, 64, 65, 1000, mpi.ListWords, 5, mpi.ListWords - 1, mpi.ListWords/2 + 1, 1}
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		r, err := w.Reduction()
		require.NoError(t, err)
		none, done, err := r.TestWords()
		require.NoError(t, err)
		require.True(t, done)
		require.Empty(t, none, "none was started")
		for round := range 6 * len(lengths) {
			n := lengths[round%len(lengths)]
			want := leastWords(round, w.Size(), n)
			own := wordsOf(round, w.Rank(), n)
			require.NoError(t, r.StartWords(own))
			clear(own) // a copy was sent
			got, done, err := r.TestWords()
			for ; !done; got, done, err = r.TestWords() {
				require.NoError(t, err)
				pause()
			}
			require.NoError(t, err)
			require.True(t, slices.Equal(want, got), "round %d, %d words", round, n)
			if round%5 == 0 {
				rec := recordOf(round, w.Rank())
				require.NoError(t, r.Start(&rec))
				got, err := r.Wait()
				require.NoError(t, err)
				require.Equal(t, combined(round, w.Size()), *got)
			}
		}
	})
}

func TestMistakesWithListsOfWordsAreErrors(t *testing.T) {
	onRanks(t, []int{2}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		r, err := w.Reduction()
		require.NoError(t, err)
		require.ErrorContains(t, r.StartWords(nil), "a list has 1 to 65536")
		require.ErrorContains(t, r.StartWords(make([]uint64, mpi.ListWords+1)), "a list has 1 to 65536")
		require.NoError(t, r.StartWords(make([]uint64, 5+w.Rank())))
		require.ErrorContains(t, r.StartWords(make([]uint64, 5)), "the last one is under way")
		require.ErrorContains(t, r.Start(&mpi.Record{}), "the last one is under way")
		_, _, err = r.Test()
		require.ErrorContains(t, err, "another kind is under way")
		for err = nil; err == nil; pause() {
			var done bool
			_, done, err = r.TestWords()
			require.False(t, done)
		}
		require.ErrorContains(t, err, "different numbers of words")
		require.NoError(t, r.Start(&mpi.Record{Key: [mpi.KeyWords]uint64{1}}))
		_, _, err = r.TestWords()
		require.ErrorContains(t, err, "another kind is under way")
		_, err = r.Wait()
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.ErrorIs(t, r.StartWords([]uint64{1}), mpi.ErrClosed)
		_, _, err = r.TestWords()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}

func TestBroadcastsOfAnyLengthReachAllRanks(t *testing.T) {
	onRanks(t, []int{1, 2, 3, 4}, mpi.Options{}, func(t *testing.T, w *mpi.World) {
		b, err := w.Broadcast()
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 0))
		lengths := []int{0, 1, 255, 256, 257, 100000, 3, 0, 70000}
		for i, n := range lengths {
			root := i % w.Size()
			want := make([]byte, n)
			for k := range want {
				want[k] = byte(r.Uint32())
			}
			data := want
			if w.Rank() != root {
				data = []byte("not the root's")
			}
			require.NoError(t, b.Start(root, data))
			require.ErrorContains(t, b.Start(root, data), "the last one is under way")
			got, done, err := b.Test()
			for ; !done; got, done, err = b.Test() {
				require.NoError(t, err)
				pause()
			}
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "%d bytes from %d, seed %d", n, root, seed)
		}
		require.ErrorContains(t, b.Start(-1, nil), "there is no rank -1")
		require.GreaterOrEqual(t, b.Calls(), uint64(2*len(lengths)))
		require.NoError(t, w.Close())
		require.ErrorIs(t, b.Start(0, nil), mpi.ErrClosed)
		_, _, err = b.Test()
		require.ErrorIs(t, err, mpi.ErrClosed)
	})
}

// What MPI costs, alone and between ranks: `go test -tags mpi -run '^$' -bench . ./internal/ranks/mpi`.
// Each case runs under mpirun; rank 0 takes the time. calls/msg are those of MPI, of
// sender and receiver together, but for one in each Poll.

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
				fmt.Printf("took %.1f ns, %.2f calls\n", float64(d.Nanoseconds())/float64(n),
					float64(counts[0])/float64(max(1, counts[1])))
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
