// The same model without several messages, timers, package container and package stats: a message
// with a kind for each type of LP, in which events leave what Reverse needs, and queues, a table
// and statistics of its own. It has the same events; the tests compare its statistics, its length
// and its speed with those of the model.

package main

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
)

type kind uint8

const (
	isPacket   kind = iota // to both
	isCredit               // to both
	isIdle                 // to both
	isGenerate             // to hosts
	isAnswer               // to hosts
	isLate                 // to hosts
)

// toRouter is the message of a router.
type toRouter struct {
	Kind kind
	Port uint8
	packet

	// What Reverse needs.
	Gates    [maxPorts]gate
	Rings    [maxPorts]ringNumbers
	Buffered testkit.Level
	Passed   uint8
}

// toHost is the message of a host.
type toHost struct {
	Kind kind
	packet

	// What Reverse needs.
	Link          link
	Latency, Hops testkit.Tally
	Bin           int32
}

// handRouter is the state of a router.
type handRouter struct {
	Gates    [maxPorts]gate
	In       [maxPorts]ring
	Buffered testkit.Level
	Passed   uint64
}

// ring is the buffer of a port. Reverse restores its numbers, and Save its slots.
type ring struct {
	Slots ross.Block[packet]
	ringNumbers
}

type ringNumbers struct{ Head, N uint8 }

func (q *ring) push(lp *ross.LP, m packet) {
	slots := q.Slots.Of(lp)
	at := int(q.Head) + int(q.N)
	if at >= len(slots) {
		at -= len(slots)
	}
	ross.Save(lp, &slots[at])
	slots[at] = m
	q.N++
}

func (q *ring) pop(lp *ross.LP) packet {
	slots := q.Slots.Of(lp)
	m := slots[q.Head]
	if q.Head++; int(q.Head) == len(slots) {
		q.Head = 0
	}
	q.N--
	return m
}

func handRouterType(p *params, end float64) ross.Type[handRouter] {
	return ross.Type[handRouter]{
		Name: "router",
		Init: func(r *handRouter, lp *ross.LP) {
			for i := range p.ports {
				r.Gates[i].Credits = uint8(p.buffer)
				r.In[i].Slots = ross.Alloc[packet](lp, int(p.buffer))
			}
		},
		Event: ross.On(func(r *handRouter, lp *ross.LP, m *toRouter) { r.event(p, lp, m) }).Reverse(func(r *handRouter, _ *ross.LP, m *toRouter) { r.reverse(m) }),
		Final: func(r *handRouter, _ *ross.LP) { r.Buffered.Add(end, 0, 0) },
	}
}

func (r *handRouter) event(p *params, lp *ross.LP, m *toRouter) {
	m.Gates, m.Buffered, m.Passed = r.Gates, r.Buffered, 0
	for i := range p.ports {
		m.Rings[i] = r.In[i].ringNumbers
	}
	switch m.Kind {
	case isPacket:
		r.Buffered.Add(lp.Now(), 1, 0)
		in := &r.In[m.packet.Port]
		if int(in.N) == int(p.buffer) {
			lp.Fail(errOverflow)
			return
		}
		in.push(lp, m.packet)
		if in.N == 1 {
			r.head(p, lp, int(m.packet.Port), m)
		}
	case isCredit:
		r.Gates[m.Port].Credits++
		r.serve(p, lp, int(m.Port), m)
	case isIdle:
		r.Gates[m.Port].Busy = false
		r.serve(p, lp, int(m.Port), m)
	}
}

func (r *handRouter) reverse(m *toRouter) {
	r.Gates, r.Buffered = m.Gates, m.Buffered
	for i := range m.Rings {
		r.In[i].ringNumbers = m.Rings[i]
	}
	r.Passed -= uint64(m.Passed)
}

func (r *handRouter) head(p *params, lp *ross.LP, in int, m *toRouter) {
	slots := r.In[in].Slots.Of(lp)
	out := p.route(lp.ID(), slots[r.In[in].Head].To)
	r.Gates[in].Want = uint8(out + 1)
	if r.may(p, in, out) {
		r.pass(p, lp, in, out, m)
	}
}

