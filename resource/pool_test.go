// This file owns the tests of Pool: LPs that do at random all that one can do with it do what the oracle does, which
// has slices; and every scheduler, every way to undo events and runs that go on from checkpoints leave the same.

package resource_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/num/hash64"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	. "github.com/ross-go/ross/resource"
)

// quay is a state with a pool. Its members are 7.
type quay struct {
	P      Pool[client, [7]Member]
	Recent [8]Ticket
	At     uint32
	Events uint32
	Sum    uint64 // of all that was returned
}

// The messages of a quay, besides tick and leave.
type (
	sails   struct{ T Ticket }
	repairs struct{ Member int32 }
)

// quays are the parameters of the model.
type quays struct {
	rules   PoolRules
	lps     int64
	oracle  *poolOracle // of LP 0 in a sequential run, or nil
	choices choices
	wrong   string
}

// compare adds what the pool returned to the sum, and compares it with what the oracle says.
func (p *quays) compare(s *quay, lp *ross.LP, what string, got []uint64, want func(o *poolOracle) []uint64) {
	for _, w := range got {
		s.Sum = hash64.Word(*ross.Write(lp, &s.Sum), w)
	}
	if p.oracle == nil || p.wrong != "" || lp.ID() != 0 {
		return
	}
	o := p.oracle
	o.pass(lp.Now())
	w := want(o)
	got = append(got, uint64(s.P.Len()), uint64(s.P.Free(0)), uint64(s.P.Down()))
	w = append(w, uint64(len(o.waiting)), uint64(o.free(0)), uint64(o.down()))
	for i := range s.P.Members() {
		got, w = append(got, uint64(s.P.With(lp, i)), math.Float64bits(s.P.Worked(lp, i))), append(w, o.with(i), o.worked(i))
	}
	if !slices.Equal(got, w) {
		p.wrong = fmt.Sprintf("%s at %g: got %v, the oracle says %v", what, lp.Now(), got, w)
	}
}

func (p *quays) init(s *quay, lp *ross.LP) {
	s.P.Open(lp, p.rules)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), tick{})
}

func (p *quays) sails(s *quay, lp *ross.LP, m *sails) { p.release(s, lp, m.T) }

func (p *quays) release(s *quay, lp *ross.LP, t Ticket) {
	c := s.P.Release(lp, t)
	p.compare(s, lp, "release", []uint64{math.Float64bits(c.Work), uint64(c.Edits)}, func(o *poolOracle) []uint64 {
		c := o.release(t)
		return []uint64{math.Float64bits(c.Work), uint64(c.Edits)}
	})
	p.next(s, lp)
}

// next lets customers go on.
func (p *quays) next(s *quay, lp *ross.LP) {
	for more := true; more; {
		g := s.P.Next(lp)
		p.compare(s, lp, "next", []uint64{uint64(g.Ticket), yes(g.Starts), uint64(g.Member)}, func(o *poolOracle) []uint64 {
			t, starts, member := o.next()
			return []uint64{uint64(t), yes(starts), uint64(member)}
		})
		if more = g.Ticket != 0; g.Starts {
			ross.Send(lp, lp.ID(), s.P.Get(lp, g.Ticket).Work, sails{g.Ticket})
		}
	}
}

func (p *quays) leave(s *quay, lp *ross.LP, m *leave) { p.renege(s, lp, m.T) }

func (p *quays) renege(s *quay, lp *ross.LP, t Ticket) {
	c, ok := s.P.Renege(lp, t)
	p.compare(s, lp, "renege", []uint64{math.Float64bits(c.Work), yes(ok)}, func(o *poolOracle) []uint64 {
		c, ok := o.renege(t)
		return []uint64{math.Float64bits(c.Work), yes(ok)}
	})
	p.next(s, lp)
}

func (p *quays) repairs(s *quay, lp *ross.LP, m *repairs) {
	t := s.P.Repair(lp, int(m.Member))
	p.compare(s, lp, "repair", []uint64{uint64(t)}, func(o *poolOracle) []uint64 {
		return []uint64{uint64(o.repair(int(m.Member)))}
	})
	p.next(s, lp)
}

