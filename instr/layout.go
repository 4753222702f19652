// This file determines kind and size of a record from its first bytes, and the errors about
// bytes that are not a record.

package instr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The first eight bytes of the metadata of a sample as an integer: the flag in the low
// half, the size in the high half.
const (
	peMark     = uint64(PESize)<<32 | uint64(FlagPE)
	kpMark     = uint64(KPSize)<<32 | uint64(FlagKP)
	lpMark     = uint64(LPSize)<<32 | uint64(FlagLP)
	lpLongMark = uint64(LPSizeLong)<<32 | uint64(FlagLP)
	modelMark  = uint64(ModelSize)<<32 | uint64(FlagModel)
	memoryMark = uint64(MemorySize)<<32 | uint64(FlagMemory)
)

// heads are the numbers of bytes from which a record's size can be computed. In a mixed
// file no record is shorter than the longest head. In an unknown file every byte helps.
var heads = [...]int{
	Unknown:  1,
	GVTFile:  MetaSize,
	RTFile:   MetaSize,
	VTFile:   VTModelSize,
	Models:   MetaSize + ModelSize,
	Trace:    EventSize,
	VTEngine: MetaSize,
	Memory:   MetaSize + MemorySize,
}

var errNaN = errors.New("virtual time is not a number")

func word(b []byte, at int) uint32   { return binary.LittleEndian.Uint32(b[at:]) }
func long(b []byte, at int) uint64   { return binary.LittleEndian.Uint64(b[at:]) }
func isNaN32(bits uint32) bool       { return bits&^(1<<31) > 0x7F800000 }
func isNaN64(bits uint64) bool       { return bits&^(1<<63) > 0x7FF<<52 }
func float(b []byte, at int) float32 { return math.Float32frombits(word(b, at)) }
func double(b []byte, at int) float64 {
	return math.Float64frombits(long(b, at))
}

// measure returns the kind and the size of the record that begins b, which has at least
// the bytes of its head.
func measure(content Content, b []byte) (Kind, int, error) {
	switch content {
	case Trace:
		return measureEvent(b)
	case Models:
		return measureModel(b)
	case VTFile:
		return measureMixed(b)
	case Memory:
		return measureMemory(b)
	}
	return measureEngine(b)
}

// errHole is the error about zeros in a file of several ranks, where one was killed before
// it wrote its part. An event has at least a real time.
var errHole = errors.New("expected an event, found 24 zero bytes, as left by a rank that was killed before it wrote")

func measureEvent(b []byte) (Kind, int, error) {
	if long(b, 0)|long(b, 8)|long(b, 16) == 0 {
		return 0, 0, errHole
	}
	size := word(b, 20)
	if size > MaxPayload {
		return 0, 0, sizeError(int64(size))
	}
	if isNaN32(word(b, 8)) || isNaN32(word(b, 12)) {
		return 0, 0, errNaN
	}
	return KindEvent, EventSize + int(size), nil
}

// engineMark returns the kind and the size of an engine's record; size 0 if b does not
// begin with one.
func engineMark(b []byte) (Kind, int) {
	switch long(b, 0) {
	case peMark:
		return KindPE, MetaSize + PESize
	case kpMark:
		return KindKP, MetaSize + KPSize
	case lpMark:
		return KindLP, MetaSize + LPSize
	case lpLongMark:
		return KindLP, MetaSize + LPSizeLong
	}
	return 0, 0
}

func measureEngine(b []byte) (Kind, int, error) {
	kind, size := engineMark(b)
	if size == 0 {
		return 0, 0,
			fmt.Errorf("expected flag 0 and size 104 (PE), 1 and 44 (KP), or 2 and 36 or 48 (LP), found flag %d and size %d",
				int32(word(b, 0)), int32(word(b, 4)))
	}
	if isNaN64(long(b, 8)) {
		return 0, 0, errNaN
	}
	return kind, size, nil
}

