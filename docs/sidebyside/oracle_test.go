// This file owns the tests of the models: under every scheduler, and against recursions and a list of events that is
// searched for the earliest one; and the comparison of the three pages with the programs.

package sidebyside

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

func TestBank(t *testing.T) {
	branches := bank
	branches.LPs = 4
	modeltest.Run(t, modeltest.Model{
		Config: ross.Config{End: 1000},
		Types:  func() []ross.LPType { return []ross.LPType{branches} },
	})
}

// The types of LPs are those of the examples, with more LPs where there is one.
func TestModelsAreTheSameUnderEveryScheduler(t *testing.T) {
	t.Parallel()
	clinic := desk
	clinic.LPs = 4
	models := map[string]struct {
		end  float64
		kind ross.LPType
	}{
		"desk":     {100, clinic},
		"epidemic": {8, epidemic},
		"phold":    {4, phold},
		"ring":     {40, ring},
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			modeltest.Run(t, modeltest.Model{
				Config: ross.Config{End: m.end},
				Types:  func() []ross.LPType { return []ross.LPType{m.kind} },
				Short:  testlevel.Is(testlevel.Few),
			})
		})
	}
	t.Run("line", func(t *testing.T) {
		t.Parallel()
		modeltest.Run(t, modeltest.Model{Program: line, Args: "--end=150", Short: testlevel.Is(testlevel.Few)})
	})
}

// streams returns the streams that the first LPs of a run have.
func streams(t *testing.T, n int) []rng.Stream {
	t.Helper()
	all := make([]rng.Stream, n)
	sim, err := ross.Run(context.Background(), ross.Config{End: 1}, ross.Type[ross.None]{
		LPs:   n,
		Init:  func(_ *ross.None, lp *ross.LP) { all[lp.ID()] = lp.RNG().State().Stream() },
		Event: ross.On(func(*ross.None, *ross.LP, *ross.None) {}),
	})
	require.NoError(t, err)
	require.NoError(t, sim.Close())
	return all
}