func (p *quays) tick(s *quay, lp *ross.LP, _ *tick) {
	d := &p.choices
	if d.over() {
		return
	}
	*ross.Write(lp, &s.Events)++
	ross.Send(lp, ross.LPID(d.integer(lp, 0, p.lps-1)), 0.05+d.time(lp, 0.5), tick{})
	recent := s.Recent[d.integer(lp, 0, 7)]
	p.compare(s, lp, "look", []uint64{yes(s.P.Serves(lp, recent)), uint64(s.P.Has(lp, recent)),
		math.Float64bits(s.P.Came(lp, recent))}, func(o *poolOracle) []uint64 { return o.look(recent) })
	switch op := d.integer(lp, 0, 12); op {
	default:
		p.request(s, lp)
	case 7, 8:
		i := int(d.integer(lp, 0, int64(s.P.Members())-1))
		broken := s.P.IsDown(i)
		t := s.P.Break(lp, i)
		p.compare(s, lp, "break", []uint64{uint64(t), yes(broken)}, func(o *poolOracle) []uint64 {
			broken := o.members[i].down
			return []uint64{uint64(o.fail(i)), yes(broken)}
		})
		if !broken {
			ross.Send(lp, lp.ID(), d.time(lp, 2), repairs{int32(i)})
		}
		p.next(s, lp)
	case 9:
		if s.P.Serves(lp, recent) {
			if i := s.P.First(lp, recent); i >= 0 {
				s.P.Give(lp, recent, i)
				p.compare(s, lp, "give", []uint64{uint64(i)}, func(o *poolOracle) []uint64 {
					least := slices.IndexFunc(o.members, func(m *hand) bool { return m.with != nil && m.with.t == recent })
					o.give(recent, i)
					return []uint64{uint64(least)}
				})
				p.next(s, lp)
			}
		}
	case 10:
		p.renege(s, lp, recent)
	case 12:
		i, there := int(d.integer(lp, 0, int64(s.P.Members())-1)), d.integer(lp, 0, 2) > 0
		s.P.SetThere(lp, i, there)
		p.compare(s, lp, "there", []uint64{yes(s.P.IsThere(i))}, func(o *poolOracle) []uint64 {
			o.setThere(i, there)
			return []uint64{yes(there)}
		})
		p.next(s, lp)
	case 11:
		if c := s.P.Edit(lp, recent); c != nil {
			c.Edits++
			p.compare(s, lp, "edit", nil, func(o *poolOracle) []uint64 { o.find(recent).c.Edits++; return nil })
		}
	}
}

func (p *quays) request(s *quay, lp *ross.LP) {
	d := &p.choices
	groups := max(len(p.rules.Groups), 1)
	need := Need{Least: int(d.integer(lp, 0, 3)), Priority: float64(d.integer(lp, 0, 2)),
		Collects: d.integer(lp, 0, 2) == 0,
		Groups:   Groups(d.integer(lp, 0, 1<<groups-1)), Prefer: Groups(d.integer(lp, 0, 1<<groups-1))}
	need.Most = int(d.integer(lp, 0, 4))
	need.Least = max(min(need.Least, sizeOf(p.rules, need.Groups)), 1)
	if need.Collects && (p.rules.Order != FIFO || p.rules.Overtake) {
		need.Least = 1
	}
	c := client{Priority: need.Priority, Work: d.time(lp, 2)}
	patience := d.time(lp, 4)
	t, outcome := s.P.Request(lp, c, need)
	p.compare(s, lp, fmt.Sprintf("request %+v", need), []uint64{uint64(outcome)}, func(o *poolOracle) []uint64 {
		return []uint64{uint64(o.request(t, c, need))}
	})
	if outcome != Refused {
		*ross.Write(lp, &s.Recent[s.At%8]) = t
		*ross.Write(lp, &s.At)++
	}
	if outcome == Starts {
		ross.Send(lp, lp.ID(), c.Work, sails{t})
	}
	Patience(lp, &s.P, t, patience, leave{t})
}

