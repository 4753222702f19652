// What single kinds of events and states show, in all schedulers; what the option may say, and what is said of one that
// cannot be.

package watch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/output/watch"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/internal/testing/rosstest"
)

// step is a message; N counts the events of an LP.
type step struct{ N int }

// steps runs a model of one LP whose event n, at time n, do handles, and returns what the watch shows without the lines
// that say which event it is. It requires the same in all schedulers.
func steps[S any](t *testing.T, last int, do func(s *S, lp *ross.LP, n int), set func(*ross.Type[S])) []string {
	t.Helper()
	typ := ross.Type[S]{
		Name: "one", Saving: ross.SaveByDelta,
		Init: func(_ *S, lp *ross.LP) {
			for n := 1; n <= last; n++ {
				ross.Send(lp, 0, float64(n), step{n})
			}
		},
		Event: ross.On(func(s *S, lp *ross.LP, m *step) { do(s, lp, m.N) }),
	}
	set(&typ)
	var first []string
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		var out bytes.Buffer
		cfg := rosstest.Small()
		cfg.Synch, cfg.LPs, cfg.End, cfg.Output, cfg.Watch, cfg.WatchLimit = synch, 1, 100, &out, "0", 0
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { _ = sim.Close() })
		require.NoError(t, sim.Define(typ))
		require.NoError(t, sim.Run(context.Background()))
		text, _ := split(out.String())
		var blocks []string
		for _, b := range strings.Split(text, "Watch: ")[1:] {
			lines := strings.Split(strings.TrimSuffix(b, "\n"), "\n")
			blocks = append(blocks, strings.Join(lines[min(4, len(lines)):], "\n"))
		}
		if first == nil {
			first = blocks
		}
		require.Equal(t, first, blocks, "--synch=%v", synch)
	}
	return first
}

func nothing[S any](*ross.Type[S]) {}

// lines joins lines of a block.
func lines(all ...string) string { return "  " + strings.Join(all, "\n  ") }

// cell is a node of a ring of blocks.
type cell struct {
	Word       int64
	Next, Back ross.Block[cell]
}

func TestLinkedBlocksAreShownOnce(t *testing.T) {
	type state struct{ First, Last ross.Block[cell] }
	got := steps(t, 5, func(s *state, lp *ross.LP, n int) {
		switch n {
		case 1:
			s.First = ross.Alloc[cell](lp, 1)
			s.Last = s.First
			s.First.Of(lp)[0] = cell{1, s.First, s.First}
		case 2: // at the end
			b := ross.Alloc[cell](lp, 1)
			b.Of(lp)[0] = cell{2, s.First, s.Last}
			s.Last.Of(lp)[0].Next, s.First.Of(lp)[0].Back, s.Last = b, b, b
		case 3:
			s.Last.Of(lp)[0].Word = 9
		case 4: // the first one leaves
			b := s.First
			s.First = s.Last
			ross.Free(lp, b)
			s.First.Of(lp)[0].Next, s.First.Of(lp)[0].Back = s.First, s.First
		case 5: // freed, and still named
			ross.Free(lp, s.First)
		}
	}, nothing)
	require.Equal(t, []string{
		lines("changed   First: 0 -> 1 values", "added     First[0]: {Word:1 Next:[1 values] Back:[1 values]}",
			"changed   Last: no block -> the new block at First"),
		lines("changed   Last: the block at First -> the new block at Last",
			"changed   First[0].Next: the block at First -> the new block at Last",
			"changed   First[0].Back: the block at First -> the new block at Last", "changed   Last: 0 -> 1 values",
			"added     Last[0]: {Word:2 Next:[1 values] Back:[1 values]}"),
		lines("changed   Last[0].Word: 2 -> 9"),
		lines("changed   First: the block at First -> the block at Last",
			"changed   First: 1 -> 0 values", "removed   First[0]: {Word:1 Next:[1 values] Back:[1 values]}"),
		lines("changed   First: freed, with 1 values"),
	}, got)
}

