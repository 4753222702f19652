// This file owns Sizes: what the sizes of messages and of states cost; and its baseline: the same model on a heap,
// without the engine.

package bench

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
)

// Sizes is one cell of the tables of sizes: PHOLD whose events carry messages of one size, which
// each event copies as a whole, and change 16 bytes of a state of one size.
type Sizes struct {
	Message int         // bytes: 8, 64, 256 or 1,024
	State   int         // bytes: 64, 1,024 or 65,536
	Impl    string      // bare: a heap without the engine; ross
	PEs     int         // 0: sequential
	How     ross.Saving // SaveByReverse, SaveByLog or SaveByDelta, if PEs is not 0
	InPlace bool        // messages are written in place, by ross.NewEvent in place of ross.Send
	// Blocks has the model know of another, small message, so that those of 256 bytes and more are blocks of the
	// buddy pool, and says in which implementation that is. By default the model has one message, in the slots of events.
	Blocks ross.Implementation
}

// SizesEvents is the number of events that are pending for each LP of Sizes.
const SizesEvents = 16

func (s Sizes) String() string {
	name := fmt.Sprintf("impl=%s/message=%d/state=%d", s.Impl, s.Message, s.State)
	if s.Impl == "bare" {
		return name
	}
	name += fmt.Sprintf("/pes=%d", s.PEs)
	if s.PEs > 0 {
		name += fmt.Sprintf("/saving=%v", s.How)
	}
	if s.InPlace {
		name += "/send=NewEvent"
	}
	if s.Blocks != ross.BestImplementation {
		name += fmt.Sprintf("/buddy=%v", s.Blocks)
	}
	return name
}

// sizesPart is what an event changes of a state: 16 bytes.
type sizesPart struct{ handled, sum uint64 }

type sizesMessage interface {
	[1]uint64 | [8]uint64 | [32]uint64 | [128]uint64
}

type sizesState interface {
	[4]sizesPart | [64]sizesPart | [4096]sizesPart
}

// sized is a cell whose sizes are types.
type sized[S sizesState, M sizesMessage] struct {
	Sizes
	lps int
}

// sizesPlace returns which of n parts an event changes: any, chosen by the first word of its message.
func sizesPlace(word uint64, n int) int { return int(word >> 32 % uint64(n)) }

// sizesNext returns the first word of the message that follows a message.
func sizesNext(word uint64) uint64 { return word*6364136223846793005 + 1442695040888963407 }

func (p *sizesPart) add(word uint64) {
	p.handled++
	p.sum += word
}

func (p *sizesPart) take(word uint64) {
	p.handled--
	p.sum -= word
}

func sizesDelay(lp *ross.LP) float64 {
	return lp.RNG().Exponential(pholdMean-pholdLookahead) + pholdLookahead
}

func fillParts[S sizesState](s *S) {
	for i := range len(*s) {
		(*s)[i].sum = uint64(i)
	}
}

// start also writes to the whole state, so that no event waits for a page of it.
func (c sized[S, M]) start(s *S, lp *ross.LP) {
	fillParts(s)
	var m M
	for i := range uint64(SizesEvents) {
		m[0] = sizesNext(uint64(lp.ID())*SizesEvents + i)
		ross.Send(lp, lp.ID(), sizesDelay(lp), m)
	}
}

func (c sized[S, M]) event(s *S, lp *ross.LP, m *M) {
	part := &(*s)[sizesPlace((*m)[0], len(*s))]
	if c.How == ross.SaveByLog {
		part = ross.Write(lp, part)
	}
	part.add((*m)[0])
	dst := lp.ID()
	if lp.RNG().Unif() <= pholdRemote {
		dst = ross.LPID(lp.RNG().Integer(0, int64(c.lps)-1))
	}
	if c.InPlace {
		next := ross.NewEvent[M](lp, dst, sizesDelay(lp))
		*next = *m
		(*next)[0] = sizesNext((*m)[0])
		return
	}
	next := *m
	next[0] = sizesNext(next[0])
	ross.Send(lp, dst, sizesDelay(lp), next)
}

func (c sized[S, M]) reverse(s *S, _ *ross.LP, m *M) {
	(*s)[sizesPlace((*m)[0], len(*s))].take((*m)[0])
}

func (c sized[S, M]) model() ross.LPType {
	handler := ross.On(c.event)
	if c.How == ross.SaveByReverse {
		handler = handler.Reverse(c.reverse)
	}
	event := ross.Handler[S](handler)
	if c.Blocks != ross.BestImplementation {
		event = ross.Events(handler, ross.On(func(*S, *ross.LP, *[1]byte) {}).Reverse(func(*S, *ross.LP, *[1]byte) {}))
	}
	return ross.Type[S]{Name: "sizes", NeverStops: true, Saving: c.How, Init: c.start, Event: event}
}

// sizesCell is a cell whose types have been found.
type sizesCell interface {
	model() ross.LPType
	bare(b *testing.B)
	sizes() (state, message int)
	states(sim *ross.Simulation) []any
	bareStates(end float64) []any
}