// sizeOf returns the number of members of groups.
func sizeOf(r PoolRules, g Groups) (n int) {
	for i, size := range groupsOf(r) {
		if g.Has(i) {
			n += size
		}
	}
	return n
}

func groupsOf(r PoolRules) []int {
	if r.Groups == nil {
		return []int{7}
	}
	return r.Groups
}

// model returns the type of the LPs.
func (p *quays) model(saving ross.Saving) ross.Type[quay] {
	ticks, leaves := ross.On(p.tick), ross.On(p.leave)
	sail, repair := ross.On(p.sails), ross.On(p.repairs)
	if saving == ross.SaveByReverse {
		ticks, leaves = ticks.Reverse(func(*quay, *ross.LP, *tick) {}), leaves.Reverse(func(*quay, *ross.LP, *leave) {})
		sail, repair = sail.Reverse(func(*quay, *ross.LP, *sails) {}), repair.Reverse(func(*quay, *ross.LP, *repairs) {})
	}
	return ross.Type[quay]{Name: "quay", Saving: saving, Init: p.init, NeverStops: true,
		Event: ross.Events(ticks, leaves, sail, repair)}
}

// poolBook has the rules under which a Pool is tested. RandomMember draws where the oracle cannot follow.
func poolBook() (all []PoolRules) {
	for _, order := range []Order{FIFO, LIFO, ByPriority} {
		for i, groups := range [][]int{nil, {2, 1, 3}} {
			all = append(all, PoolRules{Groups: groups, Order: order, Choice: Choice(i), Keep: i == 1},
				PoolRules{Groups: groups, Order: order, Choice: LeastUsed, Overtake: true},
				PoolRules{Groups: groups, Order: order, Choice: MostFree, Room: 3, Keep: i == 0})
		}
	}
	return append(all, PoolRules{Room: NoRoom, Choice: LongestFree}, PoolRules{Groups: []int{3, 4}, Choice: ByRank})
}

func TestPoolsDoWhatTheOracleDoes(t *testing.T) {
	seed := testrand.Seed(t)
	for _, rules := range poolBook() {
		t.Run(fmt.Sprintf("%+v", rules), func(t *testing.T) {
			p := quays{rules: rules, lps: 1, oracle: newPoolOracle(rules)}
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Seed = 1, 1, float64(testlevel.Times(3000, 600)), seed
			out := rosstest.Run(t, cfg, p.model(ross.SaveByLog))
			require.Empty(t, p.wrong)
			p.oracle.same(t, out)
			require.NotZero(t, p.oracle.reneged+p.oracle.refused)
		})
	}
}

func TestPoolsAreTheSameEverywhere(t *testing.T) {
	rules := []PoolRules{{Choice: RandomMember}, {Choice: ByRank}}
	for i, r := range poolBook() {
		if i%4 == 0 { // all orders, choices and groups
			rules = append(rules, r)
		}
	}
	for _, r := range testlevel.Pick(rules, rules, rules[:3]) {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			p := quays{rules: r, lps: lps}
			sameEverywhere(t, func(saving ross.Saving) ross.LPType { return p.model(saving) })
		})
	}
}

func FuzzPools(f *testing.F) {
	for i := range poolBook() {
		f.Add(append([]byte{byte(i), 1, 2, 3, 0, 1, 2, 30, 40, 5}, "ships come for cranes, and some of these break down"...))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > longest {
			return
		}
		rules := poolBook()
		r := rules[int(input[0])%len(rules)]
		p := quays{rules: r, lps: 1, oracle: newPoolOracle(r), choices: choices{true, input[1:]}}
		out := fuzzed(t, p.model(ross.SaveByLog))
		require.Empty(t, p.wrong)
		p.oracle.same(t, out)
	})
}
