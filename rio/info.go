// This file owns the data of a checkpoint about the runs that stored it.

package rio

import (
	"slices"
	"strings"
	"time"
)

// Type is a type of LP: its name, and the layouts of its states and messages, to detect changes. If
// LPs of a type T receive several messages, Type has the first, and each other one has a row of its
// own behind those of the LPs, without a state and with the name "message M of T".
type Type struct {
	Name, State, Message   string // State and Message: layouts, or hashes of them
	StateSize, MessageSize uint64 // bytes
	Serialized             bool   // the model turns states into bytes itself
}

// MaxModel is the maximum length in bytes of Info.Model, as in ROSS (io_register_model_version).
const MaxModel = 40

// Info describes the run that stored a checkpoint. If several runs were stored in it with
// Options.Append, LPs is their sum, Digests says whether all of them kept digests, and the rest
// describes the last.
type Info struct {
	Engine, Model string // versions; Model is what the model registered, at most MaxModel bytes
	Created       time.Time
	Clock         float64 // virtual time of the checkpoint: all events before it were handled, unless the run was conservative
	End           float64 // of the run that stored it
	LPs           uint64
	Streams       uint32 // of each LP
	Digests       bool   // LP digests were kept
	Types         []Type
	Settings      string // the options of the run, for the .txt
}

// Job is one of the runs stored in a checkpoint. There are several if they were stored with
// Options.Append.
type Job struct {
	FirstGID, LPs uint64 // its LPs have the gids FirstGID to FirstGID+LPs-1
	Clock, End    float64
	Engine, Model string
	Parts         uint64
	Digests       bool
}

// manifest is the content of .rio-md.
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

// receives reports whether LPs of the type in row lp receive events of row event.
func (m *manifest) receives(lp, event uint32) bool {
	name := m.types[event].Name
	return lp == event || strings.HasPrefix(name, "message ") && strings.HasSuffix(name, " of "+m.types[lp].Name)
}

// dataFile is a data file as the manifest lists it.
type dataFile struct {
	id   id // in its header: that of the checkpoint of which it was first a part
	size uint64
}

func (m *manifest) lps() uint64 {
	last := m.jobs[len(m.jobs)-1]
	return last.FirstGID + last.LPs
}

// events returns the number of events in all partitions.
func (m *manifest) events() uint64 {
	var n uint64
	for i := range m.entries {
		n += m.entries[i].Events
	}
	return n
}

// info returns the manifest's description of the whole checkpoint.
func (m *manifest) info() *Info {
	last := m.jobs[len(m.jobs)-1]
	without := func(j Job) bool { return !j.Digests }
	return &Info{
		Engine: last.Engine, Model: last.Model, Created: m.created, Clock: last.Clock, End: last.End,
		LPs: m.lps(), Streams: m.streams, Digests: !slices.ContainsFunc(m.jobs, without),
		Types: slices.Clone(m.types), Settings: m.settings,
	}
}
