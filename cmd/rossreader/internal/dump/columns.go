// This file owns the columns of each kind of record: numbers, the bytes of payloads, and labels of LPs.

package dump

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/counters"
	"github.com/ross-go/ross/internal/sys/labels"
)

// numeric is the type of a column's values.
type numeric uint8

const (
	u32 numeric = iota
	i32
	u64
	f32
	f64
	i64
	raw // bytes; of fields of payloads only
)

type column struct {
	name string
	typ  numeric
}

// named returns columns of one type.
func named(typ numeric, names ...string) (cs []column) {
	for _, name := range names {
		cs = append(cs, column{name, typ})
	}
	return cs
}

func join(parts ...[]column) (cs []column) {
	for _, p := range parts {
		cs = append(cs, p...)
	}
	return cs
}

var meta = named(f64, "virtual_time", "real_time")

// The records whose fields are all columns.
var (
	peRecord     = counters.RecordOf[instr.PEStats]()
	kpRecord     = counters.RecordOf[instr.KPStats]()
	lpRecord     = counters.RecordOf[instr.LPStats]()
	memoryRecord = counters.RecordOf[instr.MemoryStats]()
)

// sampled returns the columns of such a record, after those of its times.
func sampled(of []counters.Column) (cs []column) {
	types := map[reflect.Kind]numeric{reflect.Uint32: u32, reflect.Uint64: u64, reflect.Float32: f32}
	cs = slices.Clone(meta)
	for _, c := range of {
		cs = append(cs, column{c.Name, types[c.Kind]})
	}
	return cs
}

// columns are those of each kind, without the bytes of a payload.
var columns = [...][]column{
	instr.KindPE: sampled(peRecord.Columns()),
	instr.KindKP: sampled(kpRecord.Columns()),
	instr.KindLP: sampled(lpRecord.Columns()),
	instr.KindModel: join(meta, named(u32, "pe_id", "kp_id", "lp_id"), named(f32, "gvt"), named(i32, "stats_type"),
		named(u32, "model_size")),
	instr.KindVTModel: join(meta, named(u64, "pe_id", "kp_id", "lp_id"), named(u32, "model_size")),
	instr.KindEvent: join(named(u32, "source_lp", "destination_lp"),
		named(f32, "virtual_send_time", "virtual_recv_time", "real_time"), named(u32, "model_data_size")),
	instr.KindMemory: sampled(memoryRecord.Columns()),
}

// payloadOf returns the payload of a record; ok reports whether its kind may have one.
func payloadOf(r *instr.Record) (payload []byte, ok bool) {
	switch r.Kind {
	case instr.KindModel:
		return r.Model.Payload, true
	case instr.KindVTModel:
		return r.VTModel.Payload, true
	case instr.KindEvent:
		return r.Event.Payload, true
	}
	return nil, false
}

// hasPayload reports whether records of a kind may have a payload.
func hasPayload(kind instr.Kind) bool {
	return kind == instr.KindModel || kind == instr.KindVTModel || kind == instr.KindEvent
}

// appendCells appends the values of a record in the order of its columns.
func appendCells(cells []uint64, r *instr.Record) []uint64 {
	if r.Kind == instr.KindEvent { // first, because they are the most frequent
		e := &r.Event
		return append(cells, uint64(e.Src), uint64(e.Dest), single(e.SendTS), single(e.RecvTS), single(e.RealTS),
			uint64(len(e.Payload)))
	}
	if r.Kind == instr.KindVTModel {
		v := &r.VTModel
		return append(cells, math.Float64bits(v.TS), math.Float64bits(v.RealTime), v.PE, v.KP, v.LP,
			uint64(len(v.Payload)))
	}
	cells = append(cells, math.Float64bits(r.Meta.TS), math.Float64bits(r.Meta.RealTime))
	switch r.Kind {
	case instr.KindPE:
		cells = peRecord.AppendCells(cells, &r.PE)
	case instr.KindKP:
		cells = kpRecord.AppendCells(cells, &r.KP)
	case instr.KindLP:
		cells = lpRecord.AppendCells(cells, &r.LP)
	case instr.KindModel:
		s := &r.Model
		cells = append(cells, uint64(s.PE), uint64(s.KP), uint64(s.LP), single(s.GVT), uint64(uint32(s.Mode)), uint64(len(s.Payload)))
	case instr.KindMemory:
		cells = memoryRecord.AppendCells(cells, &r.Memory)
	}
	return cells
}

