// This file owns Group and Member: GVT among the PEs of one process, and their part in
// the GVT of all ranks.

package gvt

import (
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/sys/invariants"
)

// line is the distance in bytes at which two words are not fetched together by a
// processor: two cache lines, because they are fetched in pairs.
const line = 128

// Report is what a PE reports in a round.
type Report struct {
	Bound
	Flags uint32 // joined by OR over all PEs
	From  uint32 // the PE whose bound it is, in a run of one rank
	// Balance is the number of messages to PEs of other ranks that the PE had sent
	// when it passed the first cut, less the messages that it has taken that were sent
	// before their senders' first cuts. The sum over all ranks is 0 when none of these
	// messages is under way.
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

// Covered is the flag of a report whose bound is that of everything, too, that the member has sent to other ranks since
// its last report, if all of that is where its receiver finds it as soon as the report is there. If all members of all
// ranks say so, the round is over although messages are under way: each receiver has to take them in before it goes on.
const Covered = 1 << 31

// Group is the PEs of a process that compute GVT together. Its counters only grow, so
// they need no reset between rounds.
type Group struct {
	_          [line]byte
	round      counter // rounds begun
	cut        counter // PEs that passed the first cut, over all rounds
	numReports counter // reports, over all rounds
	reports    []paddedReport

	// With other ranks there may be several attempts in a round.
	judged  counter // attempts, over all rounds, whose outcome is known
	ranks   *Ranks  // nil in a run of one rank
	asked   bool    // it is at work
	settled bool    // the last attempt gave a GVT, result
	result  Report
	err     error
}

// NewGroup returns a group of n PEs, at least 1. ranks is nil in a run of one rank;
// Err returns its errors.
func NewGroup(n int, ranks *Ranks) *Group {
	return &Group{reports: make([]paddedReport, n), ranks: ranks}
}

// Round returns how many rounds have begun.
func (g *Group) Round() uint64 { return g.round.Load() }

// Step is what a PE must do next for GVT.
type Step int

const (
	// Idle: nothing.
	Idle Step = iota
	// Cut: start a minimum with the least of what was sent but is not yet in a
	// channel, anti-messages included; from now on include everything that is sent;
	// and call Member.PassCut.
	Cut
	// ReportDue: empty the channels, do the rollbacks that follow, and call Member.Report
	// with the lesser of that minimum and the least pending event. With other ranks
	// ReportDue may come several times in a round, so the minimum must be maintained
	// until Done.
	ReportDue
	// Done: call Member.Result.
	Done
)

// Member is a PE's part in a group. It belongs to the PE's goroutine.
type Member struct {
	g          *Group
	id         uint32
	phase      Step   // the step that it waits for; Idle between rounds
	round      uint64 // the current round, or the last one
	numReports uint64 // how many times it has reported
	_          [line]byte
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

// Poll returns the step that is due now. It never waits. For the member with id 0 it
// also communicates with the other ranks.
func (m *Member) Poll() Step {
	switch m.phase {
	case Idle:
		if m.g.round.Load() != m.round {
			return Cut
		}
	case ReportDue:
		if all(m, &m.g.cut, m.round) {
			return ReportDue
		}
	case Done:
		if m.g.ranks != nil {
			return m.consult()
		}
		if all(m, &m.g.numReports, m.numReports) {
			return Done
		}
	}
	return Idle
}

// all reports whether every member has counted itself in c the given number of times.
func all(m *Member, c *counter, times uint64) bool {
	return c.Load() >= times*uint64(len(m.g.reports))
}

// consult is Poll for a member that has reported, in a run of several ranks.
func (m *Member) consult() Step {
	g := m.g
	if m.id == 0 && g.judged.Load() < m.numReports && all(m, &g.numReports, m.numReports) {
		g.exchange(m)
	}
	if g.judged.Load() < m.numReports {
		return Idle
	}
	if g.settled {
		return Done
	}
	m.phase = ReportDue
	return ReportDue
}

// exchange sends the reports of this rank's members to the other ranks, or checks whether
// the answer has arrived.
func (g *Group) exchange(m *Member) {
	if !g.asked {
		said := m.least(g.ranks.lines)
		g.asked = true
		if g.err = g.ranks.send(&said); g.err == nil {
			return
		}
	}
	done, settled := false, false
	if g.err == nil {
		done, settled, g.err = g.ranks.poll(&g.result)
	}
	if g.err != nil {
		done, settled = true, true // the round ends as it is: the run fails
	}
	if done {
		g.asked, g.settled = false, settled
		g.judged.Add(1)
	}
}

// Err returns why GVT can no longer be computed, nil if nothing is wrong. It may be
// called after a round.
func (m *Member) Err() error { return m.g.err }

// PassCut reports that the member keeps the minimum of what it sends.
func (m *Member) PassCut() {
	m.check(Cut)
	m.round++
	m.phase = ReportDue
	m.g.cut.Add(1)
}

// Report submits the member's report. The member owns a reference to b.Node until its
// second call of Report after this one: by then all members have the next GVT, and no
// longer need this one.
//
// balance is Report.Balance. In a run of several ranks b.Node is used only until the
// next Poll that is not Idle.
func (m *Member) Report(b Bound, flags uint32, balance int64) {
	m.check(ReportDue)
	m.g.reports[m.id].Report = Report{Bound: b, Flags: flags, From: m.id, Balance: balance}
	m.phase = Done
	m.numReports++
	m.g.numReports.Add(1)
}

// Result ends the round and returns GVT, the same to all members. Among equal bounds
// it is that of the PE with the lowest id. In a run of several ranks its lineage is
// valid until the member's next Report; keep a reference to use it longer.
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
		flags = flags&r.Flags&Covered | (flags|r.Flags)&^Covered
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
