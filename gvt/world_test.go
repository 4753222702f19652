// A small Time Warp: PEs with one KP each, whose handlers draw what they send.
// It follows GVT's protocol as the engine does, is full of equal times, delays
// of 0, rollbacks and full channels, and checks that nothing arrives too late
// for GVT. A fault breaks the protocol in one place, and the checks must notice.

package gvt_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/ranks/transport"
)

const (
	anti      = 1 << 63 // in a key's time: an anti-message
	committed = 100     // state of an event, in addition to those of package event
	endTime   = 30
	window    = 8 // how far ahead of GVT events are handled
)

// fault is a mistake in following the protocol.
type fault string

const (
	none         fault = ""
	unsentLost   fault = "the minimum does not begin with what is unsent"
	redLost      fault = "what is sent between cut and report is not kept"
	antisLost    fault = "what is sent between cut and report is kept without anti-messages"
	redEndsEarly fault = "what rollbacks before the report send is not kept"
	notDrained   fault = "channels are not emptied before the report"
	notSettled   fault = "stragglers wait until after the report"
	earlyReport  fault = "the report does not wait for all first cuts"
)

// world is the PEs of a run and what they share. No memory is reused, so that a
// wrong GVT leads to a message instead of a crash.
type world struct {
	space *event.Space
	pes   []*pe
	fault fault
	stop  atomic.Bool // a check has failed
}

// pe is a PE.
type pe struct {
	w       *world
	id      int
	rng     *rand.Rand
	arena   *event.Arena
	member  *gvt.Member
	next    int // step
	in, out []*transport.Ring
	unsent  [][]event.Key
	inbox   []event.Key // taken from channels, to be settled
	pending []event.Key
	history []handled // oldest first

	red       bool
	redMin    gvt.Bound
	bound     gvt.Bound // GVT
	announced bool      // the PE has reported: the next GVT is not after what comes now
	least     gvt.Bound // of what came since
	rounds    []entry
	err       error

	antis, annihilated, undone, committed int
}

// handled is an event in the history, with what it sent.
type handled struct {
	key  event.Key
	sent []message
}

type message struct {
	index uint32
	to    int
}

// entry is what a PE reported and received in a round.
type entry struct {
	reported gvt.Bound
	flags    uint32
	received gvt.Report
}

func newWorld(n int, seed uint64, f fault) (*world, error) {
	space, err := event.NewSpace(n, 8, 1<<18, nil)
	if err != nil {
		return nil, err
	}
	w := &world{space: space, fault: f}
	group := gvt.NewGroup(n, nil)
	for i := range n {
		p := &pe{w: w, id: i, rng: rand.New(rand.NewPCG(seed, uint64(i))), arena: space.Arena(i), member: group.Member(i),
			in: make([]*transport.Ring, n), out: make([]*transport.Ring, n), unsent: make([][]event.Key, n)}
		w.pes = append(w.pes, p)
	}
	for i, from := range w.pes {
		for j, to := range w.pes {
			r := transport.NewRing(1+from.rng.IntN(4), 2)
			from.out[j], to.in[i] = r, r
		}
		for range 4 {
			from.send(nil)
		}
	}
	return w, nil
}

// step does a part of a turn of the PE's loop. It reports whether the run is
// over.
func (p *pe) step() (over bool) {
	switch p.next++; p.next % 6 {
	case 0:
		if p.rng.IntN(3) > 0 {
			p.drain()
		}
	case 1:
		p.settle()
	case 2:
		for range p.rng.IntN(5) {
			p.handle()
		}
	case 3:
		p.flush()
	case 4:
		if len(p.pending) == 0 || p.rng.IntN(4) == 0 {
			p.member.Start()
		}
	case 5:
		if p.member.Begun() {
			over = p.poll()
		}
	}
	return over || p.w.stop.Load()
}

func (p *pe) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("PE %d, round %d: "+format, append([]any{p.id, len(p.rounds)}, args...)...)
	}
	p.w.stop.Store(true)
}

// see is called for every event that is handled, undone or taken from a channel:
// no GVT that the PE knows, or will get next, may be after it.
func (p *pe) see(what string, e *event.Event) {
	b := boundOf(e)
	if b.Compare(&p.bound, p.arena.Lines) < 0 {
		p.fail("%s at %g, before GVT %g", what, e.Time, p.bound.Time())
	}
	if p.announced && b.Compare(&p.least, p.arena.Lines) < 0 {
		p.least = b
	}
}

