// This file owns the tests of Store and Level: LPs that put, get and leave at random, the same with slices, and that
// every scheduler, every way to undo events and runs that go on from checkpoints leave the same; and fuzzing: the
// operations of all models of the tests, and their times, come from the bytes of an input.

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

// depot is a state with a store and a level.
type depot struct {
	Parts  Store[uint32, uint32]
	Tank   Level[uint32]
	Recent [4]Ticket
	Events uint32
	Sum    uint64 // of all that was returned
}

// depots are the parameters of the model.
type depots struct {
	limits   Limits
	capacity float64 // of the level, in parts
	parts    float64 // of the unit of the level: an amount is a whole number of them
	lps      int64
	oracle   *depotOracle // of LP 0 in a sequential run, or nil
	choices  choices
	wrong    string
}

// depotOracle is the same in slices.
type depotOracle struct {
	limits              Limits
	items               []wish // the next first
	getters, putters    []wish // of the store
	amount, capacity    float64
	takers, givers      []wish // of the level
	now                 float64
	waitGet, waitPut    []float64
	waitTake, waitGive  []float64
	leavesStore, leaves uint64
	refused, turned     uint64
	expired             uint64
}

// wish is one who waits.
type wish struct {
	t      Ticket
	who    uint32
	item   uint32
	amount float64
	came   float64
	first  float64 // his priority
}

// expires is the event of patience: of one at the level, or at the store.
type expires struct {
	T     Ticket
	Level bool
}

// enter puts one into a line, behind those of his priority.
func enter(line *[]wish, w wish) {
	at := slices.IndexFunc(*line, func(o wish) bool { return o.first > w.first })
	if at < 0 {
		at = len(*line)
	}
	*line = slices.Insert(*line, at, w)
}

// full reports whether nobody more may wait in a line.
func full(room int, line []wish) bool { return room == NoRoom || room > 0 && len(line) >= room }

func (p *depots) compare(s *depot, lp *ross.LP, what string, got []uint64, want func(o *depotOracle) []uint64) {
	for _, w := range got {
		s.Sum = hash64.Word(*ross.Write(lp, &s.Sum), w)
	}
	if p.oracle == nil || p.wrong != "" {
		return
	}
	o := p.oracle
	o.now = lp.Now()
	w := want(o)
	g, q := s.Parts.Waiting()
	tg, tq := s.Tank.Waiting()
	got = append(got, uint64(g), uint64(q), uint64(tg), uint64(tq), uint64(s.Parts.Len()), math.Float64bits(s.Tank.Now()))
	w = append(w, uint64(len(o.getters)), uint64(len(o.putters)), uint64(len(o.takers)), uint64(len(o.givers)),
		uint64(len(o.items)), math.Float64bits(o.amount/p.parts))
	if !slices.Equal(got, w) {
		p.wrong = fmt.Sprintf("%s at %g: got %v, the oracle says %v", what, lp.Now(), got, w)
	}
}

func (p *depots) init(s *depot, lp *ross.LP) {
	s.Parts.Open(lp, p.limits)
	s.Tank.Open(lp, LevelRules{Capacity: p.capacity / p.parts, Amount: 3 / p.parts, RoomGet: p.limits.RoomPut,
		RoomPut: max(3*p.limits.RoomGet, NoRoom)})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), tick{})
}

