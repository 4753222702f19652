// This file owns the probe: whether the ranks understand one another's words at all.

package ranks

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/ross-go/ross/internal/mpi"
)

// protocol is the version of what ranks say to one another. A change of this package,
// or of messages between ranks, that old programs do not understand counts it up.
const protocol = 1

// A probe is two words. The first has its bytes in the order of the machine: a rank of
// the other order sees them swapped, if MPI sends words as they are. The second reads
// the same from both ends, and so in any order. It says what the machine is, if MPI
// swaps words for us.
//
//	0x0102030405060708
//	mark, protocol, word size, order, order, word size, protocol, mark
type probe [2]int64

const (
	probeOrder = 0x0102030405060708
	probeMark  = 'R'
)

// probeOf returns the probe of a machine; size is that of a word, in bytes.
func probeOf(protocol, size byte, order binary.ByteOrder) probe {
	which := byte(order.Uint16([]byte{1, 2})) // 1: little-endian, 2: big-endian
	half := binary.BigEndian.Uint32([]byte{probeMark, protocol, size, which})
	return probe{probeOrder, int64(uint64(half)<<32 | uint64(bits.ReverseBytes32(half)))}
}

// field returns a byte of the second word.
func (p probe) field(at int) int64 { return p[1] >> (56 - 8*at) & 0xff }

// traits are in what probes can differ, the one first without which the next means
// nothing.
var traits = [...]struct {
	of        func(p probe) [2]int64
	what, fix string
}{
	{
		func(p probe) [2]int64 { return [2]int64{p.field(0), p.field(1)} },
		"another version of the protocol than", "start the same program on all ranks",
	},
	{
		func(p probe) [2]int64 { return [2]int64{p[0], p.field(3)} },
		"another byte order than", "use machines of one byte order",
	},
	{
		func(p probe) [2]int64 { return [2]int64{p.field(2)} },
		"words of another size than", "build the program for one size of words",
	},
}

// judge says in what the probes of ranks differ from that of rank 0, "" if in nothing.
// All ranks say the same, whatever they see swapped.
func judge(probes []probe) string {
	for _, trait := range traits {
		differ := []int{}
		for rank, p := range probes {
			if trait.of(p) != trait.of(probes[0]) {
				differ = append(differ, rank)
			}
		}
		if len(differ) > 0 {
			return fmt.Sprintf("start: %s: %s rank 0: %s", listOf(differ), trait.what, trait.fix)
		}
	}
	return ""
}

// exchange returns the probes of all ranks. It is a sum in which each word has one
// summand that is not 0, which gives that one back in any byte order. The lengths with
// which AllGather begins would not be understood.
func exchange(w World, own probe) ([]probe, error) {
	words := make([]int64, len(own)*w.Size())
	copy(words[len(own)*w.Rank():], own[:])
	if err := w.AllReduceInt64(mpi.Sum, words); err != nil {
		return nil, fault("compare byte orders", err)
	}
	probes := make([]probe, w.Size())
	for rank := range probes {
		copy(probes[rank][:], words[len(own)*rank:])
	}
	return probes, nil
}

// ownProbe is that of this process.
func ownProbe() probe { return probeOf(protocol, strconv.IntSize/8, binary.NativeEndian) }
