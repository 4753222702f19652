// This file owns how the event traces of all ranks become one file.

package ross

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// tracePart is how much of a trace is sent at a time, bytes.
const tracePart = 1 << 20

// joinTraces completes the trace: what the other ranks have traced, in their own
// files, goes after what rank 0 has, in the order of the ranks.
func (s *Simulation) joinTraces() error {
	var err error
	var file *os.File
	if s.rank != 0 {
		if err = s.trace.Close(); err == nil {
			file, err = os.Open(s.trace.Path())
		}
		if file != nil {
			defer file.Close()
		}
		defer os.RemoveAll(s.traceParts)
	}
	for rank := 1; rank < s.ranks; rank++ {
		for {
			var part []byte
			if rank == s.rank && err == nil {
				part = make([]byte, tracePart)
				n, cause := io.ReadFull(file, part)
				if part = part[:n]; cause != nil && !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) {
					err, part = fmt.Errorf("ross: event trace: rank %d: %w", rank, cause), nil
				}
			}
			part, cause := s.world.Bcast(part, rank)
			if cause != nil {
				return errors.Join(err, cause)
			}
			if len(part) == 0 {
				break
			}
			if s.rank == 0 {
				s.trace.AddRecords(part)
			}
		}
	}
	if s.rank == 0 {
		err = s.trace.Close()
	}
	return err
}
