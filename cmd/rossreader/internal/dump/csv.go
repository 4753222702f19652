// This file owns CSV: its header and its lines.

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