func (r *handRouter) may(p *params, in, out int) bool {
	need := uint8(1)
	if out < p.links && in != out^1 {
		need = 2
	}
	return !r.Gates[out].Busy && r.Gates[out].Credits >= need
}

func (r *handRouter) serve(p *params, lp *ross.LP, out int, m *toRouter) {
	if r.Gates[out].Busy || r.Gates[out].Credits == 0 {
		return
	}
	in := int(r.Gates[out].Last)
	for range p.ports {
		if in++; in >= p.ports {
			in = 0
		}
		if int(r.Gates[in].Want) == out+1 && r.may(p, in, out) {
			r.pass(p, lp, in, out, m)
			return
		}
	}
}

func (r *handRouter) pass(p *params, lp *ross.LP, in, out int, cause *toRouter) {
	m := r.In[in].pop(lp)
	r.Buffered.Add(lp.Now(), -1, 0)
	r.Passed++
	cause.Passed++
	g := &r.Gates[out]
	g.Busy, g.Last = true, uint8(in)
	g.Credits--
	m.Port = uint8(out ^ 1)
	m.Hops++
	if to := p.across(lp.ID(), out); out < p.links {
		ross.Send(lp, to, p.latency+float64(m.Flits), toRouter{Kind: isPacket, packet: m})
	} else {
		ross.Send(lp, to, p.latency+float64(m.Flits), toHost{Kind: isPacket, packet: m})
	}
	ross.Send(lp, lp.ID(), float64(m.Flits), toRouter{Kind: isIdle, Port: uint8(out)})
	if to := p.across(lp.ID(), in); in < p.links {
		ross.Send(lp, to, p.latency, toRouter{Kind: isCredit, Port: uint8(in ^ 1)})
	} else {
		ross.Send(lp, to, p.latency, toHost{Kind: isCredit})
	}
	if r.In[in].N > 0 {
		r.head(p, lp, in, cause)
	} else {
		r.Gates[in].Want = 0
	}
}

// handHost is the state of a host.
type handHost struct {
	link
	Backlog handQueue
	Open    handTable

	Latency    testkit.Tally
	Bins       [latencyBins]uint32 // of Latency
	Hops       testkit.Tally
	Flits      [numParts]uint64
	Arrived    [numParts]uint32
	Damaged    uint64
	Resent     uint64
	Duplicates uint64
	InTime     uint64 // timeouts of packets that had been answered
}

const (
	latencyBins = 512
	binWidth    = 4 // ns
	numParts    = 64
	partWidth   = 100 // ns
)

// handQueue is a ring that grows. Save undoes all that is done to it.
type handQueue struct {
	Slots   ross.Block[packet]
	Head, N uint32
}

// room makes room for one more and returns the slots.
func (q *handQueue) room(lp *ross.LP) []packet {
	ross.Save(lp, q)
	slots := q.Slots.Of(lp)
	if int(q.N) < len(slots) {
		return slots
	}
	larger := ross.Alloc[packet](lp, max(4, 2*len(slots)))
	to := larger.Of(lp)
	if len(to) == 0 {
		return nil
	}
	for i := range q.N {
		to[i] = slots[(q.Head+i)&uint32(len(slots)-1)]
	}
	ross.Free(lp, q.Slots)
	q.Slots, q.Head = larger, 0
	return to
}

func (q *handQueue) push(lp *ross.LP, m packet) {
	if slots := q.room(lp); slots != nil {
		to := &slots[(q.Head+q.N)&uint32(len(slots)-1)]
		ross.Save(lp, to)
		*to = m
		q.N++
	}
}

func (q *handQueue) pushFront(lp *ross.LP, m packet) {
	if slots := q.room(lp); slots != nil {
		q.Head = (q.Head - 1) & uint32(len(slots)-1)
		ross.Save(lp, &slots[q.Head])
		slots[q.Head] = m
		q.N++
	}
}

