// This file owns what is written: standard output, or a file that has its name only
// when it is complete.

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/ross-go/ross/instr"
)

// Output is a file or standard output.
type Output struct {
	*bufio.Writer
	path string   // empty for standard output
	file *os.File // nil for standard output, and once closed
}

// Create starts the output that will be called path, which may exist; an empty path
// is standard output. Until Close a file has [instr.PartSuffix] after its name.
func Create(path string, stdout io.Writer) (*Output, error) {
	if path == "" {
		return &Output{Writer: bufio.NewWriterSize(stdout, 1<<16)}, nil
	}
	file, err := os.OpenFile(path+instr.PartSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, outputError(err, "another program writes it or was interrupted: remove it or choose another name")
	}
	if err != nil {
		return nil, outputError(err, "name a file in a folder that exists and can be written to")
	}
	return &Output{Writer: bufio.NewWriterSize(file, 1<<16), path: path, file: file}, nil
}

// Close writes what waits and gives the file its name.
func (o *Output) Close() error {
	err := o.Flush()
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
		o.file = nil
		if err == nil {
			err = os.Rename(o.path+instr.PartSuffix, o.path)
		}
		if err != nil {
			err = errors.Join(err, os.Remove(o.path+instr.PartSuffix))
		}
	}
	if err != nil {
		return outputError(err, "free space on the disk or choose another place")
	}
	return nil
}

// Abort gives a file up, unless it is closed.
func (o *Output) Abort() {
	if o.file != nil {
		o.file.Close()
		os.Remove(o.path + instr.PartSuffix)
		o.file = nil
	}
}

func outputError(err error, fix string) error { return fmt.Errorf("ross: output: %w: %s", err, fix) }
