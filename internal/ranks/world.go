// This file owns World, the part of MPI that the package needs, and the exchange of
// lists and texts of any length.

package ranks

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

// World is the part of *mpi.World that this package uses. All ranks call each
// method together.
type World interface {
	Rank() int
	Size() int
	Bcast(data []byte, root int) ([]byte, error)
	AllGather(data []byte) ([][]byte, error)
	Send(data []byte, to int) error
	Receive(from int) ([]byte, error)
	AllReduceInt64(op mpi.Op, values []int64) error
}

var _ World = (*mpi.World)(nil)

// headBytes is the part of a list that AllGather sends. It pads all lists to the longest, so
// only the first bytes are sent in this way: with 1000 ranks at most 4 MiB on each.
const headBytes = 4 << 10

// blockBytes is the maximum size of the broadcasts that send the rest of a list. They need as
// much memory in addition to the result.
const blockBytes = 16 << 20

// AllGatherBytes returns the lists of all ranks, by rank, to all of them. A list may
// have any length that fits into memory, and may be empty. The result belongs to the
// caller.
func AllGatherBytes(w World, own []byte) ([][]byte, error) {
	return allGatherBytes(w, own, headBytes, blockBytes)
}

// allGatherBytes is AllGatherBytes with other sizes than headBytes and blockBytes.
func allGatherBytes(w World, own []byte, head, block int) ([][]byte, error) {
	first := binary.LittleEndian.AppendUint64(nil, uint64(len(own)))
	lists, err := w.AllGather(append(first, own[:min(len(own), head)]...))
	if err != nil {
		return nil, fault("gather lists", err)
	}
	for rank, list := range lists {
		n := -1
		if len(list) >= 8 {
			n = int(binary.LittleEndian.Uint64(list))
		}
		if n < 0 || len(list) != 8+min(n, head) { // also if the ranks call different things
			return nil, broken(w, fault("gather lists", lengthError(rank, len(list))))
		}
		lists[rank] = list[8:]
		if n <= head {
			continue
		}
		lists[rank] = append(make([]byte, 0, n), list[8:]...)
		for at := head; at < n; at += block {
			var part []byte
			if rank == w.Rank() {
				part = own[at:min(at+block, n)]
			}
			if part, err = w.Bcast(part, rank); err != nil {
				return nil, fault("gather lists", err)
			}
			if len(part) != min(block, n-at) {
				return nil, broken(w, fault("gather lists", lengthError(rank, len(part))))
			}
			lists[rank] = append(lists[rank], part...)
		}
	}
	return lists, nil
}

// lengthError is about bytes of another rank that are not as many as they should be.
func lengthError(rank, n int) error {
	return fmt.Errorf(
		"rank %d gave %d bytes, which is not what was expected of it: start the same program on all ranks, and let them make the same calls", rank, n)
}

// Share sets the text of all ranks to that of rank 0, at most 2 GiB, for example the
// name of a folder that includes the time.
func Share(w World, text *string) error {
	if err := shareFrom(w, text, 0); err != nil {
		return fault("share a text", err)
	}
	return nil
}

// shareFrom sets the text of all ranks to that of rank root.
func shareFrom(w World, text *string, root int) error {
	shared, err := w.Bcast([]byte(*text), root)
	if err == nil {
		*text = string(shared)
	}
	return err
}

// faultError is an error of MPI, with the operation in which it occurred.
type faultError struct {
	doing string
	cause error
}

// fault returns an error of MPI with the operation in which it occurred.
func fault(doing string, cause error) error { return &faultError{doing, cause} }

func (f *faultError) Error() string { return "ross: ranks: " + f.doing + ": " + bare(f.cause.Error()) }
func (f *faultError) Unwrap() error { return f.cause }

// bare returns the text of an error without the prefix "ross: ", for use after another text.
func bare(text string) string { return strings.TrimPrefix(text, "ross: ") }
