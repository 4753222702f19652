// This file pins what Check does with models that are right, with those that cannot do everything, and with tests that
// prove nothing. It owns models that are wrong: each has to fail, with an error that names what is at fault. And it
// owns the examples.

package modeltest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// tame is a model that is right: it adds up what it gets, and undoes that.
func tame(s *node, lp *ross.LP, m *hop) {
	s.N += m.N
	on(lp, s.N)
}

func untame(s *node, _ *ross.LP, m *hop) { s.N -= m.N }

// small is the state of models that can be stored.
type small struct {
	N      int64
	Params *int64 `ross:"-"`
	Served stats.Tally
}

func (s *small) begin(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), hop{N: 1}) }

func (s *small) add(lp *ross.LP, m *hop) {
	*ross.Write(lp, &s.N) += m.N
	s.Served.Add(lp, float64(m.N))
	on(lp, s.N)
}

func smalls() ross.Type[small] {
	return ross.Type[small]{LPs: nodes, Saving: ross.SaveByLog, Lookahead: 0.1, Init: (*small).begin,
		Event: ross.On((*small).add)}
}

// types returns a model of one type, which ends at time 20.
func types(t ross.LPType) modeltest.Model {
	return modeltest.Model{Config: ross.Config{End: 20}, Short: true,
		Types: func() []ross.LPType { return []ross.LPType{t} }}
}

// sink is a T that keeps what it gets.
type sink struct{ fatal, log string }

func (*sink) Helper()                     {}
func (s *sink) Logf(f string, a ...any)   { s.log += fmt.Sprintf(f, a...) }
func (s *sink) Fatalf(f string, a ...any) { s.fatal += fmt.Sprintf(f, a...) }

func TestRightModelsPassEverything(t *testing.T) {
	m := types(smalls())
	m.Short = false
	report, err := modeltest.Check(m)
	require.NoError(t, err)
	require.Empty(t, report.LeftOut)
	require.Empty(t, report.Notes)
	require.GreaterOrEqual(t, len(report.Runs), 27)
	require.Greater(t, report.Events, uint64(150))
	require.Positive(t, report.RolledBack)
	var s sink
	modeltest.Run(&s, types(smalls()))
	require.Empty(t, s.fatal)
	require.Regexp(t, `^[89] runs of \d+ events, \d+ events rolled back$`, s.log)
}

// TestTypesOfAProgramMayCountTheLPs has a program whose configuration says nothing about the number of LPs.
func TestTypesOfAProgramMayCountTheLPs(t *testing.T) {
	m := modeltest.Model{Short: true, Program: func() program.Program {
		return program.Program{Name: "small", Config: ross.Config{End: 20},
			Build: func(sim *ross.Simulation) error { return sim.Define(smalls()) }}
	}}
	report, err := modeltest.Check(m)
	require.NoError(t, err)
	require.Greater(t, report.Events, uint64(150))
}

func TestRunFailsTheTestOfAWrongModel(t *testing.T) {
	var s sink
	modeltest.Run(&s, types(of(onlyHop(forgets).Reverse(func(s *node, _ *ross.LP, m *hop) { s.N -= m.N }))))
	require.Contains(t, s.fatal, "node.M")
	require.Empty(t, s.log)
}

