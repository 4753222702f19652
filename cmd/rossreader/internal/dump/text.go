// This file owns the text formats: CSV and JSON lines.

package dump

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/csvtext"
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
	more    []further
}

func newCSV(out *cli.Output, kind instr.Kind, more []further) (*csvSink, error) {
	s := &csvSink{out: out, columns: columns[kind], more: more}
	var line []byte
	for _, c := range s.columns {
		line = append(append(line, c.name...), ',')
	}
	for _, c := range more {
		line = append(appendText(line, c.name), ',')
	}
	line[len(line)-1] = '\n'
	_, err := out.Write(line)
	return s, err
}

func (s *csvSink) limits() (cells, payload int) { return textCells, textPayload }

func (s *csvSink) commit(b *batch) error {
	_, err := s.out.Write(b.text)
	return err
}

func (s *csvSink) encode(b *batch) error {
	dst, r := b.text, &row{}
	for i := range b.kinds {
		*r = b.row(i, len(s.columns))
		for k, c := range s.columns {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = appendNumber(dst, c.typ, r.cells[k])
		}
		for k := range s.more {
			dst = s.more[k].appendCSV(append(dst, ','), r)
		}
		dst = append(dst, '\n')
	}
	b.text = dst
	return nil
}

// appendCSV appends what a column has of a record, nothing if it has no value.
func (c *further) appendCSV(dst []byte, r *row) []byte {
	v, ok := c.of(r)
	switch {
	case !ok:
		return dst
	case c.typ == raw:
		return hex.AppendEncode(dst, v.bytes)
	case c.typ == text:
		return appendText(dst, v.text)
	}
	return appendNumber(dst, c.typ, v.bits)
}

// appendText appends a text in the form of CSV.
func appendText(dst []byte, text string) []byte {
	text = csvtext.Cell(text)
	if strings.ContainsAny(text, ",\"\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return append(dst, text...)
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
	out    *cli.Output
	opts   *options
	keys   [cli.NumKinds][]string // what precedes each number
	labels [cli.NumKinds][]further
	styles [cli.NumKinds]payloadStyle
}

func newJSON(out *cli.Output, o *options) *jsonSink {
	s := &jsonSink{out: out, opts: o}
	for kind := range s.keys {
		s.labels[kind], s.styles[kind] = o.labelsOf(instr.Kind(kind)), o.styleOf(instr.Kind(kind))
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
	dst, cells, r := b.text, b.cells, &row{}
	for i, kind := range b.kinds {
		n := len(columns[kind])
		*r = row{cells: cells[:n], payload: b.payload(i)}
		cells = cells[n:]
		for k, c := range columns[kind] {
			dst = append(dst, s.keys[kind][k]...)
			dst = appendJSON(dst, c.typ, r.cells[k])
		}
		for _, c := range s.labels[kind] {
			v, _ := c.of(r)
			label, err := json.Marshal(v.text)
			if err != nil {
				label = []byte(`""`)
			}
			dst = append(append(dst, `,"`+c.name+`":`...), label...)
		}
		dst = append(s.appendPayload(dst, kind, r), '}', '\n')
	}
	b.text = dst
	return nil
}

// appendPayload appends the payload of a record, with its key.
func (s *jsonSink) appendPayload(dst []byte, kind instr.Kind, r *row) []byte {
	switch s.styles[kind] {
	case payloadFields:
		return s.opts.tables[kind].appendJSON(dst, r)
	case payloadHex:
		dst = hex.AppendEncode(append(dst, `,"payload":"`...), r.payload)
		return append(dst, '"')
	case payloadWords:
		dst = append(dst, `,"payload":[`...)
		for i := 0; ; i++ {
			bits, ok := s.opts.payload.wordAt(r.payload, i)
			if !ok {
				return append(dst, ']')
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, s.opts.payload.word, bits)
		}
	}
	return dst
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
