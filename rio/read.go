// This file reads the index and partitions of a checkpoint into memory, and owns repeated access to the records of a
// partition, for programs that first examine the records and later read some of them.

package rio

import (
	"fmt"

	"github.com/pierrec/lz4/v4"
)

// Index reads and checks the index: all LPs in the order of partitions, with their gids in the
// whole checkpoint. The index of ROSS's own checkpoints has only sizes, so there the partitions
// are read.
func (c *Checkpoint) Index() ([]IndexEntry, error) {
	if c.orig != nil {
		return c.originalIndex()
	}
	index, err := c.ownIndex()
	if err != nil {
		return nil, err
	}
	rest := index
	for _, j := range c.m.jobs {
		for i := range rest[:j.LPs] {
			rest[i].GID += j.FirstGID
		}
		rest = rest[j.LPs:]
	}
	return index, nil
}

// ownIndex returns the index with the gids of records.
func (c *Checkpoint) ownIndex() ([]IndexEntry, error) {
	b, err := readBytes(c.files.index, 0, indexBytes(c.m.lps()))
	if err != nil {
		return nil, err
	}
	return decodeIndex(c.files.index.Name(), b, c.m)
}

// Read reads partition i, 0 to len(Entries())-1, checks its CRC and decompresses it. Several
// goroutines may call it at once. It uses the memory of the partition, and as much again during
// decompression.
func (c *Checkpoint) Read(i int) (*Contents, error) {
	if i < 0 || i >= len(c.m.entries) {
		return nil, misuse(c.name, "partition %d of %d", i, len(c.m.entries))
	}
	e := &c.m.entries[i]
	f := c.files.data[e.File]
	b, err := readBytes(f, e.Offset, e.Size)
	if err != nil {
		return nil, err
	}
	r := c.contents(i)
	if c.orig != nil {
		r.data = b
		return r, nil
	}
	if got := checksum(b); got != e.CRC {
		return nil, damaged(r.file, e.Offset, "partition %d: CRC-32C is %08x, the manifest has %08x", i, got, e.CRC)
	}
	if r.data, err = unpack(e, b); err != nil {
		return nil, damaged(r.file, e.Offset, "partition %d: %v", i, err)
	}
	return r, nil
}

func unpack(e *Entry, b []byte) ([]byte, error) {
	if !e.Compressed {
		return b, nil
	}
	raw := make([]byte, e.Raw)
	n, err := lz4.UncompressBlock(b, raw)
	if err == nil && n != len(raw) {
		err = fmt.Errorf("expected %d bytes when decompressed, found %d", len(raw), n)
	}
	return raw, err
}

// contents returns Contents of partition i without its bytes.
func (c *Checkpoint) contents(i int) *Contents {
	e := &c.m.entries[i]
	job := c.m.jobs[e.Job]
	r := &Contents{
		file: c.files.data[e.File].Name(), entry: *e, firstGID: job.FirstGID, jobLPs: job.LPs,
		streamsEach: c.m.streams, types: uint32(len(c.m.types)), lps: e.LPs, events: e.Events,
	}
	if c.orig != nil {
		r.orig, r.sizes = c.orig, c.orig.sizes[c.starts[i]:][:e.LPs]
	}
	return r
}

// Place is where the record of an LP is.
type Place struct {
	at int
	n  uint64 // number of LPs after it
}

// Place returns the place of the record that NextLP will return next.
func (c *Contents) Place() Place { return Place{c.at, c.lps} }

// Again returns the same contents from the beginning. Several goroutines may each use their
// own.
func (c *Contents) Again() *Contents {
	return &Contents{
		file: c.file, entry: c.entry, data: c.data, firstGID: c.firstGID, jobLPs: c.jobLPs,
		types: c.types, streamsEach: c.streamsEach, lps: c.entry.LPs, events: c.entry.Events,
		orig: c.orig, sizes: c.sizes,
	}
}

// LP sets lp to the LP at a place, as NextLP does. Afterwards the result of NextEvent is
// undefined: use contents of Again.
func (c *Contents) LP(at Place, lp *LP) error {
	c.at, c.lps = at.at, at.n
	_, err := c.NextLP(lp)
	return err
}

// Events moves to the events. behind is the place after the last LP.
func (c *Contents) Events(behind Place) { c.at, c.lps = behind.at, 0 }