// boundOf returns the bound of an event; the LPs are the PEs.
func boundOf(e *event.Event) gvt.Bound { return gvt.Of(e, e.Dst) }

// handle handles the least pending event, unless it is too far ahead.
func (p *pe) handle() {
	i := p.min()
	if i < 0 {
		return
	}
	k := p.pending[i]
	if k.Time() > p.bound.Time()+window {
		return
	}
	p.pending = slices.Delete(p.pending, i, i+1)
	e := p.arena.At(k.Index())
	p.see("handled", e)
	e.State = event.Processed
	p.history = append(p.history, handled{key: k})
	for range []int{0, 1, 1, 1, 1, 1, 1, 1, 1, 2}[p.rng.IntN(10)] {
		p.send(e)
	}
}

// min returns the index of the least pending event, -1 if no event is pending.
func (p *pe) min() int {
	least := -1
	for i, k := range p.pending {
		if least < 0 || p.arena.Less(k, p.pending[least]) {
			least = i
		}
	}
	return least
}

// send sends an event that the newest in the history causes, or a first one.
func (p *pe) send(cause *event.Event) {
	time, delay := 0.0, float64([]int{0, 0, 1, 1, 1, 2, 3, 9}[p.rng.IntN(8)])
	if cause != nil {
		time = cause.Time
	}
	if time+delay >= endTime {
		return
	}
	e, i, err := p.arena.Alloc()
	if err != nil {
		p.fail("%v", err)
		return
	}
	to := p.rng.IntN(len(p.w.pes))
	e.Time, e.SendTime, e.Src, e.Dst = time+delay, time, uint64(p.id), uint32(to)
	e.Prio, e.Tie = []float64{1, 1, 0.5, 0.3}[p.rng.IntN(4)], float64(p.rng.IntN(4))/4 // few, so that signatures are equal
	if cause != nil && delay == 0 {
		if e.Lineage, err = p.arena.Lines.Extend(cause.Lineage, e.Tie); err != nil {
			p.fail("%v", err)
		}
		e.Prio, e.Tie = max(e.Prio, cause.Prio), cause.Tie
	}
	e.State = event.Pending
	k := event.KeyOf(e, i)
	if cause != nil {
		h := &p.history[len(p.history)-1]
		h.sent = append(h.sent, message{i, to})
	}
	if to == p.id {
		p.pending = append(p.pending, k)
		return
	}
	p.emit(k, to)
}

func (p *pe) emit(k event.Key, to int) {
	p.unsent[to] = append(p.unsent[to], k)
	if p.red && p.w.fault != redLost && (p.w.fault != antisLost || k.TS < anti) {
		p.redden(k)
	}
}

func (p *pe) redden(k event.Key) {
	if b := boundOf(p.arena.At(k.Index())); b.Compare(&p.redMin, p.arena.Lines) < 0 {
		p.redMin = b
	}
}

// flush puts some unsent messages into the channels.
func (p *pe) flush() {
	for to, keys := range p.unsent {
		if len(keys) > 0 {
			n := push(p.out[to], keys[:1+p.rng.IntN(len(keys))])
			p.unsent[to] = keys[:copy(keys, keys[n:])]
		}
	}
}

// push sends as many keys as fit, and returns how many.
func push(r *transport.Ring, keys []event.Key) int {
	n := r.Room(len(keys))
	for i, k := range keys[:n] {
		w := r.Put(i)
		w[0], w[1] = k.TS, k.Lo
	}
	r.Push(n)
	return n
}

// waiting returns keys that wait in a channel.
func waiting(r *transport.Ring) (keys []event.Key) {
	for w := r.Next(); len(w) > 0; w = w[2:] {
		keys = append(keys, event.Key{TS: w[0], Lo: w[1]})
	}
	return keys
}

func (p *pe) drain() {
	for _, r := range p.in {
		for keys := waiting(r); len(keys) > 0; keys = waiting(r) {
			for _, k := range keys {
				if k.Index() != 0 { // else it was cancelled before it left
					p.see("took a message", p.arena.At(k.Index()))
					p.inbox = append(p.inbox, k)
				}
			}
			r.Take(len(keys))
		}
	}
}

// settle does what the messages taken in require.
func (p *pe) settle() {
	for _, k := range p.inbox {
		e := p.arena.At(k.Index())
		p.rollback(event.Key{TS: k.TS &^ anti, Lo: k.Lo})
		if k.TS < anti {
			p.pending = append(p.pending, k)
		} else {
			p.remove(e, k.Index())
		}
	}
	p.inbox = p.inbox[:0]
}

