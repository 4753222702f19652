// This file owns Group and Member: GVT among the PEs of one process.

package gvt

import (
	"sync/atomic"

	"github.com/ross-go/ross/internal/event"
)

// line is the distance at which two words do not share what processors fetch
// together: two cache lines, since they come in pairs.
const line = 128

// Report is what a PE says in a round.
type Report struct {
	Bound
	Flags uint32 // joined by OR over all PEs
	From  uint32 // the PE whose bound it is
}

type paddedReport struct {
	Report
	_ [line - 56]byte
}

type counter struct {
	atomic.Uint64
	_ [line - 8]byte
}

// Group is the PEs of a process that compute GVT together.
type Group struct {
	_       [line]byte
	round   counter // rounds begun
	cut     counter // PEs that passed the first cut, over all rounds
	told    counter // PEs that reported, over all rounds
	reports []paddedReport
}

// NewGroup returns a group of n PEs.
func NewGroup(n int) *Group { return &Group{reports: make([]paddedReport, n)} }

// Round returns how many rounds have begun.
func (g *Group) Round() uint64 { return g.round.Load() }

// Step is what a PE has to do next for GVT.
type Step int

const (
	Idle   Step = iota // nothing
	Cut                // begin to keep the minimum of what is sent, then call Member.PassCut
	Settle             // empty the channels, settle rollbacks, then call Member.Tell
	Done               // call Member.Result
)

// Member is a PE's part in a group. It belongs to the PE's goroutine.
type Member struct {
	g     *Group
	id    uint32
	phase Step
	round uint64 // the round that it is in, or was in last
}

// Member returns the part of PE id, 0 to n - 1.
func (g *Group) Member(id int) *Member { return &Member{g: g, id: uint32(id)} }

// Start begins a round unless one is under way. It reports whether it did.
func (m *Member) Start() bool {
	return m.phase == Idle && m.g.round.CompareAndSwap(m.round, m.round+1)
}

// Busy reports whether the member is between its first cut and the result of a
// round.
func (m *Member) Busy() bool { return m.phase != Idle }

// Begun reports whether a round is under way that the member has to take part
// in or is part of.
func (m *Member) Begun() bool { return m.phase != Idle || m.g.round.Load() != m.round }

// Poll returns what is to be done now.
func (m *Member) Poll() Step {
	switch m.phase {
	case Idle:
		if m.g.round.Load() == m.round {
			return Idle
		}
		return Cut
	case Settle:
		if m.g.cut.Load() < m.round*uint64(len(m.g.reports)) {
			return Idle
		}
		return Settle
	default:
		if m.g.told.Load() < m.round*uint64(len(m.g.reports)) {
			return Idle
		}
		return Done
	}
}

// PassCut says that the member keeps the minimum of what it sends.
func (m *Member) PassCut() {
	m.round++
	m.phase = Settle
	m.g.cut.Add(1)
}

// Tell reports.
func (m *Member) Tell(b Bound, flags uint32) {
	m.g.reports[m.id].Report = Report{Bound: b, Flags: flags, From: m.id}
	m.phase = Done
	m.g.told.Add(1)
}

// Result ends the round: it returns GVT, the same to all members.
func (m *Member) Result(lines *event.Lineages) Report {
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
