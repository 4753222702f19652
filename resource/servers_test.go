// This file owns the tests of Servers: LPs that do at random all that one can do with them do what the oracle does,
// which has slices, in every order; and every scheduler, every way to undo events and runs that go on from checkpoints
// leave the same.

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
	"github.com/ross-go/ross/modeltest"
	. "github.com/ross-go/ross/resource"
)

// client is a customer.
type client struct {
	Priority float64
	Work     float64
	Edits    uint32
}

// Rank chooses members of a pool.
func (c client) Rank(member int) float64 {
	return math.Mod(c.Work*float64(member+1)*10, 3) - c.Priority
}

// clinic is a state with servers.
type clinic struct {
	S      Servers[client]
	Recent [8]Ticket
	At     uint32
	Events uint32
	Sum    uint64 // of all that was returned
}

// The messages of a clinic.
type (
	tick  struct{}
	done  struct{ T Ticket }
	leave struct{ T Ticket }
	late  struct{ T Ticket }
)

// clinics are the parameters of the model.
type clinics struct {
	rules   Rules
	lps     int64
	oracle  *oracle // of LP 0 in a sequential run, or nil
	choices choices
	wrong   string
}

// compare adds what servers returned to the sum, and compares it with what the oracle says.
func (p *clinics) compare(s *clinic, lp *ross.LP, what string, got []uint64, want func(o *oracle) []uint64) {
	for _, w := range got {
		s.Sum = hash64.Word(*ross.Write(lp, &s.Sum), w)
	}
	if p.oracle == nil || p.wrong != "" || lp.ID() != 0 {
		return
	}
	p.oracle.now = lp.Now()
	w := want(p.oracle)
	o := p.oracle
	got = append(got, uint64(s.S.Len()), uint64(s.S.Busy()), uint64(s.S.Servers()))
	w = append(w, uint64(len(o.waiting)), uint64(len(o.serving)), uint64(o.servers))
	if !slices.Equal(got, w) {
		p.wrong = fmt.Sprintf("%s at %g: got %v, the oracle says %v", what, lp.Now(), got, w)
	}
}

func (p *clinics) init(s *clinic, lp *ross.LP) {
	s.S.Open(lp, p.rules)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), tick{})
}

// start begins the service of a customer, and perhaps of a batch.
func (p *clinics) start(s *clinic, lp *ross.LP, t Ticket) {
	work, n := 0.0, uint64(0)
	for mate := range s.S.Batch(lp, t) {
		work += s.S.Get(lp, mate).Work
		n = hash64.Word(n, uint64(mate))
	}
	left, again := s.S.Left(lp, t)
	if again {
		work = left
	}
	p.compare(s, lp, "start", []uint64{math.Float64bits(left), n, math.Float64bits(s.S.Came(lp, t))},
		func(o *oracle) []uint64 {
			b, n := o.batch(t), uint64(0)
			for _, v := range b {
				n = hash64.Word(n, uint64(v.t))
				v.end = o.now + work
			}
			return []uint64{math.Float64bits(b[0].left), n, math.Float64bits(b[0].came)}
		})
	Serve(lp, &s.S, t, work, done{t})
}

func (p *clinics) done(s *clinic, lp *ross.LP, m *done) {
	c, next := s.S.Release(lp, m.T)
	p.compare(s, lp, "release", []uint64{math.Float64bits(c.Work), uint64(c.Edits), uint64(next)},
		func(o *oracle) []uint64 {
			b := o.release(m.T)
			return []uint64{math.Float64bits(b.c.Work), uint64(b.c.Edits), uint64(o.next())}
		})
	if next != 0 {
		p.start(s, lp, next)
	}
}

func (p *clinics) leave(s *clinic, lp *ross.LP, m *leave) { p.renege(s, lp, m.T) }

// late is that a customer has waited long enough for others.
func (p *clinics) late(s *clinic, lp *ross.LP, m *late) {
	next := s.S.Overdue(lp, m.T)
	p.compare(s, lp, "overdue", []uint64{uint64(next)}, func(o *oracle) []uint64 { return []uint64{uint64(o.overdue(m.T))} })
	if next != 0 {
		p.start(s, lp, next)
	}
}

