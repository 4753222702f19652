// This file owns findings: their counts, and their printed lines.

package check

import (
	"fmt"
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// list counts the findings of a file and prints the first ones.
type list struct {
	file  string
	max   int
	out   io.Writer
	count uint64
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
	if l.count++; l.count <= uint64(l.max) {
		fmt.Fprintf(l.out, "%s: byte %d: %s: %s: expected %s, found %s\n", l.file, at.offset, at, what, expected, found)
	}
}

// cut reports that the rest of the file cannot be read; the error names file and
// byte.
func (l *list) cut(err error) {
	if l.count++; l.count <= uint64(l.max) {
		fmt.Fprintln(l.out, err)
	}
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