// TestWhatCannotBeDoneIsLeftOut has models that are right, but not fit for everything.
func TestWhatCannotBeDoneIsLeftOut(t *testing.T) {
	never := of(onlyHop(tame))
	never.Saving = ross.SaveNever
	stops := smalls()
	stops.Event = ross.On(func(s *small, lp *ross.LP, m *hop) {
		if s.add(lp, m); lp.Now() > 15 {
			lp.Stop()
		}
	})
	lonely := smalls()
	lonely.LPs = 1
	lonely.Event = ross.On(func(s *small, lp *ross.LP, m *hop) {
		*ross.Write(lp, &s.N) += m.N
		ross.Send(lp, 0, 1, *m)
	})
	without := types(smalls())
	without.NoRestart = "there is no need"
	for name, c := range map[string]struct {
		model modeltest.Model
		left  []string
		notes []string
	}{
		"states that cannot be stored, no lookahead": {types(of(onlyHop(tame).Reverse(untame))),
			[]string{"--synch=2: the model promises no lookahead",
				`restart: .*LP type "node": state: modeltest_test.node.Order is a slice`}, nil},
		"events that cannot be undone": {types(never), []string{"--synch=4 --nkp=2: .*SaveNever", "--synch=2: ", "restart: "},
			nil},
		"LPs that end the run": {types(stops), []string{"--synch=2: .*stopped the run"}, nil},
		"LPs that are alone": {types(lonely), nil,
			[]string{"only 20 events", "no event went from one PE to another"}},
		"no restart": {without, []string{"restart: there is no need"}, nil},
	} {
		report, err := modeltest.Check(c.model)
		require.NoError(t, err, name)
		require.Len(t, report.LeftOut, len(c.left), "%s: %s", name, report)
		for i, part := range c.left {
			require.Regexp(t, part, report.LeftOut[i], name)
		}
		notes := slices.DeleteFunc(report.Notes, func(n string) bool { // what depends on processors
			return strings.HasPrefix(n, "no event was rolled back") || len(c.notes) == 0 &&
				strings.HasPrefix(n, "no event went from one PE")
		})
		require.Len(t, notes, len(c.notes), "%s: %s", name, report)
		for i, part := range c.notes {
			require.Regexp(t, part, notes[i], name)
		}
	}
}

// TestMistakesThatOnlyRunsShow has models in which each event is undone as it should be.
func TestMistakesThatOnlyRunsShow(t *testing.T) {
	hasty := of(onlyHop(hurries).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.N-- }))
	hasty.Lookahead = 0.1
	local := of(onlyHop(func(s *node, lp *ross.LP, m *hop) {
		s.N += m.N
		on(lp, int64(lp.PE().NumLPs()))
	}).Reverse(untame))
	lost := smalls()
	lost.Init = func(s *small, lp *ross.LP) {
		s.Params = new(int64)
		s.begin(lp)
	}
	lost.Event = ross.On(func(s *small, lp *ross.LP, m *hop) { s.add(lp, &hop{N: m.N + *s.Params}) })
	results := types(of(onlyHop(tallies).Reverse(untame)))
	results.Results = func(*ross.Simulation) (any, error) {
		defer func() { counted = 0 }()
		return map[string]int64{"rides": counted}, nil
	}
	number := types(nil)
	number.Types = func() []ross.LPType {
		var commits atomic.Int64
		n := smalls()
		n.Event = ross.On((*small).add).Commit(
			func(s *small, lp *ross.LP, _ *hop) { s.Served.Add(lp, float64(commits.Add(1))) })
		return []ross.LPType{n}
	}
	type late struct {
		small
		Last int64
	}
	order := types(nil)
	order.Types = func() []ross.LPType {
		var commits atomic.Int64
		return []ross.LPType{ross.Type[late]{Name: "late", LPs: nodes, Saving: ross.SaveByLog,
			Init: func(s *late, lp *ross.LP) { s.begin(lp) },
			Event: ross.On(func(s *late, lp *ross.LP, m *hop) { s.add(lp, m) }).Commit(
				func(s *late, _ *ross.LP, _ *hop) { s.Last = commits.Add(1) })}}
	}
	for name, c := range map[string]struct {
		model modeltest.Model
		is    error
		want  []string
	}{
		"lookahead": {types(hasty), ross.ErrLookahead,
			[]string{"--synch=6", "hurries", "below the lookahead of 0.1 that its type promises"}},
		"number of PEs": {types(local), nil,
			[]string{"round robin", "events: not as in", "the first event that differs is event",
				"there it is modeltest_test.hop{N:12 ", "here it is modeltest_test.hop{N:4 "}},
		"a lost parameter": {types(lost), ross.ErrPanic, []string{"--io-restart=latest", "small for modeltest_test.hop"}},
		"a counter":        {results, nil, []string{"--synch=6: results", `"map[rides:`}},
		"order of commits": {order, nil,
			[]string{"states at the end", "late.Last is ", "in the handler of late for modeltest_test.hop"}},
		"order in a number": {number, nil, []string{"statistics", "Served"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := modeltest.Check(c.model)
			require.ErrorIs(t, err, modeltest.ErrModel)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			for _, part := range c.want {
				require.ErrorContains(t, err, part)
			}
		})
	}
}

