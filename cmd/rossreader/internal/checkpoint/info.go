// This file owns info: its options, the data about a checkpoint, and their text.

package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/rio"
)

const aboutInfo = `Prints what the manifest of each checkpoint states: versions of engine and model, when it was stored,
its virtual time, the end of that run, LPs and their types, the runs stored in it, partitions,
events, compression; and which files there are. It does not read data: see verify. The exit status
is 1 if a checkpoint cannot be opened.

Checkpoints of ROSS itself only show LPs, partitions and events. Files that end in .new or .tmp
belong to a checkpoint whose storing was interrupted; storing the next one of this name completes
or removes them.`

func infoCommand() *cobra.Command {
	f := cli.NoFlags("info", "NAME...", "print what the manifest states about the run", aboutInfo)
	asJSON := f.Bool("json", false, "print a JSON array with an object for each checkpoint")
	return f.Command(func(names []string, stdout, _ io.Writer) error {
		if len(names) == 0 {
			return cli.Usagef("no checkpoint: name at least one")
		}
		of := func(name string) *Summary { return summarise(nameOf(name)) }
		return cli.Summarise(names, *asJSON, stdout, of, (*Summary).print, func(s *Summary) bool { return s.Error == "" })
	})
}

func (s *Summary) print(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-14s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(w, s.Name)
	if s.Error != "" {
		line("not readable", "%s", s.Error)
	} else {
		s.printRun(line)
		s.printContents(line)
	}
	for _, f := range s.Files {
		line("file", "%s, %d bytes", f.Name, f.Bytes)
	}
}

type liner func(name, format string, args ...any)

func (s *Summary) printRun(line liner) {
	if s.Original {
		line("stored by", "the original ROSS, whose files say no more about the run")
		return
	}
	line("stored by", "ross %s", orNone(s.Engine))
	line("model", "%s", orNone(s.Model))
	line("created", "%s", s.Created.Format(time.RFC3339))
	line("virtual time", "%s", cli.FormatFloat(*s.Clock, 64))
	line("end of the run", "%s", endText(s.End))
}

func (s *Summary) printContents(line liner) {
	digests := ""
	if s.Digests {
		digests = ", digests"
	}
	line("LPs", "%d, each with %d streams%s", s.LPs, s.Streams, digests)
	for i, t := range s.Types {
		line("type", "%d, %s: %s, messages of %d bytes", i, t.Name, t.states(), t.MessageBytes)
	}
	for i, j := range s.Jobs {
		if len(s.Jobs) > 1 {
			line("job", "%d: %d LPs from gid %d on, %d partitions, virtual time %s, end %s, ross %s, model %s", i, j.LPs,
				j.FirstGID,
				j.Partitions, cli.FormatFloat(j.Clock, 64), endText(j.End), orNone(j.Engine), orNone(j.Model))
		}
	}
	line("partitions", "%d in %d data files", s.Partitions, s.DataFiles)
	line("events", "%d", s.Events)
	if s.Compressed == 0 {
		line("data", "%d bytes, not compressed", s.Bytes)
	} else {
		line("data", "%d bytes, %.2f times as many without compression (of %d partitions)", s.Bytes, s.Ratio, s.Compressed)
	}
}

func (t *typeSummary) states() string {
	if t.Serialized {
		return "states in the model's own form"
	}
	return fmt.Sprintf("states of %d bytes", t.StateBytes)
}

