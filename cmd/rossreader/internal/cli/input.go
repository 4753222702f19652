// This file owns the inputs: files, the files of a folder, standard input, and the labels of LPs next to a file.

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/labels"
)

// Stdin is what "-" stands for.
var Stdin io.Reader = os.Stdin

// Contents are the names of contents, as --content takes them.
var Contents = map[string]instr.Content{
	"gvt": instr.GVTFile, "rt": instr.RTFile, "analysis": instr.VTFile, "model": instr.Models, "trace": instr.Trace,
	"vt":     instr.VTEngine,
	"memory": instr.Memory,
}

// ContentName returns the name of a content.
func ContentName(c instr.Content) string {
	for name, content := range Contents {
		if content == c {
			return name
		}
	}
	return "unknown"
}

type contentFlag struct{ content instr.Content }

func (c *contentFlag) String() string {
	if c.content == instr.Unknown {
		return ""
	}
	return ContentName(c.content)
}

func (c *contentFlag) Type() string { return "CONTENT" }

func (c *contentFlag) Set(name string) error {
	content, ok := Contents[name]
	if !ok {
		return fmt.Errorf("must be gvt, rt, vt, analysis, model, trace or memory")
	}
	c.content = content
	return nil
}

// Input is a file to read.
type Input struct {
	Name    string // its path, or "stdin"
	Stdin   bool
	content instr.Content // as given by --content
	damage  func(error)   // called if the file is damaged and the damage counts as its end
}

// Inputs returns the named files; a folder stands for the files of a run in it.
func (f *Flags) Inputs(names []string) ([]Input, error) {
	if len(names) == 0 {
		return nil, Usagef("no file: name files of a run, its folder, or - for standard input")
	}
	var inputs []Input
	for _, name := range names {
		if name == "-" {
			if f.content.content == instr.Unknown {
				return nil,
					Usagef("the content of standard input is unknown: give --content=gvt, rt, vt, analysis, model, trace or memory")
			}
			inputs = append(inputs, Input{Name: "stdin", Stdin: true, content: f.content.content})
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, inputError(err, "name a file or folder that exists and can be read")
		}
		files := []string{name}
		if info.IsDir() {
			if files, err = filesOf(name); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			inputs = append(inputs, Input{Name: file, content: f.content.content})
		}
	}
	for i := range inputs {
		if f.partial {
			inputs[i].damage = f.damage
		}
	}
	return inputs, nil
}

// ErrNoFiles is wrapped by the error about a folder without files of a run.
var ErrNoFiles = errors.New("no instrumentation files in this folder")

// filesOf returns the files in a folder that have names of a run's output, in order. This
// includes incomplete files, unless there is one with the final name.
func filesOf(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, inputError(err, "name a folder that can be read")
	}
	for _, e := range entries {
		if !e.IsDir() && instr.ContentOf(e.Name()) != instr.Unknown {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		if _, err := instr.ReadRunInfo(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("ross: input: %w; %w: restore it, or make the run again", err, ErrNoFiles)
		}
		return nil, fmt.Errorf("ross: input: %s: %w: name the folder of --stats-path of a run with --engine-stats, "+
			"--model-stats or --event-trace", dir, ErrNoFiles)
	}
	slices.Sort(files)
	complete := files
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		final, part := strings.CutSuffix(file, instr.PartSuffix)
		return part && slices.Contains(complete, final)
	}), nil
}

// One returns the one file that is named.
func (f *Flags) One(names []string) (Input, error) {
	inputs, err := f.Inputs(names)
	if err == nil && len(inputs) != 1 {
		err = Usagef("%d files: this subcommand reads one", len(inputs))
	}
	if err != nil {
		return Input{}, err
	}
	return inputs[0], nil
}

// Reader reads the records of an input.
type Reader struct {
	*instr.Reader
	file   io.Closer
	damage func(error)
}

// Next is [instr.Reader.Next]. With --partial it returns io.EOF where the file is damaged.
func (r *Reader) Next() (*instr.Record, error) {
	record, err := r.Reader.Next()
	if err != nil && err != io.EOF && r.damage != nil {
		r.damage(err)
		return nil, io.EOF
	}
	return record, err
}

// Open starts to read. A file can be opened again.
func (in Input) Open() (*Reader, error) {
	switch {
	case in.Stdin:
		return &Reader{Reader: instr.NewReader(Stdin, in.Name, in.content), damage: in.damage}, nil
	case in.content == instr.Unknown:
		r, err := instr.Open(in.Name)
		if err != nil {
			return nil, err
		}
		return &Reader{Reader: r, damage: in.damage}, nil
	}
	file, err := os.Open(in.Name)
	if err != nil {
		return nil, inputError(err, "name a file that can be read")
	}
	return &Reader{instr.NewReader(file, in.Name, in.content), file, in.damage}, nil
}

// Close ends the reading.
func (r *Reader) Close() error {
	err := r.Reader.Close()
	if r.file != nil {
		err = r.file.Close()
	}
	return err
}

// Each calls body for each record of the input. A record is valid until body returns.
func (in Input) Each(body func(*instr.Record) error) error {
	r, err := in.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		record, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = body(record)
		}
		if err != nil {
			return err
		}
	}
}

// LabelsOf returns what the model calls those LPs that wanted chooses (nil chooses all), according
// to the file of labels next to a file of the same run. It returns none if there is no such file, or if
// it is damaged.
func LabelsOf(path string, wanted func(id uint64) bool) labels.Labels {
	content := instr.ContentOf(path)
	if content == instr.Unknown {
		return nil
	}
	name := strings.TrimSuffix(filepath.Base(path), instr.PartSuffix)
	prefix, ok := strings.CutSuffix(name, "-"+content.String()+".bin")
	if !ok {
		return nil
	}
	return labels.Read(filepath.Join(filepath.Dir(path), prefix+instr.LabelsSuffix), wanted)
}

// inputError returns an error about a file that is read, with what to do about it.
func inputError(err error, fix string) error {
	return fmt.Errorf("ross: input: %w: %s", err, atomicfile.Remedy(err, fix))
}