// sizes returns the sizes of the types in bytes.
func (c sized[S, M]) sizes() (state, message int) {
	var s S
	var m M
	return int(unsafe.Sizeof(s)), int(unsafe.Sizeof(m))
}

func sizesOf[S sizesState](s Sizes, lps int) sizesCell {
	switch s.Message {
	case 8:
		return sized[S, [1]uint64]{s, lps}
	case 64:
		return sized[S, [8]uint64]{s, lps}
	case 256:
		return sized[S, [32]uint64]{s, lps}
	case 1024:
		return sized[S, [128]uint64]{s, lps}
	}
	return nil
}

// states returns the states of a simulation: an S of each LP.
func (c sized[S, M]) states(sim *ross.Simulation) (states []any) {
	for i := range c.lps {
		states = append(states, *ross.StateOf[S](sim.LP(ross.LPID(i))))
	}
	return states
}

// cell returns the cell with the types of its sizes, nil if there are none.
func (s Sizes) cell(lps int) sizesCell {
	switch s.State {
	case 64:
		return sizesOf[[4]sizesPart](s, lps)
	case 1024:
		return sizesOf[[64]sizesPart](s, lps)
	case 65536:
		return sizesOf[[4096]sizesPart](s, lps)
	}
	return nil
}

// Model returns the type of the LPs, given their number; nil if no types have those sizes. Each has SizesEvents
// events pending, whose least delay is Lookahead.
func (s Sizes) Model(lps int) ross.LPType {
	if cell := s.cell(lps); cell != nil {
		return cell.model()
	}
	return nil
}

// Run measures one committed event.
func (s Sizes) Run(b *testing.B) {
	const lps = 1024
	cell := s.cell(lps)
	if cell == nil {
		b.Fatalf("no cell for messages of %d bytes and states of %d bytes", s.Message, s.State)
	}
	if s.Impl == "bare" {
		cell.bare(b)
		return
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = ross.Optimistic, max(s.PEs, 1), int(lps/max(s.PEs, 1))
	cfg.Tuning.Buddy = s.Blocks
	if s.PEs == 0 {
		cfg.Synch = ross.Sequential
	}
	run(b, cfg, lps*SizesEvents, cell.model())
}

// bareLoop runs the model as a small simulator does: the LPs of the floor, a 4-ary heap of keys,
// and events in one slice, at the places that the keys name. As in the engine, an event is freed
// after its handler has sent another, so each message is copied once.
type bareLoop[S sizesState, M sizesMessage] struct {
	lps    []floorLP
	states []S
	events []bareEvent[M]
	free   uint32 // the only free place of events
	queue  heap4
}

type bareEvent[M sizesMessage] struct {
	dst int64
	m   M
}

func (c sized[S, M]) newBare() *bareLoop[S, M] {
	l := &bareLoop[S, M]{
		lps:    Phold{LPs: c.lps}.floorLPs(),
		states: make([]S, c.lps),
		events: make([]bareEvent[M], c.lps*SizesEvents+1),
		free:   uint32(c.lps * SizesEvents),
	}
	for i := range l.lps {
		fillParts(&l.states[i])
		for k := range SizesEvents {
			at := i*SizesEvents + k
			l.events[at].dst, l.events[at].m[0] = int64(i), sizesNext(uint64(at))
			l.send(&l.lps[i], uint32(at))
		}
	}
	return l
}

func (l *bareLoop[S, M]) send(lp *floorLP, at uint32) {
	time := lp.now + (lp.rng.Exponential(pholdMean-pholdLookahead) + pholdLookahead)
	tie := uint64(lp.core.Unif() * (1 << 32))
	l.queue.push(event.Key{TS: math.Float64bits(time), Lo: tie<<32 | uint64(at)})
}

// step handles the next event.
func (l *bareLoop[S, M]) step() {
	k := l.queue.pop()
	at := uint32(k.Lo)
	e := &l.events[at]
	lp, s := &l.lps[e.dst], &l.states[e.dst]
	lp.now = k.Time()
	lp.count++
	(*s)[sizesPlace(e.m[0], len(*s))].add(e.m[0])
	dst := e.dst
	if lp.rng.Unif() <= pholdRemote {
		dst = lp.rng.Integer(0, int64(len(l.lps))-1)
	}
	next := &l.events[l.free]
	*next = *e
	next.dst, next.m[0] = dst, sizesNext(e.m[0])
	l.send(lp, l.free)
	l.free = at
}

// bare measures a step of the bare loop.
func (c sized[S, M]) bare(b *testing.B) {
	l := c.newBare()
	for range 3 * len(l.events) {
		l.step()
	}
	for b.Loop() {
		l.step()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mev/s")
}

// bareStates returns the states when all events before a time have been handled: an S of each LP.
func (c sized[S, M]) bareStates(end float64) (states []any) {
	l := c.newBare()
	for l.queue.h[0].Time() < end {
		l.step()
	}
	for i := range l.states {
		states = append(states, l.states[i])
	}
	return states
}