func (p *depots) tick(s *depot, lp *ross.LP, _ *tick) {
	d := &p.choices
	if d.over() {
		return
	}
	*ross.Write(lp, &s.Events)++
	ross.Send(lp, ross.LPID(d.integer(lp, 0, p.lps-1)), 0.05+d.time(lp, 0.5), tick{})
	who, amount, i := s.Events, float64(d.integer(lp, 0, 10)), d.integer(lp, 0, 3)
	recent, first := ross.Write(lp, &s.Recent[i]), float64(d.integer(lp, 0, 2))
	switch op := d.integer(lp, 0, 5); op {
	case 0:
		t, o, to, handed := s.Parts.PutPriority(lp, who, 7*who, first)
		p.compare(s, lp, "put", []uint64{uint64(o), uint64(to), yes(handed)},
			func(w *depotOracle) []uint64 { return w.put(wish{t, who, 7 * who, 0, w.now, first}) })
		*recent = t
		p.limit(lp, &s.Parts, t, false)
	case 1:
		item, t, o, from, freed := s.Parts.GetPriority(lp, who, first)
		p.compare(s, lp, "get", []uint64{uint64(item), uint64(o), uint64(from), yes(freed)},
			func(w *depotOracle) []uint64 { return w.get(wish{t, who, 0, 0, w.now, first}) })
		*recent = t
		p.limit(lp, &s.Parts, t, false)
	case 2:
		t := *recent
		who, ok := s.Parts.Leave(lp, t)
		p.compare(s, lp, "leave", []uint64{uint64(who), yes(ok)},
			func(w *depotOracle) []uint64 { return leaves(t, &w.leavesStore, &w.getters, &w.putters) })
		if !ok {
			who, ok = s.Tank.Leave(lp, t)
			p.compare(s, lp, "leave", []uint64{uint64(who), yes(ok)},
				func(w *depotOracle) []uint64 { return leaves(t, &w.leaves, &w.takers, &w.givers) })
			p.next(s, lp)
		}
	case 3:
		t, o := s.Tank.PutPriority(lp, who, amount/p.parts, first)
		p.compare(s, lp, "fill", []uint64{uint64(o)},
			func(w *depotOracle) []uint64 { return w.fill(wish{t, who, 0, amount, w.now, first}, &w.givers, 1) })
		*recent = t
		p.next(s, lp)
		p.limit(lp, &s.Tank, t, true)
	default:
		t, o := s.Tank.GetPriority(lp, who, amount/p.parts, first)
		p.compare(s, lp, "draw", []uint64{uint64(o)},
			func(w *depotOracle) []uint64 { return w.fill(wish{t, who, 0, amount, w.now, first}, &w.takers, -1) })
		*recent = t
		p.next(s, lp)
		p.limit(lp, &s.Tank, t, true)
	}
}

// limit gives some of those who wait a patience, and some another one.
func (p *depots) limit(lp *ross.LP, at Queue, t Ticket, level bool) {
	for n := p.choices.integer(lp, 0, 2); n > 0; n-- {
		Patience(lp, at, t, p.choices.time(lp, 3), expires{t, level})
	}
}

// expires has one leave whose patience is over. He waits: otherwise the event would have been cancelled.
func (p *depots) expires(s *depot, lp *ross.LP, m *expires) {
	var who uint32
	var ok bool
	if m.Level {
		who, ok = s.Tank.Leave(lp, m.T)
	} else {
		who, ok = s.Parts.Leave(lp, m.T)
	}
	p.compare(s, lp, "expires", []uint64{uint64(who), yes(ok)}, func(w *depotOracle) (gone []uint64) {
		w.expired++
		if m.Level {
			gone = leaves(m.T, &w.leaves, &w.takers, &w.givers)
		} else {
			gone = leaves(m.T, &w.leavesStore, &w.getters, &w.putters)
		}
		return []uint64{gone[0], 1}
	})
	p.next(s, lp)
}

func (p *depots) next(s *depot, lp *ross.LP) {
	for more := true; more; {
		var who uint32
		var amount float64
		who, amount, more = s.Tank.Next(lp)
		p.compare(s, lp, "next", []uint64{uint64(who), math.Float64bits(amount), yes(more)},
			func(o *depotOracle) []uint64 { return o.next(p.parts) })
	}
}

func (o *depotOracle) put(w wish) []uint64 {
	switch {
	case len(o.getters) > 0:
		first := o.getters[0]
		o.getters = o.getters[1:]
		o.waitGet, o.waitPut = append(o.waitGet, o.now-first.came), append(o.waitPut, 0)
		return []uint64{uint64(Starts), uint64(first.who), 1}
	case o.limits.Capacity == 0 || len(o.items) < o.limits.Capacity:
		o.store(w)
		o.waitPut = append(o.waitPut, 0)
		return []uint64{uint64(Starts), 0, 0}
	case full(o.limits.RoomPut, o.putters):
		o.refused++
		return []uint64{uint64(Refused), 0, 0}
	}
	enter(&o.putters, w)
	return []uint64{uint64(Waits), 0, 0}
}

func (o *depotOracle) get(w wish) []uint64 {
	if len(o.items) > 0 {
		item, from, freed := o.items[0].item, uint32(0), false
		o.items = o.items[1:]
		o.waitGet = append(o.waitGet, 0)
		if len(o.putters) > 0 {
			first := o.putters[0]
			from, freed, o.putters = first.who, true, o.putters[1:]
			o.store(first)
			o.waitPut = append(o.waitPut, o.now-first.came)
		}
		return []uint64{uint64(item), uint64(Starts), uint64(from), yes(freed)}
	}
	if full(o.limits.RoomGet, o.getters) {
		o.refused++
		return []uint64{0, uint64(Refused), 0, 0}
	}
	enter(&o.getters, w)
	return []uint64{0, uint64(Waits), 0, 0}
}

