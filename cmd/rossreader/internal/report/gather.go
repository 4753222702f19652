// This file reads a run into the data of the charts, in buckets of time; memory is one of them.

package report

import (
	"math"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

// add adds a sample of a PE or a KP to its sums.
func add(t *findings.Sums, s *survey.Sample) {
	of := findings.Sums{Counts: s.Counts, Rest: s.Rest(), Saving: s.Saving} // the rest first: it may scale down the parts
	of.Secondary = min(of.Secondary, of.Rollbacks)
	copy(of.Parts[:], s.Parts[:])
	t.Add(&of)
}

// course is what a PE or a KP, or several adjacent ones, did in each column of a grid.
type course struct {
	handled, undone, rollbacks []float64
	level                      mean // pending events of a PE; how far a KP is ahead of GVT
}

func newCourse(g grid) course { return course{g.row(), g.row(), g.row(), newMean(g)} }

// add adds a sample, with the level if it is known.
func (c *course) add(g grid, s *survey.Sample, level float64) {
	g.spread(c.handled, s.From, s.To, float64(s.Processed))
	g.spread(c.undone, s.From, s.To, float64(s.RolledBack))
	g.spread(c.rollbacks, s.From, s.To, float64(s.Rollbacks))
	c.level.add(g, s.From, s.To, level)
}

// ofPEs is the course of PEs that share a row, with their time in seconds.
type ofPEs struct {
	course
	parts [survey.NumParts][]float64
	rest  []float64
}

// addTime adds a sample of a PE. The rest of its time is asked for first, since that may scale down its parts.
func (c *ofPEs) addTime(g grid, s *survey.Sample, rest float64) {
	c.add(g, s, s.Queue)
	g.spread(c.rest, s.From, s.To, rest)
	for i, seconds := range s.Parts {
		g.spread(c.parts[i], s.From, s.To, seconds)
	}
}

// moved is a KP that another PE handles from a sample on.
type moved struct {
	kp       survey.KP
	from, to uint32
}

// figures is all data of a report.
type figures struct {
	run    *survey.Run
	source *survey.Source // of samples
	begin  float64        // real time that counts as 0
	lines  grid           // of charts of lines
	heat   grid           // of heat maps

	total findings.Sums
	perPE []findings.Sums // in the order of run.PEs
	perKP []findings.Sums // of run.KPs
	pes   []course        // in the columns of lines
	rows  []course        // of KPs, which share rows of heat maps
	gvt   []float64       // by bucket, NaN where it is unknown

	courses []ofPEs              // which share rows of heat maps
	by      map[survey.KP]uint32 // the PE that handles a KP, if that is not its own
	moves   [][]moved            // in each column
	nMoves  int
	forced  []float64 // GVTs in each column that do not count for --num-gvt, at least
	other   float64   // seconds that the base of a comparison has, 0 without one

	inUse      memory
	lps, pairs *traffic // nil if there is no traffic to draw
	flow       *flow    // likewise
	sampled    []chart  // of the model's samples
	busiest    []lpSums // LPs by events rolled back, then by events handled; nil without samples of LPs
	lpCourses  []lpCourse
	lpColumns  grid
}

// gather reads the run.
func gather(run *survey.Run) (*figures, error) {
	f := &figures{run: run, source: &run.Sources[instr.GVTFile]}
	for _, c := range []instr.Content{instr.RTFile, instr.VTFile, instr.VTEngine} {
		if s := &run.Sources[c]; s.PE+s.KP > f.source.PE+f.source.KP {
			f.source = s
		}
	}
	if m := &run.Sources[instr.Memory]; f.source.PE+f.source.KP == 0 && m.Memory > 0 { // the only file
		f.source = m
	}
	f.size()
	if err := f.samples(); err != nil {
		return nil, err
	}
	if err := f.gatherMemory(); err != nil {
		return nil, err
	}
	if err := f.rank(); err != nil {
		return nil, err
	}
	if err := f.models(); err != nil {
		return nil, err
	}
	return f, f.trace()
}

func (f *figures) size() {
	run, s := f.run, f.source
	f.begin = run.Begin(s.Content)
	perPE := s.PerPE
	if perPE == 0 && len(run.KPs) > 0 {
		perPE = s.KP / uint64(len(run.KPs))
	}
	n := int(min(perPE, uint64(min(maxBuckets, max(maxCells/max(len(run.PEs), 1), 50)))))
	f.lines = newGrid(f.begin, s.Last, max(n, 1))
	f.heat = newGrid(f.begin, s.Last, max(min(n, maxColumns), 1))
	f.perPE, f.perKP = make([]findings.Sums, len(run.PEs)), make([]findings.Sums, len(run.KPs))
	for range run.PEs {
		f.pes = append(f.pes, newCourse(f.lines))
	}
	for range min(len(run.KPs), maxRows) {
		f.rows = append(f.rows, newCourse(f.heat))
	}
	for range min(len(run.PEs), maxRows) {
		one := ofPEs{course: newCourse(f.heat), rest: f.heat.row()}
		for i := range one.parts {
			one.parts[i] = f.heat.row()
		}
		f.courses = append(f.courses, one)
	}
	f.by, f.moves, f.forced = map[survey.KP]uint32{}, make([][]moved, f.heat.n), f.heat.row()
	f.gvt = f.lines.row()
	for i := range f.gvt {
		f.gvt[i] = math.NaN()
	}
}

func (f *figures) samples() error {
	pes, kps := map[uint32]int{}, map[survey.KP]int{}
	for i, pe := range f.run.PEs {
		pes[pe] = i
	}
	for i, kp := range f.run.KPs {
		kps[kp] = i
	}
	err := f.run.Samples(f.source.Content, func(s *survey.Sample) {
		if s.IsKP {
			f.kp(kps[s.KP], s)
			f.move(s)
		} else {
			f.force(s)
			f.pe(pes[s.KP.PE], s)
		}
	})
	of := f.perPE
	if f.source.PE == 0 { // --pe-data=0
		of = f.perKP
	}
	for i := range of {
		f.total.Counts.Add(&of[i].Counts)
	}
	return err
}

func (f *figures) pe(i int, s *survey.Sample) {
	add(&f.perPE[i], s)
	f.courses[share(i, len(f.run.PEs), maxRows)].addTime(f.heat, s, s.Rest())
	f.pes[i].add(f.lines, s, s.Queue)
	if f.lines.n > 0 && !math.IsNaN(s.GVT) {
		at := f.lines.at(s.To)
		f.gvt[at] = math.Max(s.GVT, orLess(f.gvt[at]))
	}
}

func (f *figures) kp(i int, s *survey.Sample) {
	add(&f.perKP[i], s)
	ahead := s.Ahead
	if s.Processed == 0 { // its last event is one of long ago, or of never
		ahead = math.NaN()
	}
	f.rows[share(i, len(f.run.KPs), maxRows)].add(f.heat, s, ahead)
}

func orLess(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(-1)
	}
	return x
}

