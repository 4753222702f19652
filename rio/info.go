// This file owns what a checkpoint says of the run that stored it.

package rio

import "time"

// Type is a type of LP: its name, and what tells whether its states and messages are still
// laid out as they were.
type Type struct {
	Name, State, Message   string // State and Message: layouts, or hashes of them
	StateSize, MessageSize uint64 // bytes
	Serialized             bool   // the model turns states into bytes itself
}

// Info is what a checkpoint says of the run.
type Info struct {
	Engine, Model string // versions; Model is what the model registered, at most 40 bytes
	Created       time.Time
	Clock         float64 // virtual time of the checkpoint: all events before it have happened, unless the run was conservative
	End           float64 // of the run that stored it
	LPs           uint64
	Streams       uint32 // of each LP
	Digests       bool   // LP digests were kept
	Types         []Type
	Settings      string // the options of the run, for the .txt
}

// Job is one of the runs that a checkpoint comes from: more than one if they were
// stored with Options.Append.
type Job struct {
	FirstGID, LPs uint64 // its LPs have the gids FirstGID to FirstGID+LPs-1
	Clock, End    float64
	Engine, Model string
	Parts         uint64
	Digests       bool
}
