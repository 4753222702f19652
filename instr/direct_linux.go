// This file owns writing past the page cache, which costs a tenth of the processor
// time: what a simulation writes fast is read much later, if ever.

package instr

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// block is what addresses, places and lengths of such writes are multiples of, bytes.
const block = 4096

// stageSize is how much is written at once, bytes.
const stageSize = 1 << 20

// direct writes the whole blocks of a file, not those of which others write a part.
type direct struct {
	raw   *os.File
	stage []byte // aligned
}

// openDirect returns nil if the file system cannot do it.
func openDirect(path string) *direct {
	raw, err := os.OpenFile(path, os.O_WRONLY|unix.O_DIRECT, 0)
	if err != nil {
		return nil
	}
	room := make([]byte, stageSize+block)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(room))) % block
	return &direct{raw, room[skip : skip+stageSize]}
}

func (d *direct) close() { _ = d.raw.Close() } // whatever it has written is there

// write writes parts one after the other from begin on, size bytes in all. What is no whole
// block goes to the file the usual way, as does what the file system refuses.
func (d *direct) write(to disk, parts [][]byte, begin, size int64) error {
	from := remainder{parts: parts}
	for end := begin + size; begin < end; {
		n := min(end-begin, stageSize)
		whole := begin%block == 0 && n >= block
		if whole {
			n -= n % block
		} else {
			n = min(n, block-begin%block)
		}
		from.fill(d.stage[:n])
		if whole {
			_, err := d.raw.WriteAt(d.stage[:n], begin)
			whole = err == nil
		}
		if !whole {
			if _, err := to.WriteAt(d.stage[:n], begin); err != nil {
				return err
			}
		}
		begin += n
	}
	return nil
}

// remainder is what is left of parts.
type remainder struct {
	parts [][]byte
	used  int // of the first
}

// fill takes as much as dst has room for. There has to be as much.
func (s *remainder) fill(dst []byte) {
	for len(dst) > 0 {
		n := copy(dst, s.parts[0][s.used:])
		dst = dst[n:]
		if s.used += n; s.used == len(s.parts[0]) {
			s.parts, s.used = s.parts[1:], 0
		}
	}
}
