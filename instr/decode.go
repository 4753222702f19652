// This file decodes the bytes of a record into its fields.

package instr

// decode sets the parts of rec that belong to its kind. b is the record.
func decode(rec *Record, b []byte) {
	switch rec.Kind {
	case KindEvent:
		decodeEvent(&rec.Event, b)
		return
	case KindVTModel:
		decodeVTModel(&rec.VTModel, b)
		return
	}
	rec.Meta = Meta{
		Flag:     Flag(word(b, 0)),
		Size:     int32(word(b, 4)),
		TS:       double(b, 8),
		RealTime: double(b, 16),
	}
	b = b[MetaSize:]
	switch rec.Kind {
	case KindPE:
		peRecord.Read(&rec.PE, b)
	case KindKP:
		kpRecord.Read(&rec.KP, b)
	case KindLP:
		decodeLP(&rec.LP, b)
	case KindModel:
		decodeModel(&rec.Model, b)
	case KindMemory:
		memoryRecord.Read(&rec.Memory, b)
	}
}

func decodeEvent(e *Event, b []byte) {
	_ = b[EventSize-1]
	e.Src = word(b, 0)
	e.Dest = word(b, 4)
	e.SendTS = float(b, 8)
	e.RecvTS = float(b, 12)
	e.RealTS = float(b, 16)
	e.Payload = payload(b, EventSize)
}

// payload returns what follows the first n bytes of a record, nil if nothing does.
func payload(b []byte, n int) []byte {
	if len(b) == n {
		return nil
	}
	return b[n:len(b):len(b)]
}

// decodeLP finds the efficiency from the end: in the longer record eight bytes that the
// original leaves unset precede it, and four bytes of padding follow.
func decodeLP(s *LPStats, b []byte) {
	lpRecord.Read(s, b)
	if len(b) == LPSizeLong {
		s.Efficiency = float(b, 40)
	}
}

func decodeModel(s *ModelStats, b []byte) {
	_ = b[ModelSize-1]
	s.PE = word(b, 0)
	s.KP = word(b, 4)
	s.LP = word(b, 8)
	s.GVT = float(b, 12)
	s.Mode = int32(word(b, 16))
	s.Payload = payload(b, ModelSize)
}

func decodeVTModel(s *VTModel, b []byte) {
	_ = b[VTModelSize-1]
	s.LP = long(b, 0)
	s.KP = long(b, 8)
	s.PE = long(b, 16)
	s.TS = double(b, 24)
	s.RealTime = double(b, 32)
	s.Payload = payload(b, VTModelSize)
}
