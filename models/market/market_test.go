// This file pins that runs agree in every scheduler and after a restart, what happens in them, and the states as bytes.

package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
)

func TestModelIsRightInEveryScheduler(t *testing.T) {
	for _, lookahead := range testlevel.Pick([]string{"0.1", "0"}, []string{"0.1", "0"}, []string{"0"}) {
		modeltest.Run(t,
			modeltest.Model{Program: newProgram, Args: fmt.Sprintf("--nlp=%d --end=20 --credit=8000 --lookahead=%s", lps,
				lookahead), Ranks: 2, Short: testlevel.Is(testlevel.Some)})
	}
}

// TestStatesVaryInSize also shows that LPs suspend themselves, and not all.
func TestStatesVaryInSize(t *testing.T) {
	t.Chdir(t.TempDir())
	before, after := play(t, alone+"--end=15.999"), play(t, alone+"--end=16.001")
	bids := `EXCHANGE .* (\d+) bids`
	b, a := before.numbers(t, bids), after.numbers(t, bids)
	require.Greater(t, slices.Max(b), 50)
	require.Less(t, slices.Min(b), 10)
	emptied := 0
	for i := range b {
		if b[i] > 8 && a[i] == 0 {
			emptied++
		}
	}
	require.Greater(t, emptied, 2, "%v, then %v", b, a)
	open := `TRADER .* (\d+) of \d+ orders open`
	require.Greater(t, slices.Max(before.numbers(t, open)), 15)
	require.Zero(t, slices.Min(after.numbers(t, open)))

	prices := slices.Compact(slices.Sorted(slices.Values(before.numbers(t, `last (\d+)`))))
	require.Greater(t, len(prices), 5)

	broke := len(play(t, alone+"--end=100").numbers(t, `TRADER (\d+) .* broke`))
	require.Greater(t, broke, 3)
	require.Less(t, broke, lps/2)
}

func TestManyEventsHappenAtOneTime(t *testing.T) {
	t.Chdir(t.TempDir())
	output(t, alone+"--end=16 --event-trace=1")
	events, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
	require.NoError(t, err)
	equal, zero := 0, 0
	for i := range events[1:] {
		if events[i].Dest == events[i+1].Dest && events[i].Recv == events[i+1].Recv {
			equal++
		}
		if events[i].Send == events[i].Recv {
			zero++
		}
	}
	require.Greater(t, equal, 150)
	require.Greater(t, zero, 50)
}

// A run that was stopped and went on leaves what the run leaves that was not, wherever
// either part of it ran.

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--nlp=48 --end=16 ", "", "--nlp=47", "--rate=4.1", "--cancel=0.3", "--lookahead=0.11",
		"--credit=5000")
}

// TestRunsThatGoOnElsewhereLeaveTheSame stores after a run, at a time at which books are emptied and requests arrive:
// the checkpoint has events of all priorities at that time.
func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	const line = "--lps=48 --credit=8000 --lookahead=0 "
	want := play(t, line+"--end=24")
	for _, c := range [][2]string{
		{"--synch=1 --nkp=4", "--synch=3 --pes=4 --nkp=2"},
		{"--synch=2 --pes=3 --io-files=3", "--synch=6 --nkp=2"},
		{"--synch=3 --pes=2 --nkp=1 --io-files=2 --io-compress", "--synch=1 --nkp=16"},
	} {
		stored := play(t, line+c[0]+" --end=16 --store=half")
		require.NotEqual(t, want.digest, stored.digest)
		require.Equal(t, want, play(t, line+c[1]+" --end=24 --load=half"), "stored with %s, loaded with %s", c[0], c[1])
	}
}

// States survive encoding as bytes, and invalid bytes are refused.

