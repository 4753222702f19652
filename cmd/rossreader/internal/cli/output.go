// This file owns the outputs: standard output, a device, or a file that gets its name only when it is complete;
// summaries; and the text of numbers.

package cli

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

const outputBuffer = 64 << 10

// ErrIsInput is wrapped by the error of [Create] about an output that is one of its inputs.
var ErrIsInput = errors.New("is one of the files to read")

// Stdout is the path that stands for standard output; an empty path does so too.
const Stdout = "-"

// Output is a file, a device or standard output.
type Output struct {
	*bufio.Writer
	zip    *gzip.Writer  // nil if it does not compress; else Writer writes to it
	zipped *bufio.Writer // which writes to this one, in pieces of some hundred bytes
	at     atomicfile.Place
	file   *os.File // nil for standard output, and once closed
}

// IsStdout reports whether path stands for standard output, by name or because it is the same
// file, such as /dev/stdout.
func IsStdout(path string, stdout io.Writer) bool {
	if path == "" || path == Stdout {
		return true
	}
	file, ok := stdout.(*os.File)
	if !ok {
		return false
	}
	out, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(out, named)
}

// Create starts the output that will be called path. It replaces a file of this name, or the
// target of a link. A device or a FIFO is written into directly, and so is standard output, as
// recognized by [IsStdout]. The output is compressed if path ends in ".gz". It is an error if the
// output is one of the inputs.
//
// Until Close a file has a temporary name: path, a random number, and [instr.PartSuffix]. So the
// remains of an interrupted program are not in the way, and two programs that write the same file
// at the same time do not disturb each other: the file of the later one stays.
func Create(path string, stdout io.Writer, inputs ...Input) (*Output, error) {
	if out, err := os.Stat(path); err == nil && out.Mode().IsRegular() {
		for _, in := range inputs {
			if file, err := os.Stat(in.Name); err == nil && !in.Stdin && os.SameFile(file, out) {
				return nil, fmt.Errorf("ross: output: %s: %w: choose another name", path, ErrIsInput)
			}
		}
	}
	if IsStdout(path, stdout) {
		return &Output{Writer: bufio.NewWriterSize(stdout, outputBuffer)}, nil
	}
	at, file, err := open(path)
	if err != nil {
		return nil, outputError(err, "name a file in a folder that exists and can be written to")
	}
	o := &Output{Writer: bufio.NewWriterSize(file, outputBuffer), at: at, file: file}
	if strings.HasSuffix(path, ".gz") {
		o.zipped = o.Writer
		o.zip = gzip.NewWriter(o.zipped)
		o.Writer = bufio.NewWriterSize(o.zip, outputBuffer)
	}
	return o, nil
}

// open opens the file that is written until Close.
func open(path string) (at atomicfile.Place, file *os.File, err error) {
	if at, err = atomicfile.Of(path); err != nil {
		return at, nil, err
	}
	if at.Straight {
		file, err = at.Open()
		return at, file, err
	}
	if file, err = createPart(at.Path); err == nil && at.Perm != 0 {
		_ = file.Chmod(at.Perm) // some file systems have no permissions
	}
	return at, file, err
}

func createPart(path string) (file *os.File, err error) {
	for range 100 {
		name := fmt.Sprintf("%s.%08x%s", path, rand.Uint32(), instr.PartSuffix)
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return file, err
}

// Write makes the output called path from what draw writes, as Create does. After an error there
// is no file.
func Write(path string, stdout io.Writer, inputs []Input, draw func(io.Writer) error) error {
	o, err := Create(path, stdout, inputs...)
	if err != nil {
		return err
	}
	defer o.Abort()
	drawErr := draw(o)
	if err := o.Flush(); err != nil { // it returns errors of earlier writes again
		return o.error(err)
	}
	if drawErr != nil {
		return drawErr
	}
	return o.Close()
}

// Summary returns the writer for a summary of the output to path: standard output, or standard
// error if path is standard output.
func Summary(path string, stdout, stderr io.Writer) io.Writer {
	if IsStdout(path, stdout) {
		return stderr
	}
	return stdout
}

// Close writes buffered data and gives the file its name.
func (o *Output) Close() error {
	err := o.Flush()
	if o.zip != nil {
		err = cmp.Or(err, o.zip.Close(), o.zipped.Flush()) // which fail for the same reason
	}
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
		if err == nil && !o.at.Straight {
			err = os.Rename(o.file.Name(), o.at.Path)
		}
		if err != nil && !o.at.Straight {
			err = errors.Join(err, os.Remove(o.file.Name()))
		}
		o.file = nil
	}
	if err != nil {
		return o.error(err)
	}
	return nil
}

// Abort removes the file, unless it is closed.
func (o *Output) Abort() {
	if o.file != nil {
		o.file.Close()
		if !o.at.Straight {
			os.Remove(o.file.Name())
		}
		o.file = nil
	}
}

func (o *Output) error(err error) error {
	return outputError(err, "free space on the disk or choose another place")
}

func outputError(err error, fix string) error {
	return fmt.Errorf("ross: output: %w: %s", err, atomicfile.Remedy(err, fix))
}

// Summarise prints a summary of each input to standard output: with print as they are made, or all
// of them as a JSON array. It returns [ErrBad] if one reports an error.
func Summarise[In, Summary any](inputs []In, asJSON bool, stdout io.Writer, of func(In) Summary,
	print func(Summary, io.Writer), good func(Summary) bool) error {
	out, err := Create("", stdout)
	if err != nil {
		return err
	}
	bad := false
	all := []Summary{}
	for _, in := range inputs {
		s := of(in)
		bad = bad || !good(s)
		all = append(all, s)
		if !asJSON {
			print(s, out)
		}
	}
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		if err := e.Encode(all); err != nil {
			return fmt.Errorf("ross: output: %w: report this as a mistake of rossreader", err)
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	if bad {
		return ErrBad
	}
	return nil
}

// AppendFloat appends v with as many digits as distinguish it from other numbers of
// its size in bits, 32 or 64, in the form of JSON; or Inf, -Inf, NaN.
func AppendFloat(dst []byte, v float64, size int) []byte {
	switch abs := math.Abs(v); {
	case abs <= math.MaxFloat64 && (abs >= 1e-6 && abs < 1e21 || abs == 0):
		return strconv.AppendFloat(dst, v, 'f', -1, size)
	case math.IsInf(v, 1):
		return append(dst, "Inf"...)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, size)
}

// FormatFloat returns what AppendFloat appends.
func FormatFloat(v float64, size int) string { return string(AppendFloat(nil, v, size)) }
