// This file owns the outputs of a dump: their number, names and completion.

package dump

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// outputs are the outputs of a dump. An output is begun at its first record, or by start.
type outputs struct {
	opts    *options
	in      cli.Input
	stdout  io.Writer
	name    string                // of the one output, empty for standard output
	prefix  string                // of several
	several bool                  // one for each kind
	kinds   []instr.Kind          // there may be
	byKind  [cli.NumKinds]*output // of one output of JSON, all the same
	all     []*output
}

type output struct {
	sink    sink
	file    *cli.Output
	name    string
	records uint64
	batch   *batch // being filled
}

// newOutputs decides how many outputs there are and what they are called.
func newOutputs(o *options, in cli.Input, content instr.Content, stdout io.Writer) (*outputs, error) {
	to := o.out
	if cli.IsStdout(to, stdout) {
		to = ""
	}
	outs := &outputs{opts: o, in: in, stdout: stdout, name: to}
	var kinds []instr.Kind
	for _, kind := range cli.KindsOf(content) {
		if o.kinds.Contains(kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return nil, cli.Usagef("--kind=%s: %s holds no such records, only those of %s", &o.kinds, in.Name, cli.ContentName(content))
	}
	if !o.pes.All() && content == instr.Trace {
		return nil, cli.Usagef("--pe=%s: events do not have a PE: choose with --lp", &o.pes)
	}
	outs.kinds = kinds
	isFolder, isFile := strings.HasSuffix(to, string(filepath.Separator)), true
	if info, err := os.Stat(to); err == nil {
		isFolder, isFile = info.IsDir(), info.Mode().IsRegular()
	}
	base := filepath.Join(to, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(in.Name), instr.PartSuffix), ".bin"))
	switch outs.several = len(kinds) > 1 && o.format != "jsonl"; {
	case outs.several && (to == "" || !isFolder && !isFile):
		return nil, cli.Usagef("%s may hold records of several kinds, and each kind needs a separate output: "+
			"choose one with --kind, name a folder or a prefix with -o, or use --format=jsonl", in.Name)
	case isFolder:
		if err := os.MkdirAll(to, 0o755); err != nil {
			return nil, fmt.Errorf("ross: output: %w: name a folder that can be made", err)
		}
		outs.prefix = base
		outs.name = base + "." + o.format
	case outs.several:
		outs.prefix = strings.TrimSuffix(to, "."+o.format)
	}
	return outs, nil
}

// of returns the output for a kind.
func (outs *outputs) of(kind instr.Kind) (*output, error) {
	if out := outs.byKind[kind]; out != nil {
		return out, nil
	}
	out := &output{name: outs.name}
	if outs.several {
		out.name = fmt.Sprintf("%s-%s.%s", outs.prefix, kind, outs.opts.format)
	}
	var err error
	if out.file, err = cli.Create(out.name, outs.stdout, outs.in); err != nil {
		return nil, err
	}
	outs.all = append(outs.all, out)
	switch outs.opts.format {
	case "csv":
		out.sink, err = newCSV(out.file, kind, outs.opts.formOf(kind), outs.opts.labelsOf(kind))
	case "jsonl":
		out.sink = newJSON(out.file, outs.opts.formOf, outs.opts.labelsOf)
		for kind := range outs.byKind {
			outs.byKind[kind] = out
		}
	case "parquet":
		out.sink = newParquet(out.file, kind, outs.opts.formOf(kind))
	}
	outs.byKind[kind] = out
	return out, err
}

// start begins the only output, so that it exists even without records.
func (outs *outputs) start() error {
	if outs.several {
		return nil
	}
	_, err := outs.of(outs.kinds[0])
	return err
}

// finish completes all outputs and prints their names.
func (outs *outputs) finish() error {
	for _, out := range outs.all {
		if s, ok := out.sink.(*parquetSink); ok {
			if err := s.finish(); err != nil {
				return fmt.Errorf("ross: output: %s: %w: free space on the disk or choose another place", out.name, err)
			}
		}
		if err := out.file.Close(); err != nil {
			return err
		}
		if out.name != "" {
			fmt.Fprintf(outs.stdout, "%s: %d records\n", out.name, out.records)
		}
	}
	return nil
}

// abort removes incomplete outputs.
func (outs *outputs) abort() {
	for _, out := range outs.all {
		out.file.Abort()
	}
}