func someExchange(r *rand.Rand, orders int) exchange {
	s := exchange{Last: int32(r.Uint32()), Volume: int64(r.Uint64())}
	for i := range s.Book {
		s.Book[i] = make([]order, 0, orders)
		for range orders {
			s.Book[i] = append(s.Book[i], order{r.Uint64(), r.Uint32(), 1 + r.Int32N(math.MaxInt32), lowest + r.Int32N(highest)})
		}
		orders /= 2
	}
	return s
}

func someTrader(r *rand.Rand, orders int) trader {
	s := trader{Cash: int64(r.Uint64()), Stock: int64(r.Uint64()), Orders: r.Uint64(), Open: map[uint64]open{}}
	for range orders {
		s.Open[r.Uint64()] = open{r.Uint32(), 1 + r.Int32N(math.MaxInt32), side(r.IntN(2))}
	}
	return s
}

func TestStatesAreReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, orders := range []int{0, 1, 3, 100, 1000} {
		e := someExchange(r, orders)
		var got exchange
		require.NoError(t, got.read(e.append(nil)))
		require.Equal(t, e, got)

		d := someTrader(r, orders)
		var back trader
		require.NoError(t, back.read(d.append(nil)))
		require.Equal(t, d, back)
	}
}

func TestBytesCutOffOrTooManyAreNoState(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	e, d := someExchange(r, 3), someTrader(r, 3)
	for _, c := range []struct {
		all  []byte
		read func([]byte) error
	}{
		{e.append(nil), new(exchange).read},
		{d.append(nil), new(trader).read},
	} {
		for n := range c.all {
			require.ErrorIs(t, c.read(c.all[:n]), errState, "%d bytes of %d", n, len(c.all))
		}
		require.ErrorIs(t, c.read(append(c.all, 0)), errState)
	}
}

func FuzzStates(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, orders := range []int{0, 1, 5} {
		e, d := someExchange(r, orders), someTrader(r, orders)
		f.Add(e.append(nil))
		f.Add(d.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again exchange
		if e.read(b) == nil {
			require.NoError(t, again.read(e.append(nil)))
			require.Equal(t, e, again)
		}
		var d, back trader
		if d.read(b) == nil {
			require.NoError(t, back.read(d.append(nil)))
			require.Equal(t, d, back)
		}
	})
}

// What the program refuses.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nlp=0", "--nlp=0"},
		{"--nlp=100000000", "--nlp=100000000, --lps=0: must be at most 2^24"},
		{"--rate=0", "--rate=0: must be above 0"},
		{"--cancel=1.5", "--cancel=1.5: must be in [0, 1]"},
		{"--cancel=nan", "must be in [0, 1]"},
		{"--lookahead=-1", "--lookahead=-1: must be in [0, 1]"},
		{"--credit=-1", "--credit=-1: must be in [0, 2^62]"},
	})
}

// How the tests run the program, and what of a run they compare.

var tested = testkit.Program{Name: "market", Run: run, Prints: "EXCHANGE"}

// result is what does not depend on where a run has run.
type result struct {
	digest string
	states []string // lines of exchanges and traders, sorted
}

var stateLine = regexp.MustCompile(`(?m)^(?:EXCHANGE|TRADER) .*$`)

// play runs the program, which must not fail.
func play(t *testing.T, line string) result {
	t.Helper()
	out := output(t, line)
	r := result{testkit.Figure(t, out, "Committed Event Digest"), stateLine.FindAllString(out, -1)}
	slices.Sort(r.states) // PEs print side by side
	return r
}

func output(t *testing.T, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, run(strings.Fields(line+" --digest"), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	return out.String()
}

// numbers returns the numbers that a pattern finds in the lines of states.
func (r result) numbers(t *testing.T, pattern string) (all []int) {
	t.Helper()
	find := regexp.MustCompile(pattern)
	for _, line := range r.states {
		if found := find.FindStringSubmatch(line); found != nil {
			n, err := strconv.Atoi(found[1])
			require.NoError(t, err)
			all = append(all, n)
		}
	}
	return all
}

const (
	lps   = 48
	alone = "--nlp=48 " // a sequential run
)
