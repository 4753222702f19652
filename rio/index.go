// This file owns the bytes of the index, .rio-lp, and its writing by several processes, each its own part, so that
// none needs the entries of all.

package rio

import (
	"errors"
	"math/bits"
	"os"
)

// indexHead is the size of the head of the index: after the prologue the id of the checkpoint and
// the number of LPs. A gid and a size, 8 bytes each, follow for every LP, and then a CRC-32C.
const (
	indexHead      = prologue + idSize + 8
	indexEntrySize = 16
)

func indexBytes(lps uint64) uint64 { return indexHead + lps*indexEntrySize + crcSize }

// encodeIndex returns the bytes of the index. The gids are those of the records, so in each job
// they begin with 0.
func encodeIndex(of id, index []IndexEntry) []byte {
	b := appendPrologue(make([]byte, 0, indexBytes(uint64(len(index)))), indexMagic)
	b = append(b, of[:]...)
	b = order.AppendUint64(b, uint64(len(index)))
	b = appendIndex(b, index)
	return order.AppendUint32(b, checksum(b))
}

func appendIndex(b []byte, index []IndexEntry) []byte {
	for _, e := range index {
		b = order.AppendUint64(order.AppendUint64(b, e.GID), e.Size)
	}
	return b
}

// checkIndexHead checks the head of the index, of size bytes, of the checkpoint with this id.
func checkIndexHead(file string, b []byte, size uint64, of id, lps uint64) error {
	if err := checkPrologue(file, b, indexMagic); err != nil {
		return err
	}
	if len(b) < indexHead {
		return damaged(file, size, "expected at least %d bytes, the file ends", indexHead)
	}
	if got := id(b[prologue:]); got != of {
		return damaged(file, prologue, "the manifest belongs to checkpoint %x, this file to %x", of, got)
	}
	if got := order.Uint64(b[indexHead-8:]); got != lps {
		return damaged(file, indexHead-8, "the manifest has %d LPs, this file %d", lps, got)
	}
	if lps > size/indexEntrySize || indexBytes(lps) != size {
		return damaged(file, size, "%d LPs take %d bytes, the file has %d", lps, indexBytes(lps), size)
	}
	return nil
}

// decodeIndex reads the index in b. Each gid of a job must occur exactly once.
func decodeIndex(file string, b []byte, m *manifest) ([]IndexEntry, error) {
	if err := checkIndexHead(file, b, uint64(len(b)), m.id, m.lps()); err != nil {
		return nil, err
	}
	if err := checkTail(file, "the index", b); err != nil {
		return nil, err
	}
	index := make([]IndexEntry, m.lps())
	for i := range index {
		at := indexHead + i*indexEntrySize
		index[i] = IndexEntry{GID: order.Uint64(b[at:]), Size: order.Uint64(b[at+8:])}
	}
	rest := index
	for i := range m.jobs {
		j := &m.jobs[i]
		if k, ok := eachOnce(rest[:j.LPs]); !ok {
			return nil, damaged(file, uint64(indexHead+(int(j.FirstGID)+k)*indexEntrySize),
				"expected each gid from 0 to %d once for job %d, found %d again or beyond", j.LPs-1, i, rest[k].GID)
		}
		rest = rest[j.LPs:]
	}
	return index, nil
}

// eachOnce reports whether index has each gid once, from 0 on; if not, it also returns where.
func eachOnce(index []IndexEntry) (int, bool) {
	seen := make([]bool, len(index))
	for i, e := range index {
		if e.GID >= uint64(len(seen)) || seen[e.GID] {
			return i, false
		}
		seen[e.GID] = true
	}
	return 0, true
}

// IndexPart is a part of the index that a process has written.
type IndexPart struct {
	LPs uint64
	CRC uint32 // CRC-32C of its entries
}

// CreateIndex begins the index of lps LPs of this job, for WriteIndexPart. The process that called
// Begin calls it, before any process writes its part; it then does without WriteIndex.
func (s *Store) CreateIndex(lps uint64) error {
	if !s.began {
		return misuse(s.name, "CreateIndex is for the process that called Begin")
	}
	s.head = encodeIndex(s.id, s.baseIndex)
	s.head = s.head[:len(s.head)-crcSize]
	order.PutUint64(s.head[indexHead-8:], s.baseLPs+lps)
	err := s.disk.create(s.indexPath(), s.head)
	if err == nil {
		err = s.writeLabels(lps)
	}
	return err
}

func (s *Store) indexPath() string { return s.name + indexSuffix + newSuffix }

// WriteIndexPart writes the entries of this process, which follow those of before LPs of this job,
// and syncs them.
func (s *Store) WriteIndexPart(index []IndexEntry, before uint64) (IndexPart, error) {
	const chunk = 4096 // entries
	part := IndexPart{LPs: uint64(len(index))}
	f, err := os.OpenFile(s.indexPath(), os.O_WRONLY, 0)
	if err != nil {
		return part, fileError(err, "name a folder that all processes share, and call CreateIndex first")
	}
	at := indexHead + (s.baseLPs+before)*indexEntrySize
	b := make([]byte, 0, chunk*indexEntrySize)
	for err == nil && len(index) > 0 {
		n := min(len(index), chunk)
		b = appendIndex(b[:0], index[:n])
		err = s.disk.writeAt(f, b, at)
		part.CRC = joined(part.CRC, checksum(b), uint64(len(b)))
		index, at = index[n:], at+uint64(len(b))
	}
	if err == nil {
		err = s.disk.sync(f)
	}
	return part, errors.Join(err, closeFile(f))
}

// EndIndex completes the index, with the parts of all processes in the order of their LPs. The
// process that called CreateIndex calls it before Commit, when all have written.
func (s *Store) EndIndex(parts []IndexPart) error {
	if s.head == nil {
		return misuse(s.name, "EndIndex without CreateIndex")
	}
	crc, at := checksum(s.head), uint64(len(s.head))
	for _, p := range parts {
		crc = joined(crc, p.CRC, p.LPs*indexEntrySize)
		at += p.LPs * indexEntrySize
	}
	if at != indexHead+order.Uint64(s.head[indexHead-8:])*indexEntrySize {
		return misuse(s.name, "the parts of the index do not have the LPs that were given to CreateIndex")
	}
	f, err := os.OpenFile(s.indexPath(), os.O_WRONLY, 0)
	if err != nil {
		return fileError(err, makeRoom)
	}
	if err = s.disk.writeAt(f, order.AppendUint32(nil, crc), at); err == nil {
		err = s.disk.sync(f)
	}
	s.indexed = err == nil
	return errors.Join(err, closeFile(f))
}

// joined returns the CRC-32C of bytes with the CRC a followed by n bytes with the CRC b. A CRC is a
// polynomial modulo P: bytes that follow multiply what was before by x^8 each.
func joined(a, b uint32, n uint64) uint32 {
	power, square := uint32(1)<<31, uint32(1)<<23 // x^0, x^8
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			power = times(power, square)
		}
		square = times(square, square)
	}
	return times(power, a) ^ b
}

// times returns the product of two polynomials modulo P. Bit 31 is the coefficient of x^0.
func times(a, b uint32) (product uint32) {
	const p = 0x82f63b78 // of Castagnoli, without x^32
	for a != 0 {
		if at := bits.LeadingZeros32(a); at > 0 {
			for range at {
				b = b>>1 ^ b&1*p
			}
			a <<= at
		}
		product ^= b
		a &^= 1 << 31
	}
	return product
}