func TestTestsThatProveNothingFail(t *testing.T) {
	idle := smalls()
	idle.Init = nil
	endless := types(smalls())
	endless.Config.End, endless.MaxEvents = math.Inf(1), 5000
	long := endless
	long.Config.End = 0
	many := func() program.Program { return program.Program{Name: "many"} }
	for want, m := range map[string]modeltest.Model{
		"no event was handled":                           types(idle),
		"more than 5000 events, and has come to virtual": endless,
		"its end is at 100000: give it an earlier":       long,
		"both Types and Program, or neither":             {},
		"Build is missing":                               {Program: many},
		"option --nkp=0": {Program: func() program.Program {
			return program.Program{Name: "p", Build: func(*ross.Simulation) error { return nil }}
		}, Args: "--nkp=0"},
	} {
		_, err := modeltest.Check(m)
		require.ErrorContains(t, err, want)
	}
}

// What Check does on ranks: the same runs, and errors with rank and model. models/mpitest has the same
// under mpirun.

func TestRightModelsPassOnRanks(t *testing.T) {
	m := types(smalls())
	m.Short = false
	alone, err := modeltest.Check(m)
	require.NoError(t, err)
	m.Ranks = 2
	report, err := modeltest.Check(m)
	require.NoError(t, err)
	require.Empty(t, report.LeftOut)
	require.Empty(t, report.Notes)
	several := 0
	for _, run := range alone.Runs {
		if strings.Contains(run, "--pes") && !strings.HasPrefix(run, "--synch=1") {
			several++
		}
	}
	on := 0
	for _, run := range report.Runs {
		if strings.HasPrefix(run, "2 ranks of ") {
			on++
		}
	}
	require.Greater(t, several, 10)
	require.Equal(t, several, on, "each run with PEs is made on ranks, too: %v", report.Runs)
}

// onTheLast returns a model in which an event of the last LP, which is on the last rank, does something wrong if there
// are ranks.
func onTheLast(wrong func(s *small, lp *ross.LP, m *hop)) modeltest.Model {
	n := smalls()
	n.Event = ross.On(func(s *small, lp *ross.LP, m *hop) {
		if s.add(lp, m); lp.ID() == nodes-1 && lp.PE().Simulation().Ranks() > 1 {
			wrong(s, lp, m)
		}
	})
	m := types(n)
	m.Ranks = 3
	return m
}

func TestErrorsOnRanksNameRankAndModel(t *testing.T) {
	byRank := types(smalls())
	byRank.Ranks = 2
	byRank.Results = func(sim *ross.Simulation) (any, error) { return sim.Ranks(), nil }
	for name, c := range map[string]struct {
		model modeltest.Model
		is    error
		want  []string
	}{
		"events": {onTheLast(func(_ *small, lp *ross.LP, _ *hop) { ross.Send(lp, 0, 1, hop{N: 7}) }), nil,
			[]string{"small, rank 0 of 3: ", "events: not as in the sequential run: the first event that differs is event",
				"LP 11 sent"}},
		// messages have it modulo 1000
		"states": {onTheLast(func(s *small, lp *ross.LP, _ *hop) { *ross.Write(lp, &s.N) += 7000 }), nil,
			[]string{"small, rank 2 of 3: ", "states at the end: not as in the sequential run: LP 11 (small): small.N is "}},
		"statistics": {onTheLast(func(s *small, lp *ross.LP, _ *hop) { s.Served.Add(lp, 7) }), nil,
			[]string{"small, rank 2 of 3: ", `statistics: not as in the sequential run: "LP 11, Served`}},
		"results": {byRank, nil,
			[]string{"small, rank 0 of 2: ", `results: not as in the sequential run: "1" there, "2" here`}},
		"a panic": {onTheLast(func(*small, *ross.LP, *hop) { panic("no such luck") }), ross.ErrPanic,
			[]string{"small, rank 2 of 3: ", "no such luck"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := modeltest.Check(c.model)
			require.ErrorIs(t, err, modeltest.ErrModel)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			for _, part := range append(c.want, " ranks of --synch=3") {
				require.ErrorContains(t, err, part)
			}
		})
	}
}

