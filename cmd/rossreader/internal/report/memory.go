// This file owns the chart of memory over time.

package report

import (
	"math"

	"github.com/ross-go/ross/instr"
)

// memory is what the samples of memory have, over time, in MiB.
type memory struct {
	pes         int       // that have samples
	used        []float64 // of the process with the most, by bucket; NaN where there is none
	queue, undo mean      // of all PEs
	limit       float64   // the highest of a process
}

const mebi = 1 << 20

// A limit of more than farLimit times what was in use is not drawn: the rest would not be seen beside it.
const farLimit = 10

// haveMemory reports whether there are data of memory over time.
func (f *figures) haveMemory() bool { return f.inUse.pes > 0 }

// gatherMemory reads the samples of memory. What one says holds from the sample of the PE before.
func (f *figures) gatherMemory() error {
	if f.lines.n == 0 {
		return nil
	}
	of := &f.inUse
	of.used, of.queue, of.undo = f.lines.row(), newMean(f.lines), newMean(f.lines)
	for i := range of.used {
		of.used[i] = math.NaN()
	}
	seen := map[uint32]bool{}
	err := f.run.Memory(func(from, to float64, m *instr.MemoryStats) {
		seen[m.PE] = true
		for i := f.lines.at(from); i <= f.lines.at(to); i++ {
			of.used[i] = max(orLess(of.used[i]), float64(m.Used)/mebi)
		}
		of.queue.add(f.lines, from, to, float64(m.Queue)/mebi)
		of.undo.add(f.lines, from, to, float64(m.Undo)/mebi)
		of.limit = max(of.limit, float64(m.Limit)/mebi)
	})
	of.pes = len(seen)
	return err
}

func (f *figures) memoryUse() chart {
	c := chart{
		ID: "memory", Title: "Memory", Kind: lineChart, Absent: needMemory,
		Note: "Most memory that the process had in use, as --max-memory counts it. Parts of it are the event queues, and what is kept " +
			"to undo events, with the blocks that the model has allocated.",
		Linked: true, X: f.timeAxis(), Y: axis{Name: "MiB", Unit: "MiB", Min: limit(0)},
	}
	if !f.haveMemory() {
		return c
	}
	c.Absent = ""
	if info := f.run.Info; info != nil && info.Ranks > 1 {
		c.Note += " Of several processes it is the one with the most, while the parts are those of all."
	}
	most, highest := f.lines.row(), 0.0
	queues, undo := f.inUse.queue.values(), f.inUse.undo.values()
	for i := range most {
		most[i], highest = f.inUse.limit, max(highest, orLess(f.inUse.used[i]))
		queues[i] *= float64(f.inUse.pes)
		undo[i] *= float64(f.inUse.pes)
	}
	c.Series = []series{
		{Name: "in use", Values: nums(f.inUse.used), Bold: true},
		{Name: "event queues of all PEs", Values: nums(queues)},
		{Name: "to undo events of all PEs", Values: nums(undo)},
	}
	if highest*farLimit >= f.inUse.limit {
		c.Series = append(c.Series, series{Name: "limit", Values: nums(most), Dashed: true})
	} else {
		c.Note += " The limit, " + bytesText(uint64(f.inUse.limit*mebi)) + ", is far above what is drawn."
	}
	return c
}