// store puts an item to those that are there.
func (o *depotOracle) store(w wish) {
	switch o.limits.Order {
	case ByPriority:
		enter(&o.items, w)
	case LIFO:
		o.items = slices.Insert(o.items, 0, w)
	default:
		o.items = append(o.items, w)
	}
}

func leaves(t Ticket, count *uint64, lines ...*[]wish) []uint64 {
	for _, line := range lines {
		for i, w := range *line {
			if w.t == t && t != 0 {
				*line = slices.Delete(*line, i, i+1)
				*count++
				return []uint64{uint64(w.who), 1}
			}
		}
	}
	return []uint64{0, 0}
}

// can reports whether an amount may be added, or taken if it is negative.
func (o *depotOracle) can(amount float64) bool {
	return o.amount+amount >= 0 && o.amount+amount <= o.capacity
}

func (o *depotOracle) fill(w wish, line *[]wish, sign float64) []uint64 {
	if (len(*line) == 0 || w.first < (*line)[0].first) && o.can(sign*w.amount) {
		o.amount += sign * w.amount
		if sign > 0 {
			o.waitGive = append(o.waitGive, 0)
		} else {
			o.waitTake = append(o.waitTake, 0)
		}
		return []uint64{uint64(Starts)}
	}
	room := o.limits.RoomPut
	if sign > 0 {
		room = max(3*o.limits.RoomGet, NoRoom)
	}
	if full(room, *line) {
		o.turned++
		return []uint64{uint64(Refused)}
	}
	enter(line, w)
	return []uint64{uint64(Waits)}
}

func (o *depotOracle) next(parts float64) []uint64 {
	if len(o.takers) > 0 && o.can(-o.takers[0].amount) {
		w := o.takers[0]
		o.takers, o.amount, o.waitTake = o.takers[1:], o.amount-w.amount, append(o.waitTake, o.now-w.came)
		return []uint64{uint64(w.who), math.Float64bits(-w.amount / parts), 1}
	}
	if len(o.givers) > 0 && o.can(o.givers[0].amount) {
		w := o.givers[0]
		o.givers, o.amount, o.waitGive = o.givers[1:], o.amount+w.amount, append(o.waitGive, o.now-w.came)
		return []uint64{uint64(w.who), math.Float64bits(w.amount / parts), 1}
	}
	return []uint64{0, 0, 0}
}

// model returns the type of the LPs.
func (p *depots) model(saving ross.Saving) ross.Type[depot] {
	ticks, ends := ross.On(p.tick), ross.On(p.expires)
	if saving == ross.SaveByReverse {
		ticks = ticks.Reverse(func(*depot, *ross.LP, *tick) {})
		ends = ends.Reverse(func(*depot, *ross.LP, *expires) {})
	}
	return ross.Type[depot]{Name: "depot", Saving: saving, Init: p.init, NeverStops: true,
		Event: ross.Events(ticks, ends)}
}

var (
	depotLimits = []Limits{{Capacity: 3}, {Capacity: 2, RoomGet: 2, RoomPut: 1}, {RoomGet: NoRoom}, {},
		{Capacity: 4, Order: ByPriority}, {Capacity: 3, Order: LIFO}, {Order: ByPriority}}
	levelParts = []float64{10, 1, 1000, 1e9, 10, 1, 1000}
)

func TestStoresAndLevelsDoWhatTheOracleDoes(t *testing.T) {
	seed := testrand.Seed(t)
	for i, limits := range depotLimits {
		t.Run(fmt.Sprintf("%+v", limits), func(t *testing.T) {
			o := &depotOracle{limits: limits, amount: 3, capacity: 12}
			p := depots{limits: limits, capacity: 12, parts: levelParts[i], lps: 1, oracle: o}
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Seed = 1, 1, float64(testlevel.Times(3000, 600)), seed
			out := rosstest.Run(t, cfg, p.model(ross.SaveByLog))
			require.Empty(t, p.wrong)
			sameStatistics(t, ross.StateOf[depot](out.LP(0)), o)
			require.Positive(t, o.leaves)
			require.Positive(t, o.expired)
		})
	}
}

