// This file owns Record, which readers of all files return.

package instr

// Kind is the kind of a record.
type Kind uint8

// Kinds of records.
const (
	KindPE      Kind = iota // Meta, PE
	KindKP                  // Meta, KP
	KindLP                  // Meta, LP
	KindModel               // Meta, Model
	KindVTModel             // VTModel
	KindEvent               // Event
	KindMemory              // Meta, Memory
)

// String returns the name of the kind: pe, kp, lp, model, vt-model, event, memory.
func (k Kind) String() string {
	names := [...]string{"pe", "kp", "lp", "model", "vt-model", "event", "memory"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Record is a record of any kind. Kind determines which of its parts are set; the others may
// hold anything.
type Record struct {
	Kind    Kind
	Offset  int64 // in the file, bytes; of its metadata, if it has any
	Meta    Meta
	PE      PEStats
	KP      KPStats
	LP      LPStats
	Model   ModelStats
	VTModel VTModel
	Event   Event
	Memory  MemoryStats
}

// Content is what a file holds. The name of a file shows it; the bytes do not always.
type Content uint8

// Contents of files.
const (
	Unknown  Content = iota
	GVTFile          // samples of the engine by GVT: PE, KP, LP
	RTFile           // by real time
	VTFile           // samples at virtual times, of models, of the engine, or of both: PE, KP, LP, VTModel
	Models           // samples of models by GVT and by real time
	Trace            // events
	VTEngine         // samples of the engine at virtual times, next to a VTFile with those of models: PE, KP, LP
	Memory           // samples of memory, next to an RTFile with PEs: Memory
)

// Suffixes of the names of files, before ".bin"; see [FileName] and TraceSuffix.
const (
	GVTSuffix   = "gvt"
	RTSuffix    = "rt"
	VTSuffix    = "analysis-lps"
	ModelSuffix = "model"
	// VTEngineSuffix is that of a VTEngine file.
	VTEngineSuffix = "vt"
	// MemorySuffix is that of a Memory file.
	MemorySuffix = "memory"
)
