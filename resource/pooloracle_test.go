// This file owns the oracle of Pool: the same in slices, as slow as it may be.

package resource_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	. "github.com/ross-go/ross/resource"
)

// poolOracle is a Pool in slices.
type poolOracle struct {
	rules   PoolRules
	now     float64
	members []*hand
	waiting []*crew
	serving []*crew

	inQueue, inService, inUse, outOfOrder, used float64 // areas
	away                                        float64
	wait, stay                                  []float64
	refused, reneged, breakdowns                uint64
}

// hand is a member.
type hand struct {
	number, group int
	with          *crew
	down, away    bool
	since, sum    float64
	busy, broken  float64 // areas
	served        uint64
}

// crew is a customer.
type crew struct {
	t    Ticket
	c    client
	need Need
	came float64
	has  []*hand
}

func newPoolOracle(r PoolRules) *poolOracle {
	o := &poolOracle{rules: r}
	for g, n := range groupsOf(r) {
		for range n {
			o.members = append(o.members, &hand{number: len(o.members), group: g})
		}
	}
	return o
}

// pass adds the areas up to a time.
func (o *poolOracle) pass(now float64) {
	d := now - o.now
	o.now = now
	o.inQueue += d * float64(len(o.waiting))
	o.inService += d * float64(len(o.serving))
	use, down, out := 0.0, 0.0, 0.0
	for _, m := range o.members {
		if m.away {
			o.away += d
		}
		if m.away || m.down {
			out++
		}
		switch {
		case m.down:
			down++
			m.broken += d
		case m.with != nil:
			use++
			m.busy += d
		}
	}
	o.inUse += d * use
	o.outOfOrder += d * down
	if use > 0 {
		o.used += d * use / max(float64(len(o.members))-out, use)
	}
}

func (m *hand) isFree() bool { return m.with == nil && !m.down && !m.away }

func (o *poolOracle) free(g Groups) (n int) {
	for _, m := range o.members {
		if m.isFree() && g.Has(m.group) {
			n++
		}
	}
	return n
}

func (o *poolOracle) down() (n int) {
	for _, m := range o.members {
		if m.down {
			n++
		}
	}
	return n
}

func (o *poolOracle) with(i int) uint64 {
	if v := o.members[i].with; v != nil {
		return uint64(v.t)
	}
	return 0
}

func (o *poolOracle) worked(i int) uint64 {
	m := o.members[i]
	if m.with == nil || m.down {
		return math.Float64bits(m.sum)
	}
	return math.Float64bits(m.sum + (o.now - m.since))
}

func (o *poolOracle) find(t Ticket) *crew {
	for _, v := range slices.Concat(o.waiting, o.serving) {
		if v.t == t {
			return v
		}
	}
	return nil
}

func (o *poolOracle) look(t Ticket) []uint64 {
	v := o.find(t)
	if v == nil {
		return []uint64{0, 0, 0}
	}
	n := uint64(0)
	for _, m := range v.has {
		if !m.down {
			n++
		}
	}
	return []uint64{yes(slices.Contains(o.serving, v)), n, math.Float64bits(v.came)}
}

// fits returns the free members that a customer may take, with those who come before him in the queue.
func (o *poolOracle) fits(v *crew, before []*crew) (free []*hand) {
	for _, m := range o.members {
		kept := slices.ContainsFunc(before, func(w *crew) bool { return w.need.Groups.Has(m.group) })
		if m.isFree() && v.need.Groups.Has(m.group) && (!kept || o.rules.Overtake) {
			free = append(free, m)
		}
	}
	return free
}

// choose orders members: the one that comes first is taken first.
func (o *poolOracle) choose(v *crew, free []*hand) *hand {
	perGroup := map[int]int{}
	for _, m := range free {
		if v.need.Prefer == 0 || v.need.Prefer.Has(m.group) || !slices.ContainsFunc(free, func(m *hand) bool {
			return v.need.Prefer.Has(m.group)
		}) {
			perGroup[m.group]++
		}
	}
	rank := func(m *hand) []float64 {
		first, value := 0.0, 0.0
		if v.need.Prefer != 0 && !v.need.Prefer.Has(m.group) {
			first = 1
		}
		switch o.rules.Choice {
		case LongestFree:
			value = m.since
		case LeastUsed:
			value = m.sum
		case MostFree:
			value = -float64(perGroup[m.group])
		case ByRank:
			value = v.c.Rank(m.number)
		}
		return []float64{first, value, float64(m.number)}
	}
	return slices.MinFunc(free, func(a, b *hand) int { return slices.Compare(rank(a), rank(b)) })
}

// take gives a customer as many members as he still takes, and returns the first of them.
func (o *poolOracle) take(v *crew, free []*hand, most int) (first *hand) {
	for ; most > 0 && len(free) > 0; most-- {
		m := o.choose(v, free)
		free = slices.DeleteFunc(slices.Clone(free), func(f *hand) bool { return f == m })
		m.with, m.since = v, o.now
		m.served++
		v.has = append(v.has, m)
		if first == nil {
			first = m
		}
	}
	return first
}

func (o *poolOracle) start(v *crew) {
	o.serving = append(o.serving, v)
	o.wait = append(o.wait, o.now-v.came)
}

