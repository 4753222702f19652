// This file owns JSON lines.

package dump

import (
	"encoding/hex"
	"math"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// jsonSink writes the records of all kinds in the order of the file.
type jsonSink struct {
	out     *cli.Output
	payload [cli.NumKinds]payloadForm
	keys    [cli.NumKinds][]string // what precedes each value
	labels  [cli.NumKinds]labelColumns
}

func newJSON(out *cli.Output, formOf func(instr.Kind) payloadForm, labelsOf func(instr.Kind) labelColumns) *jsonSink {
	s := &jsonSink{out: out}
	for kind := range s.keys {
		s.payload[kind], s.labels[kind] = formOf(instr.Kind(kind)), labelsOf(instr.Kind(kind))
		start := `{"kind":"` + instr.Kind(kind).String() + `"`
		for _, c := range columns[kind] {
			s.keys[kind] = append(s.keys[kind], start+`,"`+c.name+`":`)
			start = ""
		}
	}
	return s
}

func (s *jsonSink) limits() (cells, payload int) { return textCells, textPayload }

func (s *jsonSink) commit(b *batch) error {
	_, err := s.out.Write(b.text)
	return err
}

func (s *jsonSink) encode(b *batch) error {
	dst, cells, start := b.text, b.cells, 0
	for row, kind := range b.kinds {
		for i, c := range columns[kind] {
			dst = append(dst, s.keys[kind][i]...)
			dst = appendJSON(dst, c.typ, cells[i])
		}
		dst = s.labels[kind].appendJSON(dst, cells)
		if len(b.ends) > 0 {
			payload := b.payloads[start:b.ends[row]]
			start = b.ends[row]
			if form := &s.payload[kind]; form.style != payloadNone {
				dst = form.appendJSON(dst, cells, payload)
			}
		}
		cells = cells[len(columns[kind]):]
		dst = append(dst, '}', '\n')
	}
	b.text = dst
	return nil
}

func (f *payloadForm) appendJSON(dst []byte, cells []uint64, payload []byte) []byte {
	if f.style == payloadFields {
		return f.table.appendJSON(dst, cells[f.table.lp], payload)
	}
	dst = append(dst, `,"payload":`...)
	if f.style == payloadHex {
		dst = hex.AppendEncode(append(dst, '"'), payload)
		return append(dst, '"')
	}
	dst = append(dst, '[')
	for i := 0; ; i++ {
		bits, ok := f.next(&payload)
		if !ok {
			return append(dst, ']')
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, f.word, bits)
	}
}

// appendJSON appends a value; values that JSON cannot express as numbers become
// strings that Python's float and JavaScript's Number understand.
func appendJSON(dst []byte, typ numeric, bits uint64) []byte {
	v := 0.0
	switch typ {
	case f32:
		v = float64(math.Float32frombits(uint32(bits)))
	case f64:
		v = math.Float64frombits(bits)
	}
	switch {
	case math.IsInf(v, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(dst, `"-Infinity"`...)
	case math.IsNaN(v):
		return append(dst, `"NaN"`...)
	}
	return appendNumber(dst, typ, bits)
}
