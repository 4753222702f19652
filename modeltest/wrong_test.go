// This file owns models that are wrong. Each has to fail, with an error that names what is at fault.

package modeltest_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/stats"
)

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
		"forgotten field":    {of(onlyHop(forgets).Reverse(func(s *node, _ *ross.LP, m *hop) { s.N -= m.N })), []string{"--synch=6", "forgets", "left node.M at 1"}},
		"branch":             {of(onlyHop(branch).Reverse(undoBranch)), []string{"--synch=6", "modeltest_test.branch", "left node."}},
		"wrong order":        {of(onlyHop(order).Reverse(undoOrder)), []string{"--synch=6", "modeltest_test.order", "left node.M"}},
		"rounding":           {of(onlyHop(rounds).Reverse(func(s *node, _ *ross.LP, m *hop) { s.Sum -= m.Load })), []string{"--synch=6", "rounds", "rounding"}},
		"map iteration":      {log(onlyHop(visits)), []string{"--synch=6", "visits", "order of a map"}},
		"package variable":   {of(onlyHop(counts).Reverse(nothing)), []string{"--synch=6", "modeltest_test.counts"}},
		"clock":              {log(onlyHop(clock)), []string{"modeltest_test.clock"}},
		"math/rand":          {log(onlyHop(global)), []string{"modeltest_test.global"}},
		"another's state":    {known(onlyHop(peeks)), []string{"peeks"}},
		"writes another's":   {known(onlyHop(pokes)), []string{"--synch=6", "something other", "modeltest_test.pokes"}},
		"message":            {of(onlyHop(rewrites).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.N-- })), []string{"--synch=6", "rewrites", "essage"}},
		"statistic":          {of(onlyHop(reads).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.N-- })), []string{"--synch=6", "reads", "Seen"}},
		"shared pointer":     {of(onlyHop(shares).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.Shared.Add(-1) })), []string{"--synch=6", "something other", "modeltest_test.shares"}},
		"late Save":          {log(onlyHop(late)), []string{"--synch=6", "modeltest_test.late", "node.N"}},
		"no Save":            {log(onlyHop(unsaved)), []string{"--synch=6", "unsaved", "node.Kinds["}},
		"Commit":             {of(onlyHop(settled).Reverse(func(s *node, _ *ross.LP, m *hop) { s.N -= m.Kind }).Commit(func(s *node, _ *ross.LP, _ *hop) { s.M++ })), []string{"--synch=6", "settled", "Commit"}},
		"shortened too much": {of(onlyHop(keeps).Reverse(func(s *node, _ *ross.LP, _ *hop) { s.Order = s.Order[:max(0, len(s.Order)-1)] })), []string{"--synch=6", "keeps", "node.Order"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "shared pointer" {
				c.model.Init = func(s *node, lp *ross.LP) {
					s.Shared = shared
					s.begin(lp)
				}
			}
			report, err := modeltest.Check(modeltest.Model{Config: ross.Config{End: 20}, Short: true, Types: func() []ross.LPType { return []ross.LPType{c.model} }})
			require.Error(t, err, report.String())
			require.ErrorIs(t, err, modeltest.ErrModel)
			for _, part := range c.want {
				require.ErrorContains(t, err, part)
			}
		})
	}
}
