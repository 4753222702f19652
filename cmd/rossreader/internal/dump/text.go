// This file owns the text formats: CSV and JSON lines.

package dump

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// Sizes at which a batch of text is full: some thousand events.
const (
	textCells   = 24 << 10
	textPayload = 256 << 10
)

// csvSink writes the records of one kind.
type csvSink struct {
	out     *cli.Output
	columns []column
	labels  labelColumns
	payload payloadForm // none if the kind has no payload
}

func newCSV(out *cli.Output, kind instr.Kind, form payloadForm, labels labelColumns) (*csvSink, error) {
	s := &csvSink{out: out, columns: columns[kind], labels: labels, payload: form}
	var line []byte
	for i, c := range s.columns {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, c.name...)
	}
	for _, name := range slices.Concat(s.labels.title, s.payload.names()) {
		line = appendText(append(line, ','), name)
	}
	_, err := out.Write(append(line, '\n'))
	return s, err
}

func (s *csvSink) limits() (cells, payload int) { return textCells, textPayload }

func (s *csvSink) commit(b *batch) error {
	_, err := s.out.Write(b.text)
	return err
}

func (s *csvSink) encode(b *batch) error {
	dst, cells, start := b.text, b.cells, 0
	for row := range b.kinds {
		for i, c := range s.columns {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNumber(dst, c.typ, cells[i])
		}
		dst = s.labels.appendCSV(dst, cells)
		if s.payload.style != payloadNone {
			payload := b.payloads[start:b.ends[row]]
			start = b.ends[row]
			dst = s.payload.appendCSV(dst, cells, payload)
		}
		cells = cells[len(s.columns):]
		dst = append(dst, '\n')
	}
	b.text = dst
	return nil
}

func (f *payloadForm) appendCSV(dst []byte, cells []uint64, payload []byte) []byte {
	switch f.style {
	case payloadHex:
		return hex.AppendEncode(append(dst, ','), payload)
	case payloadFields:
		return f.table.appendCSV(dst, cells[f.table.lp], payload)
	}
	for range f.count {
		dst = append(dst, ',')
		if bits, ok := f.next(&payload); ok {
			dst = appendNumber(dst, f.word, bits)
		}
	}
	return dst
}

// appendNumber appends a value in the form of CSV.
func appendNumber(dst []byte, typ numeric, bits uint64) []byte {
	switch typ {
	case f32:
		return cli.AppendFloat(dst, float64(math.Float32frombits(uint32(bits))), 32)
	case f64:
		return cli.AppendFloat(dst, math.Float64frombits(bits), 64)
	case i32:
		return strconv.AppendInt(dst, int64(int32(bits)), 10)
	case i64:
		return strconv.AppendInt(dst, int64(bits), 10)
	}
	return strconv.AppendUint(dst, bits, 10)
}

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
