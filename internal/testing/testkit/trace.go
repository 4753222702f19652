// This file owns event traces, and compares them record for record.

package testkit

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
)

// The records, and reads them from csv and binary files.

// Record is one event. Records are comparable with ==.
type Record struct {
	Src, Dest  uint32  // global ids of LPs
	Send, Recv float32 // virtual times
	Payload    string  // the model's columns, joined by commas; "" if there are none
}

// String returns the record as a line of a reference in the order of the run.
func (r Record) String() string {
	s := fmt.Sprintf("%d,%d,%.9g,%.9g", r.Src, r.Dest, r.Send, r.Recv)
	if r.Payload != "" {
		s += "," + r.Payload
	}
	return s
}

const (
	headerInOrder = "src_lp,dest_lp,send_ts,recv_ts"
	headerByDest  = "dest_lp,seq,src_lp,send_ts,recv_ts"
)

// ReadCSV reads a reference of either form. The error names the file and the
// invalid line, which includes wrong numbers in the seq column.
func ReadCSV(path string) ([]Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("ross: reference trace: %w: name a file that can be read", err)
	}
	defer file.Close()
	var records []Record
	var p parser
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		r, err := p.line(in.Text(), n == 1)
		if err != nil {
			return nil, fmt.Errorf("ross: reference trace: %s: line %d: %w: restore the file", path, n, err)
		}
		if n > 1 {
			records = append(records, r)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("ross: reference trace: %s: %w: restore the file", path, err)
	}
	return records, nil
}

// parser reads the lines of a reference. Its error is the first of the line.
type parser struct {
	byDest  bool
	columns int
	last    Record // of the line before
	seq     uint64 // what the seq column must hold if Dest stays the same
	err     error
}

func (p *parser) line(text string, first bool) (r Record, err error) {
	f := strings.Split(text, ",")
	if first {
		p.columns, p.byDest = len(f), strings.HasPrefix(text, headerByDest)
		if !p.byDest && !strings.HasPrefix(text, headerInOrder) {
			return r, fmt.Errorf("%q is the head of neither form", text)
		}
		return r, nil
	}
	if len(f) != p.columns {
		return r, fmt.Errorf("%d columns, the head has %d", len(f), p.columns)
	}
	if p.byDest {
		r.Dest = p.id(f[0])
		p.checkSeq(f[1], r.Dest)
		r.Src, f = p.id(f[2]), f[3:]
	} else {
		r.Src, r.Dest, f = p.id(f[0]), p.id(f[1]), f[2:]
	}
	r.Send, r.Recv, r.Payload = p.time(f[0]), p.time(f[1]), strings.Join(f[2:], ",")
	p.last = r
	return r, p.err
}

func (p *parser) checkSeq(text string, dest uint32) {
	if dest != p.last.Dest {
		p.seq = 0
	}
	if text != strconv.FormatUint(p.seq, 10) {
		p.err = fmt.Errorf("seq is %q, not %d", text, p.seq)
	}
	p.seq++
}

func (p *parser) id(text string) uint32 {
	v, err := strconv.ParseUint(text, 10, 32)
	p.note(err)
	return uint32(v)
}

func (p *parser) time(text string) float32 {
	v, err := strconv.ParseFloat(text, 32)
	p.note(err)
	return float32(v)
}

func (p *parser) note(err error) {
	if p.err == nil {
		p.err = err
	}
}

// ReadBinary reads an event trace. payload makes the model's columns from a
// record's payload; nil stands for a model without payload. The errors are
// those of [instr.ReadTrace].
func ReadBinary(path string, payload func([]byte) string) ([]Record, error) {
	events, err := instr.ReadTrace(path)
	if err != nil {
		return nil, err
	}
	records := make([]Record, len(events))
	for i, e := range events {
		records[i] = Record{Src: e.Src, Dest: e.Dest, Send: e.SendTS, Recv: e.RecvTS}
		if payload != nil {
			records[i].Payload = payload(e.Payload)
		}
	}
	return records, nil
}

// ByDest returns the records by ascending receiver, those of one receiver in
// their order.
func ByDest(records []Record) []Record {
	return slices.SortedStableFunc(slices.Values(records), func(a, b Record) int { return cmp.Compare(a.Dest, b.Dest) })
}

// The comparison of two traces and the text of its error.

// around is how many records before and after the first difference are shown.
const around = 3

// Compare returns nil if the traces hold the same records in the same order.
// Else the error names the first position, from 0, at which they differ, and
// shows the records around it.
func Compare(got, want []Record) error {
	n := min(len(got), len(want))
	i := 0
	for i < n && got[i] == want[i] {
		i++
	}
	if i == len(got) && i == len(want) {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ross: traces of %d and %d records differ at record %d:\n", len(got), len(want), i)
	for j := max(i-around, 0); j <= i+around && j < max(len(got), len(want)); j++ {
		mark := ' '
		if at(got, j) != at(want, j) {
			mark = '!'
		}
		fmt.Fprintf(&b, "%c %6d  got %-36s want %s\n", mark, j, at(got, j), at(want, j))
	}
	return errors.New(strings.TrimSuffix(b.String(), "\n"))
}

func at(records []Record, i int) string {
	if i >= len(records) {
		return "nothing"
	}
	return records[i].String()
}