func TestNumbersOfRanksThatCannotBeAreErrors(t *testing.T) {
	m := types(smalls())
	for _, n := range []int{-1, 17} {
		m.Ranks = n
		_, err := modeltest.Check(m)
		require.ErrorContains(t, err, "modeltest: Model.Ranks=")
	}
}

const nodes = 12

// node is the state of all wrong models, hop their message.
type (
	node struct {
		N, M   int64
		Sum    float64
		Kinds  [3]int64
		Order  []int64
		Shared *atomic.Int64
		Seen   stats.Counter
	}
	hop struct {
		N    int64
		Kind int64
		Load float64
	}
)

func (*node) begin(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), hop{N: 1}) }

// on sends a message on.
func on(lp *ross.LP, n int64) {
	m := hop{N: n % 1000, Kind: lp.RNG().Integer(0, 2), Load: lp.RNG().Unif()}
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, nodes-1)), 0.1+lp.RNG().Exponential(1), m)
}

// of returns the type of such a model.
func of(h ross.Handler[node]) ross.Type[node] {
	return ross.Type[node]{Name: "node", LPs: nodes, Init: (*node).begin, Event: h}
}

func onlyHop(f func(s *node, lp *ross.LP, m *hop)) ross.EventHandler[node, hop] { return ross.On(f) }

var (
	counted  int64 // changed by all LPs
	table    = map[int64]int64{1: 3, 2: 5, 3: 7, 4: 11, 5: 13, 6: 17}
	everyone [nodes]*node        // states that others read
	shared   = new(atomic.Int64) // that states point to
)

// forgets: Reverse forgets a field.
func forgets(s *node, lp *ross.LP, m *hop) {
	s.N += m.N
	s.M++
	on(lp, s.N)
}

// branch: Reverse undoes the branch that Event did not take.
func branch(s *node, lp *ross.LP, m *hop) {
	if s.N%2 == 0 {
		s.N += 3
	} else {
		s.M++
		s.N++
	}
	on(lp, s.N+m.N)
}

func undoBranch(s *node, _ *ross.LP, _ *hop) {
	if s.N%2 == 0 { // it has changed since
		s.N -= 3
	} else {
		s.M--
		s.N--
	}
}

// order: Reverse undoes in the order of Event.
func order(s *node, lp *ross.LP, m *hop) {
	s.N += m.Kind + 1
	s.M = s.M*2 + s.N
	on(lp, s.M)
}

func undoOrder(s *node, _ *ross.LP, m *hop) {
	s.N -= m.Kind + 1
	s.M = (s.M - s.N) / 2
}

func rounds(s *node, lp *ross.LP, m *hop) {
	s.Sum += m.Load
	on(lp, m.N)
}

// visits: the order of a map's keys.
func visits(s *node, lp *ross.LP, _ *hop) {
	for k, v := range table {
		*ross.Write(lp, &s.N) = s.N*31 + k*v
	}
	on(lp, s.N)
}

// counts: a variable that LPs share, and that events depend on.
func counts(_ *node, lp *ross.LP, _ *hop) {
	counted++
	on(lp, counted)
}

// tallies: a variable that LPs share, and that only the results depend on.
func tallies(s *node, lp *ross.LP, m *hop) {
	s.N += m.N
	counted++
	on(lp, s.N)
}

