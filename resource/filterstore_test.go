// This file owns the tests of FilterStore: LPs that put, get and leave at random, the same with slices, and that every
// scheduler, every way to undo events and runs that go on from checkpoints leave the same.

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

// diner is one who wants items that leave a rest, divided by a number.
type diner struct{ Who, By, Rest uint32 }

func (g diner) Fits(item uint32) bool { return item%g.By == g.Rest }

// larder is the state.
type larder struct {
	Food   FilterStore[uint32, diner]
	Recent [4]Ticket
	Events uint32
	Sum    uint64 // of all that was returned
}

// larders are the parameters of the model.
type larders struct {
	limits  Limits
	lps     int64
	oracle  *larderOracle // of LP 0 in a sequential run, or nil
	choices choices
	wrong   string
}

// larderOracle is the same in slices.
type larderOracle struct {
	limits           Limits
	items            []uint32
	getters, putters []dish
	now              float64
	waitGet, waitPut []float64
	reneged, refused uint64
	expired, skipped int
}

// dish is one who waits.
type dish struct {
	t     Ticket
	diner diner
	item  uint32
	came  float64
	first float64
}

// queue puts one into a line, behind those of his priority.
func queue(line *[]dish, d dish) {
	at := slices.IndexFunc(*line, func(o dish) bool { return o.first > d.first })
	if at < 0 {
		at = len(*line)
	}
	*line = slices.Insert(*line, at, d)
}

func (p *larders) compare(s *larder, lp *ross.LP, what string, got []uint64, want func(o *larderOracle) []uint64) {
	for _, w := range got {
		s.Sum = hash64.Word(*ross.Write(lp, &s.Sum), w)
	}
	if p.oracle == nil || p.wrong != "" {
		return
	}
	o := p.oracle
	o.now = lp.Now()
	w := want(o)
	g, q := s.Food.Waiting()
	got = append(got, uint64(g), uint64(q), uint64(s.Food.Len()))
	w = append(w, uint64(len(o.getters)), uint64(len(o.putters)), uint64(len(o.items)))
	if !slices.Equal(got, w) {
		p.wrong = fmt.Sprintf("%s at %g: got %v, the oracle says %v", what, lp.Now(), got, w)
	}
}

func (p *larders) init(s *larder, lp *ross.LP) {
	s.Food.Open(lp, p.limits)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), tick{})
}

func (p *larders) tick(s *larder, lp *ross.LP, _ *tick) {
	d := &p.choices
	if d.over() {
		return
	}
	*ross.Write(lp, &s.Events)++
	ross.Send(lp, ross.LPID(d.integer(lp, 0, p.lps-1)), 0.05+d.time(lp, 0.5), tick{})
	who, i, first := s.Events, d.integer(lp, 0, 3), float64(d.integer(lp, 0, 2))
	recent := ross.Write(lp, &s.Recent[i])
	switch op := d.integer(lp, 0, 4); op {
	case 0, 1:
		item := uint32(d.integer(lp, 0, 11))
		t, o, to, handed := s.Food.PutPriority(lp, diner{who, 1, 1}, item, first)
		p.compare(s, lp, "put", []uint64{uint64(o), uint64(to.Who), yes(handed)}, func(w *larderOracle) []uint64 {
			return w.put(dish{t, diner{who, 1, 1}, item, w.now, first})
		})
		*recent = t
	case 2, 3:
		by := uint32(d.integer(lp, 1, 4))
		g := diner{who, by, uint32(d.integer(lp, 0, int64(by)-1))}
		item, t, o := s.Food.GetPriority(lp, g, first)
		p.compare(s, lp, "get", []uint64{uint64(item), uint64(o)}, func(w *larderOracle) []uint64 {
			return w.get(dish{t, g, 0, w.now, first})
		})
		*recent = t
		if o == Starts && d.integer(lp, 0, 4) == 0 {
			to, handed := s.Food.Return(lp, item)
			p.compare(s, lp, "return", []uint64{uint64(to.Who), yes(handed)}, func(w *larderOracle) []uint64 {
				to, handed := w.hand(item)
				if !handed {
					w.items = append(w.items, item)
				}
				return []uint64{uint64(to), yes(handed)}
			})
		}
		for more := o == Starts; more; {
			var from, to diner
			var handed bool
			from, item, to, handed, more = s.Food.Next(lp)
			p.compare(s, lp, "next", []uint64{uint64(from.Who), uint64(item), uint64(to.Who), yes(handed), yes(more)},
				(*larderOracle).next)
		}
	default:
		t := *recent
		gone, ok := s.Food.Leave(lp, t)
		p.compare(s, lp, "leave", []uint64{uint64(gone.Who), yes(ok)}, func(w *larderOracle) []uint64 { return w.leave(t) })
	}
	for n := d.integer(lp, 0, 2); n > 0; n-- {
		Patience(lp, &s.Food, *recent, d.time(lp, 4), expires{T: *recent})
	}
}