func single(f float32) uint64 { return uint64(math.Float32bits(f)) }

type payloadStyle uint8

const (
	payloadNone payloadStyle = iota
	payloadHex
	payloadAuto // fields if their layouts are known, else hex
	payloadWords
	payloadFields
)

// payloadForm is how payloads are written.
type payloadForm struct {
	style payloadStyle
	word  numeric     // of payloadWords: u32, f32 or f64
	count int         // of payloadWords: columns in CSV and Parquet
	table *fieldTable // of payloadFields
}

// String returns the form's name, as --payload has it.
func (f *payloadForm) String() string {
	switch f.style {
	case payloadNone:
		return "none"
	case payloadHex:
		return "hex"
	case payloadFields:
		return "fields"
	case payloadAuto:
		return ""
	}
	return map[numeric]string{u32: "u32", f32: "f32", f64: "f64"}[f.word]
}

// Type returns the word for the option's value.
func (f *payloadForm) Type() string { return "FORM" }

// Set sets the form by its name.
func (f *payloadForm) Set(name string) error {
	forms := map[string]payloadForm{
		"none": {}, "hex": {style: payloadHex}, "fields": {style: payloadFields},
		"u32": {style: payloadWords, word: u32}, "f32": {style: payloadWords, word: f32},
		"f64": {style: payloadWords, word: f64},
	}
	form, ok := forms[name]
	if !ok {
		return fmt.Errorf("must be fields, hex, none, u32, f32 or f64")
	}
	form.count = f.count
	*f = form
	return nil
}

// size returns the bytes of a word.
func (f *payloadForm) size() int {
	if f.word == f64 {
		return 8
	}
	return 4
}

// names returns the names of the columns.
func (f *payloadForm) names() (names []string) {
	switch f.style {
	case payloadHex:
		return []string{"payload"}
	case payloadWords:
		for i := range f.count {
			names = append(names, "payload_"+strconv.Itoa(i))
		}
	case payloadFields:
		return f.table.names()
	}
	return names
}

// next removes the first word of a payload; ok is false at the end.
func (f *payloadForm) next(payload *[]byte) (bits uint64, ok bool) {
	p, size := *payload, f.size()
	if len(p) < size {
		return 0, false
	}
	*payload = p[size:]
	if size == 8 {
		return binary.LittleEndian.Uint64(p), true
	}
	return uint64(binary.LittleEndian.Uint32(p)), true
}

// labelColumns are the columns with labels of a kind of record.
type labelColumns struct {
	names labels.Labels
	of    []int    // columns with the ids
	title []string // of the columns with the labels
}

// labelTitles are the titles, by those of the columns with ids.
var labelTitles = map[string]string{"source_lp": "source_label", "destination_lp": "destination_label", "lp_id": "lp_label"}

// readLabels reads the labels, if they are asked for.
func (o *options) readLabels(in cli.Input, stderr io.Writer) {
	if !o.labels {
		return
	}
	if !in.Stdin {
		o.names = cli.LabelsOf(in.Name, nil)
	}
	if o.names == nil {
		fmt.Fprintf(stderr, "rossreader dump: no labels of LPs for %s: the model has none, or its file *%s is missing or damaged\n", in.Name, instr.LabelsSuffix)
	}
}

// labelsOf returns the columns with labels of a kind, none unless they are asked for.
func (o *options) labelsOf(kind instr.Kind) (l labelColumns) {
	if !o.labels {
		return l
	}
	l.names = o.names
	for i, c := range columns[kind] {
		if title, ok := labelTitles[c.name]; ok {
			l.of, l.title = append(l.of, i), append(l.title, title)
		}
	}
	return l
}

// appendCSV appends the labels of a record.
func (l *labelColumns) appendCSV(dst []byte, cells []uint64) []byte {
	for _, i := range l.of {
		dst = appendText(append(dst, ','), l.names[cells[i]])
	}
	return dst
}

// appendText appends a text in the form of CSV.
func appendText(dst []byte, text string) []byte {
	if strings.ContainsAny(text, ",\"\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return append(dst, text...)
}

// appendJSON appends the labels of a record, with their keys.
func (l *labelColumns) appendJSON(dst []byte, cells []uint64) []byte {
	for k, i := range l.of {
		label, err := json.Marshal(l.names[cells[i]])
		if err != nil {
			label = []byte(`""`)
		}
		dst = append(append(dst, `,"`+l.title[k]+`":`...), label...)
	}
	return dst
}