func clock(s *node, lp *ross.LP, _ *hop) {
	*ross.Write(lp, &s.N) = time.Now().UnixNano() % 1000
	on(lp, s.N)
}

func global(s *node, lp *ross.LP, _ *hop) {
	*ross.Write(lp, &s.N) = rand.Int64N(1000)
	on(lp, s.N)
}

// peeks: the state of another LP decides where the message goes.
func peeks(s *node, lp *ross.LP, m *hop) {
	*ross.Write(lp, &s.N) += m.Kind
	on(lp, everyone[(lp.ID()+1)%nodes].N)
}

// pokes: another LP's state is changed.
func pokes(s *node, lp *ross.LP, m *hop) {
	*ross.Write(lp, &s.N)++
	everyone[(lp.ID()+1)%nodes].M++
	on(lp, m.N)
}

// rewrites: the message is changed, and decides what happens.
func rewrites(s *node, lp *ross.LP, m *hop) {
	m.N = m.N*3 + 1
	s.N++
	on(lp, m.N)
}

// reads: a statistic, which lacks what is not committed.
func reads(s *node, lp *ross.LP, _ *hop) {
	s.N++
	s.Seen.Inc(lp)
	on(lp, int64(s.Seen.Count()))
}

// hurries: a delay below the lookahead that the type promises.
func hurries(s *node, lp *ross.LP, m *hop) {
	s.N++
	ross.Send(lp, (lp.ID()+1)%nodes, 0.05+lp.RNG().Exponential(1), *m)
}

// shares: a pointer in all states leads to one number.
func shares(s *node, lp *ross.LP, _ *hop) {
	s.Shared.Add(1)
	on(lp, s.Shared.Load())
}

// late: Save comes after the change.
func late(s *node, lp *ross.LP, m *hop) {
	s.N += m.N
	ross.Save(lp, &s.N)
	on(lp, s.N)
}

// unsaved: a field is not saved.
func unsaved(s *node, lp *ross.LP, m *hop) {
	*ross.Write(lp, &s.N) += m.N
	s.Kinds[m.Kind]++
	on(lp, s.N+s.Kinds[0])
}

// settled: Commit changes what Event reads.
func settled(s *node, lp *ross.LP, m *hop) {
	s.N += m.Kind
	on(lp, s.N+s.M)
}

// keeps: a slice that Reverse shortens by one too many at times.
func keeps(s *node, lp *ross.LP, m *hop) {
	if m.Kind > 0 {
		s.Order = append(s.Order, m.N)
	}
	on(lp, int64(len(s.Order)))
}

