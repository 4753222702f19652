// This file owns Group and Member: GVT among the PEs of one process.

package gvt

import (
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/invariants"
)

// line is the distance, in bytes, at which two words do not share what
// processors fetch together: two cache lines, since they come in pairs.
const line = 128

// Report is what a PE says in a round.
type Report struct {
	Bound
	Flags uint32 // joined by OR over all PEs
	From  uint32 // the PE whose bound it is
}

type paddedReport struct {
	Report
	_ [line - unsafe.Sizeof(Report{})]byte
}

type counter struct {
	atomic.Uint64
	_ [line - 8]byte
}

// Group is the PEs of a process that compute GVT together. Its counters only
// grow, so that nobody has to reset them between rounds.
type Group struct {
	_       [line]byte
	round   counter // rounds begun
	cut     counter // PEs that passed the first cut, over all rounds
	told    counter // PEs that reported, over all rounds
	reports []paddedReport
}

// NewGroup returns a group of n PEs, at least 1.
func NewGroup(n int) *Group { return &Group{reports: make([]paddedReport, n)} }

// Round returns how many rounds have begun.
func (g *Group) Round() uint64 { return g.round.Load() }

// Step is what a PE has to do next for GVT.
type Step int

const (
	// Idle: nothing.
	Idle Step = iota
	// Cut: start a minimum with the least of what was sent and is in no channel
	// yet, anti-messages included, keep it from now on with all that is sent, and
	// call Member.PassCut.
	Cut
	// Settle: empty the channels, do the rollbacks that follow, and call
	// Member.Tell with the lesser of that minimum and the least pending event.
	Settle
	// Done: call Member.Result.
	Done
)

// Member is a PE's part in a group. It belongs to the PE's goroutine.
type Member struct {
	g     *Group
	id    uint32
	phase Step   // the step that it waits for; Idle between rounds
	round uint64 // the round that it is in, or was in last
	_     [line]byte
}

// Member returns the part of PE id, 0 to n - 1. Each PE has one.
func (g *Group) Member(id int) *Member { return &Member{g: g, id: uint32(id)} }

// Start begins a round unless one is under way. It reports whether it did.
func (m *Member) Start() bool {
	return m.phase == Idle && m.g.round.CompareAndSwap(m.round, m.round+1)
}

// Busy reports whether the member is between its first cut and the result of a
// round.
func (m *Member) Busy() bool { return m.phase != Idle }

// Begun reports whether a round is under way that the member is part of or has
// yet to join. It costs two loads: a PE calls it in each turn of its loop.
func (m *Member) Begun() bool { return m.phase != Idle || m.g.round.Load() != m.round }

// Poll returns what is to be done now. It changes nothing, and never waits.
func (m *Member) Poll() Step {
	switch m.phase {
	case Idle:
		if m.g.round.Load() != m.round {
			return Cut
		}
	case Settle:
		if m.all(&m.g.cut) {
			return Settle
		}
	case Done:
		if m.all(&m.g.told) {
			return Done
		}
	}
	return Idle
}

// all reports whether all members have counted themselves in this round.
func (m *Member) all(c *counter) bool {
	return c.Load() >= m.round*uint64(len(m.g.reports))
}

// PassCut says that the member keeps the minimum of what it sends.
func (m *Member) PassCut() {
	m.check(Cut)
	m.round++
	m.phase = Settle
	m.g.cut.Add(1)
}

// Tell reports. The member owns a reference to b.Node until it calls Tell for
// the second time after this: by then all members have had the next GVT, and
// need this one no more.
func (m *Member) Tell(b Bound, flags uint32) {
	m.check(Settle)
	m.g.reports[m.id].Report = Report{Bound: b, Flags: flags, From: m.id}
	m.phase = Done
	m.g.told.Add(1)
}

// Result ends the round: it returns GVT, the same to all members. Of equal
// bounds it is that of the PE with the lowest id.
func (m *Member) Result(lines *event.Lineages) Report {
	m.check(Done)
	least := m.g.reports[0].Report
	flags := least.Flags
	for i := range m.g.reports[1:] {
		r := &m.g.reports[i+1].Report
		if r.Bound.Compare(&least.Bound, lines) < 0 {
			least = *r
		}
		flags |= r.Flags
	}
	least.Flags = flags
	m.phase = Idle
	return least
}

func (m *Member) check(due Step) {
	if invariants.Enabled {
		step := m.Poll()
		invariants.Check(step == due, "PE %d does step %d of GVT round %d when step %d is due", m.id, due, m.round, step)
	}
}
