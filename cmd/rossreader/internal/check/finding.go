// This file owns findings: their counts, and their printed lines.

package check

import (
	"fmt"
	"io"

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

// add adds a line, unless it tells of a consequence.
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
	at := &where{offset: r.Offset, kind: r.Kind, ts: r.Meta.TS}
	switch r.Kind {
	case instr.KindPE:
		at.pe = uint64(r.PE.PE)
	case instr.KindKP:
		at.pe, at.kp = uint64(r.KP.PE), uint64(r.KP.KP)
	case instr.KindLP:
		at.pe, at.kp, at.lp = uint64(r.LP.PE), uint64(r.LP.KP), uint64(r.LP.LP)
	case instr.KindModel:
		at.pe, at.kp, at.lp = uint64(r.Model.PE), uint64(r.Model.KP), uint64(r.Model.LP)
	case instr.KindVTModel:
		at.pe, at.kp, at.lp, at.ts = r.VTModel.PE, r.VTModel.KP, r.VTModel.LP, r.VTModel.TS
	case instr.KindEvent:
		at.lp = uint64(r.Event.Dest)
	case instr.KindMemory:
		at.pe = uint64(r.Memory.PE)
	}
	return at
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