func TestContainersShowWhatTheyHold(t *testing.T) {
	type state struct {
		Stack  container.Stack[int16]
		Heap   container.Heap[float64, step]
		Index  container.IndexedHeap[int64, step]
		Set    container.Set[[2]int8]
		Slab   container.Slab[step]
		Nested container.Queue[container.Stack[int16]]
		ByName container.Map[int8, container.Stack[int16]]
	}
	got := steps(t, 6, func(s *state, lp *ross.LP, n int) {
		switch n {
		case 1:
			s.Stack.Push(lp, 5)
			s.Heap.Push(lp, 2.5, step{1})
			s.Set.Add(lp, [2]int8{1, -1})
		case 2:
			s.Stack.Pop(lp)
			s.Heap.Push(lp, 1.5, step{2})
			s.Heap.Pop(lp)
			s.Index.Push(lp, -4, step{4})
			s.Slab.Add(lp, step{7})
			s.Slab.Add(lp, step{8})
		case 3:
			s.Index.Fix(lp, 1, 6)
			s.Slab.Edit(lp, 2).N = 80
			s.Slab.Remove(lp, 1)
			s.Set.Delete(lp, [2]int8{1, -1})
		case 4:
			s.Nested.Push(lp, container.Stack[int16]{})
			s.ByName.Put(lp, 3, container.Stack[int16]{})
		case 5:
			s.Nested.Edit(lp, 0).Push(lp, 11)
			s.ByName.Edit(lp, 3).Push(lp, 12)
		case 6:
			s.ByName.Edit(lp, 3).Push(lp, 13)
			for i := range 200 { // grows
				s.Stack.Push(lp, int16(i))
			}
		}
	}, nothing)
	require.Equal(t, []string{
		lines("changed   Stack: 0 -> 1 values", "added     Stack: 5", "changed   Heap: 0 -> 1 values",
			"added     Heap: 2.5: {N:1}",
			"changed   Set: 0 -> 1 values", "added     Set[[1 -1]]"),
		lines("changed   Stack: 1 -> 0 values", "removed   Stack: 5", "changed   Index: 0 -> 1 values",
			"added     Index[1 (key -4)]: {N:4}",
			"changed   Slab: 0 -> 2 values", "added     Slab[1]: {N:7}", "added     Slab[2]: {N:8}"),
		lines("added     Index[1 (key 6)]: {N:4}", "removed   Index[1 (key -4)]: {N:4}",
			"changed   Set: 1 -> 0 values", "removed   Set[[1 -1]]",
			"changed   Slab: 2 -> 1 values", "changed   Slab[2].N: 8 -> 80", "removed   Slab[1]: {N:7}"),
		lines("changed   Nested: 0 -> 1 values", "added     Nested: []", "changed   ByName: 0 -> 1 values",
			"added     ByName[3]: []"),
		lines("removed   Nested: []", "added     Nested: [11]", "changed   ByName[3]: 0 -> 1 values",
			"added     ByName[3]: 12"),
		got[5],
	}, got)
	require.Contains(t, got[5], lines("changed   Stack: 0 -> 200 values", "added     Stack: 0", "added     Stack: 1"))
	require.Contains(t, got[5], lines("added     Stack: 19", "changed   Stack: and 180 more of its values",
		"changed   ByName[3]: 1 -> 2 values", "added     ByName[3]: 13"))
}

func TestStatesOfGoShowTheirFields(t *testing.T) {
	type state struct {
		Names map[string]*step
		List  []int
		Any   any
		Plain [3]struct{ A, B int8 }
		cache int `ross:"-"`
	}
	got := steps(t, 3, func(s *state, lp *ross.LP, n int) {
		s.cache++
		switch n {
		case 1:
			s.Names, s.List, s.Any = map[string]*step{"a": {1}}, []int{4}, step{5}
		case 2:
			s.Names["a"].N, s.List[0], s.Any = 2, 5, step{6}
			s.Plain[2].B = -1
		}
	}, func(typ *ross.Type[state]) { typ.Saving = ross.SaveNever })
	require.Equal(t, []string{
		lines(`changed   Names: nil -> map["a":&{N:1}]`, "changed   List: len 0: [] -> len 1: [4]",
			"changed   Any: nil -> watch_test.step({N:5})"),
		lines("changed   Any.(watch_test.step).N: 5 -> 6", "changed   Plain[2].B: 0 -> -1", "changed   List[0]: 4 -> 5",
			`changed   Names["a"].N: 1 -> 2`),
		lines()[:0],
	}, got)
}

