// This file owns what a checkpoint says of the runs that stored it.

package rio

import (
	"slices"
	"time"
)

// Type is a type of LP: its name, and what tells whether its states and messages are still
// laid out as they were.
type Type struct {
	Name, State, Message   string // State and Message: layouts, or hashes of them
	StateSize, MessageSize uint64 // bytes
	Serialized             bool   // the model turns states into bytes itself
}

// MaxModel is how many bytes Info.Model may have, as in ROSS (io_register_model_version).
const MaxModel = 40

// Info is what a checkpoint says of the run. If several were stored in it with Options.Append, LPs
// is their sum, Digests says whether all kept them, and the rest is that of the last.
type Info struct {
	Engine, Model string // versions; Model is what the model registered, at most MaxModel bytes
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

// manifest is what .rio-md holds.
type manifest struct {
	id       id
	created  time.Time
	streams  uint32
	settings string
	types    []Type
	jobs     []Job // at least one
	files    []dataFile
	entries  []Entry
}

// dataFile is a data file as the manifest lists it.
type dataFile struct {
	id   id // in its header: that of the checkpoint it was first part of
	size uint64
}

func (m *manifest) lps() uint64 {
	last := m.jobs[len(m.jobs)-1]
	return last.FirstGID + last.LPs
}

// events returns how many events all partitions have.
func (m *manifest) events() uint64 {
	var n uint64
	for i := range m.entries {
		n += m.entries[i].Events
	}
	return n
}

// info returns what the manifest says of the whole.
func (m *manifest) info() *Info {
	last := m.jobs[len(m.jobs)-1]
	without := func(j Job) bool { return !j.Digests }
	return &Info{
		Engine: last.Engine, Model: last.Model, Created: m.created, Clock: last.Clock, End: last.End,
		LPs: m.lps(), Streams: m.streams, Digests: !slices.ContainsFunc(m.jobs, without),
		Types: slices.Clone(m.types), Settings: m.settings,
	}
}
