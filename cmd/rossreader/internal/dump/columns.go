// This file owns the columns of each kind of record: numbers, and behind them labels of LPs and what payloads hold.

package dump

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/counters"
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
	raw  // bytes; like text only of the columns behind the numbers
	text // a string
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
		cells = append(cells, uint64(s.PE), uint64(s.KP), uint64(s.LP), single(s.GVT), uint64(uint32(s.Mode)),
			uint64(len(s.Payload)))
	case instr.KindMemory:
		cells = memoryRecord.AppendCells(cells, &r.Memory)
	}
	return cells
}

func single(f float32) uint64 { return uint64(math.Float32bits(f)) }

// further is a column behind the numbers: a label of an LP, or a part of a payload.
type further struct {
	column
	always bool // no value of it is missing
	of     func(*row) (value, bool)
}

// row is a record of a batch. Its cells are those of columns.
type row struct {
	cells   []uint64
	payload []byte

	known bool // whether the rest is set
	kind  *typeFields
	fits  bool
}

// value is what a further column has of a record, by its type.
type value struct {
	bits  uint64
	bytes []byte
	text  string
}

// further returns the columns behind the numbers, in their order.
func (o *options) further(kind instr.Kind) []further {
	return append(o.labelsOf(kind), o.payloadsOf(kind)...)
}

// labelTitles are the titles of labels, by those of the columns with ids.
var labelTitles = map[string]string{"source_lp": "source_label", "destination_lp": "destination_label",
	"lp_id": "lp_label"}

// readLabels reads the labels, if they are asked for.
func (o *options) readLabels(in cli.Input, stderr io.Writer) {
	if !o.labels {
		return
	}
	if !in.Stdin {
		o.names = cli.LabelsOf(in.Name, nil)
	}
	if o.names == nil {
		fmt.Fprintf(stderr,
			"rossreader dump: no labels of LPs for %s: the model has none, or its file *%s is missing or damaged\n", in.Name,
			instr.LabelsSuffix)
	}
}

// labelsOf returns the columns with labels of a kind, none unless they are asked for.
func (o *options) labelsOf(kind instr.Kind) (all []further) {
	if !o.labels {
		return nil
	}
	for i, c := range columns[kind] {
		if title, ok := labelTitles[c.name]; ok {
			label := func(r *row) (value, bool) { return value{text: o.names[r.cells[i]]}, true }
			all = append(all, further{column{title, text}, true, label})
		}
	}
	return all
}
