// This file owns payloads in named columns, by the layouts of the types of LPs in run.json.

package dump

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// fieldTable has the fields of the payloads of a kind of record: those of all types, each in a
// column. Types may share columns.
type fieldTable struct {
	lp      int // column with the id of the LP whose type decides
	run     *instr.RunInfo
	types   []typeFields // as in run.json
	titles  []string     // of the columns
	columns []numeric
}

// typeFields are the fields of a type.
type typeFields struct {
	name   string
	quoted []byte // the name in JSON
	layout instr.Layout
	at     []place // by column of the table
}

// place is a value in a payload; field is -1 if the type has no such field.
type place struct{ field, value int }

// typeTitle is the column with the type of the LP, in runs with several types.
const typeTitle = "lp_type"

// lpColumn returns the column of a kind of record with the LP whose type decides.
func lpColumn(kind instr.Kind) int {
	if kind == instr.KindEvent {
		return 1 // the destination
	}
	return slices.IndexFunc(columns[kind], func(c column) bool { return c.name == "lp_id" })
}

// readFields reads the layouts in run.json next to the input, if payloads are to be shown by them.
func (o *options) readFields(in cli.Input, stderr io.Writer) error {
	asked := o.payload.style == payloadFields
	if !asked && o.payload.style != payloadAuto {
		return nil
	}
	o.payload.style = payloadHex
	if in.Stdin {
		if asked {
			return cli.Usagef("--payload=fields: standard input has no %s next to it: name the file", instr.RunName)
		}
		return nil
	}
	found := false
	run, err := instr.ReadRunInfo(filepath.Dir(in.Name))
	if err == nil {
		for _, kind := range []instr.Kind{instr.KindModel, instr.KindVTModel, instr.KindEvent} {
			if o.tables[kind], err = newFieldTable(run, kind); err != nil {
				break
			}
			found = found || o.tables[kind] != nil
		}
	}
	switch {
	case err == nil && found:
		o.payload.style = payloadFields
	case asked && err == nil:
		return fmt.Errorf("ross: dump: --payload=fields: %s next to %s has no layouts of its LP types: give ross.Type its TraceLayout, SampleLayout or PointLayout, or use --payload=hex", instr.RunName, in.Name)
	case asked:
		return fmt.Errorf("ross: dump: --payload=fields: %w: use --payload=hex, or a file next to the %s of its run", err, instr.RunName)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		o.tables = [len(o.tables)]*fieldTable{}
		fmt.Fprintf(stderr, "rossreader dump: %v: payloads are hexadecimal\n", err)
	}
	return nil
}

// formOf returns how the payloads of a kind are written: hexadecimal if no type has a layout.
func (o *options) formOf(kind instr.Kind) payloadForm {
	form := o.payload
	if !hasPayload(kind) {
		return payloadForm{}
	}
	if form.style == payloadFields {
		if form.table = o.tables[kind]; form.table == nil {
			form.style = payloadHex
		}
	}
	return form
}

// newFieldTable returns the table of a kind, nil if no type has a layout for it.
func newFieldTable(run *instr.RunInfo, kind instr.Kind) (*fieldTable, error) {
	t := &fieldTable{lp: lpColumn(kind), run: run}
	taken := map[string]bool{typeTitle: true}
	for _, c := range columns[kind] {
		taken[c.name], taken[labelTitles[c.name]] = true, true
	}
	byName := map[string]int{} // column by name, kind and index of a value
	for _, r := range run.Types {
		layout, err := r.Layout(kind)
		if err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(r.Name)
		if err != nil {
			return nil, err
		}
		of := typeFields{name: r.Name, quoted: quoted, layout: layout}
		for i := range layout {
			f := &layout[i]
			if f.Name == "_" {
				continue
			}
			if len(t.titles)+f.Values() > maxColumns {
				return nil, fmt.Errorf("%s: the layouts have more than %d fields: use --payload=hex", instr.RunName, maxColumns)
			}
			for v := range f.Values() {
				key := f.Name + ":" + f.Kind() + ":" + strconv.Itoa(v)
				at, ok := byName[key]
				if !ok {
					at = len(t.titles)
					byName[key] = at
					t.titles, t.columns = append(t.titles, titleOf(f, v, taken)), append(t.columns, typeOfField(f))
				}
				for len(of.at) <= at {
					of.at = append(of.at, place{-1, 0})
				}
				of.at[at] = place{i, v}
			}
		}
		t.types = append(t.types, of)
	}
	if len(t.titles) == 0 {
		return nil, nil
	}
	for i := range t.types {
		for len(t.types[i].at) < len(t.titles) {
			t.types[i].at = append(t.types[i].at, place{-1, 0})
		}
	}
	return t, nil
}

// titleOf returns the title of the column for value v of a field, one that is not taken: the name,
// and the index in an array.
func titleOf(f *instr.Field, v int, taken map[string]bool) string {
	title := f.Name
	if f.Len > 0 {
		title += "_" + strconv.Itoa(v)
	}
	if taken[title] {
		title = "payload_" + title
	}
	for n, first := 2, title; taken[title]; n++ {
		title = first + "_" + strconv.Itoa(n)
	}
	taken[title] = true
	return title
}