// Limits of what is drawn.
const (
	maxBuckets = 2000    // of time, in charts of lines
	maxColumns = 150     // of time, in heat maps
	maxRows    = 64      // of KPs in heat maps, of PEs in bars
	maxTraffic = 128     // rows and columns of traffic
	maxLines   = 8       // of PEs in a chart
	maxCells   = 4 << 20 // of all PEs and buckets
)

// grid divides a time into equal buckets.
type grid struct {
	from, width float64 // seconds
	n           int     // 0 if there is no time
}

func newGrid(from, to float64, n int) grid {
	width := (to - from) / float64(max(n, 1))
	if !(width > 0) || math.IsInf(width, 0) {
		return grid{}
	}
	return grid{from, width, n}
}

func (g grid) row() []float64 { return make([]float64, g.n) }

// at returns the bucket of a time; times outside belong to the first and the last.
func (g grid) at(t float64) int {
	return int(min(max((t-g.from)/g.width, 0), float64(g.n-1)))
}

// spread adds an amount to a row, evenly over the time between from and to.
func (g grid) spread(row []float64, from, to, amount float64) {
	if g.n == 0 || !(from < to) || amount == 0 {
		return
	}
	first, last := g.at(from), g.at(to)
	if first == last {
		row[first] += amount
		return
	}
	each := amount / (to - from)
	for i := first; i <= last; i++ {
		begin := g.from + float64(i)*g.width
		row[i] += each * max(min(begin+g.width, to)-max(begin, from), 0)
	}
}

// mean is a mean over time in each bucket.
type mean struct{ sum, weight []float64 }

func newMean(g grid) mean { return mean{g.row(), g.row()} }

func (m mean) add(g grid, from, to, value float64) {
	if !math.IsNaN(value) {
		g.spread(m.sum, from, to, value*(to-from))
		g.spread(m.weight, from, to, to-from)
	}
}

// values returns the means, NaN where nothing was added.
func (m mean) values() []float64 {
	values := make([]float64, len(m.sum))
	for i := range values {
		values[i] = m.sum[i] / m.weight[i]
	}
	return values
}

// share returns the row of one of n items that share at most rows.
func share(i, n, rows int) int { return i * min(n, rows) / n }

// firstOf returns the first of n items with the given row.
func firstOf(row, n, rows int) int {
	rows = min(n, rows)
	return (row*n + rows - 1) / rows
}

// memory is what the samples of memory have, over time, in MiB.
type memory struct {
	pes         int       // that have samples
	used        []float64 // of the process with the most, by bucket; NaN where it is unknown
	queue, undo mean      // of all PEs
	limit       float64   // the highest of a process
}

const mebi = 1 << 20

// A limit of more than farLimit times what was in use is not drawn: the rest would not be seen next to it.
const farLimit = 10

// haveMemory reports whether there are data of memory over time.
func (f *figures) haveMemory() bool { return f.inUse.pes > 0 }

// gatherMemory reads the samples of memory. What one states holds from the sample of the PE before.
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
	if !c.have(f.haveMemory()) {
		return c
	}
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