func measureModel(b []byte) (Kind, int, error) {
	if long(b, 0) != modelMark {
		return 0, 0, fmt.Errorf("expected flag 3 and size 24 (model), found flag %d and size %d",
			int32(word(b, 0)), int32(word(b, 4)))
	}
	if mode := int32(word(b, MetaSize+16)); mode != ByGVT && mode != ByRealTime {
		return 0, 0, fmt.Errorf("expected mode 1 (GVT) or 2 (real time), found %d", mode)
	}
	size := word(b, MetaSize+20)
	if size > MaxPayload {
		return 0, 0, sizeError(int64(size))
	}
	if isNaN64(long(b, 8)) || isNaN32(word(b, MetaSize+12)) {
		return 0, 0, errNaN
	}
	return KindModel, MetaSize + ModelSize + int(size), nil
}

func measureMemory(b []byte) (Kind, int, error) {
	if long(b, 0) != memoryMark {
		return 0, 0, fmt.Errorf("expected flag 4 and size 40 (memory), found flag %d and size %d",
			int32(word(b, 0)), int32(word(b, 4)))
	}
	if isNaN64(long(b, 8)) {
		return 0, 0, errNaN
	}
	return KindMemory, MetaSize + MemorySize, nil
}

// measureVTModel treats ids of PEs and KPs above 32 bits as damage: both are counted from
// 0.
func measureVTModel(b []byte) (Kind, int, error) {
	if flag := int32(word(b, 44)); flag != int32(FlagModel) {
		return 0, 0,
			fmt.Errorf(
				"expected the flag and size of a PE, a KP or an LP, found %d and %d, or flag 3 (model) 44 bytes on, found %d",
				int32(word(b, 0)), int32(word(b, 4)), flag)
	}
	if kp, pe := long(b, 8), long(b, 16); kp > math.MaxUint32 || pe > math.MaxUint32 {
		return 0, 0, fmt.Errorf("expected a sample of a model, found KP %d of PE %d, more than possible", kp, pe)
	}
	size := int32(word(b, 40))
	if size < 0 || size > MaxPayload {
		return 0, 0, sizeError(int64(size))
	}
	if isNaN64(long(b, 24)) {
		return 0, 0, errNaN
	}
	return KindVTModel, VTModelSize + int(size), nil
}

// measureMixed distinguishes records of the engine from those of models at virtual times,
// which begin with an LP's id instead of flag and size. If an id looks like a flag and a
// size, the flag 44 bytes on does not decide, because in an engine's record it is a
// counter. But where a model's sample has KP and PE, an engine's has two times; integers
// read as times are smaller than any time on a clock. But both may be 0.
func measureMixed(b []byte) (Kind, int, error) {
	engine, size := engineMark(b)
	if size == 0 {
		return measureVTModel(b)
	}
	model, modelSize, err := measureVTModel(b)
	if err == nil && (long(b, 8)|long(b, 16) != 0 || looksMoreLikeModel(b, size, modelSize)) {
		return model, modelSize, nil
	}
	if isNaN64(long(b, 8)) {
		return 0, 0, errNaN
	}
	return engine, size, nil
}

// looksMoreLikeModel decides about a record that can be an engine's of size bytes or a
// model's of modelSize: by what follows it, and if that does not decide, by the time of the
// model's sample. In an engine's record these bytes are two small integers, which as a time
// are smaller than any real one.
func looksMoreLikeModel(b []byte, size, modelSize int) bool {
	engine, model := ends(b, size), ends(b, modelSize)
	if engine != model {
		return model
	}
	return long(b, 24)&(0x7FF<<52) != 0
}

// ends reports whether a record can end after n bytes of b: b ends there, or a record
// begins there.
func ends(b []byte, n int) bool {
	if len(b) < n+VTModelSize {
		return len(b) == n
	}
	if _, size := engineMark(b[n:]); size != 0 {
		return true
	}
	_, _, err := measureVTModel(b[n:])
	return err == nil
}

// lookAhead returns how many bytes measureMixed wants to see.
func lookAhead(b []byte) int {
	if long(b, 8)|long(b, 16) != 0 {
		return 0
	}
	_, size := engineMark(b)
	_, modelSize, err := measureVTModel(b)
	if size == 0 || err != nil {
		return 0
	}
	return max(size, modelSize) + VTModelSize
}

func sizeError(size int64) error { return fmt.Errorf("%w (%d bytes)", ErrPayloadSize, size) }
