// This file counts different ids, and owns the reading loop.

package info

import (
	"io"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

// dense is the number of ids, from 0 on, that have a bit each: at most 2 MiB.
const dense = 1 << 24

// idSet counts different ids.
type idSet struct {
	count int
	bits  []uint64
	large map[uint64]struct{}
}

func (s *idSet) add(id uint64) {
	if id >= dense {
		s.addLarge(id)
		return
	}
	word, bit := int(id/64), uint64(1)<<(id%64)
	if word >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, word+1-len(s.bits))...)
	}
	if s.bits[word]&bit == 0 {
		s.bits[word] |= bit
		s.count++
	}
}

func (s *idSet) addLarge(id uint64) {
	if s.large == nil {
		s.large = map[uint64]struct{}{}
	}
	if _, known := s.large[id]; !known {
		s.large[id] = struct{}{}
		s.count++
	}
}

// readAll reads all good records and returns why there are no more, or "".
func (g *gatherer) readAll(r *cli.Reader) string {
	for {
		record, err := r.Next()
		if err == io.EOF {
			return ""
		}
		if err != nil {
			return err.Error()
		}
		g.take(record)
	}
}