func simulate(t *testing.T, end float64, types ...ross.LPType) *ross.Simulation {
	t.Helper()
	sim, err := ross.Run(context.Background(), ross.Config{End: end}, types...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	return sim
}

// near requires a number of a table, whose sums are exact, to be that of ordinary sums.
func near(t *testing.T, want, got float64) {
	t.Helper()
	require.False(t, math.IsNaN(want) || want == 0, "the test shows nothing")
	require.InEpsilon(t, want, got, 1e-9)
}

// mean is a sum of numbers and how many there are.
type mean struct{ sum, n float64 }

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

// The clerk who is free first takes the next patient.
func TestWaitsAtTheDeskAreThoseOfTheRecursion(t *testing.T) {
	t.Parallel()
	const end = 2000
	var free [3]float64
	var waits mean
	s := &streams(t, 1)[0]
	for now := s.Exponential(1); now < end; {
		takes := s.Exponential(2.5)
		slices.Sort(free[:])
		start := max(now, free[0])
		if start < end {
			waits.add(start - now)
		}
		free[0] = start + takes
		now += s.Exponential(1)
	}
	clerks := &ross.StateOf[Desk](simulate(t, end, desk).LP(0)).Clerks
	near(t, waits.n, float64(clerks.Wait.Count()))
	near(t, waits.sum/waits.n, clerks.Wait.Mean())
}

// A customer who would wait longer than his patience leaves.
func TestBankIsThatOfTheRecursion(t *testing.T) {
	t.Parallel()
	const end = 5000
	free, left := 0., 0.
	var waits mean
	s := &streams(t, 1)[0]
	for now := s.Exponential(10); now < end; {
		needs, patience := s.Exponential(12), 5+10*s.Unif()
		switch start := max(now, free); {
		case start <= now+patience:
			if start < end {
				waits.add(start - now)
			}
			free = start + needs
		case now+patience < end:
			left++
		}
		now += s.Exponential(10)
	}
	counter := &ross.StateOf[Bank](simulate(t, end, bank).LP(0)).Counter
	near(t, waits.n, float64(counter.Wait.Count()))
	near(t, left, float64(counter.Reneged.Count()))
	near(t, waits.sum/waits.n, counter.Wait.Mean())
}

func TestPacketsTakeAsLongAsTheirWay(t *testing.T) {
	t.Parallel()
	const end = 300
	var delays mean
	all := streams(t, nodes)
	for i := range all {
		s := &all[i]
		for now := s.Exponential(10); now < end; now += s.Exponential(10) {
			if away := link * float64(s.Integer(1, nodes-1)); now+away < end {
				delays.add(away)
			}
		}
	}
	table, err := stats.Collect(simulate(t, end, ring))
	require.NoError(t, err)
	row, ok := table.Row("Node", "delay")
	require.True(t, ok)
	near(t, delays.n, float64(row.Count))
	near(t, delays.sum/delays.n, row.Mean)
}

// pending is a list of events.
type pending []struct {
	at   float64
	lp   int64
	kind string
}

func (p *pending) add(at float64, lp int64, kind string) {
	*p = append(*p, pending{{at, lp, kind}}...)
}

// run calls handle for each event before the end, the earliest one first.
func (p *pending) run(end float64, handle func(now float64, lp int64, kind string)) {
	for len(*p) > 0 {
		first := 0
		for i, e := range *p {
			if e.at < (*p)[first].at {
				first = i
			}
		}
		e := (*p)[first]
		*p = slices.Delete(*p, first, first+1)
		if e.at < end {
			handle(e.at, e.lp, e.kind)
		}
	}
}

func TestEpidemicIsThatOfAList(t *testing.T) {
	t.Parallel()
	const end = 25
	all := streams(t, places)
	var events pending
	want := make([]Place, places)
	for i := range want {
		want[i].Well = people
	}
	infect := func(now float64, at int64) {
		s := &all[at]
		want[at].Well, want[at].Sick = want[at].Well-1, want[at].Sick+1
		end := s.Exponential(5)
		for wait := s.Exponential(2); wait < end; wait += s.Exponential(2) {
			to := at
			if s.Unif() < 0.1 {
				to = [2]int64{(at + places - 1) % places, (at + 1) % places}[s.Integer(0, 1)]
			}
			events.add(now+wait, to, "contact")
		}
		events.add(now+end, at, "recovery")
	}
	for range 5 {
		infect(0, 0)
	}
	events.run(end, func(now float64, at int64, kind string) {
		switch p := &want[at]; {
		case kind == "recovery":
			p.Sick, p.Over = p.Sick-1, p.Over+1
		case all[at].Unif() < float64(p.Well)/people:
			infect(now, at)
		}
	})
	sim := simulate(t, end, epidemic)
	for i, p := range want {
		require.Equal(t, p, *ross.StateOf[Place](sim.LP(ross.LPID(i))), "place %d", i)
		require.EqualValues(t, people, p.Well+p.Sick+p.Over)
	}
	require.Positive(t, want[1].Sick+want[1].Over, "it went to a neighbour")
}

func TestPholdIsThatOfAList(t *testing.T) {
	t.Parallel()
	const end = 20
	all := streams(t, members)
	var events pending
	pass := func(now float64, at int64) {
		s, to := &all[at], at
		if s.Unif() < 0.25 {
			to = s.Integer(0, members-1)
		}
		events.add(now+0.1+s.Exponential(0.9), to, "")
	}
	for i := range int64(members) {
		for range jobs {
			pass(0, i)
		}
	}
	var want [members]int64
	events.run(end, func(now float64, at int64, _ string) {
		want[at]++
		pass(now, at)
	})
	sim := simulate(t, end, phold)
	for i, n := range want {
		require.Equal(t, n, ross.StateOf[Member](sim.LP(ross.LPID(i))).Received, "LP %d", i)
	}
}

// An item starts when it has come and the one before it is ready, at each queue.
func TestLineIsThatOfTheRecursion(t *testing.T) {
	t.Parallel()
	const end = 3000
	l := Line{interarrival: 1.5, queues: []QueueParams{{0.5}, {1}, {1}}}
	all := streams(t, length+2)
	var free [length]float64
	var stays mean
	for born := all[0].Exponential(l.interarrival); born < end; born += all[0].Exponential(l.interarrival) {
		now := born
		for i := range free {
			now = max(now+channel, free[i]) + all[i+1].Exponential(l.queues[i].Service)
			free[i] = now
		}
		if now += channel; now < end {
			stays.add(now - born)
		}
	}
	sink := ross.StateOf[Sink](simulate(t, end, l.types()...).LP(length + 1))
	near(t, stays.n, float64(sink.Stay.Count()))
	near(t, stays.sum/stays.n, sink.Stay.Mean())
}

// endings are those of the files that a block of a page may be from, by the language of the block.
var endings = map[string]string{
	"go": ".go", "yaml": ".go", "python": ".py", "rust": ".rs", "cpp": ".cc", "ned": ".ned", "ini": ".ini",
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// sources returns the texts of all files of the folder with an ending.
func sources(t *testing.T, ending string) (all []string) {
	t.Helper()
	for _, pattern := range []string{"*", "*/*", "*/*/*", "../../proc/internal/models/*", "../../models/processes/*/*"} {
		paths, err := filepath.Glob(pattern + ending)
		require.NoError(t, err)
		for _, path := range paths {
			all = append(all, "\n"+read(t, path))
		}
	}
	require.NotEmpty(t, all, ending)
	return all
}

func TestPagesShowThePrograms(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	for _, page := range []string{"side-by-side", "from-simpy", "from-omnetpp"} {
		shown := 0
		for _, found := range block.FindAllStringSubmatch(read(t, "../"+page+".md"), -1) {
			language, text := found[1], found[2]
			switch ending := endings[language]; {
			case ending != "":
				whole := func(source string) bool { return strings.Contains(source, "\n"+text) }
				require.True(t, oneOf(sources(t, ending), whole), "%s: no file has this block:\n%s", page, text)
			case language == "sh":
				words := strings.Fields(text)
				same := strings.Contains(read(t, "line_test.go"), `"`+strings.Join(words[2:], `", "`)+`"`)
				require.True(t, same, "%s: the example has no such words:\n%s", page, text)
			case language == "text":
				for line := range strings.Lines(text) {
					printed := strings.Contains(read(t, "line_test.go"), strings.TrimRight("\t// "+line, " \n")+"\n")
					require.True(t, printed, "%s: the example does not print this line:\n%s", page, line)
				}
			default:
				t.Fatalf("%s: a block in %q", page, language)
			}
			shown++
		}
		require.Greater(t, shown, 7, page)
	}
}

// oneOf reports whether one of the texts is as asked.
func oneOf(texts []string, is func(string) bool) bool {
	for _, text := range texts {
		if is(text) {
			return true
		}
	}
	return false
}
