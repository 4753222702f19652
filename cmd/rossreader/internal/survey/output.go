// This file owns the writing of a drawing: it has its name only when it is whole.

package survey

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ross-go/ross/instr"
)

// ErrIsInput is wrapped by the error of [Write] about an output that is one of the files
// it is made of.
var ErrIsInput = errors.New("is one of the files to read")

// Write makes the file called path, replacing an older one, of what draw writes; compressed
// if path ends in ".gz". Until draw has returned nil the file has [instr.PartSuffix] after its
// name; after an error it is removed. The file of a run is not replaced.
func (r *Run) Write(path string, draw func(io.Writer) error) (err error) {
	if out, err := os.Stat(path); err == nil {
		for _, file := range r.Files {
			if in, err := os.Stat(file.Path); err == nil && os.SameFile(in, out) {
				return fmt.Errorf("ross: output %s: %w: name another with -o", path, ErrIsInput)
			}
		}
	}
	part := path + instr.PartSuffix
	f, err := os.Create(part)
	if err != nil {
		return outputError(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	drawErr, outErr := write(f, strings.HasSuffix(path, ".gz"), draw)
	if err := errors.Join(outErr, f.Close()); err != nil {
		return outputError(err)
	}
	if drawErr != nil {
		return drawErr
	}
	if err := os.Rename(part, path); err != nil {
		return outputError(err)
	}
	return nil
}

// write keeps the errors apart: what the disk refused, the flushing returns again.
func write(f *os.File, compress bool, draw func(io.Writer) error) (drawErr, outErr error) {
	buf := bufio.NewWriterSize(f, 64<<10)
	if !compress {
		drawErr = draw(buf)
		return drawErr, buf.Flush()
	}
	z := gzip.NewWriter(buf)
	drawErr = draw(z)
	return drawErr, errors.Join(z.Close(), buf.Flush())
}

func outputError(err error) error {
	return fmt.Errorf("ross: output: %w: name a file in a folder that can be written to", err)
}
