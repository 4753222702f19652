// This file decides whether KPs may have moved, and has the rules for files of runs in which they may. KPs
// and LPs have the numbers that the mapping gives them, and are in the samples of the PE that handles them.
// The PE from which they came counted a part of what they have counted since their last sample. So sums over
// PEs, KPs and LPs agree only over the whole file.

package check

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// moving is the state of a check by these rules.
type moving struct {
	whole bool // no data are known to be missing
	seen  bool // a sample shows that a KP has moved, or that one PE handled the events of others

	last   map[unit]*part      // latest record
	done   map[unit]int64      // events processed less those rolled back
	lps    map[unit][]uint64   // of each KP
	sample map[uint64]struct{} // LPs of the current sample
	totals map[instr.Kind]*count
	held   []heldSum
	models modelTimes
}

// unit is a PE, KP or LP by the mapping.
type unit struct {
	kind   instr.Kind
	pe, id uint64 // the PE of a KP
}

// heldSum is a sum in a sample that does not agree. A PE that has handled a KP for others, and no longer
// does, may be the reason.
type heldSum struct {
	at    where
	over  instr.Kind
	field int
	lacks int64 // what the record has more than the sum
	is    uint64
	sum   uint64
}

// mostHeld is the largest number of sums to remember.
const mostHeld = 1 << 16

// skew is how much the clocks of two PEs may differ, seconds.
const skew = 1e-3

func newMoving(whole bool) *moving {
	return &moving{
		whole: whole, last: map[unit]*part{}, done: map[unit]int64{}, lps: map[unit][]uint64{}, sample: map[uint64]struct{}{},
		totals: map[instr.Kind]*count{}, models: modelTimes{lps: map[lpMode]*modelTime{}},
	}
}

func unitOf(at *where) unit {
	switch at.kind {
	case instr.KindKP:
		return unit{at.kind, at.pe, at.kp}
	case instr.KindLP:
		return unit{at.kind, 0, at.lp}
	}
	return unit{at.kind, 0, at.pe}
}

// begins reports whether a record is the first of a sample in a file whose samples do not begin with PEs.
func (m *moving) begins(parts []part, p *part) bool {
	last := &parts[len(parts)-1]
	if !same(p.at.ts, last.at.ts) || !same(p.real, last.real) || p.at.kind < last.at.kind {
		return true
	}
	if p.at.kind == instr.KindLP {
		_, again := m.sample[p.at.lp]
		return again && parts[0].at.kind == instr.KindLP
	}
	return !isBefore(&last.at, &p.at)
}

// isBefore reports whether the record of a KP precedes that of another one in a sample.
func isBefore(a, b *where) bool { return a.pe < b.pe || a.pe == b.pe && a.kp < b.kp }

// add notes that a record is in the current sample.
func (m *moving) add(p *part, first bool) {
	if first {
		clear(m.sample)
	}
	if p.at.kind == instr.KindLP {
		m.sample[p.at.lp] = struct{}{}
	}
}

// endMoving checks a sample of KPs that may have moved.
func (c *checker) endMoving(parts []part) {
	m := c.moving
	c.orderMoving(parts)
	c.members(parts)
	c.sums(parts)
	for i := range parts {
		p := &parts[i]
		c.alone(p)
		c.followMoving(p)
		total := m.totals[p.at.kind]
		if total == nil {
			total = &count{}
			m.totals[p.at.kind] = total
		}
		addCount(total, &p.count)
	}
	c.list.round = uint64(len(m.last))
}

// orderMoving checks that a sample is PE, KPs, LPs, all of one time, and that the KPs are in order.
func (c *checker) orderMoving(parts []part) {
	first := &parts[0]
	var kp *part
	for i := range parts {
		p := &parts[i]
		if i > 0 {
			c.kinds(p, &parts[i-1])
		}
		if p.at.kind == instr.KindKP {
			if kp != nil && !isBefore(&kp.at, &p.at) {
				c.find(&p.at, "KP", fmt.Sprintf("one after kp %d of pe %d", kp.at.kp, kp.at.pe),
					fmt.Sprintf("kp %d of pe %d", p.at.kp, p.at.pe))
			}
			kp = p
		}
		c.times(p, first)
		c.moving.seen = c.moving.seen || p.at.pe != first.at.pe
	}
}

// members checks that each KP of a sample has all of its LPs, which move with it.
func (c *checker) members(parts []part) {
	of := map[unit][]uint64{}
	first := map[unit]*part{}
	var all []unit
	someLP := false
	for i := range parts {
		p := &parts[i]
		if p.at.kind == instr.KindPE {
			continue
		}
		kp := unit{instr.KindKP, p.at.pe, p.at.kp}
		if first[kp] == nil {
			first[kp] = p
			all = append(all, kp)
		}
		if p.at.kind == instr.KindLP {
			someLP = true
			of[kp] = append(of[kp], p.at.lp)
		}
	}
	if !someLP {
		return
	}
	for _, kp := range all {
		was, known := c.moving.lps[kp]
		if known && !slices.Equal(was, of[kp]) {
			c.find(&first[kp].at, "LPs of the KP", fmt.Sprint(was, " as in the sample before with it"), fmt.Sprint(of[kp]))
		}
		c.moving.lps[kp] = of[kp]
	}
}

