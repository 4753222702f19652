// This file owns the sample records: the metadata before each, the engine's counters of a PE,
// a KP and an LP, the samples of models, and those of memory.

package instr

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/ross-go/ross/internal/num/counters"
)

// Flag is the kind of record that follows the metadata of a sample.
type Flag int32

// Values of [Meta.Flag].
const (
	FlagPE    Flag = 0
	FlagKP    Flag = 1
	FlagLP    Flag = 2
	FlagModel Flag = 3
	// FlagMemory is a flag of ours.
	FlagMemory Flag = 4
)

// Sizes of the records in bytes.
const (
	MetaSize    = 24  // what precedes each sample of a PE, a KP, an LP, or a model, and of memory
	PESize      = 104 // 13 uint32, 13 float32
	KPSize      = 44
	LPSize      = 36
	LPSizeLong  = 48 // ROSS 8.1.0 and later: one more uint64, which it leaves unset, and padding
	ModelSize   = 24 // without the payload
	VTModelSize = 48 // without the payload; no Meta precedes it
	MemorySize  = 40 // 2 uint32, 4 uint64
)

// The compiler compares the sizes with those of the structures.
var (
	_ [PESize]byte     = [unsafe.Sizeof(PEStats{})]byte{}
	_ [KPSize]byte     = [unsafe.Sizeof(KPStats{})]byte{}
	_ [LPSize]byte     = [unsafe.Sizeof(LPStats{})]byte{}
	_ [MemorySize]byte = [unsafe.Sizeof(MemoryStats{})]byte{}
)

// The records whose fields are all figures: the structures are their only description.
var (
	peRecord     = counters.RecordOf[PEStats]()
	kpRecord     = counters.RecordOf[KPStats]()
	lpRecord     = counters.RecordOf[LPStats]()
	memoryRecord = counters.RecordOf[MemoryStats]()
)

// Meta precedes a sample (sample_metadata in ROSS).
//
// TS is a virtual time: GVT, the sampling point, or for a model's sample the time of its LP's
// last event. A sample that covers the rest of a run has the end of the run, GVT if the run
// did not get so far, or the time of the last event if the run has no end.
type Meta struct {
	Flag     Flag
	Size     int32 // bytes of the record that follows, without a model's payload
	TS       float64
	RealTime float64 // seconds since the run started; the original writes cycles / --clock-rate
}

// PEStats are the counters of a PE since the previous sample of the same mode (st_pe_stats).
// They count events of the model's LPs, not those of analysis LPs.
//
// NetworkSends are events sent to LPs of other PEs, of this process or another, and
// NetworkReads events received from there. Both include events that were undone or cancelled
// later, but no anti-messages. AllReduces counts those of the rank; each of its PEs has the
// same number.
//
// Times are in seconds, of the PE's own thread, as in the report of a run. Many are estimated
// from samples of the clock. They do not overlap, except AVL, LZ4 and Buddy, which are parts of
// others; during the rest of the time between two samples the PE was idle, took samples,
// wrote them, or was in the GVT hook. In files of the original they overlap.
type PEStats struct {
	PE                 uint32 `column:"pe_id"`
	Processed          uint32 `column:"events_processed"`        // forward executions, including those undone later
	Aborted            uint32 `column:"events_aborted"`          // executions that found no memory and were taken back
	RolledBack         uint32 `column:"events_rolled_back"`      // events undone, aborted ones included
	Rollbacks          uint32 `column:"total_rollbacks"`         // primary and secondary
	SecondaryRollbacks uint32 `column:"secondary_rollbacks"`     // due to cancelled events
	FossilCollects     uint32 `column:"fossil_collect_attempts"` // fossil collections
	// pending events now, including those of analysis LPs: not a difference
	QueueSize    uint32 `column:"priority_queue_size"`
	NetworkSends uint32 `column:"network_sends"`
	NetworkReads uint32 `column:"network_receives"`
	// computations of GVT; the original counts from the start of the run
	GVTs uint32 `column:"num_gvts"`
	// events with the signature of one that the queue had before them
	EventTies uint32 `column:"pe_event_ties"`
	// all-reduce operations for GVT, in memory that ranks share or by MPI: run.json says how many of each
	AllReduces uint32 `column:"all_reduce_count"`

	Efficiency    float32 `column:"efficiency"`            // percent, see [Efficiency]
	NetRead       float32 `column:"network_read_time"`     // receiving from other PEs
	NetOther      float32 `column:"network_other_time"`    // sending to other PEs
	GVT           float32 `column:"gvt_time"`              // computing GVT
	FossilCollect float32 `column:"fossil_collect_time"`   // committing and freeing events, with the model's Commit
	EventAbort    float32 `column:"events_aborted_time"`   // aborting events because of lack of memory
	EventProcess  float32 `column:"events_processed_time"` // events: the model's handlers, and all time not in other parts
	// refilling the window of the event queue; the rest of the queue's time is in EventProcess
	PQ       float32 `column:"priority_queue_time"`
	Rollback float32 `column:"rollback_time"` // primary rollbacks
	// cancelled events, with the secondary rollbacks that they cause
	CancelQ float32 `column:"cancel_q_time"`
	AVL     float32 `column:"avl_tree_time"` // index of what other ranks send, a log with trees
	Buddy   float32 `column:"buddy_time"`    // memory of state deltas and of models
	// LZ4 of state deltas; the original: all packing and unpacking of them
	LZ4 float32 `column:"lz4_time"`
}