func (q *handQueue) pop(lp *ross.LP) {
	ross.Save(lp, q)
	q.Head = (q.Head + 1) & uint32(q.Slots.Len()-1)
	q.N--
}

func (q *handQueue) peek(lp *ross.LP) *packet {
	if q.N == 0 {
		return nil
	}
	return &q.Slots.Of(lp)[q.Head]
}

// handTable is a table of packets. Save undoes all that is done to it.
type handTable struct {
	Slots ross.Block[packet]
	N     uint32
}

func (t *handTable) find(lp *ross.LP, number uint32) int {
	slots := t.Slots.Of(lp)
	for i := range slots[:t.N] {
		if slots[i].Number == number {
			return i
		}
	}
	return -1
}

func (t *handTable) put(lp *ross.LP, m packet) {
	at := t.find(lp, m.Number)
	if at < 0 {
		at = int(t.N)
		ross.Save(lp, &t.N)
		t.N++
	}
	slots := t.Slots.Of(lp)
	ross.Save(lp, &slots[at])
	slots[at] = m
}

func (t *handTable) remove(lp *ross.LP, at int) {
	slots := t.Slots.Of(lp)
	ross.Save(lp, &t.N)
	ross.Save(lp, &slots[at])
	t.N--
	slots[at] = slots[t.N]
}

// Bits of an event of a host.
const (
	bitArrived = iota
	bitDamaged
	bitResent
	bitDuplicate
	bitInTime
)

func handHostType(p *params) ross.Type[handHost] {
	return ross.Type[handHost]{
		Name: "host",
		Init: func(h *handHost, lp *ross.LP) {
			h.Credits = uint8(p.buffer)
			h.Open.Slots = ross.Alloc[packet](lp, int(p.window))
			ross.Send(lp, lp.ID(), p.interval(lp), toHost{Kind: isGenerate})
		},
		Event: ross.OnUndo(func(h *handHost, lp *ross.LP, bits *ross.Bits, m *toHost) { h.event(p, lp, bits, m) }).Reverse(func(h *handHost, lp *ross.LP, bits *ross.Bits, m *toHost) { h.reverse(lp, bits, m) }),
	}
}

func (h *handHost) event(p *params, lp *ross.LP, bits *ross.Bits, m *toHost) {
	m.Link = h.link
	switch m.Kind {
	case isPacket:
		h.receive(p, lp, bits, m)
		return
	case isCredit:
		h.Credits++
	case isIdle:
		h.Busy = false
	case isGenerate:
		h.Numbers++
		hosts := int64(p.lps) / int64(p.group) * int64(p.hosts)
		other := lp.RNG().Integer(0, hosts-1)
		h.Backlog.push(lp, packet{
			From: uint32(lp.ID()), To: uint32(other/int64(p.hosts)*int64(p.group) + 1 + other%int64(p.hosts)),
			Number: h.Numbers, Flits: uint16(lp.RNG().Integer(1, maxFlits)), Born: lp.Now(),
		})
		ross.Send(lp, lp.ID(), p.interval(lp), toHost{Kind: isGenerate})
	case isAnswer:
		at := h.Open.find(lp, m.Number)
		if at < 0 {
			bits.Set(bitDuplicate)
			h.Duplicates++
			return
		}
		h.Open.remove(lp, at)
	case isLate:
		at := h.Open.find(lp, m.Number)
		if at < 0 {
			bits.Set(bitInTime)
			h.InTime++
			return
		}
		bits.Set(bitResent)
		h.Resent++
		f := h.Open.Slots.Of(lp)[at]
		f.Again = true
		h.Backlog.pushFront(lp, f)
	}
	h.inject(p, lp)
}