// followMoving checks a record against the one before of the same PE, KP or LP. Samples at virtual times
// may go back where another PE goes on with them.
func (c *checker) followMoving(p *part) {
	m, u := c.moving, unitOf(&p.at)
	was := m.last[u]
	if was == nil {
		was = &part{}
		m.last[u] = was
	} else {
		slack := 0.0
		if p.at.kind != instr.KindPE {
			slack = skew
		}
		if p.at.ts < was.at.ts && (p.at.kind == instr.KindPE || c.content == instr.GVTFile || c.content == instr.RTFile) {
			c.find(&p.at, "virtual time", text(was.at.ts)+" as before of this "+p.at.kind.String()+", or later", text(p.at.ts))
		}
		if p.real < was.real-slack {
			c.find(&p.at, "real time", text(was.real)+" as before of this "+p.at.kind.String()+", or later", text(p.real))
		}
	}
	*was = *p
	m.done[u] += int64(p.Processed) - int64(p.RolledBack)
	if n := m.done[u]; n < 0 {
		c.find(&p.at, "events rolled back", "no more than were processed since the start", fmt.Sprintf("%d more", -n))
		m.done[u] = 0
	}
}

// hold notes a sum in a sample of a PE that does not agree.
func (m *moving) hold(h heldSum) {
	if h.lacks = int64(h.is - h.sum); h.lacks != 0 && len(m.held) < mostHeld {
		m.held = append(m.held, h)
	}
}

// endOfFile checks what holds for the whole file.
func (c *checker) endOfFile() {
	m := c.moving
	if !m.whole || len(m.last) == 0 {
		return
	}
	c.lastSamples()
	pe, agrees := m.totals[instr.KindPE], true
	if pe == nil {
		return
	}
	for _, over := range []instr.Kind{instr.KindKP, instr.KindLP} {
		sum := m.totals[over]
		if sum == nil {
			continue
		}
		for field, is := range pe.fields() {
			if field >= sumsOver(over) || is == sum.fields()[field] {
				continue
			}
			agrees = false
			c.disagree(over, field, is, sum.fields()[field])
		}
	}
	m.seen = m.seen || agrees && len(m.held) > 0
}

// disagree reports a sum over the file that does not agree: at the record that has so much too much, if
// there is one.
func (c *checker) disagree(over instr.Kind, field int, is, sum uint64) {
	for i := range c.moving.held {
		if h := &c.moving.held[i]; h.over == over && h.field == field && h.lacks == int64(is-sum) {
			c.find(&h.at, fieldNames[field], fmt.Sprintf("%d, the sum over %s records", h.sum, over), text(h.is))
			return
		}
	}
	c.add(c.follows(), "%s: %s: expected %d in all pe records, the sum over %s records, found %d", c.file,
		fieldNames[field], sum, over, is)
}

// lastSamples checks that the last samples of a run, which end with it, have records of all KPs and LPs.
func (c *checker) lastSamples() {
	end := math.Inf(-1)
	var missing []*part
	for _, p := range c.moving.last {
		end = max(end, p.at.ts)
	}
	for _, p := range c.moving.last {
		if p.at.ts < end {
			missing = append(missing, p)
		}
	}
	slices.SortFunc(missing, func(a, b *part) int { return int(a.at.offset - b.at.offset) })
	for _, p := range missing {
		c.find(&p.at, "last record", "one at "+text(end)+", when the run ended", "none later than "+text(p.at.ts))
	}
}

// run is what run.json, in the folder of a file, has about the run that wrote the file.
type run struct {
	stayed bool // each PE handled the events of its own KPs, from the beginning to the end
	moved  bool // it did not
	whole  bool // no data are known to be missing

	complete  bool   // run.json states that no data are missing
	described bool   // likewise, and that there was one rank
	pes, lps  uint64 // of the run, 0: not known
	exact     bool   // events have exact blocks
	messages  int    // types of messages that those may name
}

// runOf returns what is known about the run that wrote a file.
func runOf(in cli.Input) run {
	unknown := run{whole: true}
	if in.Stdin {
		return unknown
	}
	dir := filepath.Dir(in.Name)
	info, err := instr.ReadRunInfo(dir)
	if err != nil {
		return unknown
	}
	begin := strings.TrimSuffix(instr.FileName(dir, info.Options["stats-prefix"], ""), ".bin")
	if !strings.HasPrefix(filepath.Clean(in.Name), filepath.Clean(begin)) {
		return unknown
	}
	of := run{pes: info.PEs, lps: info.LPs, exact: info.Exact == instr.ExactLayout, messages: len(info.Messages)}
	if of.lps > math.MaxUint32 { // records have the low bits of ids
		of.lps = 0
	}
	if info.Result == nil {
		return of
	}
	b := info.Result.Balance
	moved := b != nil && (b.Moves > 0 || b.Alone > 0)
	// The result has the moves on rank 0 only, and a scheduler that is chosen while the run goes on lets one
	// PE handle all events now and then.
	of.stayed, of.moved = !moved && info.Ranks <= 1 && info.Scheduler != "auto", moved
	of.whole = info.Result.Incomplete == "" && (info.State == instr.RunComplete || info.State == instr.RunStopped)
	of.complete, of.described = of.whole, of.whole && info.Ranks <= 1
	return of
}

// checkers returns a checker for each set of rules that may hold.
func (o *options) checkers(in cli.Input) []*checker {
	of := runOf(in)
	all := []*checker{o.checker(in, of)}
	if !o.original && !of.stayed {
		moving := o.checker(in, of)
		moving.moving = newMoving(of.whole)
		all = append(all, moving)
	}
	return all
}

// choose returns the checker whose findings count. Most runs, and all of the original, are those of KPs that stay.
func choose(all []*checker) *checker {
	fixed := all[0]
	if len(all) == 1 || fixed.count == 0 || fixed.originals() {
		return fixed
	}
	if moving := all[1]; fixed.run.moved || moving.moving.seen {
		return moving
	}
	return fixed
}