// typeOfField returns the type of a column with the values of a field.
func typeOfField(f *instr.Field) numeric {
	wide := f.Width == 8
	switch {
	case f.Type == instr.FieldBytes:
		return raw
	case f.Type == instr.FieldFloat && wide:
		return f64
	case f.Type == instr.FieldFloat:
		return f32
	case f.Type == instr.FieldInt && wide:
		return i64
	case f.Type == instr.FieldInt:
		return i32
	case wide:
		return u64
	}
	return u32
}

// bitsOf returns a number of a payload as the bits of its column.
func bitsOf(f *instr.Field, payload []byte, value int) uint64 {
	if f.Type == instr.FieldInt {
		return uint64(f.Int(payload, value))
	}
	return f.Uint(payload, value)
}

// several reports whether the table has a column for the type.
func (t *fieldTable) several() bool { return len(t.types) > 1 }

// names returns the titles of all columns.
func (t *fieldTable) names() []string {
	if t.several() {
		return append([]string{typeTitle}, t.titles...)
	}
	return t.titles
}

// typeOf returns the type of the LP of a record, nil if it is not known.
func (t *fieldTable) typeOf(lp uint64) *typeFields {
	if i := t.run.TypeOf(lp); i >= 0 {
		return &t.types[i]
	}
	return nil
}

// fits reports whether a payload has the layout of the type.
func (f *typeFields) fits(payload []byte) bool {
	return f != nil && len(f.layout) > 0 && len(payload) == f.layout.Size()
}

// appendCSV appends the columns of a payload of an LP.
func (t *fieldTable) appendCSV(dst []byte, lp uint64, payload []byte) []byte {
	of := t.typeOf(lp)
	if t.several() {
		if dst = append(dst, ','); of != nil {
			dst = appendText(dst, of.name)
		}
	}
	fits := of.fits(payload)
	for i, typ := range t.columns {
		dst = append(dst, ',')
		if !fits || of.at[i].field < 0 {
			continue
		}
		f, v := &of.layout[of.at[i].field], of.at[i].value
		if typ == raw {
			dst = hex.AppendEncode(dst, f.Bytes(payload, v))
		} else {
			dst = appendNumber(dst, typ, bitsOf(f, payload, v))
		}
	}
	return dst
}

// appendJSON appends the type of an LP and its payload as an object; a payload without a layout is
// hexadecimal.
func (t *fieldTable) appendJSON(dst []byte, lp uint64, payload []byte) []byte {
	of := t.typeOf(lp)
	if t.several() && of != nil {
		dst = append(append(dst, `,"`+typeTitle+`":`...), of.quoted...)
	}
	dst = append(dst, `,"payload":`...)
	if !of.fits(payload) {
		if len(payload) == 0 {
			return append(dst, "{}"...)
		}
		dst = hex.AppendEncode(append(dst, '"'), payload)
		return append(dst, '"')
	}
	before := byte('{')
	for i := range of.layout {
		f := &of.layout[i]
		if f.Name == "_" {
			continue
		}
		dst = append(append(append(dst, before, '"'), f.Name...), '"', ':')
		before = ','
		if f.Len > 0 {
			dst = append(dst, '[')
		}
		for v := range f.Values() {
			if v > 0 {
				dst = append(dst, ',')
			}
			if f.Type == instr.FieldBytes {
				dst = hex.AppendEncode(append(dst, '"'), f.Bytes(payload, v))
				dst = append(dst, '"')
			} else {
				dst = appendJSON(dst, typeOfField(f), bitsOf(f, payload, v))
			}
		}
		if f.Len > 0 {
			dst = append(dst, ']')
		}
	}
	if before == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// column returns which field the i-th of names is, -1 for the type.
func (t *fieldTable) column(i int) int {
	if t.several() {
		return i - 1
	}
	return i
}

// fill sets the values of a column of Parquet, the i-th of the payload, to those of the records from
// row on. Columns of the payload follow width others.
func (t *fieldTable) fill(values []parquet.Value, b *batch, row, i, width int) {
	start, at := 0, t.column(i)
	if row > 0 {
		start = b.ends[row-1]
	}
	for k, end := range b.ends[row : row+len(values)] {
		payload := b.payloads[start:end]
		start = end
		of := t.typeOf(b.cells[(row+k)*width+t.lp])
		switch {
		case at < 0 && of != nil:
			values[k] = parquet.ByteArrayValue([]byte(of.name)).Level(0, 1, width+i)
		case at < 0 || !of.fits(payload) || of.at[at].field < 0:
			values[k] = parquet.NullValue().Level(0, 0, width+i)
		default:
			f, v := &of.layout[of.at[at].field], of.at[at].value
			if t.columns[at] == raw {
				values[k] = parquet.ByteArrayValue(f.Bytes(payload, v))
			} else {
				fill(values[k:k+1], t.columns[at], []uint64{bitsOf(f, payload, v)}, 1)
			}
			values[k] = values[k].Level(0, 1, width+i)
		}
	}
}
