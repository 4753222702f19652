// This file recognizes the checkpoints that ROSS itself writes, determines their layout, and owns their records.

package rio

import (
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/rng"
)

// Bytes of ROSS's own records.
const (
	originalEntry = 24
	originalLP    = 80 // before the state
	originalShort = 64 // the same, if ROSS was built without RAND_NORMAL
	originalEvent = 32 // before the message

	// originalMost is more than any number in a manifest of ROSS: they have 31 bits.
	originalMost = 1 << 31
)

// original is the layout of a checkpoint of ROSS, which none of its files contains.
type original struct {
	lp    uint64   // bytes of an LP before its state
	msg   uint64   // bytes of a message
	sizes []uint64 // of states, in the order of partitions
}

// openOriginal opens a checkpoint of ROSS. Nothing marks one; known reports whether the manifest
// can be one. A file may be longer than its part of the checkpoint, because ROSS does not truncate
// existing files.
func openOriginal(name string) (c *Checkpoint, known bool, err error) {
	m, err := readOriginalManifest(name + manifestSuffix)
	if err != nil {
		return nil, false, err
	}
	files := &located{}
	c = newCheckpoint(name, m, files)
	c.orig = &original{}
	if err := c.openOriginalData(); err != nil {
		return nil, true, errors.Join(err, files.close())
	}
	if err := c.readOriginalSizes(); err != nil {
		return nil, true, errors.Join(err, files.close())
	}
	if err := c.findOriginalLayout(); err != nil {
		return nil, true, errors.Join(err, files.close())
	}
	return c, true, nil
}

func readOriginalManifest(path string) (*manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(err, loadAnother)
	}
	defer f.Close()
	size, err := sizeOf(f)
	if err != nil {
		return nil, err
	}
	if size == 0 || size%originalEntry != 0 || size > originalMost {
		return nil, fmt.Errorf("%d bytes cannot be partitions", size)
	}
	b, err := readBytes(f, 0, size)
	if err != nil {
		return nil, err
	}
	return decodeOriginalManifest(b)
}

// decodeOriginalManifest decodes a manifest of ROSS. Partitions lie back to back in their files;
// their numbers mean nothing. The sizes of the files are minimum sizes.
func decodeOriginalManifest(b []byte) (*manifest, error) {
	m := &manifest{streams: 1, jobs: make([]Job, 1), entries: make([]Entry, len(b)/originalEntry)}
	var lps uint64
	for i := range m.entries {
		var v [6]uint64 // part, file, offset, size, LPs, events
		for k := range v {
			if v[k] = uint64(order.Uint32(b[i*originalEntry+4*k:])); v[k] > math.MaxInt32 {
				return nil, fmt.Errorf("partition %d: found %d", i, int32(v[k]))
			}
		}
		if v[1] >= uint64(len(m.entries)) {
			return nil, fmt.Errorf("partition %d: data file %d, of %d partitions", i, v[1], len(m.entries))
		}
		for uint64(len(m.files)) <= v[1] {
			m.files = append(m.files, dataFile{})
		}
		file := &m.files[v[1]]
		if v[2] != file.size {
			return nil, fmt.Errorf("partition %d: expected at %d, found at %d", i, file.size, v[2])
		}
		if v[3] < v[4]*originalShort+v[5]*originalEvent {
			return nil, fmt.Errorf("partition %d: %d bytes are too few", i, v[3])
		}
		file.size += v[3]
		lps += v[4]
		m.entries[i] = Entry{Part: uint64(i), File: uint32(v[1]), Offset: v[2], Size: v[3], Raw: v[3], LPs: v[4],
			Events: v[5]}
	}
	m.jobs[0] = Job{LPs: lps, Parts: uint64(len(m.entries))}
	return m, nil
}

func (c *Checkpoint) openOriginalData() error {
	for i, want := range c.m.files {
		f, err := openChecked(dataName(c.name, i), 0, func(path string, _ []byte, size uint64) error {
			if size < want.size {
				return damaged(path, size, "expected %d bytes, the file ends", want.size)
			}
			return nil
		})
		if err != nil {
			return err
		}
		c.files.data = append(c.files.data, f)
	}
	return nil
}

