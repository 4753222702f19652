// This file owns what the first bytes of a record can be: its kind, its size, and what
// is said of bytes that are none.

package instr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The first eight bytes of the metadata of a sample: the flag, and the size above it.
const (
	peMark     = uint64(PESize)<<32 | uint64(FlagPE)
	kpMark     = uint64(KPSize)<<32 | uint64(FlagKP)
	lpMark     = uint64(LPSize)<<32 | uint64(FlagLP)
	lpLongMark = uint64(LPSizeLong)<<32 | uint64(FlagLP)
	modelMark  = uint64(ModelSize)<<32 | uint64(FlagModel)
)

// heads are the bytes that tell all of a record's size. In a file that mixes, no record
// is shorter than the longest head. Of an unknown file, any byte tells something.
var heads = [...]int{
	Unknown: 1,
	GVTFile: MetaSize,
	RTFile:  MetaSize,
	VTFile:  VTModelSize,
	Models:  MetaSize + ModelSize,
	Trace:   EventSize,
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
	}
	return measureEngine(b)
}

// errHole is what a file of several ranks has where one of them was killed before it wrote
// its part. An event has at least a real time.
var errHole = errors.New("expected an event, found 24 zero bytes, as where a rank was killed before it wrote")

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

// engineMark returns the kind and the size of an engine's record; size 0 if it is none.
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
		return 0, 0, fmt.Errorf("expected flag 0 and size 104 (PE), 1 and 44 (KP), or 2 and 36 or 48 (LP), found flag %d and size %d",
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

// measureVTModel takes ids of PEs and KPs above 32 bits for damage: both are counted
// from 0.
func measureVTModel(b []byte) (Kind, int, error) {
	if flag := int32(word(b, 44)); flag != int32(FlagModel) {
		return 0, 0, fmt.Errorf("expected the flag and size of a PE, a KP or an LP, found %d and %d, or flag 3 (model) 44 bytes on, found %d",
			int32(word(b, 0)), int32(word(b, 4)), flag)
	}
	if kp, pe := long(b, 8), long(b, 16); kp > math.MaxUint32 || pe > math.MaxUint32 {
		return 0, 0, fmt.Errorf("expected a sample of a model, found KP %d of PE %d, more than there can be", kp, pe)
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

// measureMixed tells records of the engine from those of models at virtual times, which
// begin with an LP's id instead of flag and size. An id that looks like a flag and a
// size does not decide: the flag 44 bytes on is then a counter, and where a model's
// sample has KP and PE, an engine's has two times, which were smaller than any a clock
// shows. But both may be 0.
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

// looksMoreLikeModel tells what a record is that can be an engine's of size bytes as well
// as a model's of modelSize: by what follows it, and if that does not decide either, by the
// time of the model's sample. In an engine's record these bytes are two small integers,
// and as a time smaller than any.
func looksMoreLikeModel(b []byte, size, modelSize int) bool {
	engine, model := ends(b, size), ends(b, modelSize)
	if engine != model {
		return model
	}
	return long(b, 24)&(0x7FF<<52) != 0
}

// ends tells whether a record can end after n bytes of b: b ends too, or a record begins.
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
