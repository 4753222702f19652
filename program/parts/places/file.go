// This file owns the file with a map: its name, and how it is written and read.

package places

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Suffix ends the name of the file with a map, after the prefix of the files of a run.
const Suffix = "-places.json"

// Wanted reports whether Write has anything to do, so that a model need not make a map of a large network for nothing.
// Call it after Simulation.Define.
func Wanted(sim *ross.Simulation) bool {
	c := sim.Config().Instruments
	return sim.StatsDir() != "" && !c.Discard && (c.Model&ross.SampleByVirtualTime != 0 || c.Trace != 0)
}

// Write writes a map next to the files of a run. Call it after Simulation.Define, on all ranks: the first one writes.
// It does nothing in a run that collects nothing which could be drawn: neither samples at virtual times
// (--model-stats=3) nor a trace (--event-trace). The file is there whole or not at all. An error says what is wrong
// with the map ([ErrMap], and [ross.ErrModel]), or why the file cannot be written.
func Write(sim *ross.Simulation, m *Map) error {
	if !Wanted(sim) {
		return nil
	}
	if err := m.Check(); err != nil { // which all ranks find
		return fmt.Errorf("%w: %w", err, ross.ErrModel)
	}
	if sim.Rank() != 0 {
		return nil
	}
	path := filepath.Join(sim.StatsDir(), cmp.Or(sim.Config().Instruments.Prefix, instr.DefaultPrefix)+Suffix)
	if err := atomicfile.Write(path, m.encode); err != nil {
		return fmt.Errorf("places: %w: %s (--stats-path)", err,
			atomicfile.Remedy(err, "make room, or name another folder"))
	}
	return nil
}

// encode writes a map with a line for each node and link, which people can read and compare.
func (m *Map) encode(to io.Writer) error {
	w := bufio.NewWriter(to)
	head := *m
	head.Version, head.Nodes, head.Links = Version, nil, nil
	text, err := json.Marshal(struct {
		Map
		Nodes *int `json:"nodes,omitempty"` // left out
		Links *int `json:"links,omitempty"`
	}{Map: head})
	if err != nil {
		return err
	}
	_, _ = w.Write(text[:len(text)-1]) // without the brace; w keeps errors
	_, _ = w.WriteString(",\n\"nodes\":[")
	if err := lines(w, m.Nodes); err != nil {
		return err
	}
	_, _ = w.WriteString("],\n\"links\":[")
	if err := lines(w, m.Links); err != nil {
		return err
	}
	_, _ = w.WriteString("]}\n")
	return w.Flush()
}

func lines[T any](w *bufio.Writer, all []T) error {
	for i := range all {
		text, err := json.Marshal(&all[i])
		if err != nil {
			return err
		}
		if i > 0 {
			_ = w.WriteByte(',')
		}
		_ = w.WriteByte('\n')
		_, _ = w.Write(text)
	}
	return nil
}

// Read reads the map of a file. The error names the file; it wraps fs.ErrNotExist if there is none, and [ErrMap] if it
// is no map, or one that cannot be drawn.
func Read(path string) (*Map, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &Map{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w: %w: restore the file, or make the run again", path, ErrMap, err)
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
