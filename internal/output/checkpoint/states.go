// This file owns states of LPs in memory and in a checkpoint. They are converted by the model's functions,
// or as in memory, followed by the contents of their Blocks.

package checkpoint

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
	"github.com/ross-go/ross/rio"
)

// maxSerialized is the maximum size in bytes of the state of an LP in a checkpoint.
const maxSerialized = 1 << 30

// serializedSize returns the number of bytes that the state of an LP takes.
func serializedSize(lp *kernel.LP) (int, error) {
	s := &lp.Type().Serial
	if err := refused(lp); err != nil {
		return 0, err
	}
	more := 0
	if fields := lp.Type().Figures; len(fields) > 0 {
		more = len(lp.PE.Figures.Bytes(lp.State, fields)) + tailSize
	}
	if s.Size == nil {
		if len(s.Shape.Blocks) == 0 {
			return int(s.Shape.Size) + more, nil
		}
		w := blockWalk{lp: lp}
		if n := w.find(); n <= maxSerialized {
			return int(n) + more, nil
		}
		return 0, ioError(lp, "the state is too large with its Blocks", kernel.ErrModel,
			fmt.Sprintf("keep up to %d bytes in an LP", maxSerialized))
	}
	n := s.Size(lp.State, lp)
	if n < 0 || n > maxSerialized {
		return 0, ioError(lp, fmt.Sprintf("SerializedSize is %d", n), kernel.ErrModel,
			fmt.Sprintf("give 0 to %d bytes", maxSerialized))
	}
	return n + more, nil
}

// refused returns why the state of an LP cannot be stored, or nil.
func refused(lp *kernel.LP) error {
	refuse := lp.Type().Serial.Refuse
	if refuse == nil {
		return nil
	}
	if err := refuse(lp.State, lp); err != nil {
		return ioError(lp, "its state cannot be stored", err, "")
	}
	return nil
}

// tailSize is the size of the word behind the statistics of an LP, which holds how many bytes
// they take. They follow the state.
const tailSize = 8

// putStatistics writes the statistics of an LP to the end of buf and returns the rest.
func putStatistics(lp *kernel.LP, buf []byte) []byte {
	fields := lp.Type().Figures
	if len(fields) == 0 {
		return buf
	}
	b := lp.PE.Figures.Bytes(lp.State, fields)
	at := len(buf) - tailSize
	binary.LittleEndian.PutUint64(buf[at:], uint64(len(b)))
	copy(buf[at-len(b):at], b)
	return buf[:at-len(b)]
}

// cutStatistics divides the bytes of an LP of a type into its state and its statistics, if it can.
func cutStatistics(t *kernel.Type, buf []byte) (state, statistics []byte, ok bool) {
	if len(t.Figures) == 0 {
		return buf, nil, true
	}
	at := len(buf) - tailSize
	if at < 0 || binary.LittleEndian.Uint64(buf[at:]) > uint64(at) {
		return nil, nil, false
	}
	n := int(binary.LittleEndian.Uint64(buf[at:]))
	return buf[:at-n], buf[at-n : at], true
}

// serialize writes the state of an LP to buf, which is zeroed.
func serialize(lp *kernel.LP, buf []byte) {
	s := &lp.Type().Serial
	buf = putStatistics(lp, buf)
	if s.Put != nil {
		s.Put(lp.State, lp, buf)
		return
	}
	if len(s.Shape.Blocks) == 0 {
		s.Shape.Copy(unsafe.Pointer(unsafe.SliceData(buf)), lp.State, 1)
		return
	}
	w := blockWalk{lp: lp}
	w.find()
	w.put(buf)
}

// deserialize restores the state of an LP from the bytes that serialize wrote.
func deserialize(lp *kernel.LP, buf []byte) error {
	s := &lp.Type().Serial
	if s.Get != nil {
		if err := s.Get(lp.State, lp, buf); err != nil {
			return ioError(lp, "Deserialize", err, "")
		}
		return nil
	}
	blocks := len(s.Shape.Blocks) > 0
	if n := uintptr(len(buf)); n < s.Shape.Size || n > s.Shape.Size && !blocks {
		return ioError(lp, fmt.Sprintf("its state has %d bytes", len(buf)), kernel.ErrModel,
			fmt.Sprintf("load a checkpoint whose states have %d", lp.Type().StateSize))
	}
	if !blocks {
		s.Shape.Copy(lp.State, unsafe.Pointer(unsafe.SliceData(buf)), 1)
		return nil
	}
	old := blockWalk{lp: lp}
	old.find()
	old.free()
	w := blockWalk{lp: lp}
	return w.get(buf)
}

// ioError returns an error about an LP in a checkpoint.
func ioError(lp *kernel.LP, what string, err error, fix string) error {
	e := fmt.Errorf("ross: checkpoint: %s (%s): %s: %w", lp.Name(), lp.Type().Name, what, err)
	if fix != "" {
		e = fmt.Errorf("%w: %s", e, fix)
	}
	return e
}

// States as they are in memory, with the contents of their Blocks: how they are
// stored, and restored in blocks of their own. Package rio documents the bytes.

// blockSize is the size of a Block in bytes, in memory and in a checkpoint.
const blockSize = unsafe.Sizeof(kernel.Block{})

// freed is the number that a checkpoint has for a Block whose memory has been freed.
const freed = ^uint64(0)

// gone is the word of such a Block after loading: no block has it.
const gone = 1

// blockWalk visits a state and the blocks that it leads to, each once, those of the state first,
// then those in the first of them, and so on.
type blockWalk struct {
	lp     *kernel.LP
	pieces []piece           // the state, then the blocks, which have the numbers 1, 2, ...
	number map[uint64]uint64 // by the block's word
}

