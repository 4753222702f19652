// This file owns Group and Member: GVT among the PEs of one process, and their part
// in that of all ranks.

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
	From  uint32 // the PE whose bound it is, in a run of one rank
	// Balance is how many messages to PEs of other ranks the PE had sent when it
	// passed the first cut, less those, sent before their senders' first cuts, that it
	// has taken: 0 over all ranks when none of them is under way.
	Balance int64
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
	told    counter // reports, over all rounds
	reports []paddedReport

	// With other ranks there may be several attempts in a round.
	judged  counter // attempts, over all rounds, whose outcome is known
	ranks   *Ranks  // nil without
	asked   bool    // it is at work
	settled bool    // the last attempt gave a GVT, result
	result  Report
	err     error
}

// NewGroup returns a group of n PEs, at least 1. ranks is nil in a run of one rank;
// its errors are what Err returns.
func NewGroup(n int, ranks *Ranks) *Group {
	return &Group{reports: make([]paddedReport, n), ranks: ranks}
}

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
	// Member.Tell with the lesser of that minimum and the least pending event. With
	// other ranks it may be due several times in a round: the minimum is to be kept
	// up until Done.
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
	tells uint64 // how many times it has reported
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

// Poll returns what is to be done now. It never waits. The member with id 0 talks to
// the other ranks in it.
func (m *Member) Poll() Step {
	switch m.phase {
	case Idle:
		if m.g.round.Load() != m.round {
			return Cut
		}
	case Settle:
		if all(m, &m.g.cut, m.round) {
			return Settle
		}
	case Done:
		if m.g.ranks != nil {
			return m.consult()
		}
		if all(m, &m.g.told, m.tells) {
			return Done
		}
	}
	return Idle
}

// all reports whether all members have counted themselves so many times.
func all(m *Member, c *counter, times uint64) bool {
	return c.Load() >= times*uint64(len(m.g.reports))
}

// consult is Poll for a member that has reported, in a run of several ranks.
func (m *Member) consult() Step {
	g := m.g
	if m.id == 0 && g.judged.Load() < m.tells && all(m, &g.told, m.tells) {
		g.talk(m)
	}
	if g.judged.Load() < m.tells {
		return Idle
	}
	if g.settled {
		return Done
	}
	m.phase = Settle
	return Settle
}

// talk tells the other ranks what all members of this one have reported, or looks
// whether the answer is there.
func (g *Group) talk(m *Member) {
	if !g.asked {
		said := m.least(g.ranks.lines)
		g.asked = true
		if g.err = g.ranks.speak(&said); g.err == nil {
			return
		}
	}
	done, settled := false, false
	if g.err == nil {
		done, settled, g.err = g.ranks.hear(&g.result)
	}
	if g.err != nil {
		done, settled = true, true // the round ends with what there is: the run fails
	}
	if done {
		g.asked, g.settled = false, settled
		g.judged.Add(1)
	}
}

// Err returns why GVT cannot be computed any more, nil if nothing is wrong. It may be
// called after a round.
func (m *Member) Err() error { return m.g.err }

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
//
// balance is Report.Balance. In a run of several ranks b.Node is of use only until
// the next Poll that is not Idle.
func (m *Member) Tell(b Bound, flags uint32, balance int64) {
	m.check(Settle)
	m.g.reports[m.id].Report = Report{Bound: b, Flags: flags, From: m.id, Balance: balance}
	m.phase = Done
	m.tells++
	m.g.told.Add(1)
}

// Result ends the round: it returns GVT, the same to all members. Of equal
// bounds it is that of the PE with the lowest id. In a run of several ranks its
// lineage lasts until the member's next Tell: one who needs it longer keeps it.
func (m *Member) Result(lines *event.Lineages) Report {
	m.check(Done)
	m.phase = Idle
	if m.g.ranks != nil {
		return m.g.result
	}
	return m.least(lines)
}

// least joins the reports of all members.
func (m *Member) least(lines *event.Lineages) Report {
	least := m.g.reports[0].Report
	flags, balance := least.Flags, least.Balance
	for i := range m.g.reports[1:] {
		r := &m.g.reports[i+1].Report
		if r.Bound.Compare(&least.Bound, lines) < 0 {
			least = *r
		}
		flags |= r.Flags
		balance += r.Balance
	}
	least.Flags, least.Balance = flags, balance
	return least
}

func (m *Member) check(due Step) {
	if invariants.Enabled {
		step := m.Poll()
		invariants.Check(step == due, "PE %d does step %d of GVT round %d when step %d is due", m.id, due, m.round, step)
	}
}
