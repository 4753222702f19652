// This file owns the bytes of the index, .rio-lp.

package rio

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
