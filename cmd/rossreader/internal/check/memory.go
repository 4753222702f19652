// This file checks samples of memory, also against the samples of PEs by real time, beside which they were taken.

package check

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
)

// memories is the state of the check of samples of memory.
type memories struct {
	last   map[uint32]*memoryOf
	beside map[uint32][]times // of the samples of PEs by real time that are left; nil: they are not known
	rt     string             // the file with these
}

// memoryOf is the last sample of the memory of a PE.
type memoryOf struct {
	at    where
	real  float64
	limit uint64
}

// times are the virtual and the real time of a sample.
type times struct{ ts, real float64 }

func (c *checker) memory(r *instr.Record) {
	m := &c.memories
	if m.last == nil {
		m.last = map[uint32]*memoryOf{}
		m.readBeside(c.file)
	}
	now := &memoryOf{at: *whereIs(r), real: r.Meta.RealTime, limit: r.Memory.Limit}
	at := &now.at
	c.known(at)
	c.soundTimes(at, now.real)
	if was := m.last[r.Memory.PE]; was != nil {
		c.notBack(at, "virtual time", was.at.ts, at.ts)
		c.notBack(at, "real time", was.real, now.real)
		if now.limit != was.limit {
			c.find(at, "limit", text(was.limit)+" as before on this PE", text(now.limit))
		}
	}
	m.last[r.Memory.PE] = now
	if m.beside != nil {
		c.pair(at, now.real)
	}
}

// pair looks for the sample of the PE that a sample of its memory belongs to. Both files have them in order.
func (c *checker) pair(at *where, real float64) {
	m := &c.memories
	left, pe := m.beside[uint32(at.pe)], uint32(at.pe)
	i := 0
	for i < len(left) && left[i].real < real {
		i++
	}
	m.beside[pe] = left[i:]
	if i == len(left) || !same(left[i].real, real) {
		c.find(at, "sample", "one of the PE at real time "+text(real)+" in "+m.rt, "none")
		return
	}
	if left[i].ts != at.ts {
		c.find(at, "virtual time", text(left[i].ts)+" as in "+m.rt, text(at.ts))
	}
	if i > 0 && c.run.complete {
		c.find(at, "sample before", "one at real time "+text(left[0].real)+", as in "+m.rt, "none")
	}
	m.beside[pe] = left[i+1:]
}

// readBeside reads the times of the samples of PEs by real time in the same folder, unless they may lack something.
func (m *memories) readBeside(file string) {
	before, ok := strings.CutSuffix(file, instr.MemorySuffix+".bin")
	if !ok {
		return
	}
	r, err := instr.Open(before + instr.RTSuffix + ".bin")
	if err != nil {
		return
	}
	defer r.Close()
	beside := map[uint32][]times{}
	for rec, err := range r.All() {
		if err != nil {
			return // the check of that file reports it
		}
		if rec.Kind == instr.KindPE {
			beside[rec.PE.PE] = append(beside[rec.PE.PE], times{rec.Meta.TS, rec.Meta.RealTime})
		}
	}
	m.beside, m.rt = beside, filepath.Base(before+instr.RTSuffix+".bin")
}

// endMemory checks that there is no sample of a PE without its memory.
func (c *checker) endMemory() {
	m := &c.memories
	if m.last == nil {
		m.readBeside(c.file)
	}
	if !c.run.complete {
		return
	}
	for _, pe := range slices.Sorted(maps.Keys(m.beside)) {
		if left := m.beside[pe]; len(left) > 0 {
			c.add(c.follows(), "%s: pe %d: expected its memory also at real time %s, as in %s, found none", c.file, pe, text(left[0].real), m.rt)
		}
	}
}