func endText(end *float64) string {
	if end == nil {
		return "none"
	}
	return cli.FormatFloat(*end, 64)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Summary is the description of a checkpoint, the object of --json. What the original's files
// do not contain is missing or zero.
type Summary struct {
	Name       string        `json:"name"`
	Error      string        `json:"error,omitempty"`
	Original   bool          `json:"original"` // stored by ROSS itself
	Engine     string        `json:"engine,omitempty"`
	Model      string        `json:"model,omitempty"`
	Created    *time.Time    `json:"created,omitempty"`
	Clock      *float64      `json:"virtual_time,omitempty"`
	End        *float64      `json:"end,omitempty"` // none if the run had no end
	LPs        uint64        `json:"lps"`
	Streams    uint32        `json:"streams"` // of each LP
	Digests    bool          `json:"digests"`
	Types      []typeSummary `json:"types,omitempty"`
	Jobs       []jobSummary  `json:"jobs,omitempty"`
	Partitions int           `json:"partitions"`
	Events     uint64        `json:"events"`
	DataFiles  int           `json:"data_files"`
	Compressed int           `json:"compressed_partitions"`
	Bytes      uint64        `json:"data_bytes"`     // of partitions in the files
	RawBytes   uint64        `json:"raw_data_bytes"` // of partitions when decompressed
	Ratio      float64       `json:"compression"`    // RawBytes over Bytes, at least 1
	Files      []fileSummary `json:"files"`
}

type typeSummary struct {
	Name         string `json:"name"`
	State        string `json:"state"` // layouts, or hashes of them
	Message      string `json:"message"`
	StateBytes   uint64 `json:"state_bytes"`
	MessageBytes uint64 `json:"message_bytes"`
	Serialized   bool   `json:"serialized"` // in the model's own form
}

type jobSummary struct {
	FirstGID   uint64   `json:"first_gid"`
	LPs        uint64   `json:"lps"`
	Partitions uint64   `json:"partitions"`
	Clock      float64  `json:"virtual_time"`
	End        *float64 `json:"end,omitempty"`
	Engine     string   `json:"engine"`
	Model      string   `json:"model"`
	Digests    bool     `json:"digests"`
}

type fileSummary struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

func summarise(name string) *Summary {
	s := &Summary{Name: name, Files: filesOf(name)}
	c, err := rio.Open(name)
	if err != nil {
		s.Error = oneLine(err)
		return s
	}
	defer c.Close()
	info := c.Info()
	s.LPs, s.Streams, s.Original = info.LPs, info.Streams, c.Original()
	if !s.Original {
		s.Engine, s.Model, s.Created, s.Clock, s.End = info.Engine, info.Model, &info.Created, &info.Clock, finite(info.End)
		s.Digests = info.Digests
		s.addJobs(c.Jobs())
	}
	for _, t := range info.Types {
		s.Types = append(s.Types, typeSummary{t.Name, t.State, t.Message, t.StateSize, t.MessageSize, t.Serialized})
	}
	s.addEntries(c.Entries())
	return s
}

func (s *Summary) addJobs(jobs []rio.Job) {
	for _, j := range jobs {
		s.Jobs = append(s.Jobs, jobSummary{j.FirstGID, j.LPs, j.Parts, j.Clock, finite(j.End), j.Engine, j.Model, j.Digests})
	}
}

func (s *Summary) addEntries(entries []rio.Entry) {
	s.Partitions = len(entries)
	files := map[uint32]bool{}
	for i := range entries {
		e := &entries[i]
		files[e.File] = true
		s.Events += e.Events
		s.Bytes += e.Size
		s.RawBytes += e.Raw
		if e.Compressed {
			s.Compressed++
		}
	}
	s.Ratio = 1
	if s.Bytes > 0 {
		s.Ratio = float64(s.RawBytes) / float64(s.Bytes)
	}
	s.DataFiles = len(files)
}

// finite returns nil for an infinite time, which JSON does not have.
func finite(t float64) *float64 {
	if math.IsInf(t, 0) {
		return nil
	}
	return &t
}

// filesOf returns the files of a checkpoint in its folder, including those left by a crash.
func filesOf(name string) []fileSummary {
	dir, base := filepath.Dir(name), filepath.Base(name)
	found, _ := os.ReadDir(dir) // opening the checkpoint reports that nothing can be read
	files := []fileSummary{}
	for _, f := range found {
		if !strings.HasPrefix(f.Name(), base+".rio-") && f.Name() != base+".txt" {
			continue
		}
		info, err := f.Info()
		if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		size := int64(-1)
		if err == nil {
			size = info.Size()
		}
		files = append(files, fileSummary{filepath.Join(dir, f.Name()), size})
	}
	// Shorter names first, so that data file 2 comes before 10.
	slices.SortStableFunc(files, func(a, b fileSummary) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return files
}