func TestSuspensionsAndEndsOfTheRunAreShown(t *testing.T) {
	type state struct{ N int }
	got := steps(t, 5, func(_ *state, lp *ross.LP, n int) {
		switch n {
		case 2:
			lp.StopAfter(2.5)
		case 3:
			lp.Suspend(true, 7)
		}
	}, nothing)
	require.Equal(t, []string{"", lines("ended     the run, at 4.5"), lines("suspended itself, with code 7"),
		lines("ignored   the LP is suspended, with code 7")}, got)

	got = steps(t, 3, func(_ *state, lp *ross.LP, n int) {
		if n == 2 {
			lp.Stop()
		}
	}, nothing)
	require.Equal(t, []string{"", lines("ended     the run, after this event")}, got)
}

func TestDrawsAreThoseOfTheStream(t *testing.T) {
	type state struct{ Sum float64 }
	var drawn [6]string
	got := steps(t, 5, func(_ *state, lp *ross.LP, n int) {
		r := lp.RNG()
		switch n {
		case 1:
			drawn[1] = fmt.Sprintf("2 from stream 0: %v %v", r.Unif(), r.Unif())
		case 2:
			drawn[2] = "10 from stream 0:"
			for i := range 10 {
				if u := r.Unif(); i < 8 {
					drawn[2] += fmt.Sprint(" ", u)
				}
			}
			drawn[2] += " …"
		case 3:
			st := r.State()
			r.Unif()
			r.SetState(st)
			r.NormalSD(0, 1) // keeps a value
		case 4:
			r.NormalSD(0, 1) // which this takes
		case 5:
			st := r.State()
			st.Count += 3
			r.SetState(st)
		}
	}, func(typ *ross.Type[state]) { typ.SetsStreams = true })
	require.Equal(t, lines("drew      "+drawn[1]), got[0])
	require.Equal(t, lines("drew      "+drawn[2]), got[1])
	require.Regexp(t, `^  drew      2 from stream 0: 0\.\d+ 0\.\d+$`, got[2])
	require.Equal(t, lines("drew      a number that stream 0 had kept"), got[3])
	require.Equal(t, lines("drew      stream 0 set from draw 14 to draw 17"), got[4])
}

// chatter runs a model of LPs that send each other events, and returns its report.
func chatter(t *testing.T, set func(*ross.Config)) (string, *ross.Simulation, error) {
	t.Helper()
	var out bytes.Buffer
	cfg := rosstest.Small()
	cfg.LPs, cfg.Streams.PerLP, cfg.End, cfg.Output = 4, 2, 20, &out
	set(&cfg)
	sim, err := ross.New(cfg)
	if err != nil {
		return "", nil, err
	}
	t.Cleanup(func() { _ = sim.Close() })
	typ := ross.Type[step]{
		Name: "chatter", Label: func(id ross.LPID) string { return []string{"door", "desk, 1", "", `a "b"`}[id] },
		Init: func(_ *step, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), step{}) },
		Event: ross.On(func(s *step, lp *ross.LP, m *step) {
			s.N++
			lp.Stream(1).Normal01()
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)), 0.1+lp.RNG().Exponential(1), step{s.N})
		}),
	}
	if err := sim.Define(typ); err != nil {
		return out.String(), sim, err
	}
	return out.String(), sim, nil
}

func TestWhatCannotBeWatchedIsAnErrorBeforeTheFirstEvent(t *testing.T) {
	for option, want := range map[string]string{
		"4":          "ross: option --watch=4: there is no LP 4; ids go from 0 to 3",
		"dor":        `ross: option --watch=dor: no LP has the label "dor"; the nearest is "door", of LP 0; a label with a comma or @ needs double quotes`,
		`0,"desk 1"`: `ross: option --watch=0,"desk 1": no LP has the label "desk 1"; the nearest is "desk, 1", of LP 1; a label with a comma or @ needs double quotes`,
		"1@5":        "ross: option --watch=1@5: @5 is no interval; give @from..to, virtual times of which either may be left out",
	} {
		_, _, err := chatter(t, func(c *ross.Config) { c.Watch = option })
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, ross.ErrUsage)
	}
}

