// This file owns the heads of our files, the decoder for their bytes, and the kinds of errors and their form.

package rio

import (
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Each of our files begins with 16 bytes: what it is, a mark that shows the order of bytes,
// and the version of the format.
const (
	manifestMagic = "ROSSckpt"
	indexMagic    = "ROSSlpix"
	dataMagic     = "ROSSdata"

	orderMark = 0x01020304
	version   = 1

	prologue = 16
	idSize   = 16
	crcSize  = 4
)

type id [idSize]byte

func appendPrologue(b []byte, magic string) []byte {
	b = append(b, magic...)
	b = order.AppendUint32(b, orderMark)
	return order.AppendUint32(b, version)
}

// checkPrologue checks the 16 bytes that begin file.
func checkPrologue(file string, b []byte, magic string) error {
	if len(b) < prologue {
		return damaged(file, uint64(len(b)), "expected at least %d bytes, the file ends", prologue)
	}
	if string(b[:8]) != magic {
		return fmt.Errorf("ross: checkpoint: %s: offset 0: expected %q, found %q: %w: name another one", file, magic, b[:8],
			ErrForeign)
	}
	if mark := order.Uint32(b[8:]); mark != orderMark {
		return fmt.Errorf(
			"ross: checkpoint: %s: offset 8: the mark of little-endian files is %08x, found %08x: %w: load another checkpoint",
			file, orderMark, mark, ErrVersion)
	}
	if v := order.Uint32(b[12:]); v != version {
		return fmt.Errorf(
			"ross: checkpoint: %s: offset 12: expected version %d, found %d: %w: load it with the version of ROSS that wrote it",
			file, version, v, ErrVersion)
	}
	return nil
}

// checkTail checks the CRC-32C at the end of b.
func checkTail(file, of string, b []byte) error {
	at := len(b) - crcSize
	if want, got := order.Uint32(b[at:]), checksum(b[:at]); want != got {
		return damaged(file, uint64(at), "CRC-32C of %s is %08x, the file has %08x", of, got, want)
	}
	return nil
}

// dataHead is the size of the head of a data file: after the prologue the id of the
// checkpoint, the number of the file, and a CRC-32C.
const dataHead = prologue + idSize + 4 + crcSize

func dataHeader(of id, number uint32) []byte {
	b := appendPrologue(make([]byte, 0, dataHead), dataMagic)
	b = append(b, of[:]...)
	b = order.AppendUint32(b, number)
	return order.AppendUint32(b, checksum(b))
}

// checkDataHeader checks the head of data file number of the checkpoint with this id.
func checkDataHeader(file string, b []byte, of id, number uint32) error {
	if err := checkPrologue(file, b, dataMagic); err != nil {
		return err
	}
	if len(b) < dataHead {
		return damaged(file, uint64(len(b)), "expected at least %d bytes, the file ends", dataHead)
	}
	if err := checkTail(file, "the header", b[:dataHead]); err != nil {
		return err
	}
	if got := id(b[prologue:]); got != of {
		return damaged(file, prologue, "the manifest belongs to checkpoint %x, this file to %x", of, got)
	}
	if got := order.Uint32(b[prologue+idSize:]); got != number {
		return damaged(file, prologue+idSize, "expected data file %d, found %d", number, got)
	}
	return nil
}

// readHead reads the first n bytes of a file, or fewer if it is shorter.
func readHead(f *os.File, n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := f.ReadAt(b, 0)
	if got < n && !isEnd(err) {
		return nil, fileError(err, "read it once more, or "+loadAnother)
	}
	return b[:got], nil
}

// decoder decodes values from bytes. Beyond the end all values are zero, and short is set.
type decoder struct {
	b     []byte
	at    int
	short bool
}

// take returns the next n bytes, nil if there are fewer.
func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)-d.at) {
		d.short, d.at = true, len(d.b)
		return nil
	}
	b := d.b[d.at : d.at+int(n)]
	d.at += int(n)
	return b
}

func (d *decoder) u32() uint32 {
	if b := d.take(4); b != nil {
		return order.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.take(8); b != nil {
		return order.Uint64(b)
	}
	return 0
}

func (d *decoder) f64() float64 { return math.Float64frombits(d.u64()) }

func (d *decoder) text() string { return string(d.take(uint64(d.u32()))) }

// left reports whether n items of at least size bytes can follow. It is called before
// memory is allocated for them.
func (d *decoder) left(n, size uint64) bool {
	if n > uint64(len(d.b)-d.at)/size {
		d.short = true
	}
	return !d.short
}

func appendF64(b []byte, x float64) []byte { return order.AppendUint64(b, math.Float64bits(x)) }

func appendText(b []byte, s string) []byte {
	return append(order.AppendUint32(b, uint32(len(s))), s...)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Every error of reading wraps one of these errors, or comes from the file system.
var (
	// ErrNone means that there is no checkpoint of that name.
	ErrNone = errors.New("there is no checkpoint of this name")
	// ErrDamaged means that there are too few or too many bytes, or not those that were
	// written.
	ErrDamaged = errors.New("the file was damaged")
	// ErrForeign means that the files are not a checkpoint.
	ErrForeign = errors.New("this is not a checkpoint")
	// ErrVersion means that the checkpoint has a format that this package does not know:
	// another version, or another byte order.
	ErrVersion = errors.New("unknown version of the format")
)

var errMisuse = errors.New("invalid call")

const loadAnother = "load another checkpoint"

// damaged returns the error about the bytes of a file at an offset: what was expected and
// found.
func damaged(file string, offset uint64, format string, args ...any) error {
	return fmt.Errorf("ross: checkpoint: %s: offset %d: %s: %w: %s", file, offset, fmt.Sprintf(format, args...),
		ErrDamaged, loadAnother)
}

// fileError says what went wrong with a file, and the remedy: fix, unless the error itself has one. It expects an
// error that names the file, as those of package os do.
func fileError(err error, fix string) error {
	return fmt.Errorf("ross: checkpoint: %w: %s", err, atomicfile.Remedy(err, fix))
}

// misuse returns the error about data that do not make a checkpoint.
func misuse(name, format string, args ...any) error {
	return fmt.Errorf("ross: checkpoint: %s: %s: %w: store what fits together", name, fmt.Sprintf(format, args...),
		errMisuse)
}
