// This file owns info: its options, and the text about a checkpoint.

package checkpoint

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

const aboutInfo = `Prints what the manifest of each checkpoint says: versions of engine and model, when it was stored,
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
			line("job", "%d: %d LPs from gid %d on, %d partitions, virtual time %s, end %s, ross %s, model %s", i, j.LPs, j.FirstGID,
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