// readOriginalSizes reads the index of ROSS: a size for each LP.
func (c *Checkpoint) readOriginalSizes() error {
	lps := c.m.lps()
	f, err := openChecked(c.name+indexSuffix, 0, func(path string, _ []byte, size uint64) error {
		if size < 8*lps {
			return damaged(path, size, "expected %d bytes for %d LPs, the file ends", 8*lps, lps)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.files.index = f
	b, err := readBytes(f, 0, 8*lps)
	if err != nil {
		return err
	}
	c.orig.sizes = make([]uint64, lps)
	for i := range c.orig.sizes {
		size := order.Uint64(b[8*i:])
		if size > math.MaxInt32 {
			return damaged(f.Name(), uint64(8*i), "a state of %d bytes, more than a partition can have", size)
		}
		c.orig.sizes[i] = size
	}
	return nil
}

// findOriginalLayout determines the sizes of LPs and messages. If the sizes of partitions allow
// both layouts of ROSS, the records decide.
func (c *Checkpoint) findOriginalLayout() error {
	var first error
	for _, lp := range [...]uint64{originalLP, originalShort} {
		msg, err := c.originalMessage(lp)
		if err == nil {
			c.orig.lp, c.orig.msg = lp, msg
			if lp == originalLP {
				if _, other := c.originalMessage(originalShort); other == nil {
					err = c.readOriginalLPs()
				}
			}
		}
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// originalMessage returns the size of messages if LPs have the given size.
func (c *Checkpoint) originalMessage(lp uint64) (msg uint64, err error) {
	known := false
	for i := range c.m.entries {
		e := &c.m.entries[i]
		need := e.LPs*lp + e.Events*originalEvent
		for _, size := range c.orig.sizes[c.starts[i]:][:e.LPs] {
			need += size
		}
		bad := func() error {
			return damaged(c.name+manifestSuffix, uint64(i*originalEntry),
				"partition %d: %d bytes cannot be %d LPs of %d bytes and their states, and %d events", i, e.Size, e.LPs, lp,
				e.Events)
		}
		switch {
		case need > e.Size || e.Events == 0 && need != e.Size:
			return 0, bad()
		case e.Events == 0:
			continue
		}
		if rest := e.Size - need; rest%e.Events != 0 || known && rest/e.Events != msg {
			return 0, bad()
		}
		msg, known = (e.Size-need)/e.Events, true
	}
	return msg, nil
}

// twoPi has the digits that ROSS has.
const twoPi = 6.28318530718

// originalLP decodes an LP of ROSS: gid, three states of its generator (at the start of the
// stream, at the start of the block, and now), the pair of draws of the normal distribution,
// whether its second value is still to be returned, and the critical path.
func (c *Contents) originalLP(lp *LP) error {
	i := c.entry.LPs - c.lps - 1
	b, err := c.take(c.orig.lp)
	if err != nil {
		return err
	}
	*lp = LP{GID: order.Uint64(b), CriticalPath: order.Uint32(b[56:])}
	if lp.GID >= c.jobLPs {
		return fmt.Errorf("gid %d, there are %d", lp.GID, c.jobLPs)
	}
	var st rng.StreamState
	for _, at := range [...]int{8, 24, 40} {
		for k := range st.C {
			st.C[k] = order.Uint32(b[at+4*k:])
		}
		if !st.Valid() {
			return fmt.Errorf("%v is not a state of a generator", st.C)
		}
	}
	if c.orig.lp == originalLP {
		lp.CriticalPath = order.Uint32(b[76:])
		flipflop := order.Uint32(b[72:])
		if flipflop > 1 {
			return fmt.Errorf("the switch of the normal distribution is %d, expected 0 or 1", flipflop)
		}
		if u1, u2 := double(b[56:]), double(b[64:]); flipflop == 1 && u1 > 0 && u1 < 1 && u2 > 0 && u2 < 1 {
			st.Spare, st.HasSpare = float64(math.Sqrt(-2*libm.Log(u1))*libm.Cos(twoPi*u2)), true
		}
	}
	c.streams = append(c.streams[:0], st)
	lp.Streams = c.streams
	lp.State, err = c.take(c.sizes[i])
	return err
}

// originalEvent decodes an event of ROSS: bit field, critical path, destination, sender, and
// the time since the end of the run.
func (c *Contents) originalEvent(e *Event) error {
	b, err := c.take(originalEvent)
	if err != nil {
		return err
	}
	*e = Event{
		Bits: order.Uint32(b), CriticalPath: order.Uint32(b[4:]), Dst: order.Uint64(b[8:]), Src: order.Uint64(b[16:]),
		Recv: double(b[24:]), Priority: 1,
	}
	if err := c.checkEvent(e); err != nil {
		return err
	}
	e.Msg, err = c.take(c.orig.msg)
	return err
}

// originalIndex returns the gids, from the records, and the sizes.
func (c *Checkpoint) originalIndex() ([]IndexEntry, error) {
	index := make([]IndexEntry, 0, len(c.orig.sizes))
	err := c.eachOriginalLP(func(lp *LP) { index = append(index, IndexEntry{GID: lp.GID, Size: uint64(len(lp.State))}) })
	if err != nil {
		return nil, err
	}
	if i, ok := eachOnce(index); !ok {
		return nil, damaged(c.name+indexSuffix, uint64(8*i), "LP %d: expected each gid from 0 to %d once, found %d again", i,
			len(index)-1, index[i].GID)
	}
	return index, nil
}

// readOriginalLPs returns an error if the LPs of any partition are invalid.
func (c *Checkpoint) readOriginalLPs() error { return c.eachOriginalLP(func(*LP) {}) }

func (c *Checkpoint) eachOriginalLP(do func(*LP)) error {
	for i := range c.m.entries {
		r, err := c.Read(i)
		if err != nil {
			return err
		}
		var lp LP
		for {
			ok, err := r.NextLP(&lp)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			do(&lp)
		}
	}
	return nil
}
