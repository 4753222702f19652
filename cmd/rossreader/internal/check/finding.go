// This file owns what is wrong: the checks of single values and successive samples, and findings.

package check

import (
	"fmt"
	"io"
	"math"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// list collects the findings of a file. A wrong record makes later ones look wrong: sums, what is
// compared with the record before, everything after a wrong size. So findings that follow closely on
// others count as their consequences, and only the first of each series is printed, unless all are
// asked for. That the file cannot be read any further is printed in any case.
type list struct {
	file         string
	max          int
	all          bool     // print consequences as well
	lines        []string // to print
	count        uint64   // findings
	consequences uint64   // those that are not printed because they follow on others
	records      uint64   // read so far
	last         uint64   // records when the last finding was made
	round        uint64   // records of the last sample of each PE together
}

// fewestBetween is the number of sound records after which a finding is no consequence of earlier
// ones, in a file without samples of the engine. In these it is that of two samples of each PE, since
// samples are compared with the one before.
const fewestBetween = 64

// follows notes a finding, and reports whether it may be a consequence of earlier ones.
func (l *list) follows() bool {
	first := l.count == 0
	l.count++
	near := l.records-l.last <= max(fewestBetween, 2*l.round)
	l.last = l.records
	return !first && near
}

// add adds a line, unless it is a consequence.
func (l *list) add(consequence bool, format string, args ...any) {
	switch {
	case consequence && !l.all:
		l.consequences++
	case len(l.lines) < l.max:
		l.lines = append(l.lines, fmt.Sprintf(format, args...))
	}
}

// print prints the findings, if there are any, and what was read.
func (l *list) print(out io.Writer) {
	if l.count == 0 {
		fmt.Fprintf(out, "%s: %d records, nothing wrong\n", l.file, l.records)
		return
	}
	for _, line := range l.lines {
		fmt.Fprintln(out, line)
	}
	printed, text := uint64(len(l.lines)), ""
	if l.consequences > 0 {
		text += fmt.Sprintf(", %d of them probably consequences: --all prints them", l.consequences)
	}
	if more := l.count - printed - l.consequences; more > 0 {
		text += fmt.Sprintf(", %d of them not printed: see --max", more)
	}
	fmt.Fprintf(out, "%s: %d records, findings: %d%s\n", l.file, l.records, l.count, text)
}

// where identifies a record: its place in the file and what it is about.
type where struct {
	offset     int64
	kind       instr.Kind
	pe, kp, lp uint64
	ts         float64
}

// find reports that something about a record is not as expected.
func (l *list) find(at *where, what, expected, found string) {
	l.add(l.follows(), "%s: byte %d: %s: %s: expected %s, found %s", l.file, at.offset, at, what, expected, found)
}

// end reports that the rest of the file cannot be read; the error names file and byte.
func (l *list) end(err error) {
	l.follows()
	if l.max == 0 {
		return
	}
	l.lines = append(l.lines[:min(len(l.lines), l.max-1)], err.Error())
}

// String names the record.
func (at *where) String() string {
	ts := cli.FormatFloat(at.ts, 64)
	switch at.kind {
	case instr.KindPE:
		return fmt.Sprintf("pe %d at %s", at.pe, ts)
	case instr.KindKP:
		return fmt.Sprintf("kp %d of pe %d at %s", at.kp, at.pe, ts)
	case instr.KindEvent:
		return fmt.Sprintf("event for lp %d", at.lp)
	case instr.KindMemory:
		return fmt.Sprintf("memory of pe %d at %s", at.pe, ts)
	}
	what := ""
	if at.kind != instr.KindLP {
		what = at.kind.String() + " of "
	}
	return fmt.Sprintf("%slp %d on kp %d of pe %d at %s", what, at.lp, at.kp, at.pe, ts)
}

// whereIs returns the place of a record.
func whereIs(r *instr.Record) *where {
	of := cli.CommonOf(r)
	return &where{offset: r.Offset, kind: r.Kind, pe: of.PE, kp: of.KP, lp: of.LP, ts: of.At}
}

// text is a value as shown in findings.
func text(v any) string {
	switch v := v.(type) {
	case float64:
		return cli.FormatFloat(v, 64)
	case float32:
		return cli.FormatFloat(float64(v), 32)
	}
	return fmt.Sprint(v)
}

// timeNames are the names of a PE's times, in the order of the record.
var timeNames = [...]string{"network read", "network other", "GVT", "fossil collection", "event abort",
	"event processing",
	"priority queue", "rollback", "cancel queue", "AVL tree", "buddy", "LZ4"}

// values checks a record by itself.
func (c *checker) values(p *part) {
	at := &p.at
	if p.SecondaryRollbacks > p.Rollbacks {
		c.find(at, "secondary rollbacks", fmt.Sprintf("at most all %d rollbacks", p.Rollbacks), text(p.SecondaryRollbacks))
	}
	if p.Aborted > p.RolledBack {
		c.find(at, "events aborted", fmt.Sprintf("at most all %d events rolled back", p.RolledBack), text(p.Aborted))
	}
	want := instr.Efficiency(p.Processed, p.RolledBack)
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
		c.find(&parts[0].at, "records in the sample", fmt.Sprintf("%d as in the PE's sample before", len(h.members)),
			text(len(parts)))
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
	h.done[m] += int64(p.Processed) - int64(p.RolledBack)
	if n := h.done[m]; n < 0 {
		c.find(&p.at, "events rolled back", "no more than were processed since the start", fmt.Sprintf("%d more", -n))
		h.done[m] = 0 // otherwise it would be found in each later record
	}
}
