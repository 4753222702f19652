// This file owns Part, a partition on its way into a file.

package rio

// Part is a partition in memory: the LPs of one KP and the events for them.
type Part struct {
	LPs, Events uint64
	Data        []byte       // LP records, then event records
	Index       []IndexEntry // of its LPs, in the order of records
}

// IndexEntry is an LP as the index lists it.
type IndexEntry struct{ GID, Size uint64 } // Size: bytes of its state

// Entry is a partition as the manifest lists it.
type Entry struct {
	Part              uint64 // its number in the checkpoint, from 0
	Job, File         uint32 // numbers, from 0
	Offset, Size, Raw uint64 // bytes; Raw: when decompressed; == Size if not compressed
	LPs, Events       uint64
	CRC               uint32 // CRC-32C of the bytes in the file
	Compressed        bool
}

// Pack computes the CRC; with compress it LZ4-compresses the data before that if it gets
// smaller by it. Safe to call for different parts at once.
func (p *Part) Pack(compress bool) error { return errNotYet }

// Entry returns, after Pack, the entry of the part: all but File, Offset, Part and Job.
func (p *Part) Entry() Entry { return Entry{} }