func TestWrongModelsFail(t *testing.T) {
	nothing := func(*node, *ross.LP, *hop) {}
	known := func(h ross.Handler[node]) ross.Type[node] {
		n := of(h)
		n.Init = func(s *node, lp *ross.LP) {
			everyone[lp.ID()] = s
			s.begin(lp)
		}
		n.Saving = ross.SaveByLog
		return n
	}
	log := func(h ross.Handler[node]) ross.Type[node] {
		n := of(h)
		n.Saving = ross.SaveByLog
		return n
	}
	for name, c := range map[string]struct {
		model ross.Type[node]
		want  []string // parts of the error
	}{
		"forgotten field": {of(onlyHop(forgets).Reverse(func(s *node, _ *ross.LP, m *hop) { s.N -= m.N })),
			[]string{"--synch=6", "forgets", "left node.M at 1"}},
		"branch": {of(onlyHop(branch).Reverse(undoBranch)),
			[]string{"--synch=6", "modeltest_test.branch", "left node."}},
		"wrong order": {of(onlyHop(order).Reverse(undoOrder)),
			[]string{"--synch=6", "modeltest_test.order", "left node.M"}},
		"rounding": {of(onlyHop(rounds).Reverse(func(s *node, _ *ross.LP, m *hop) { s.Sum -= m.Load })),
			[]string{"--synch=6", "rounds", "rounding"}},
		"map iteration":    {log(onlyHop(visits)), []string{"--synch=6", "visits", "order of a map"}},
		"package variable": {of(onlyHop(counts).Reverse(nothing)), []string{"--synch=6", "modeltest_test.counts"}},
		"clock":            {log(onlyHop(clock)), []string{"modeltest_test.clock"}},
		"math/rand":        {log(onlyHop(global)), []string{"modeltest_test.global"}},
		"another's state":  {known(onlyHop(peeks)), []string{"peeks"}},
		"writes another's": {known(onlyHop(pokes)), []string{"--synch=6", "something other", "modeltest_test.pokes"}},
		"message": {of(onlyHop(rewrites).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.N-- })),
			[]string{"--synch=6", "rewrites", "essage"}},
		"statistic": {of(onlyHop(reads).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.N-- })),
			[]string{"--synch=6", "reads", "Seen"}},
		"shared pointer": {of(onlyHop(shares).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.Shared.Add(-1) })),
			[]string{"--synch=6", "something other", "modeltest_test.shares"}},
		"late Save": {log(onlyHop(late)), []string{"--synch=6", "modeltest_test.late", "node.N"}},
		"no Save":   {log(onlyHop(unsaved)), []string{"--synch=6", "unsaved", "node.Kinds["}},
		"Commit": {
			of(onlyHop(settled).Reverse(func(s *node, _ *ross.LP, m *hop) { s.N -= m.Kind }).Commit(
				func(s *node, _ *ross.LP, _ *hop) { s.M++ })), []string{"--synch=6", "settled", "Commit"}},
		"shortened too much": {
			of(onlyHop(keeps).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.Order = s.Order[:max(0, len(s.Order)-1)] })),
			[]string{"--synch=6", "keeps", "node.Order"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "shared pointer" {
				c.model.Init = func(s *node, lp *ross.LP) {
					s.Shared = shared
					s.begin(lp)
				}
			}
			report, err := modeltest.Check(modeltest.Model{Config: ross.Config{End: 20}, Short: true,
				Types: func() []ross.LPType { return []ross.LPType{c.model} }})
			require.Error(t, err, report.String())
			require.ErrorIs(t, err, modeltest.ErrModel)
			for _, part := range c.want {
				require.ErrorContains(t, err, part)
			}
		})
	}
}

// Counter counts events, and forgets to count one back.
type Counter struct{ N, Even int64 }

// Tick is its message.
type Tick struct{}

func (c *Counter) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Tick{}) }

func (c *Counter) Tick(lp *ross.LP, _ *Tick) {
	if c.N++; c.N%2 == 0 {
		c.Even++
	}
	ross.Send(lp, (lp.ID()+1)%4, 1, Tick{})
}

func (c *Counter) UndoTick(_ *ross.LP, _ *Tick) { c.N-- }

// A test calls Run with its *testing.T. Check is for other programs.
func Example() {
	counters := ross.Type[Counter]{LPs: 4, Init: (*Counter).Init,
		Event: ross.On((*Counter).Tick).Reverse((*Counter).UndoTick)}
	_, err := modeltest.Check(modeltest.Model{
		Config: ross.Config{End: 50},
		Types:  func() []ross.LPType { return []ross.LPType{counters} },
	})
	fmt.Println(err)
	// Output:
	// modeltest: --synch=6 (in the handler of Counter for modeltest_test.Tick, modeltest_test.(*Counter).Tick): wrong model: ross: LP 3 (Counter) at time 2: Reverse of the event that LP 2 sent at time 1 left Counter.Even at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}

func ExampleCheck() {
	// the engine undoes it
	right := ross.Type[Counter]{LPs: 4, Lookahead: 1, Init: (*Counter).Init, Event: ross.On((*Counter).Tick)}
	report, err := modeltest.Check(modeltest.Model{
		Config: ross.Config{End: 50},
		Types:  func() []ross.LPType { return []ross.LPType{right} },
	})
	fmt.Println(err, report.Events, report.LeftOut, report.Notes)
	// Output: <nil> 196 [] []
}
