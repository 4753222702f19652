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
		decodePE(&rec.PE, b)
	case KindKP:
		decodeKP(&rec.KP, b)
	case KindLP:
		decodeLP(&rec.LP, b)
	case KindModel:
		decodeModel(&rec.Model, b)
	case KindMemory:
		decodeMemory(&rec.Memory, b)
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

func decodePE(s *PEStats, b []byte) {
	_ = b[PESize-1]
	s.PE = word(b, 0)
	s.Processed = word(b, 4)
	s.Aborted = word(b, 8)
	s.RolledBack = word(b, 12)
	s.Rollbacks = word(b, 16)
	s.SecondaryRollbacks = word(b, 20)
	s.FossilCollects = word(b, 24)
	s.QueueSize = word(b, 28)
	s.NetworkSends = word(b, 32)
	s.NetworkReads = word(b, 36)
	s.GVTs = word(b, 40)
	s.EventTies = word(b, 44)
	s.AllReduces = word(b, 48)
	s.Efficiency = float(b, 52)
	s.NetRead = float(b, 56)
	s.NetOther = float(b, 60)
	s.GVT = float(b, 64)
	s.FossilCollect = float(b, 68)
	s.EventAbort = float(b, 72)
	s.EventProcess = float(b, 76)
	s.PQ = float(b, 80)
	s.Rollback = float(b, 84)
	s.CancelQ = float(b, 88)
	s.AVL = float(b, 92)
	s.Buddy = float(b, 96)
	s.LZ4 = float(b, 100)
}

func decodeKP(s *KPStats, b []byte) {
	_ = b[KPSize-1]
	s.PE = word(b, 0)
	s.KP = word(b, 4)
	s.Processed = word(b, 8)
	s.Aborted = word(b, 12)
	s.RolledBack = word(b, 16)
	s.Rollbacks = word(b, 20)
	s.SecondaryRollbacks = word(b, 24)
	s.NetworkSends = word(b, 28)
	s.NetworkReads = word(b, 32)
	s.TimeAheadGVT = float(b, 36)
	s.Efficiency = float(b, 40)
}

// decodeLP finds the efficiency from the end: in the longer record eight bytes that the
// original leaves unset precede it, and four bytes of padding follow.
func decodeLP(s *LPStats, b []byte) {
	_ = b[LPSize-1]
	s.PE = word(b, 0)
	s.KP = word(b, 4)
	s.LP = word(b, 8)
	s.Processed = word(b, 12)
	s.Aborted = word(b, 16)
	s.RolledBack = word(b, 20)
	s.NetworkSends = word(b, 24)
	s.NetworkReads = word(b, 28)
	at := 32
	if len(b) == LPSizeLong {
		at = 40
	}
	s.Efficiency = float(b, at)
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

func decodeMemory(s *MemoryStats, b []byte) {
	_ = b[MemorySize-1]
	s.PE = word(b, 0)
	s.Events = word(b, 4)
	s.Queue = long(b, 8)
	s.Undo = long(b, 16)
	s.Used = long(b, 24)
	s.Limit = long(b, 32)
}