// piece is the state, or the values of a block.
type piece struct {
	word  uint64 // of the block, 0 for the state
	at    unsafe.Pointer
	n     uint64 // values
	shape *plain.Shape
}

// size returns the size of a piece in bytes.
func (p *piece) size() uint64 { return p.n * uint64(p.shape.Size) }

// value returns the address of value i of a piece whose first is at base.
func (p *piece) value(base unsafe.Pointer, i uint64) unsafe.Pointer {
	return unsafe.Add(base, uintptr(i)*p.shape.Size)
}

// start begins a walk with the state.
func (w *blockWalk) start() {
	w.pieces = append(w.pieces, piece{0, w.lp.State, 1, w.lp.Type().Serial.Shape})
}

// find finds all blocks, and returns the number of bytes that they and the state have.
func (w *blockWalk) find() (bytes uint64) {
	w.start()
	for i := 0; i < len(w.pieces); i++ {
		p := w.pieces[i]
		bytes += p.size()
		if len(p.shape.Blocks) == 0 {
			continue
		}
		for j := range p.n {
			for _, f := range p.shape.Blocks {
				w.see(&f, (*kernel.Block)(unsafe.Add(p.value(p.at, j), f.Off)))
			}
		}
	}
	return bytes
}

// see adds the block of a field, unless it is known.
func (w *blockWalk) see(f *plain.BlockField, b *kernel.Block) {
	if b.At == 0 || !w.lp.InUse(b.At) || w.number[b.At] != 0 {
		return
	}
	w.add(b.At, b.N, f.Elem)
}

// add gives a block the next number.
func (w *blockWalk) add(word, n uint64, elem *plain.Shape) {
	if w.number == nil {
		w.number = make(map[uint64]uint64)
	}
	w.number[word] = uint64(len(w.pieces))
	w.pieces = append(w.pieces, piece{word, kernel.AddressOf(word), n, elem})
}

// put writes the state and the blocks, which find has found, to zeroed bytes.
func (w *blockWalk) put(to []byte) {
	for i := range w.pieces {
		p := &w.pieces[i]
		size := p.size()
		p.shape.Copy(unsafe.Pointer(unsafe.SliceData(to)), p.at, uintptr(p.n))
		if len(p.shape.Blocks) > 0 {
			for j := range p.n {
				for _, f := range p.shape.Blocks {
					off := uintptr(j)*p.shape.Size + f.Off
					w.putBlock(to[off:off+blockSize], (*kernel.Block)(unsafe.Add(p.at, off)))
				}
			}
		}
		to = to[size:]
	}
}

// putBlock writes the number of a Block, and how many values it has.
func (w *blockWalk) putBlock(to []byte, b *kernel.Block) {
	number := w.number[b.At]
	if b.At != 0 && number == 0 {
		number = freed
	}
	binary.LittleEndian.PutUint64(to, number)
	binary.LittleEndian.PutUint64(to[8:], b.N)
}

// free frees the blocks that find has found: the state is going to be replaced.
func (w *blockWalk) free() {
	for i := range w.pieces {
		if p := &w.pieces[i]; p.word != 0 {
			w.lp.Free(p.word, uintptr(p.size()))
		}
	}
}

// get restores the state and its blocks. The bytes are those of put, or an error says what is
// wrong with them.
func (w *blockWalk) get(from []byte) error {
	w.start()
	left := uint64(len(from)) - w.pieces[0].size() // bytes that belong to no known piece
	for i := 0; i < len(w.pieces); i++ {
		p := w.pieces[i]
		size := p.size()
		p.shape.Copy(p.at, unsafe.Pointer(unsafe.SliceData(from)), uintptr(p.n))
		if len(p.shape.Blocks) > 0 {
			for j := range p.n {
				for _, f := range p.shape.Blocks {
					off := uintptr(j)*p.shape.Size + f.Off
					b := (*kernel.Block)(unsafe.Add(p.at, off))
					if err := w.getBlock(b, &f, from[off:off+blockSize], &left); err != nil {
						return err
					}
				}
			}
		}
		from = from[size:]
	}
	if left != 0 {
		return w.damaged("%d bytes belong to no Block", left)
	}
	return nil
}

// getBlock restores a Block: it refers to a block that is known, or gets a new one.
func (w *blockWalk) getBlock(b *kernel.Block, f *plain.BlockField, from []byte, left *uint64) error {
	number, n := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
	size := uint64(f.Elem.Size)
	switch {
	case number == freed:
		*b = kernel.Block{At: gone, N: n}
	case number == 0:
		if n > 0 && size > 0 {
			return w.damaged("a Block of %d values has no memory", n)
		}
		*b = kernel.Block{N: n}
	case number < uint64(len(w.pieces)):
		p := &w.pieces[number]
		if p.n != n || p.shape != f.Elem {
			return w.damaged("Block %d has %d values, and elsewhere %d", number, p.n, n)
		}
		*b = kernel.Block{At: p.word, N: n}
	case number > uint64(len(w.pieces)) || size == 0 || n == 0 || n > *left/size:
		return w.damaged("Block %d of %d values of %d bytes, where %d bytes are left", number, n, size, *left)
	default:
		*left -= n * size
		word := w.lp.Alloc(uintptr(n * size))
		if !w.lp.InUse(word) {
			return ioError(w.lp, fmt.Sprintf("a Block of %d bytes", n*size), kernel.ErrMemory, "raise --max-memory")
		}
		w.add(word, n, f.Elem)
		*b = kernel.Block{At: word, N: n}
	}
	return nil
}

// damaged returns an error about the bytes of a state.
func (w *blockWalk) damaged(format string, args ...any) error {
	return ioError(w.lp, fmt.Sprintf(format, args...), rio.ErrDamaged, "load another checkpoint")
}
