// This file owns source: the files of a run; it reads what has come since it was last asked.

package network

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

// errNothing is wrapped by the error about a run that has no values for its links.
var errNothing = errors.New("nothing is recorded of the links")

// source is a run: its map, and what its links did so far.
type source struct {
	dir, prefix string
	m           *places.Map
	info        *instr.RunInfo
	links       []linkEnds
	values      []places.Value
	traced      bool // values are counts of events of the trace

	file   string // which is read
	offset int64  // up to which it has been read
	final  bool   // nothing more comes

	samples // if it is not traced
	trace   // if it is
	frames
}

// mostLinks is the most links of a picture. A page with them has some tens of megabytes.
const mostLinks = 1 << 18

// linkEnds are the nodes of a link, by their place in the map.
type linkEnds struct{ from, to int }

// open finds the run in a folder.
func open(dir string, intervals int) (*source, error) {
	s := &source{dir: dir}
	names, err := filepath.Glob(filepath.Join(escape(dir), "*"+places.Suffix))
	if err != nil {
		return nil, fmt.Errorf("ross: input: %s: %w: name a folder with files of a run", dir, err)
	}
	switch {
	case len(names) == 0:
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("ross: input: %w: name the folder of --stats-path", err)
		}
		return nil, fmt.Errorf("ross: input: %s: %w: the model does not say where its LPs are (package program/parts/places), "+
			"or the run collected nothing: run one that does, such as models/network, with --model-stats=3 or --event-trace=3",
			dir, fs.ErrNotExist)
	case len(names) > 1:
		return nil, fmt.Errorf("ross: input: %s: %d files end in %s: put each run into a folder of its own", dir, len(names),
			places.Suffix)
	}
	s.prefix = strings.TrimSuffix(names[0], places.Suffix)
	if s.m, err = places.Read(names[0]); err != nil {
		return nil, fmt.Errorf("ross: input: %w", err)
	}
	if s.info, err = instr.ReadRunInfo(dir); err != nil {
		return nil, fmt.Errorf("ross: input: %w: the picture needs it: restore it, or make the run again", err)
	}
	if len(s.m.Links) > mostLinks {
		return nil, fmt.Errorf("ross: input: %s: %d links: a picture has at most %d: run a smaller network", names[0],
			len(s.m.Links), mostLinks)
	}
	s.name()
	at := make(map[uint64]int, len(s.m.Nodes))
	for i := range s.m.Nodes {
		at[s.m.Nodes[i].LP] = i
	}
	for i := range s.m.Links {
		s.links = append(s.links, linkEnds{at[s.m.Links[i].From], at[s.m.Links[i].To]})
	}
	if err := s.choose(intervals); err != nil {
		return nil, err
	}
	return s, nil
}

// escape returns a pattern that matches nothing but a path.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// name gives nodes without a name their label, or their number.
func (s *source) name() {
	if !slices.ContainsFunc(s.m.Nodes, func(n places.Node) bool { return n.Name == "" }) {
		return
	}
	labels := cli.LabelsOf(s.prefix+"-"+instr.Trace.String()+".bin", nil)
	for i := range s.m.Nodes {
		n := &s.m.Nodes[i]
		if n.Name == "" {
			if n.Name = labels[n.LP]; n.Name == "" {
				n.Name = fmt.Sprintf("LP %d", n.LP)
			}
		}
	}
}

// choose chooses samples, or the trace, whichever the run has.
func (s *source) choose(intervals int) error {
	if len(s.m.Values) > 0 && s.find(instr.VTFile) {
		if err := s.fields(); err != nil || len(s.expected) > 0 {
			return err
		}
	}
	if s.find(instr.Trace) {
		return s.startTrace(intervals)
	}
	return fmt.Errorf("ross: input: %s: %w: run it with --model-stats=3 --vt-interval=T if its model records links, or with "+
		"--event-trace=3", s.dir, errNothing)
}

// find finds a file, which is there under its name or, while the run goes on, with the ending of those that are
// not complete.
func (s *source) find(c instr.Content) bool {
	name := s.prefix + "-" + c.String() + ".bin"
	for _, s.file = range []string{name, name + instr.PartSuffix} {
		if _, err := os.Stat(s.file); err == nil {
			return true
		}
	}
	return false
}

// read reads what has come, and reports whether something has. A file that is being written may end anywhere; one
// that is complete may not.
func (s *source) read() (more bool, err error) {
	if s.final {
		return false, nil
	}
	path, part := strings.CutSuffix(s.file, instr.PartSuffix)
	if part {
		// The name changes when the file is complete. It is asked for before the state of the run.
		if _, err := os.Stat(path); err == nil {
			s.file, part = path, false
		}
	}
	file, err := os.Open(s.file)
	if part && errors.Is(err, fs.ErrNotExist) { // it is complete since a moment ago
		s.file, part = path, false
		file, err = os.Open(s.file)
	}
	if err != nil {
		return false, fmt.Errorf("ross: input: %w: name a folder with files of a run", err)
	}
	defer file.Close()
	if _, err := file.Seek(s.offset, io.SeekStart); err != nil {
		return false, fmt.Errorf("ross: input: %w: name a regular file", err)
	}
	content := instr.VTFile
	if s.traced {
		content = instr.Trace
	}
	r := instr.NewReader(file, s.file, content)
	begin := s.offset
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			if part { // what is there is not whole yet
				break
			}
			return more, err
		}
		if part && rec.Kind == instr.KindEvent && blank(&rec.Event) {
			break // another rank has not written its part yet
		}
		s.offset, more = begin+rec.Offset, true
		switch {
		case rec.Kind == instr.KindVTModel:
			s.offset += int64(instr.VTModelSize + len(rec.VTModel.Payload))
			if err := s.sample(&rec.VTModel); err != nil {
				return more, err
			}
		case rec.Kind == instr.KindEvent:
			s.offset += int64(instr.EventSize + len(rec.Event.Payload))
			s.event(&rec.Event)
		}
	}
	if !part {
		s.final = true
		more = true
	}
	if info, err := instr.ReadRunInfo(s.dir); err == nil {
		s.info = info
	}
	if s.traced {
		s.countFrames()
	} else {
		s.makeFrames()
	}
	return more, nil
}

// state returns how the run stands, for people.
func (s *source) state() string {
	if s.final && s.info.State == instr.RunRunning {
		return "" // the files are complete, and run.json follows
	}
	return s.info.State
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