// rollback undoes the events that are not before k, newest first.
func (p *pe) rollback(k event.Key) {
	for n := len(p.history) - 1; n >= 0 && !p.arena.Less(p.history[n].key, k); n-- {
		h := p.history[n]
		p.history = p.history[:n]
		e := p.arena.At(h.key.Index())
		p.see("undone", e)
		e.State = event.Pending
		p.pending = append(p.pending, h.key)
		for _, m := range slices.Backward(h.sent) {
			p.unsend(m)
		}
		p.undone++
	}
}

// unsend cancels what an event has sent.
func (p *pe) unsend(m message) {
	e := p.arena.At(m.index)
	if m.to == p.id {
		p.remove(e, m.index) // it is after its cause, so it has been undone already
		return
	}
	k := event.KeyOf(e, m.index)
	if i := slices.Index(p.unsent[m.to], k); i >= 0 {
		p.unsent[m.to][i] = event.Key{}
		p.annihilated++
		return
	}
	p.antis++
	k.TS |= anti
	p.emit(k, m.to)
}

// remove drops a pending event that was cancelled.
func (p *pe) remove(e *event.Event, index uint32) {
	i := slices.IndexFunc(p.pending, func(k event.Key) bool { return k.Index() == index })
	if i < 0 {
		p.fail("cancelled an event at %g, which is in state %d", e.Time, e.State)
		return
	}
	p.pending = slices.Delete(p.pending, i, i+1)
	e.State = event.Cancelled
}

// poll does the step of GVT that is due. It reports whether the run is over.
func (p *pe) poll() (over bool) {
	switch p.member.Poll() {
	case gvt.Cut:
		p.cut()
	case gvt.ReportDue:
		p.tell()
	case gvt.Done:
		return p.adopt()
	}
	return false
}

func (p *pe) cut() {
	p.red, p.redMin = true, gvt.Max
	for _, keys := range p.unsent {
		for _, k := range keys {
			if k.Index() != 0 && p.w.fault != unsentLost {
				p.redden(k)
			}
		}
	}
	p.member.PassCut()
	if p.w.fault == earlyReport {
		p.tell()
	}
}

func (p *pe) tell() {
	if p.w.fault == redEndsEarly {
		p.red = false
	}
	if p.w.fault != notDrained {
		p.drain()
	}
	if p.w.fault != notSettled {
		p.settle()
	}
	reported := entry{reported: p.redMin, flags: uint32(p.rng.IntN(4)) << (2 * p.id)}
	if i := p.min(); i >= 0 {
		if b := boundOf(p.arena.At(p.pending[i].Index())); b.Compare(&reported.reported, p.arena.Lines) < 0 {
			reported.reported = b
		}
	}
	p.red = false
	p.announced, p.least = true, gvt.Max
	p.rounds = append(p.rounds, reported)
	p.member.Report(reported.reported, reported.flags, 0)
}

// adopt adopts the GVT of a round, and commits the events before it.
func (p *pe) adopt() (over bool) {
	r := p.member.Result(p.arena.Lines)
	p.rounds[len(p.rounds)-1].received = r
	if r.Bound.Compare(&p.bound, p.arena.Lines) < 0 {
		p.fail("GVT went back from %g to %g", p.bound.Time(), r.Time())
	}
	if p.least.Compare(&r.Bound, p.arena.Lines) < 0 {
		p.fail("saw an event at %g after its report, before GVT %g", p.least.Time(), r.Time())
	}
	p.bound, p.announced = r.Bound, false
	for len(p.history) > 0 {
		e := p.arena.At(p.history[0].key.Index())
		if !p.bound.Passed(e, e.Dst, p.arena.Lines) {
			break
		}
		e.State = committed
		p.history = p.history[1:]
		p.committed++
	}
	if p.bound.IsMax() {
		p.checkEmpty()
	}
	return p.bound.IsMax()
}

// checkEmpty is for the end of a run. Keys of events that were cancelled before
// they left may remain.
func (p *pe) checkEmpty() {
	n := len(p.pending) + len(p.inbox) + len(p.history)
	for i := range p.unsent {
		for _, k := range slices.Concat(waiting(p.in[i]), p.unsent[i]) {
			if k.Index() != 0 {
				n++
			}
		}
	}
	if n > 0 {
		p.fail("GVT says that there are no events, and there are %d", n)
	}
}