func TestLinesAreLimitedAndALineSaysSo(t *testing.T) {
	report := func(limit uint64, synch ross.Scheduler) (string, int) {
		var out bytes.Buffer
		_, sim, err := chatter(t, func(c *ross.Config) {
			c.Watch, c.WatchLimit, c.Output, c.Synch, c.ConsLookahead = `door,"desk, 1",2,"a \"b\""`, int(
				limit), &out, synch, 0.1
			if synch == 3 {
				c.PEs = 2
			}
		})
		require.NoError(t, err)
		require.NoError(t, sim.Run(context.Background()))
		text, _ := split(out.String())
		return text, strings.Count(text, "\n")
	}
	all, n := report(0, 1)
	require.Greater(t, n, 100)
	for _, limit := range []uint64{1, 50, uint64(n - 1), uint64(n), uint64(n + 1)} {
		text, lines := report(limit, 1)
		if limit >= uint64(n) {
			require.Equal(t, all, text)
		} else {
			begin, line, _ := strings.Cut(text, "Watch: ended after ")
			require.True(t, strings.HasPrefix(all, begin))
			require.Equal(t,
				fmt.Sprintf(
					"%d lines, since the next event would have exceeded the limit; raise --watch-limit=%d, 0 means none, or watch less, with @from..to\n",
					lines-1, limit), line)
			require.LessOrEqual(t, uint64(lines-1), limit)
		}
		again, _ := report(limit, 3)
		require.Equal(t, text, again)
	}
}

func TestNothingIsShownWhereNothingIsCommittedOrPrinted(t *testing.T) {
	var out bytes.Buffer
	_, sim, err := chatter(t, func(c *ross.Config) { c.Watch, c.Synch, c.Output = "0", 4, &out })
	require.NoError(t, err)
	require.NoError(t, sim.Run(context.Background()))
	text, _ := split(out.String())
	require.Empty(t, text)
	require.Contains(t, out.String(),
		"Note: --watch=0 shows events when they are committed, and --synch=4 commits none; use --synch=6, which commits them\n")

	_, sim, err = chatter(t, func(c *ross.Config) { c.Watch, c.Output = "0", nil })
	require.NoError(t, err)
	require.NoError(t, sim.Run(context.Background()))
}

// An optimistic run ends before it commits the event.
func TestTheEventOfAMistakeIsShown(t *testing.T) {
	full := errors.New("full")
	for _, synch := range []ross.Scheduler{1, 2, 6} {
		var out bytes.Buffer
		cfg := rosstest.Small()
		cfg.LPs, cfg.Synch, cfg.Watch, cfg.Output = 4, synch, "3", &out
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { _ = sim.Close() })
		require.NoError(t, sim.Define(rosstest.Once(func(lp *ross.LP) { lp.Fail(full) })))
		require.ErrorIs(t, sim.Run(context.Background()), full)
		text, _ := split(out.String())
		require.True(t, strings.HasPrefix(text, "Watch: LP 3 (once) at 1.5\n"), "--synch=%v: %s", synch, text)
	}
}

func TestARunFromACheckpointShowsTheRest(t *testing.T) {
	run := func(end float64, restart, store bool, name string, synch ross.Scheduler) string {
		var out bytes.Buffer
		_, sim, err := chatter(t, func(c *ross.Config) {
			c.Watch, c.Output, c.End, c.Synch, c.WatchLimit = "0,2@5..15", &out, end, synch, 0
			c.Checkpoints.AfterRun = store
			if restart {
				c.Checkpoints.Restart = name
			}
		})
		require.NoError(t, err)
		require.NoError(t, sim.Run(context.Background()))
		if store {
			require.NoError(t, sim.Store(name))
		}
		text, _ := split(out.String())
		return text
	}
	folder := t.TempDir()
	for _, synch := range []ross.Scheduler{1, 3} {
		name := filepath.Join(folder, fmt.Sprint("at10-", int(synch)))
		end := withoutSends(run(20, false, true, name+"-end", synch))
		first := withoutSends(run(10, false, true, name, synch))
		second := withoutSends(run(20, true, true, name, synch))
		require.NotEmpty(t, second)
		head := "Watch: only 0,2@5..15\n"
		require.True(t, strings.HasPrefix(first, head))
		require.Equal(t, end, first+strings.TrimPrefix(second, head))
	}
}