// expires has one leave whose patience is over. He waits: otherwise the event would have been cancelled.
func (p *larders) expires(s *larder, lp *ross.LP, m *expires) {
	gone, ok := s.Food.Leave(lp, m.T)
	p.compare(s, lp, "expires", []uint64{uint64(gone.Who), yes(ok)}, func(w *larderOracle) []uint64 {
		w.expired++
		return []uint64{w.leave(m.T)[0], 1}
	})
}

// hand gives an item to the first whom it fits.
func (o *larderOracle) hand(item uint32) (to uint32, handed bool) {
	for i, g := range o.getters {
		if item%g.diner.By == g.diner.Rest {
			o.getters = slices.Delete(o.getters, i, i+1)
			o.waitGet = append(o.waitGet, o.now-g.came)
			o.skipped += i
			return g.diner.Who, true
		}
	}
	return 0, false
}

func (o *larderOracle) hasRoom() bool {
	return o.limits.Capacity == 0 || len(o.items) < o.limits.Capacity
}

func (o *larderOracle) put(d dish) []uint64 {
	if to, handed := o.hand(d.item); handed {
		o.waitPut = append(o.waitPut, 0)
		return []uint64{uint64(Starts), uint64(to), 1}
	}
	switch {
	case o.hasRoom():
		o.items = append(o.items, d.item)
		o.waitPut = append(o.waitPut, 0)
		return []uint64{uint64(Starts), 0, 0}
	case o.limits.RoomPut == NoRoom || o.limits.RoomPut > 0 && len(o.putters) >= o.limits.RoomPut:
		o.refused++
		return []uint64{uint64(Refused), 0, 0}
	}
	queue(&o.putters, d)
	return []uint64{uint64(Waits), 0, 0}
}

func (o *larderOracle) get(d dish) []uint64 {
	for i, item := range o.items {
		if item%d.diner.By == d.diner.Rest {
			o.items = slices.Delete(o.items, i, i+1)
			o.waitGet = append(o.waitGet, 0)
			return []uint64{uint64(item), uint64(Starts)}
		}
	}
	if o.limits.RoomGet == NoRoom || o.limits.RoomGet > 0 && len(o.getters) >= o.limits.RoomGet {
		o.refused++
		return []uint64{0, uint64(Refused)}
	}
	queue(&o.getters, d)
	return []uint64{0, uint64(Waits)}
}

func (o *larderOracle) next() []uint64 {
	if len(o.putters) == 0 || !o.hasRoom() {
		return []uint64{0, 0, 0, 0, 0}
	}
	d := o.putters[0]
	o.putters = o.putters[1:]
	o.waitPut = append(o.waitPut, o.now-d.came)
	to, handed := o.hand(d.item)
	if !handed {
		o.items = append(o.items, d.item)
	}
	return []uint64{uint64(d.diner.Who), uint64(d.item), uint64(to), yes(handed), 1}
}

func (o *larderOracle) leave(t Ticket) []uint64 {
	for _, line := range []*[]dish{&o.getters, &o.putters} {
		for i, d := range *line {
			if d.t == t && t != 0 {
				*line = slices.Delete(*line, i, i+1)
				o.reneged++
				return []uint64{uint64(d.diner.Who), 1}
			}
		}
	}
	return []uint64{0, 0}
}

// model returns the type of the LPs.
func (p *larders) model(saving ross.Saving) ross.Type[larder] {
	ticks, ends := ross.On(p.tick), ross.On(p.expires)
	if saving == ross.SaveByReverse {
		ticks = ticks.Reverse(func(*larder, *ross.LP, *tick) {})
		ends = ends.Reverse(func(*larder, *ross.LP, *expires) {})
	}
	return ross.Type[larder]{Name: "larder", Saving: saving, Init: p.init, NeverStops: true,
		Event: ross.Events(ticks, ends)}
}

var larderLimits = []Limits{{Capacity: 3}, {Capacity: 2, RoomGet: 4, RoomPut: 1}, {RoomGet: NoRoom}, {}}