func (h *handHost) inject(p *params, lp *ross.LP) {
	if h.Credits == 0 || h.Busy {
		return
	}
	next := h.Backlog.peek(lp)
	for next != nil && next.Again && h.Open.find(lp, next.Number) < 0 {
		h.Backlog.pop(lp)
		next = h.Backlog.peek(lp)
	}
	if next == nil || !next.Again && h.Open.N >= uint32(p.window) {
		return
	}
	m := *next
	h.Backlog.pop(lp)
	h.Busy = true
	h.Credits--
	h.Open.put(lp, m)
	ross.Send(lp, lp.ID(), p.timeout, toHost{Kind: isLate, packet: packet{Number: m.Number}})
	m.Port = uint8(p.links + int(lp.ID())%p.group - 1)
	ross.Send(lp, lp.ID()/ross.LPID(p.group)*ross.LPID(p.group), p.latency+float64(m.Flits), toRouter{Kind: isPacket, packet: m})
	ross.Send(lp, lp.ID(), float64(m.Flits), toHost{Kind: isIdle})
}

func (h *handHost) receive(p *params, lp *ross.LP, bits *ross.Bits, m *toHost) {
	ross.Send(lp, lp.ID()/ross.LPID(p.group)*ross.LPID(p.group), p.latency,
		toRouter{Kind: isCredit, Port: uint8(p.links + int(lp.ID())%p.group - 1)})
	if lp.RNG().Unif() < p.loss {
		bits.Set(bitDamaged)
		h.Damaged++
		return
	}
	bits.Set(bitArrived)
	m.Latency, m.Hops = h.Latency, h.Hops
	latency := lp.Now() - m.Born
	m.Bin = int32(min(latency/binWidth, latencyBins-1))
	h.Latency.Add(latency)
	h.Bins[m.Bin]++
	h.Hops.Add(float64(m.packet.Hops))
	h.Flits[part(lp)] += uint64(m.Flits)
	h.Arrived[part(lp)]++
	ross.Send(lp, ross.LPID(m.From), p.latency*float64(m.packet.Hops+1), toHost{Kind: isAnswer, packet: packet{Number: m.Number}})
}

// part returns the index of the part of the run.
func part(lp *ross.LP) int { return min(int(lp.Now()/partWidth), numParts-1) }

func (h *handHost) reverse(lp *ross.LP, bits *ross.Bits, m *toHost) {
	h.link = m.Link
	switch {
	case bits.Get(bitArrived):
		h.Latency, h.Hops = m.Latency, m.Hops
		h.Bins[m.Bin]--
		h.Flits[part(lp)] -= uint64(m.Flits)
		h.Arrived[part(lp)]--
	case bits.Get(bitDamaged):
		h.Damaged--
	case bits.Get(bitResent):
		h.Resent--
	case bits.Get(bitDuplicate):
		h.Duplicates--
	case bits.Get(bitInTime):
		h.InTime--
	}
}

// handTotals are the statistics of all LPs.
type handTotals struct {
	Buffered      testkit.Level // Area and NonZero: means over time and routers
	Passed        uint64
	Latency, Hops testkit.Tally
	Bins          [latencyBins]uint64
	Flits         [numParts]uint64
	Arrived       [numParts]uint64

	Damaged, Resent, Duplicates, InTime uint64
}

func (t *handTotals) addRouter(r *handRouter, until, routers float64) {
	t.Buffered.Merge(&r.Buffered, until*routers)
	t.Passed += r.Passed
}

func (t *handTotals) addHost(h *handHost) {
	t.Latency.Merge(&h.Latency)
	t.Hops.Merge(&h.Hops)
	for i, n := range h.Bins {
		t.Bins[i] += uint64(n)
	}
	for i := range numParts {
		t.Flits[i] += h.Flits[i]
		t.Arrived[i] += uint64(h.Arrived[i])
	}
	t.Damaged += h.Damaged
	t.Resent += h.Resent
	t.Duplicates += h.Duplicates
	t.InTime += h.InTime
}

// quantile returns a quantile of the latencies, wrong by half the width of a bin at most.
func (t *handTotals) quantile(q float64) float64 {
	left := uint64(math.Ceil(q * float64(t.Latency.N)))
	for i, n := range t.Bins {
		if left <= n {
			return (float64(i) + 0.5) * binWidth
		}
		left -= n
	}
	return t.Latency.Greatest
}