// withoutSends leaves out whether a send is before the end, in which runs with different ends differ.
func withoutSends(text string) string {
	return regexp.MustCompile(`(delay [0-9.e-]+)(, not before the end of the run)?: watch_test.step(\{N:\d+\})?`).
		ReplaceAllString(text, "$1")
}

func TestAnOptionNamesLPsAndTimes(t *testing.T) {
	inf := math.Inf(1)
	for option, want := range map[string][]watch.Item{
		"7":                    {{ID: 7, From: -inf, To: inf}},
		"18446744073709551615": {{ID: math.MaxUint64, From: -inf, To: inf}},
		"7@10..20.5":           {{ID: 7, From: 10, To: 20.5}},
		"7@..":                 {{ID: 7, From: -inf, To: inf}},
		"7@1e3..":              {{ID: 7, From: 1000, To: inf}},
		"7@..inf":              {{ID: 7, From: -inf, To: inf}},
		"7@3..3":               {{ID: 7, From: 3, To: 3}},
		"door":                 {{Label: "door", From: -inf, To: inf}},
		"desk 7":               {{Label: "desk 7", From: -inf, To: inf}},
		`"7"`:                  {{Label: "7", From: -inf, To: inf}},
		`"a@b, \"c\" \\"@..5`:  {{Label: `a@b, "c" \`, From: -inf, To: 5}},
		"1,2@3..,door@..4": {{ID: 1, From: -inf, To: inf}, {ID: 2, From: 3, To: inf},
			{Label: "door", From: -inf, To: 4}},
		` 1 , "x" , y @ 1 .. 2`: {{ID: 1, From: -inf, To: inf}, {Label: "x", From: -inf, To: inf},
			{Label: "y", From: 1, To: 2}},
		"-3": {{Label: "-3", From: -inf, To: inf}},
	} {
		got, err := watch.Parse(option)
		require.NoError(t, err, option)
		require.Equal(t, want, got, option)
		var texts []string
		for _, it := range got {
			texts = append(texts, it.String())
		}
		again, err := watch.Parse(strings.Join(texts, ","))
		require.NoError(t, err)
		require.Equal(t, want, again, texts)
	}
}

func TestAnOptionThatCannotBeReadSaysWhy(t *testing.T) {
	for option, want := range map[string]string{
		"":                     "an LP has no name; give its id or its label, and a comma only between two LPs",
		"1,":                   "an LP has no name",
		",1":                   "an LP has no name",
		"@1..2":                "an LP has no name",
		`""`:                   "an LP has no name",
		`"door`:                `a label in double quotes has no end; give "label", with \" for a quote in it`,
		`"door"x`:              `"x" follows the label "door"; give a comma before another LP, or @from..to`,
		"7@5":                  "@5 is no interval; give @from..to, virtual times of which either may be left out",
		"7@":                   "@ is no interval",
		"7@a..b":               `@a..b: "b" is no virtual time; give @from..to`,
		"7@nan..":              `@nan..: "nan" is no virtual time`,
		"7@2..1":               "@2..1: ends before it begins; give the earlier time first",
		"7@1..2@3..4":          `"2@3..4" is no virtual time`,
		"18446744073709551616": "18446744073709551616 is beyond all ids",
	} {
		_, err := watch.Parse(option)
		require.ErrorContains(t, err, "ross: option --watch="+option+": ")
		require.ErrorContains(t, err, want)
		require.ErrorIs(t, err, usage.Err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`1,"a\"b"@1..2,c@..`)
	f.Fuzz(func(t *testing.T, option string) {
		all, err := watch.Parse(option)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%q: %v, %v", option, all, err)
		}
		for _, it := range all {
			if !(it.From <= it.To) {
				t.Fatalf("%q: %v", option, it)
			}
		}
	})
}
