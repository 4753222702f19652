// This file owns Part, a partition to be written to a file, and its compression.

package rio

import (
	"hash/crc32"

	"github.com/pierrec/lz4/v4"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Part is a partition in memory: the LPs of one KP and the events for them. Set the first
// four fields, then call Pack.
type Part struct {
	LPs, Events uint64
	Data        []byte       // LP records, then event records
	Index       []IndexEntry // of its LPs, in the order of records
	Written     func()       // if set, called when the part has been written, by some goroutine

	file   []byte // the bytes for the file
	packed bool
	crc    uint32
}

// IndexEntry is an LP as the index lists it.
type IndexEntry struct{ GID, Size uint64 } // Size: bytes of its state

// Entry is a partition as the manifest lists it.
type Entry struct {
	Part              uint64 // its number in the checkpoint, from 0
	Job, File         uint32 // numbers, from 0
	Offset, Size, Raw uint64 // bytes; Raw: when decompressed; == Size if not compressed
	LPs, Events       uint64
	CRC               uint32 // CRC-32C of the bytes in the file; 0 in a checkpoint of ROSS
	Compressed        bool
}

const (
	// lz4Max is the largest block of LZ4. Larger partitions are not compressed.
	lz4Max = 0x7E000000
	// lz4Ratio is an upper bound on the compression of an LZ4 block: each byte stands for at most
	// 255.
	lz4Ratio = 256
)

// Pack computes the CRC. With compress it first compresses the data with LZ4, if that makes them
// smaller and they have less than 2 GiB, into the memory of Data. It may be called for different parts at
// once. Data must not be used afterwards. It returns an error if Data is too short for LPs and Events, or Index
// does not have an entry for each LP.
func (p *Part) Pack(compress bool) error {
	if uint64(len(p.Index)) != p.LPs {
		return misuse("partition", "%d LPs, and %d entries for the index", p.LPs, len(p.Index))
	}
	if !roomFor(uint64(len(p.Data)), p.LPs, p.Events) {
		return misuse("partition", "%d bytes are too few for %d LPs and %d events", len(p.Data), p.LPs, p.Events)
	}
	p.file = p.Data
	if compress && len(p.Data) > 0 && len(p.Data) <= lz4Max {
		block := make([]byte, len(p.Data)-1)
		var c lz4.Compressor
		// Without enough room it returns 0 or an error: the data would not get smaller.
		if n, err := c.CompressBlock(p.Data, block); err == nil && n > 0 {
			p.file = p.Data[:copy(p.Data, block[:n])] // so that only parts being compressed take more memory
		}
	}
	p.crc, p.packed = checksum(p.file), true
	return nil
}

// roomFor reports whether the bytes can hold that many records. No record of either kind is
// empty, so this checks counts before memory is allocated for them.
func roomFor(bytes, lps, events uint64) bool {
	if lps > bytes/lpHead || events > bytes/eventHead {
		return lps == 0 && events == 0
	}
	return lps*lpHead+events*eventHead <= bytes
}

// Entry returns, after Pack, the entry of the part, without File, Offset, Part and Job.
func (p *Part) Entry() Entry {
	return Entry{
		Size: uint64(len(p.file)), Raw: uint64(len(p.Data)), LPs: p.LPs, Events: p.Events,
		CRC: p.crc, Compressed: len(p.file) != len(p.Data),
	}
}
