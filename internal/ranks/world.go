// This file owns World, what the package needs of MPI, and lists and texts of any
// length on top of it.

package ranks

import (
	"encoding/binary"
	"strings"

	"github.com/ross-go/ross/internal/mpi"
)

// World is the part of *mpi.World that this package uses. All ranks call each
// method together.
type World interface {
	Rank() int
	Size() int
	Bcast(data []byte, root int) ([]byte, error)
	AllGather(data []byte) ([][]byte, error)
	AllReduceInt64(op mpi.Op, values []int64) error
}

var _ World = (*mpi.World)(nil)

// AllGather fills all lists up to the longest, so that only the first bytes go that
// way: of 1000 ranks at most 4 MiB in each.
const headBytes = 4 << 10

// The rest of a list goes in broadcasts of this many bytes at most, which need as much
// memory beside the result.
const blockBytes = 16 << 20

// AllGatherBytes returns the lists of all ranks, by rank, to all of them. A list may
// have any length that fits memory, and be empty. What is returned belongs to the
// caller.
func AllGatherBytes(w World, own []byte) ([][]byte, error) {
	return allGatherBytes(w, own, headBytes, blockBytes)
}

func allGatherBytes(w World, own []byte, head, block int) ([][]byte, error) {
	first := binary.LittleEndian.AppendUint64(nil, uint64(len(own)))
	lists, err := w.AllGather(append(first, own[:min(len(own), head)]...))
	if err != nil {
		return nil, fault("gather lists", err)
	}
	for rank, list := range lists {
		n := int(binary.LittleEndian.Uint64(list))
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
			lists[rank] = append(lists[rank], part...)
		}
	}
	return lists, nil
}

// Share sets the text of all ranks to that of rank 0, at most 2 GiB: the name of a
// folder that has the time in it, say.
func Share(w World, text *string) error {
	if err := shareFrom(w, text, 0); err != nil {
		return fault("share a text", err)
	}
	return nil
}

func shareFrom(w World, text *string, root int) error {
	shared, err := w.Bcast([]byte(*text), root)
	if err == nil {
		*text = string(shared)
	}
	return err
}

// faultError is an error of MPI, with what it happened in.
type faultError struct {
	doing string
	cause error
}

func fault(doing string, cause error) error { return &faultError{doing, cause} }

func (f *faultError) Error() string { return "ross: ranks: " + f.doing + ": " + bare(f.cause.Error()) }
func (f *faultError) Unwrap() error { return f.cause }

// bare returns the text of an error without our name, to stand behind something.
func bare(text string) string { return strings.TrimPrefix(text, "ross: ") }