func (p *clinics) renege(s *clinic, lp *ross.LP, t Ticket) {
	c, ok := s.S.Renege(lp, t)
	p.compare(s, lp, "renege", []uint64{math.Float64bits(c.Work), yes(ok)}, func(o *oracle) []uint64 {
		c, ok := o.renege(t)
		return []uint64{math.Float64bits(c.Work), yes(ok)}
	})
}

func yes(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (p *clinics) tick(s *clinic, lp *ross.LP, _ *tick) {
	d := &p.choices
	if d.over() {
		return
	}
	*ross.Write(lp, &s.Events)++
	ross.Send(lp, ross.LPID(d.integer(lp, 0, p.lps-1)), 0.05+d.time(lp, 0.5), tick{})
	recent := s.Recent[d.integer(lp, 0, 7)]
	p.compare(s, lp, "served", []uint64{yes(s.S.Served(lp, recent) != nil)},
		func(o *oracle) []uint64 { return []uint64{yes(o.find(recent) >= 0)} })
	left, again := s.S.Left(lp, recent)
	mates := uint64(0)
	for mate := range s.S.Batch(lp, recent) {
		mates = hash64.Word(mates, uint64(mate))
	}
	p.compare(s, lp, "look", []uint64{math.Float64bits(left), yes(again), mates},
		func(o *oracle) []uint64 { return o.look(recent) })
	switch op := d.integer(lp, 0, 12); op {
	default:
		p.request(s, lp)
	case 8:
		n := int(d.integer(lp, 0, 4))
		s.S.SetServers(lp, n)
		p.compare(s, lp, "set", nil, func(o *oracle) []uint64 { o.set(n); return nil })
		if d.integer(lp, 0, 1) == 0 {
			for t := s.S.Evict(lp); ; t = s.S.Evict(lp) {
				p.compare(s, lp, "evict", []uint64{uint64(t)}, func(o *oracle) []uint64 { return []uint64{uint64(o.evict())} })
				if t == 0 {
					break
				}
			}
		}
		p.next(s, lp)
	case 9:
		if s.S.Serves(lp, recent) {
			s.S.Interrupt(lp, recent)
			p.compare(s, lp, "interrupt", nil, func(o *oracle) []uint64 { o.interrupt(recent); return nil })
			p.next(s, lp)
		}
	case 10:
		p.renege(s, lp, recent)
	case 11:
		if c := s.S.Edit(lp, recent); c != nil {
			c.Edits++
			p.compare(s, lp, "edit", []uint64{1}, func(o *oracle) []uint64 { return []uint64{o.edit(recent)} })
		}
	case 12:
		p.releaseOne(s, lp, recent)
	}
}

// releaseOne releases a customer, if he is served or in a batch, and serves the rest of the batch anew if he was the
// first.
func (p *clinics) releaseOne(s *clinic, lp *ross.LP, t Ticket) {
	var heir Ticket
	batch := slices.Collect(s.S.Batch(lp, t))
	if len(batch) == 0 {
		return
	}
	if len(batch) > 1 && s.S.Serves(lp, t) {
		heir = batch[1]
	}
	c, next := s.S.ReleaseOne(lp, t)
	p.compare(s, lp, "release one", []uint64{math.Float64bits(c.Work), uint64(c.Edits), uint64(next)},
		func(o *oracle) []uint64 {
			v, last := o.releaseOne(t)
			if last {
				return []uint64{math.Float64bits(v.c.Work), uint64(v.c.Edits), uint64(o.next())}
			}
			return []uint64{math.Float64bits(v.c.Work), uint64(v.c.Edits), 0}
		})
	for _, first := range []Ticket{next, heir} {
		if first != 0 {
			p.start(s, lp, first)
		}
	}
}

// next has free servers take customers.
func (p *clinics) next(s *clinic, lp *ross.LP) {
	for more := true; more; {
		t := s.S.Next(lp)
		p.compare(s, lp, "next", []uint64{uint64(t)}, func(o *oracle) []uint64 { return []uint64{uint64(o.next())} })
		if more = t != 0; more {
			p.start(s, lp, t)
		}
	}
}

func (p *clinics) request(s *clinic, lp *ross.LP) {
	d := &p.choices
	c := client{Priority: float64(d.integer(lp, 0, 3)), Work: d.time(lp, 2)}
	patience := d.time(lp, 4)
	if d.integer(lp, 0, 7) == 0 {
		patience = math.Inf(1)
	}
	t, outcome, out := s.S.Preempt(lp, c, c.Priority)
	p.compare(s, lp, "request", []uint64{uint64(outcome), uint64(out)}, func(o *oracle) []uint64 {
		outcome, out := o.request(t, c)
		return []uint64{uint64(outcome), uint64(out)}
	})
	if outcome != Refused {
		*ross.Write(lp, &s.Recent[s.At%8]) = t
		*ross.Write(lp, &s.At)++
	}
	if outcome == Starts {
		p.start(s, lp, t)
	}
	if p.rules.BatchMin > 1 {
		p.next(s, lp)
		if c.Priority >= 1 {
			Patience(lp, &s.S, t, patience, late{t})
			return
		}
	}
	Patience(lp, &s.S, t, patience, leave{t})
}

// model returns the type of the LPs.
func (p *clinics) model(saving ross.Saving) ross.Type[clinic] {
	ticks, dones, leaves, lates := ross.On(p.tick), ross.On(p.done), ross.On(p.leave), ross.On(p.late)
	if saving == ross.SaveByReverse {
		ticks = ticks.Reverse(func(*clinic, *ross.LP, *tick) {})
		dones = dones.Reverse(func(*clinic, *ross.LP, *done) {})
		leaves = leaves.Reverse(func(*clinic, *ross.LP, *leave) {})
		lates = lates.Reverse(func(*clinic, *ross.LP, *late) {})
	}
	return ross.Type[clinic]{Name: "clinic", Saving: saving, Init: p.init, NeverStops: true,
		Event: ross.Events(ticks, dones, leaves, lates)}
}

// oracle is the same in slices, as slow as it may be.
type oracle struct {
	rules   Rules
	now     float64
	servers int
	waiting []*caller   // the next one first, of each priority
	serving [][]*caller // batches, in the order of their starts

	last                          float64 // until then the areas are known
	inQueue, inService, used      float64 // areas
	wait, stay                    []float64
	refused, reneged, interrupted uint64
}

// caller is a customer of the oracle.
type caller struct {
	t               Ticket
	c               client
	came, end, left float64
	batch           float64 // priority of the first of his batch, when it started
	again, overdue  bool
}

// pass adds the areas up to now.
func (o *oracle) pass() {
	d := o.now - o.last
	o.last = o.now
	o.inQueue += d * float64(len(o.waiting))
	for _, b := range o.serving {
		o.inService += d * float64(len(b))
	}
	if len(o.serving) > 0 {
		o.used += d * math.Min(1, float64(len(o.serving))/float64(o.servers))
	}
}

// first returns the index of the one who starts next.
func (o *oracle) first() int {
	least := 0
	for i, w := range o.waiting {
		if o.rules.Order >= ByPriority && w.c.Priority < o.waiting[least].c.Priority {
			least = i
		}
	}
	return least
}

func (o *oracle) start(b []*caller) {
	for _, v := range b {
		v.batch = b[0].c.Priority
		if !v.again {
			o.wait = append(o.wait, o.now-v.came)
		}
	}
	o.serving = append(o.serving, b)
}

func (o *oracle) request(t Ticket, c client) (outcome Outcome, out Ticket) {
	o.pass()
	v := &caller{t: t, c: c, came: o.now}
	if len(o.serving) == o.servers && o.rules.Order == Preemptive {
		if i := o.worst(); i >= 0 && o.priority(o.serving[i]) > c.Priority {
			out = o.stop(i)
		}
	}
	switch {
	case len(o.serving) < o.servers && o.rules.BatchMin < 2:
		o.start([]*caller{v})
		return Starts, out
	case o.rules.Room == NoRoom || o.rules.Room > 0 && len(o.waiting) >= o.rules.Room:
		o.refused++
		return Refused, out
	case o.rules.Order == LIFO:
		o.waiting = slices.Insert(o.waiting, 0, v)
	default:
		o.waiting = append(o.waiting, v)
	}
	return Waits, out
}

// priority returns that of a batch, which is that of its first one; with Preemptive of the first one when it started.
func (o *oracle) priority(b []*caller) float64 {
	if o.rules.Order == Preemptive {
		return b[0].batch
	}
	return b[0].c.Priority
}

// worst returns the batch that is interrupted first, or -1.
func (o *oracle) worst() int {
	worst := -1
	for i, b := range o.serving {
		if worst < 0 || o.priority(b) >= o.priority(o.serving[worst]) {
			worst = i
		}
	}
	return worst
}

func (o *oracle) stop(i int) Ticket {
	b := o.serving[i]
	o.serving = slices.Delete(o.serving, i, i+1)
	for _, v := range b {
		v.left, v.again, v.overdue = max(b[0].end-o.now, 0), true, true
		o.interrupted++
	}
	o.waiting = append(slices.Clone(b), o.waiting...)
	return b[0].t
}

func (o *oracle) find(t Ticket) int {
	return slices.IndexFunc(o.serving, func(b []*caller) bool { return b[0].t == t })
}

// look returns what is left of the service of one who waits, and who is in a batch with one, himself first.
func (o *oracle) look(t Ticket) []uint64 {
	for _, v := range o.waiting {
		if v.t == t {
			return []uint64{math.Float64bits(v.left), yes(v.again), 0}
		}
	}
	for _, b := range o.serving {
		if slices.ContainsFunc(b, func(v *caller) bool { return v.t == t }) {
			mates := hash64.Word(0, uint64(t))
			for _, v := range b {
				if v.t != t {
					mates = hash64.Word(mates, uint64(v.t))
				}
			}
			return []uint64{0, 0, mates}
		}
	}
	return []uint64{0, 0, 0}
}

func (o *oracle) batch(t Ticket) []*caller { return o.serving[o.find(t)] }

func (o *oracle) release(t Ticket) *caller {
	o.pass()
	i := o.find(t)
	b := o.serving[i]
	o.serving = slices.Delete(o.serving, i, i+1)
	for _, v := range b {
		o.stay = append(o.stay, o.now-v.came)
	}
	return b[0]
}

// releaseOne releases one of a batch, and says whether he was the last.
func (o *oracle) releaseOne(t Ticket) (v *caller, last bool) {
	o.pass()
	is := func(v *caller) bool { return v.t == t }
	i := slices.IndexFunc(o.serving, func(b []*caller) bool { return slices.ContainsFunc(b, is) })
	at := slices.IndexFunc(o.serving[i], is)
	v = o.serving[i][at]
	o.stay = append(o.stay, o.now-v.came)
	if o.serving[i] = slices.Delete(o.serving[i], at, at+1); len(o.serving[i]) == 0 {
		o.serving = slices.Delete(o.serving, i, i+1)
		return v, true
	}
	return v, false
}

// overdue is that a customer waits for no others.
func (o *oracle) overdue(t Ticket) Ticket {
	for _, v := range o.waiting {
		if v.t == t {
			v.overdue = true
			return o.next()
		}
	}
	return 0
}

func (o *oracle) next() Ticket {
	o.pass()
	few := len(o.waiting) < o.rules.BatchMin && !slices.ContainsFunc(o.waiting, func(v *caller) bool { return v.overdue })
	if len(o.waiting) == 0 || len(o.serving) >= o.servers || few {
		return 0
	}
	var b []*caller
	for range min(max(o.rules.Batch, 1), len(o.waiting)) {
		i := o.first()
		b = append(b, o.waiting[i])
		o.waiting = slices.Delete(o.waiting, i, i+1)
	}
	o.start(b)
	return b[0].t
}

func (o *oracle) set(n int) { o.pass(); o.servers = n }

func (o *oracle) evict() Ticket {
	o.pass()
	if len(o.serving) <= o.servers {
		return 0
	}
	return o.stop(o.worst())
}

func (o *oracle) interrupt(t Ticket) { o.pass(); o.stop(o.find(t)) }

func (o *oracle) renege(t Ticket) (c client, ok bool) {
	o.pass()
	i := slices.IndexFunc(o.waiting, func(v *caller) bool { return v.t == t })
	if i < 0 {
		return c, false
	}
	o.reneged++
	c = o.waiting[i].c
	o.waiting = slices.Delete(o.waiting, i, i+1)
	return c, true
}

func (o *oracle) edit(t Ticket) uint64 {
	for _, b := range append(slices.Clone(o.serving), o.waiting) {
		for _, v := range b {
			if v.t == t {
				v.c.Edits++
				return 1
			}
		}
	}
	return 0
}

// ruleBook has the rules under which Servers are tested.
func ruleBook() (all []Rules) {
	for _, order := range []Order{FIFO, LIFO, ByPriority, Preemptive} {
		all = append(all, Rules{Servers: 2, Order: order}, Rules{Servers: 1, Order: order, Room: 4},
			Rules{Servers: 2, Order: order, Room: NoRoom}, Rules{Servers: 1, Order: order, Batch: 3})
	}
	for _, order := range []Order{FIFO, LIFO, ByPriority} {
		all = append(all, Rules{Servers: 2, Order: order, Batch: 4, BatchMin: 3},
			Rules{Servers: 1, Order: order, Batch: 2, BatchMin: 2, Room: 6})
	}
	return all
}

func sumOf(all []float64) (sum float64) {
	for _, x := range all {
		sum += x
	}
	return sum
}

func TestServersDoWhatTheOracleDoes(t *testing.T) {
	seed := testrand.Seed(t)
	for _, rules := range ruleBook() {
		t.Run(fmt.Sprintf("%+v", rules), func(t *testing.T) {
			p := clinics{rules: rules, lps: 1, oracle: &oracle{rules: rules, servers: rules.Servers}}
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Seed = 1, 1, float64(testlevel.Times(3000, 600)), seed
			out := rosstest.Run(t, cfg, p.model(ross.SaveByLog))
			require.Empty(t, p.wrong)
			o := p.oracle
			sameAsOracle(t, out, o)
			require.Positive(t, o.interrupted)
			if rules.Room == 0 {
				require.Positive(t, o.reneged)
			} else {
				require.Positive(t, o.refused)
			}
		})
	}
}

// sameAsOracle compares the statistics of LP 0 with those of the oracle.
func sameAsOracle(t *testing.T, out rosstest.Outcome, o *oracle) {
	t.Helper()
	lp, s := out.LP(0), &ross.StateOf[clinic](out.LP(0)).S
	end := out.Config().End
	o.now = end
	o.pass()
	for name, c := range map[string][2]float64{
		"utilization": {o.used / end, s.Utilization.Mean(lp, end)},
		"in service":  {o.inService / end, s.InService.Mean(lp, end)},
		"in queue":    {o.inQueue / end, s.InQueue.Mean(lp, end)},
	} {
		require.InDelta(t, c[0], c[1], 1e-9*(1+c[0]), name)
	}
	for name, c := range map[string]struct {
		want  []float64
		count uint64
		mean  float64
	}{"wait": {o.wait, s.Wait.Count(), s.Wait.Mean()}, "stay": {o.stay, s.Stay.Count(), s.Stay.Mean()}} {
		require.EqualValues(t, len(c.want), c.count, name)
		if c.count > 0 {
			mean := sumOf(c.want) / float64(len(c.want))
			require.InDelta(t, mean, c.mean, 1e-9*(1+mean), name)
		}
	}
	require.Equal(t, [3]uint64{o.refused, o.reneged, o.interrupted},
		[3]uint64{s.Refused.Count(), s.Reneged.Count(), s.Interrupted.Count()})
}

var savings = []ross.Saving{ross.SaveByDelta, ross.SaveByLog, ross.SaveByReverse}

const lps = 12

// sameEverywhere runs a model in all schedulers, and from checkpoints, with all ways to undo its events.
func sameEverywhere(t *testing.T, model func(saving ross.Saving) ross.LPType) {
	for _, saving := range savings {
		modeltest.Run(t, modeltest.Model{
			Config: ross.Config{LPs: lps, End: float64(testlevel.Times(30, 15)), WarmUp: 5, ConsLookahead: 0.05},
			Types:  func() []ross.LPType { return []ross.LPType{model(saving)} },
			Short:  true,
		})
	}
}

func TestServersAreTheSameEverywhere(t *testing.T) {
	rules := ruleBook()
	for _, r := range testlevel.Pick(rules, rules, []Rules{rules[0], rules[4], rules[15], rules[20]}) {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			p := clinics{rules: r, lps: lps}
			sameEverywhere(t, func(saving ross.Saving) ross.LPType { return p.model(saving) })
		})
	}
}