// sameFood compares the statistics of a larder with those of the oracle.
func sameFood(t *testing.T, s *FilterStore[uint32, diner], o *larderOracle) {
	t.Helper()
	require.Equal(t, [4]uint64{uint64(len(o.waitGet)), uint64(len(o.waitPut)), o.reneged, o.refused},
		[4]uint64{s.WaitGet.Count(), s.WaitPut.Count(), s.Reneged.Count(), s.Refused.Count()})
	if len(o.waitGet) > 0 {
		require.InDelta(t, sumOf(o.waitGet)/float64(len(o.waitGet)), s.WaitGet.Mean(), 1e-9*(1+sumOf(o.waitGet)))
	}
	if len(o.waitPut) > 0 {
		require.InDelta(t, sumOf(o.waitPut)/float64(len(o.waitPut)), s.WaitPut.Mean(), 1e-9*(1+sumOf(o.waitPut)))
	}
}

func TestFilterStoresDoWhatTheOracleDoes(t *testing.T) {
	seed := testrand.Seed(t)
	expired, skipped := 0, 0 // in all stores: one that has room for everything has few who wait
	for _, limits := range larderLimits {
		t.Run(fmt.Sprintf("%+v", limits), func(t *testing.T) {
			o := &larderOracle{limits: limits}
			p := larders{limits: limits, lps: 1, oracle: o}
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Seed = 1, 1, float64(testlevel.Times(3000, 600)), seed
			out := rosstest.Run(t, cfg, p.model(ross.SaveByLog))
			require.Empty(t, p.wrong)
			sameFood(t, &ross.StateOf[larder](out.LP(0)).Food, o)
			expired, skipped = expired+int(o.expired), skipped+int(o.skipped)
		})
	}
	require.Positive(t, expired)
	require.Positive(t, skipped)
}

func TestFilterStoresAreTheSameEverywhere(t *testing.T) {
	for _, limits := range testlevel.Pick(larderLimits, larderLimits[:2], larderLimits[1:2]) {
		t.Run(fmt.Sprintf("%+v", limits), func(t *testing.T) {
			p := larders{limits: limits, lps: lps}
			sameEverywhere(t, func(saving ross.Saving) ross.LPType { return p.model(saving) })
		})
	}
}

func FuzzFilterStores(f *testing.F) {
	for i := range larderLimits {
		f.Add(append([]byte{byte(i), 0, 1, 2, 3, 4, 5, 7, 9}, "diners want what is there, or wait for something else"...))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > longest {
			return
		}
		limits := larderLimits[int(input[0])%len(larderLimits)]
		o := &larderOracle{limits: limits}
		p := larders{limits: limits, lps: 1, oracle: o, choices: choices{true, input[1:]}}
		out := fuzzed(t, p.model(ross.SaveByLog))
		require.Empty(t, p.wrong)
		sameFood(t, &ross.StateOf[larder](out.LP(0)).Food, o)
	})
}

// TestFilterStoresRefuseWhatIsWrong is of a store that has not its own field in the states of the other tests.
func TestFilterStoresRefuseWhatIsWrong(t *testing.T) {
	any := diner{By: 1}
	for text, do := range map[string]func(s *larder, lp *ross.LP){
		"Food: was opened twice": func(s *larder, lp *ross.LP) {
			s.Food.Open(lp, Limits{})
			s.Food.Open(lp, Limits{})
		},
		"Food: was used before it was opened":    func(s *larder, lp *ross.LP) { s.Food.Get(lp, any) },
		"Food: was opened with a capacity of -1": func(s *larder, lp *ross.LP) { s.Food.Open(lp, Limits{Capacity: -1}) },
		"Food: was opened with order 2":          func(s *larder, lp *ross.LP) { s.Food.Open(lp, Limits{Order: ByPriority}) },
		"Food: was opened with room for -2":      func(s *larder, lp *ross.LP) { s.Food.Open(lp, Limits{RoomGet: -2}) },
		"Food: an item returned, without room for it": func(s *larder, lp *ross.LP) {
			s.Food.Open(lp, Limits{Capacity: 1})
			s.Food.Put(lp, any, 1)
			s.Food.Return(lp, 1)
		},
		"Food: priority is NaN": func(s *larder, lp *ross.LP) {
			s.Food.Open(lp, Limits{})
			s.Food.PutPriority(lp, any, 1, math.NaN())
		},
		"Food: put while one who waits could go on: against the rules of the resource: after each Get that starts call " +
			"Next until it returns false": func(s *larder, lp *ross.LP) {
			s.Food.Open(lp, Limits{Capacity: 1})
			s.Food.Put(lp, any, 1)
			s.Food.Put(lp, any, 2)
			s.Food.Get(lp, any)
			s.Food.Put(lp, any, 3)
		},
	} {
		t.Run(text, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Small(), ross.Type[larder]{Name: "larder", Saving: ross.SaveByLog,
				Init:  func(_ *larder, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
				Event: ross.On(func(s *larder, lp *ross.LP, _ *tick) { do(s, lp) })})
			require.ErrorContains(t, out.Err, text)
		})
	}
}