func (o *poolOracle) request(t Ticket, c client, need Need) Outcome {
	need.Least = max(need.Least, 1)
	need.Most = max(need.Most, need.Least)
	v := &crew{t: t, c: c, need: need, came: o.now}
	at := len(o.waiting)
	switch o.rules.Order {
	case LIFO:
		at = 0
	case ByPriority:
		for at > 0 && o.waiting[at-1].need.Priority > need.Priority {
			at--
		}
	}
	free := o.fits(v, o.waiting[:at])
	switch {
	case len(free) >= need.Least:
		o.take(v, free, need.Most)
		o.start(v)
		return Starts
	case o.rules.Room == NoRoom || o.rules.Room > 0 && len(o.waiting) >= o.rules.Room:
		o.refused++
		return Refused
	}
	o.waiting = slices.Insert(o.waiting, at, v)
	if need.Collects {
		o.take(v, free, need.Most)
	}
	return Waits
}

// next returns who goes on, whether he starts, and the member.
func (o *poolOracle) next() (Ticket, bool, int) {
	var short []*crew
	for _, v := range o.serving {
		if len(v.has) >= v.need.Least {
			continue
		}
		if m := o.take(v, o.fits(v, short), 1); m != nil {
			return v.t, false, m.number
		}
		short = append(short, v)
	}
	before := short
	for i, v := range o.waiting {
		free := o.fits(v, before)
		if len(free)+len(v.has) >= v.need.Least {
			o.waiting = slices.Delete(slices.Clone(o.waiting), i, i+1)
			o.take(v, free, v.need.Most-len(v.has))
			o.start(v)
			least := slices.MinFunc(v.has, func(a, b *hand) int { return a.number - b.number })
			return v.t, true, least.number
		}
		if v.need.Collects {
			o.take(v, free, v.need.Most-len(v.has))
		}
		before = append(slices.Clone(before), v)
	}
	for _, v := range o.serving {
		if v.need.Collects && len(v.has) < v.need.Most {
			if m := o.take(v, o.fits(v, before), 1); m != nil {
				return v.t, false, m.number
			}
			before = append(slices.Clone(before), v)
		}
	}
	return 0, false, 0
}

// lose takes a member from its customer.
func (o *poolOracle) lose(m *hand) {
	v := m.with
	v.has = slices.DeleteFunc(v.has, func(h *hand) bool { return h == m })
	if !m.down {
		m.sum += o.now - m.since
	}
	m.with, m.since = nil, o.now
}

func (o *poolOracle) release(t Ticket) client {
	v := o.find(t)
	o.serving = slices.DeleteFunc(o.serving, func(w *crew) bool { return w == v })
	for _, m := range slices.Clone(v.has) {
		o.lose(m)
	}
	o.stay = append(o.stay, o.now-v.came)
	return v.c
}

func (o *poolOracle) give(t Ticket, member int) {
	v := o.find(t)
	v.need.Most = len(v.has) - 1
	v.need.Least = min(v.need.Least, v.need.Most)
	o.lose(o.members[member])
}

func (o *poolOracle) renege(t Ticket) (c client, ok bool) {
	v := o.find(t)
	if v == nil || !slices.Contains(o.waiting, v) {
		return c, false
	}
	for _, m := range slices.Clone(v.has) {
		o.lose(m)
	}
	o.waiting = slices.DeleteFunc(o.waiting, func(w *crew) bool { return w == v })
	o.reneged++
	return v.c, true
}

func (o *poolOracle) fail(i int) (t Ticket) {
	m := o.members[i]
	if m.down {
		return 0
	}
	m.down = true
	o.breakdowns++
	if v := m.with; v != nil {
		m.sum += o.now - m.since
		started := slices.Contains(o.serving, v)
		if started {
			t = v.t
		}
		if !o.rules.Keep || !started {
			o.lose(m)
		}
	}
	return t
}

func (o *poolOracle) repair(i int) Ticket {
	m := o.members[i]
	m.down = false
	if m.with != nil {
		m.since = o.now
		return m.with.t
	}
	return 0
}

func (o *poolOracle) setThere(i int, there bool) { o.members[i].away = !there }

// same compares the statistics of LP 0 with those of the oracle.
func (o *poolOracle) same(t *testing.T, out rosstest.Outcome) {
	t.Helper()
	lp, s := out.LP(0), &ross.StateOf[quay](out.LP(0)).P
	end := out.Config().End
	o.pass(end)
	near := func(want, got float64, what any) {
		t.Helper()
		require.InDelta(t, want, got, 1e-9*(1+want), what)
	}
	near(o.inQueue/end, s.InQueue.Mean(lp, end), "in queue")
	near(o.inService/end, s.InService.Mean(lp, end), "in service")
	near(o.inUse/end, s.InUse.Mean(lp, end), "in use")
	near(o.outOfOrder/end, s.OutOfOrder.Mean(lp, end), "out of order")
	near(o.away/end, s.Away.Mean(lp, end), "away")
	near(o.used/end, s.Utilization.Mean(lp, end), "utilization")
	require.EqualValues(t, len(o.wait), s.Wait.Count())
	near(sumOf(o.wait)/float64(max(len(o.wait), 1)), s.Wait.Mean(), "wait")
	require.EqualValues(t, len(o.stay), s.Stay.Count())
	near(sumOf(o.stay)/float64(max(len(o.stay), 1)), s.Stay.Mean(), "stay")
	require.Equal(t, [3]uint64{o.refused, o.reneged, o.breakdowns},
		[3]uint64{s.Refused.Count(), s.Reneged.Count(), s.Breakdowns.Count()})
	for i, m := range o.members {
		near(m.busy/end, s.Member[i].Busy.Mean(lp, end), i)
		near(m.broken/end, s.Member[i].Down.Mean(lp, end), i)
		require.Equal(t, m.served, s.Member[i].Served.Count(), i)
	}
}