// sameStatistics compares the statistics of a depot with those of the oracle.
func sameStatistics(t *testing.T, d *depot, o *depotOracle) {
	t.Helper()
	s, l := &d.Parts, &d.Tank
	for name, c := range map[string]struct {
		count uint64
		mean  float64
		want  []float64
	}{
		"WaitGet": {s.WaitGet.Count(), s.WaitGet.Mean(), o.waitGet}, "WaitPut": {s.WaitPut.Count(), s.WaitPut.Mean(),
			o.waitPut},
		"WaitTake": {l.WaitGet.Count(), l.WaitGet.Mean(), o.waitTake}, "WaitGive": {l.WaitPut.Count(), l.WaitPut.Mean(),
			o.waitGive},
	} {
		require.EqualValues(t, len(c.want), c.count, name)
		if c.count > 0 {
			require.InDelta(t, sumOf(c.want)/float64(len(c.want)), c.mean, 1e-9*(1+sumOf(c.want)), name)
		}
	}
	require.Equal(t, [4]uint64{o.leavesStore, o.leaves, o.refused, o.turned}, [4]uint64{s.Reneged.Count(),
		l.Reneged.Count(), s.Refused.Count(), l.Refused.Count()})
}

func TestStoresAndLevelsAreTheSameEverywhere(t *testing.T) {
	for i, limits := range testlevel.Pick(depotLimits, append(depotLimits[:2:2], depotLimits[4]), depotLimits[:1]) {
		t.Run(fmt.Sprintf("%+v", limits), func(t *testing.T) {
			p := depots{limits: limits, capacity: 12, parts: levelParts[i], lps: lps}
			sameEverywhere(t, func(saving ross.Saving) ross.LPType { return p.model(saving) })
		})
	}
}

// choices decide what LPs do: by their random numbers, or by an input.
type choices struct {
	fuzzed bool
	input  []byte
}

// next returns the next byte of the input, 0 at its end.
func (d *choices) next() (b byte) {
	if len(d.input) > 0 {
		b, d.input = d.input[0], d.input[1:]
	}
	return b
}

// over reports whether the input is at its end.
func (d *choices) over() bool { return d.fuzzed && len(d.input) == 0 }

// integer returns an integer from low to high.
func (d *choices) integer(lp *ross.LP, low, high int64) int64 {
	if d.fuzzed {
		return low + int64(d.next())%(high-low+1)
	}
	return lp.RNG().Integer(low, high)
}

// time returns a time: exponential, or a multiple of the 16th part of the mean, so that some are equal.
func (d *choices) time(lp *ross.LP, mean float64) float64 {
	if d.fuzzed {
		return mean * float64(d.next()%64) / 16
	}
	return lp.RNG().Exponential(mean)
}

// fuzzed runs one LP until time 1000; an input of 1,024 bytes ends before.
func fuzzed(t *testing.T, model ross.LPType) rosstest.Outcome {
	cfg := rosstest.Small()
	cfg.NLP, cfg.NKP, cfg.End, cfg.MaxMemory = 1, 1, 1000, 16<<20
	return rosstest.Run(t, cfg, model)
}

const longest = 1024

func FuzzServers(f *testing.F) {
	for i := range ruleBook() {
		f.Add(append([]byte{byte(i), 1, 2, 3, 0, 1, 2, 30, 40, 5}, "several customers come, and some are interrupted"...))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > longest {
			return
		}
		rules := ruleBook()
		r := rules[int(input[0])%len(rules)]
		p := clinics{rules: r, lps: 1, oracle: &oracle{rules: r, servers: r.Servers}, choices: choices{true, input[1:]}}
		out := fuzzed(t, p.model(ross.SaveByLog))
		require.Empty(t, p.wrong)
		sameAsOracle(t, out, p.oracle)
	})
}

func FuzzStoresAndLevels(f *testing.F) {
	for i := range depotLimits {
		f.Add(append([]byte{byte(i), 0, 1, 2, 3, 4, 5, 7, 9}, "items come and go, and so do those who wait"...))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > longest {
			return
		}
		at := int(input[0]) % len(depotLimits)
		limits := depotLimits[at]
		o := &depotOracle{limits: limits, amount: 3, capacity: 12}
		p := depots{limits: limits, capacity: 12, parts: levelParts[at], lps: 1, oracle: o, choices: choices{true, input[1:]}}
		out := fuzzed(t, p.model(ross.SaveByLog))
		require.Empty(t, p.wrong)
		sameStatistics(t, ross.StateOf[depot](out.LP(0)), o)
	})
}