// KPStats are the counters of a KP, like those of [PEStats]: sums over its LPs, and its own
// rollbacks.
type KPStats struct {
	PE                 uint32 `column:"pe_id"` // by the mapping
	KP                 uint32 `column:"kp_id"` // on its PE
	Processed          uint32 `column:"events_processed"`
	Aborted            uint32 `column:"events_aborted"`
	RolledBack         uint32 `column:"events_rolled_back"`
	Rollbacks          uint32 `column:"total_rollbacks"`
	SecondaryRollbacks uint32 `column:"secondary_rollbacks"`
	NetworkSends       uint32 `column:"network_sends"`
	NetworkReads       uint32 `column:"network_receives"`

	TimeAheadGVT float32 `column:"time_ahead_gvt"` // time of its LPs' last event less Meta.TS
	Efficiency   float32 `column:"efficiency"`     // percent, of the KP
}

// LPStats are the counters of an LP, like those of [PEStats].
type LPStats struct {
	PE           uint32 `column:"pe_id"` // by the mapping
	KP           uint32 `column:"kp_id"` // on its PE
	LP           uint32 `column:"lp_id"` // the low 32 bits of its id
	Processed    uint32 `column:"events_processed"`
	Aborted      uint32 `column:"events_aborted"`
	RolledBack   uint32 `column:"events_rolled_back"`
	NetworkSends uint32 `column:"network_sends"`    // that it sent
	NetworkReads uint32 `column:"network_receives"` // that came for it

	Efficiency float32 `column:"efficiency"` // percent, of the LP
}

// Values of [ModelStats.Mode].
const (
	ByGVT      int32 = 1
	ByRealTime int32 = 2
)

// ModelStats is a model's sample of an LP by GVT or by real time (model_metadata).
type ModelStats struct {
	PE      uint32
	KP      uint32  // on its PE
	LP      uint32  // the low 32 bits of its id
	GVT     float32 // +Inf at the end of a run of the original, math.MaxFloat32 at most in ours
	Mode    int32   // ByGVT or ByRealTime
	Payload []byte  // at most MaxPayload bytes, nil if none
}

// VTModel is a model's sample of an LP at a virtual time (lp_metadata).
type VTModel struct {
	LP       uint64
	KP       uint64  // on its PE; a reader refuses more than 32 bits
	PE       uint64  // likewise
	TS       float64 // the virtual time
	RealTime float64 // seconds since the run started; the original does not set it
	Payload  []byte  // at most MaxPayload bytes, nil if none
}

