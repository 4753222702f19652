// This file checks single records, and successive samples.

package check

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/instr"
)

// timeNames are the names of a PE's times, in the order of the record.
var timeNames = [...]string{"network read", "network other", "GVT", "fossil collection", "event abort", "event processing",
	"priority queue", "rollback", "cancel queue", "AVL tree", "buddy", "LZ4"}

// values checks a record by itself.
func (c *checker) values(p *part) {
	at := &p.at
	if p.secondary > p.rollbacks {
		c.find(at, "secondary rollbacks", fmt.Sprintf("at most all %d rollbacks", p.rollbacks), text(p.secondary))
	}
	if p.aborted > p.rolledBack {
		c.find(at, "events aborted", fmt.Sprintf("at most all %d events rolled back", p.rolledBack), text(p.aborted))
	}
	want := instr.Efficiency(p.processed, p.rolledBack)
	// Values computed in 32 bits may differ in the last bits between compilers.
	tolerance := 1e-6 * (100 + math.Abs(float64(want)))
	if !(math.Abs(float64(p.efficiency)-float64(want)) <= tolerance) {
		c.find(at, "efficiency", text(want), text(p.efficiency))
	}
	for i, t := range p.times {
		if !sound(float64(t)) {
			c.find(at, "time of "+timeNames[i], "finite and not negative", text(t))
		}
	}
	c.soundTimes(at, p.real)
	if at.kind == instr.KindKP {
		finite := !math.IsInf(float64(p.ahead), 0) || at.ts >= math.MaxFloat64 // past the end there is no GVT
		if !finite || p.ahead != p.ahead {
			c.find(at, "time ahead of GVT", "finite", text(p.ahead))
		}
	}
}

// soundTimes checks the times of a record by themselves.
func (c *checker) soundTimes(at *where, real float64) {
	if !(at.ts >= 0) {
		c.find(at, "virtual time", "not negative", text(at.ts))
	}
	if !sound(real) {
		c.find(at, "real time", "finite and not negative", text(real))
	}
}

// notBack checks that a time is not before that of the previous sample of the PE.
func (c *checker) notBack(at *where, what string, was, now float64) {
	if now < was {
		c.find(at, what, text(was)+" as before on this PE, or later", text(now))
	}
}

// sound reports whether a time is finite and not negative.
func sound(t float64) bool { return t >= 0 && t <= math.MaxFloat64 }

// peHistory is the state of the check of a PE's samples.
type peHistory struct {
	lastTS, lastReal float64
	members          []member         // records of the last sample
	done             map[member]int64 // events processed less those rolled back
}

// member is a PE, KP or LP that a sample has a record of.
type member struct {
	kind instr.Kind
	id   uint64 // of the KP or LP
}

func memberOf(at *where) member {
	switch at.kind {
	case instr.KindKP:
		return member{at.kind, at.kp}
	case instr.KindLP:
		return member{at.kind, at.lp}
	}
	return member{at.kind, 0}
}

// history checks a sample against earlier ones of the same PE.
func (c *checker) history(parts []part) *peHistory {
	at, real := &parts[0].at, parts[0].real
	h := c.engine.pes[uint32(at.pe)]
	if h == nil {
		h = &peHistory{lastTS: at.ts, lastReal: real, done: map[member]int64{}}
		h.setMembers(parts)
		c.engine.pes[uint32(at.pe)] = h
		c.list.round = c.engine.round()
		return h
	}
	// Samples of the original at virtual times are repeated when they are rolled back.
	again := c.originals() && c.content == instr.VTFile
	if !again {
		c.notBack(at, "virtual time", h.lastTS, at.ts)
	}
	c.notBack(at, "real time", h.lastReal, real)
	h.lastTS, h.lastReal = at.ts, real
	c.compareMembers(h, parts)
	return h
}

func (h *peHistory) setMembers(parts []part) {
	h.members = h.members[:0]
	for i := range parts {
		h.members = append(h.members, memberOf(&parts[i].at))
	}
}

// compareMembers checks that a sample has records of the same KPs and LPs as the previous
// one. The next one is compared with this one, so that one mistake is reported only once.
func (c *checker) compareMembers(h *peHistory, parts []part) {
	for i := range min(len(parts), len(h.members)) {
		if m := memberOf(&parts[i].at); m != h.members[i] {
			c.find(&parts[i].at, "record in the sample", h.members[i].String()+" as in the PE's sample before", m.String())
			h.setMembers(parts)
			return
		}
	}
	if len(parts) != len(h.members) {
		c.find(&parts[0].at, "records in the sample", fmt.Sprintf("%d as in the PE's sample before", len(h.members)), text(len(parts)))
		h.setMembers(parts)
	}
}

func (m member) String() string {
	if m.kind == instr.KindPE {
		return "pe"
	}
	return fmt.Sprintf("%s %d", m.kind, m.id)
}

// follow checks what was counted since the start.
func (h *peHistory) follow(c *checker, p *part) {
	m := memberOf(&p.at)
	h.done[m] += int64(p.processed) - int64(p.rolledBack)
	if n := h.done[m]; n < 0 {
		c.find(&p.at, "events rolled back", "no more than were processed since the start", fmt.Sprintf("%d more", -n))
		h.done[m] = 0 // otherwise it would be found in each later record
	}
}
