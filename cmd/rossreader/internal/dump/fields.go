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

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// fieldTable has the fields of the payloads of a kind of record: those of all types, each in a
// column. Types may share columns.
type fieldTable struct {
	lp     int // column with the id of the LP whose type decides
	run    *instr.RunInfo
	types  []typeFields // as in run.json
	fields []fieldColumn
}

// typeFields are the fields of a type.
type typeFields struct {
	index  int // in the table
	name   string
	quoted []byte // the name in JSON
	layout instr.Layout
}

// fieldColumn is a column with a value of a field of some types.
type fieldColumn struct {
	column
	at []place // by type
}

// place is a value in a payload; field is nil if the type has no such field.
type place struct {
	field *instr.Field
	value int
}

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
		return fmt.Errorf(
			"ross: dump: --payload=fields: %s next to %s has no layouts of its LP types: give ross.Type its TraceLayout, SampleLayout or PointLayout, or use --payload=hex", instr.RunName, in.Name)
	case asked:
		return fmt.Errorf("ross: dump: --payload=fields: %w: use --payload=hex, or a file next to the %s of its run", err,
			instr.RunName)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		o.tables = [len(o.tables)]*fieldTable{}
		fmt.Fprintf(stderr, "rossreader dump: %v: payloads are hexadecimal\n", err)
	}
	return nil
}

// newFieldTable returns the table of a kind, nil if no type has a layout for it.
func newFieldTable(run *instr.RunInfo, kind instr.Kind) (*fieldTable, error) {
	t := &fieldTable{lp: lpColumn(kind), run: run}
	taken := map[string]bool{typeTitle: true}
	for _, c := range columns[kind] {
		taken[c.name], taken[labelTitles[c.name]] = true, true
	}
	byName := map[string]int{} // column by name, kind and index of a value
	for i, r := range run.Types {
		layout, err := r.Layout(kind)
		if err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(r.Name)
		if err != nil {
			return nil, err
		}
		t.types = append(t.types, typeFields{i, r.Name, quoted, layout})
		for k := range layout {
			f := &layout[k]
			if f.Name == "_" {
				continue
			}
			if len(t.fields)+f.Values() > maxColumns {
				return nil, fmt.Errorf("%s: the layouts have more than %d fields: use --payload=hex", instr.RunName, maxColumns)
			}
			for v := range f.Values() {
				key := f.Name + ":" + f.Kind() + ":" + strconv.Itoa(v)
				at, ok := byName[key]
				if !ok {
					at = len(t.fields)
					byName[key] = at
					c := column{titleOf(f, v, taken), typeOfField(f)}
					t.fields = append(t.fields, fieldColumn{c, make([]place, len(run.Types))})
				}
				t.fields[at].at[i] = place{f, v}
			}
		}
	}
	if len(t.fields) == 0 {
		return nil, nil
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

// columns returns the columns of all types, in runs with several types after one with the type.
func (t *fieldTable) columns() (all []further) {
	if t.several() {
		all = append(all, further{column{typeTitle, text}, false, func(r *row) (value, bool) {
			if t.find(r); r.kind == nil {
				return value{}, false
			}
			return value{text: r.kind.name}, true
		}})
	}
	for i := range t.fields {
		all = append(all, further{t.fields[i].column, false, func(r *row) (value, bool) { return t.value(r, &t.fields[i]) }})
	}
	return all
}

// find sets what the table knows of a record.
func (t *fieldTable) find(r *row) {
	if !r.known {
		r.known, r.kind = true, t.typeOf(r.cells[t.lp])
		r.fits = r.kind.fits(r.payload)
	}
}

// value returns what a column has of a record.
func (t *fieldTable) value(r *row, c *fieldColumn) (value, bool) {
	if t.find(r); !r.fits {
		return value{}, false
	}
	switch at := &c.at[r.kind.index]; {
	case at.field == nil:
		return value{}, false
	case c.typ == raw:
		return value{bytes: at.field.Bytes(r.payload, at.value)}, true
	default:
		return value{bits: bitsOf(at.field, r.payload, at.value)}, true
	}
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

// appendJSON appends the type of an LP and its payload as an object; a payload without a layout is
// hexadecimal.
func (t *fieldTable) appendJSON(dst []byte, r *row) []byte {
	t.find(r)
	of, payload := r.kind, r.payload
	if t.several() && of != nil {
		dst = append(append(dst, `,"`+typeTitle+`":`...), of.quoted...)
	}
	dst = append(dst, `,"payload":`...)
	if !r.fits {
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