// MemoryStats is the memory of a PE when its sample by real time was taken, whose Meta has the same times.
// ROSS has no such record. Nothing in it is a difference.
type MemoryStats struct {
	PE uint32 `column:"pe_id"`
	// in memory that this PE gave out for them: pending, not yet committed, or sent to other PEs
	Events uint32 `column:"events"`
	Queue  uint64 `column:"queue_bytes"` // bytes of the event queue, without the events
	// bytes that keep what undoes events: histories of the PE's KPs, and the pool of deltas and of Alloc
	Undo  uint64 `column:"undo_bytes"`
	Used  uint64 `column:"memory_used_bytes"`  // bytes in use in the whole process, as --max-memory counts them
	Limit uint64 `column:"memory_limit_bytes"` // bytes, --max-memory; what the program itself takes of it is not in Used
}

// Efficiency returns the part of the work that counted, in percent: 100 * (1 - rolled back /
// net), where net is the events processed less those rolled back; 0 if net is not positive.
// It is negative if more events were undone than stayed. The quotient is a float32, as in the
// original, so that the result is the same to the last bit.
func Efficiency(processed, rolledBack uint64) float32 {
	if processed <= rolledBack {
		return 0
	}
	quotient := float32(rolledBack) / float32(processed-rolledBack)
	return float32(100 * (1 - float64(quotient)))
}

func appendMeta(dst []byte, flag Flag, size int32, ts, real float64) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(flag))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(ts))
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(real))
}

func appendWords(dst []byte, words ...uint32) []byte {
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint32(dst, w)
	}
	return dst
}

// AppendPE appends the metadata and the record of a PE: MetaSize + PESize bytes.
func AppendPE(dst []byte, ts, real float64, s *PEStats) []byte {
	return peRecord.Append(appendMeta(dst, FlagPE, PESize, ts, real), s)
}

// AppendKP appends the metadata and the record of a KP: MetaSize + KPSize bytes.
func AppendKP(dst []byte, ts, real float64, s *KPStats) []byte {
	return kpRecord.Append(appendMeta(dst, FlagKP, KPSize, ts, real), s)
}

// AppendLP appends the metadata and the record of an LP: MetaSize + LPSize bytes.
func AppendLP(dst []byte, ts, real float64, s *LPStats) []byte {
	return lpRecord.Append(appendMeta(dst, FlagLP, LPSize, ts, real), s)
}

// AppendModel appends the metadata, the record, and the payload of a model's sample: MetaSize
// + ModelSize bytes plus the payload.
func AppendModel(dst []byte, ts, real float64, s *ModelStats) []byte {
	dst = appendMeta(dst, FlagModel, ModelSize, ts, real)
	dst = appendWords(dst, s.PE, s.KP, s.LP, math.Float32bits(s.GVT), uint32(s.Mode), uint32(len(s.Payload)))
	return append(dst, s.Payload...)
}

// AppendVTModel appends the record and the payload of a model's sample at a virtual time:
// VTModelSize bytes plus the payload.
func AppendVTModel(dst []byte, s *VTModel) []byte {
	for _, w := range []uint64{s.LP, s.KP, s.PE, math.Float64bits(s.TS), math.Float64bits(s.RealTime)} {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	dst = appendWords(dst, uint32(len(s.Payload)), uint32(FlagModel))
	return append(dst, s.Payload...)
}

// AppendMemory appends the metadata and the record of a sample of memory: MetaSize + MemorySize bytes.
func AppendMemory(dst []byte, ts, real float64, s *MemoryStats) []byte {
	return memoryRecord.Append(appendMeta(dst, FlagMemory, MemorySize, ts, real), s)
}

// PutVTModelTime sets the real time of a record that AppendVTModel has made.
func PutVTModelTime(record []byte, real float64) {
	binary.LittleEndian.PutUint64(record[32:], math.Float64bits(real))
}
