// This file owns the probe, which checks whether the ranks understand each other's words: the
// byte order, the word size and the version of the protocol.

package ranks

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/ross-go/ross/internal/mpi"
)

// protocol is the version of the messages between ranks. Increase it when these messages
// change so that old programs do not understand them.
const protocol = 1

// probe consists of two words. The first has its bytes in the machine's order: if MPI sends
// words unchanged, a rank of the other order sees them swapped. The second is the same in
// either byte order. It describes the machine, in case MPI swaps the bytes of words.
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

// traits are the ways in which probes can differ; each is only meaningful if those
// before it agree.
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

// judge describes how the probes of ranks differ from that of rank 0, or returns "" if they do
// not. All ranks get the same result, even if they see words swapped.
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

// exchange returns the probes of all ranks. It uses a sum in which each word has one
// summand that is not 0, so the result is that summand in any byte order. AllGather cannot be
// used, because it begins with lengths that other ranks might misread.
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

// ownProbe returns the probe of this process.
func ownProbe() probe { return probeOf(protocol, strconv.IntSize/8, binary.NativeEndian) }
