// This file owns the subcommand: its options, and the division of a file.

// Package split divides a file with samples of the engine and of models at virtual times into one
// of each.
package split

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

const about = `Divides a file of samples at virtual times that holds those of the engine and those of models, as
runs of ROSS write it with --engine-stats=4 and --model-stats=4 (or 3), into two files that other
readers of ROSS's files can read: PREFIX-vt.bin with the samples of PEs, KPs and LPs, which has the
form of gvt and rt files, and PREFIX-analysis-lps.bin with the samples of models. PREFIX is that of
FILE. The records and their order do not change. FILE stays as it is.`

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("split", "FILE -o FOLDER", "divide a file that mixes samples of the engine and of models", about)
	folder := f.StringP("output", "o", "", "`FOLDER` of the two files; it is made if it does not exist")
	f.AllowPartial()
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		in, err := f.One(names)
		switch {
		case err != nil:
			return err
		case in.Stdin:
			return cli.Usagef("standard input cannot be read twice: name a file")
		case *folder == "":
			return cli.Usagef("no folder: name one with -o")
		}
		return split(in, *folder, stdout)
	})
}

// part is one of the two files.
type part struct {
	name    string
	out     *cli.Output // nil before its first record
	records uint64
}

// split divides a file. Outputs get their names when both are complete.
func split(in cli.Input, folder string, stdout io.Writer) error {
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	file, err := os.Open(in.Name) // for the bytes of the records, which a reader does not keep
	if err != nil {
		return fmt.Errorf("ross: input: %w: %s", err, atomicfile.Remedy(err, "name a file that can be read"))
	}
	defer file.Close()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("ross: output: %w: %s", err, atomicfile.Remedy(err, "name a folder that can be made"))
	}
	base := filepath.Join(folder, prefixOf(in.Name))
	engine, models := &part{name: base + instr.VTEngineSuffix + ".bin"}, &part{name: base + instr.VTSuffix + ".bin"}
	defer engine.abort()
	defer models.abort()
	bytes := bufio.NewReaderSize(file, 256<<10)
	for {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		to := engine
		switch record.Kind {
		case instr.KindVTModel:
			to = models
		case instr.KindModel, instr.KindEvent, instr.KindMemory:
			return fmt.Errorf("ross: split: %s: holds %s, and no samples at virtual times: name a file called *-%s.bin", in.Name,
				contentText(record.Kind), instr.VTSuffix)
		}
		if err := to.copy(bytes, r.Offset()-record.Offset, in, stdout); err != nil {
			return err
		}
	}
	for _, p := range []*part{engine, models} {
		if err := p.finish(stdout); err != nil {
			return err
		}
	}
	if engine.records+models.records == 0 {
		return fmt.Errorf("ross: split: %s: no records: name a file with samples at virtual times", in.Name)
	}
	return nil
}

// contentText names what a file with records of a kind holds.
func contentText(kind instr.Kind) string {
	switch kind {
	case instr.KindEvent:
		return "an event trace"
	case instr.KindMemory:
		return "samples of memory"
	}
	return "samples of models by GVT or real time"
}

// prefixOf returns what precedes the suffix in the name of a file.
func prefixOf(path string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), instr.PartSuffix), ".bin")
	name = strings.TrimSuffix(name, instr.VTSuffix)
	if name == "" || strings.HasSuffix(name, "-") {
		return name
	}
	return name + "-"
}

// copy copies the next record, of n bytes.
func (p *part) copy(from io.Reader, n int64, in cli.Input, stdout io.Writer) error {
	if p.out == nil {
		var err error
		if p.out, err = cli.Create(p.name, stdout, in); err != nil {
			return err
		}
	}
	p.records++
	if _, err := io.CopyN(p.out, from, n); err != nil {
		return fmt.Errorf("ross: split: %s: %w: free space on the disk, or read again if the input has changed", p.name, err)
	}
	return nil
}

// finish completes the file and reports it.
func (p *part) finish(stdout io.Writer) error {
	if p.out == nil {
		return nil
	}
	err := p.out.Close()
	p.out = nil
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%s: %d records\n", p.name, p.records)
	}
	return err
}

// abort removes the file if it is not complete.
func (p *part) abort() {
	if p.out != nil {
		p.out.Abort()
	}
}
