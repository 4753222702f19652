// This file owns the columns of each kind of record: their names, which are those of the
// format's documents, their types, and their values as bits.

package dump

import (
	"math"

	"github.com/ross-go/ross/instr"
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

// columns are those of each kind, without the bytes of a payload.
var columns = [...][]column{
	instr.KindPE: join(meta,
		named(u32, "pe_id", "events_processed", "events_aborted", "events_rolled_back", "total_rollbacks",
			"secondary_rollbacks", "fossil_collect_attempts", "priority_queue_size", "network_sends",
			"network_receives", "num_gvts", "pe_event_ties", "all_reduce_count"),
		named(f32, "efficiency", "network_read_time", "network_other_time", "gvt_time", "fossil_collect_time",
			"events_aborted_time", "events_processed_time", "priority_queue_time", "rollback_time",
			"cancel_q_time", "avl_tree_time", "buddy_time", "lz4_time")),
	instr.KindKP: join(meta,
		named(u32, "pe_id", "kp_id", "events_processed", "events_aborted", "events_rolled_back", "total_rollbacks",
			"secondary_rollbacks", "network_sends", "network_receives"),
		named(f32, "time_ahead_gvt", "efficiency")),
	instr.KindLP: join(meta,
		named(u32, "pe_id", "kp_id", "lp_id", "events_processed", "events_aborted", "events_rolled_back",
			"network_sends", "network_receives"),
		named(f32, "efficiency")),
	instr.KindModel: join(meta, named(u32, "pe_id", "kp_id", "lp_id"), named(f32, "gvt"), named(i32, "stats_type"),
		named(u32, "model_size")),
	instr.KindVTModel: join(meta, named(u64, "pe_id", "kp_id", "lp_id"), named(u32, "model_size")),
	instr.KindEvent: join(named(u32, "source_lp", "destination_lp"),
		named(f32, "virtual_send_time", "virtual_recv_time", "real_time"), named(u32, "model_data_size")),
	instr.KindMemory: join(meta, named(u32, "pe_id", "events"),
		named(u64, "queue_bytes", "undo_bytes", "memory_used_bytes", "memory_limit_bytes")),
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
		s := &r.PE
		cells = appendWords(cells, s.PE, s.Processed, s.Aborted, s.RolledBack, s.Rollbacks, s.SecondaryRollbacks,
			s.FossilCollects, s.QueueSize, s.NetworkSends, s.NetworkReads, s.GVTs, s.EventTies, s.AllReduces)
		cells = appendSingles(cells, s.Efficiency, s.NetRead, s.NetOther, s.GVT, s.FossilCollect, s.EventAbort,
			s.EventProcess, s.PQ, s.Rollback, s.CancelQ, s.AVL, s.Buddy, s.LZ4)
	case instr.KindKP:
		s := &r.KP
		cells = appendWords(cells, s.PE, s.KP, s.Processed, s.Aborted, s.RolledBack, s.Rollbacks, s.SecondaryRollbacks,
			s.NetworkSends, s.NetworkReads)
		cells = appendSingles(cells, s.TimeAheadGVT, s.Efficiency)
	case instr.KindLP:
		s := &r.LP
		cells = appendWords(cells, s.PE, s.KP, s.LP, s.Processed, s.Aborted, s.RolledBack, s.NetworkSends, s.NetworkReads)
		cells = appendSingles(cells, s.Efficiency)
	case instr.KindModel:
		s := &r.Model
		cells = appendWords(cells, s.PE, s.KP, s.LP, math.Float32bits(s.GVT), uint32(s.Mode), uint32(len(s.Payload)))
	case instr.KindMemory:
		s := &r.Memory
		cells = append(appendWords(cells, s.PE, s.Events), s.Queue, s.Undo, s.Used, s.Limit)
	}
	return cells
}

func single(f float32) uint64 { return uint64(math.Float32bits(f)) }

func appendWords(cells []uint64, words ...uint32) []uint64 {
	for _, w := range words {
		cells = append(cells, uint64(w))
	}
	return cells
}

func appendSingles(cells []uint64, floats ...float32) []uint64 {
	for _, f := range floats {
		cells = append(cells, single(f))
	}
	return cells
}
