// Lines whose parts can be recognized, whatever values they have; and the texts of all kinds of lines, for programs
// that read them.

package watch_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/stats"
)

func TestOnlyTheArrowOfALineIsOutsideOfQuotes(t *testing.T) {
	type state struct {
		Name  string
		Names map[string]int
	}
	long := strings.Repeat("a", 70)
	got := steps(t, 5, func(s *state, _ *ross.LP, n int) {
		switch n {
		case 1:
			s.Name = `x -> "y": z`
		case 2:
			s.Name = long + " -> b -> c"
		case 3:
			s.Name = long + " -> d -> c"
		case 4:
			s.Names = map[string]int{}
		case 5:
			s.Names["a: b -> c\n"] = 1
			s.Names[long+": -> "+long] = 2
		}
	}, func(typ *ross.Type[state]) { typ.Saving = ross.SaveNever })
	require.Equal(t, []string{
		lines(`changed   Name: "" -> "x -> \"y\": z"`),
		lines(`changed   Name: "x -> \"y\": z" -> "` + long + ` → b ->…`),
		lines(`changed   Name: …` + long[:16] + ` → b → c" -> …` + long[:16] + ` → d → c"`),
		"",
		lines(`changed   Names["a: b -> c\n"]: absent -> 1`, `changed   Names["`+long+`:-> aaa…]: absent -> 2`),
	}, got)
}

func TestWhatAStatisticWasGivenSaysHow(t *testing.T) {
	type state struct {
		Count stats.Counter
		Tally stats.Tally
		Level stats.Level
	}
	got := steps(t, 3, func(s *state, lp *ross.LP, n int) {
		switch n {
		case 1:
			s.Count.Inc(lp)
			s.Tally.Add(lp, -1)
			s.Level.Add(lp, 2)
		case 2:
			s.Level.Add(lp, -1)
		case 3:
			s.Level.Set(lp, -1)
		}
	}, nothing)
	require.Equal(t, []string{lines("recorded  Count: +1", "recorded  Tally: -1", "recorded  Level: by +2"),
		lines("recorded  Level: by -1"), lines("recorded  Level: set to -1")}, got)
}

var update = flag.Bool("update", false, "write testdata/everything.txt again")

// everything has fields of many kinds.
type everything struct {
	N     int32
	X     float64
	Busy  bool
	Name  string
	Deep  [2]struct{ Flag bool }
	Names map[string]*step
	List  []int
	Any   any
	Queue container.Queue[job]
	Heap  container.Heap[float64, step]
	Map   container.Map[uint32, job]
	Bits  container.Bitset
	First ross.Block[cell]
	Last  ross.Block[cell]
	Timer ross.Timer
	Count stats.Counter
	Tally stats.Tally
	Level stats.Level
	Many  [30]int8
}

// do does as many things as possible in event n.
func (s *everything) do(lp *ross.LP, n int) {
	s.N, s.X, s.Busy, s.Name = int32(n), float64(n)/3, n%2 == 1, fmt.Sprintf("a -> %d: \"\n\"", n)
	s.Deep[n%2].Flag = !s.Deep[n%2].Flag
	s.Count.Inc(lp)
	s.Tally.Add(lp, -s.X)
	s.Level.Add(lp, float64(2-n))
	s.Queue.Push(lp, job{uint32(n), s.X})
	s.Map.Put(lp, uint32(n%3), job{uint32(n), 1})
	s.Heap.Push(lp, -s.X, step{n})
	lp.RNG().Unif()
	switch n {
	case 1:
		s.Names, s.List, s.Any = map[string]*step{"a: b": {1}}, []int{4}, step{5}
		s.X = math.Inf(1)
		s.Timer = ross.After(lp, 1.5, alarm{1})
	case 2:
		s.Names["a: b"].N, s.List[0], s.Any = 2, 5, step{6}
		s.Name = strings.Repeat("long -> ", 20)
		s.Bits.Set(lp, 3)
		s.Bits.Set(lp, 100)
		s.X = math.NaN()
	case 3:
		s.Name = strings.Repeat("long -> ", 20) + "end"
		s.Timer.Cancel(lp)
		s.Timer = ross.After(lp, 0.25, alarm{2})
		s.First = ross.Alloc[cell](lp, 1)
		s.Last = s.First
		s.Queue.Pop(lp)
		s.Level.Set(lp, 7)
	case 4:
		for i := range s.Many {
			s.Many[i]++
		}
		for i := range 30 {
			s.Queue.Push(lp, job{uint32(i), 0.5})
		}
		for range 12 {
			lp.RNG().Unif()
		}
		s.Timer = ross.After(lp, 3, alarm{3})
		ross.SendPriority(lp, 1, 0.5, 0.5, step{50})
		ross.Send(lp, 1, 100, step{51})
	case 5:
		s.Timer.Cancel(lp)
		ross.Free(lp, s.First)
		s.Heap.Pop(lp)
		lp.StopAfter(8)
	case 6:
		lp.Suspend(true, 7)
	}
}

// The text is for readers of it in other packages: go test -update writes it again.
func TestTheTextOfManyKindsOfLines(t *testing.T) {
	var out bytes.Buffer
	cfg := rosstest.Small()
	cfg.LPs, cfg.End, cfg.Output, cfg.Watch, cfg.WatchLimit = 2, 20, &out, `"one, 0",1@..6.5`, 0
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(ross.Type[everything]{
		Name: "every kind", Saving: ross.SaveNever, Label: func(id ross.LPID) string { return fmt.Sprintf("one, %d", id) },
		Init: func(_ *everything, lp *ross.LP) {
			for n := range 8 {
				ross.Send(lp, lp.ID(), float64(n+1), step{n + 1})
			}
		},
		Event: ross.Events[everything](ross.On(func(s *everything, lp *ross.LP, m *step) { s.do(lp, m.N) }),
			ross.On(func(s *everything, lp *ross.LP, m *alarm) { s.X = -float64(m.N) })),
	}))
	require.NoError(t, sim.Run(context.Background()))
	got, _ := split(out.String())
	const file = "testdata/everything.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	requireSame(t, string(want), got)
}
