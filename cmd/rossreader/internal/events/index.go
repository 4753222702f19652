// This file owns the index of a trace: 32 bytes for each event, ordered by LP and time, made in one pass over the file.

package events

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/labels"
)

// entry is an event in the index. Its receiver is the LP in whose part of the index it is.
type entry struct {
	recv, send float64 // virtual times, as exact as the trace has them
	word       uint64  // where its record is, and how often it was undone; see below
	src        uint32  // lane of the sender
	by         uint32  // entry by sender: see Trace.bySender
}

// Parts of entry.word. While the file is read, the number of times is what its record is about (instr.ExactWhat).
const (
	offsetBits = 44 // bytes before the record in the file
	undoneBits = 16 // executions that were undone, at most mostUndone are counted
	mostUndone = 1<<undoneBits - 1
	stayedBit  = 1 << (offsetBits + undoneBits) // the last execution was not undone
)

func (e *entry) offset() int64 { return int64(e.word & (1<<offsetBits - 1)) }
func (e *entry) undone() int   { return int(e.word >> offsetBits & mostUndone) }
func (e *entry) stayed() bool  { return e.word&stayedBit != 0 }

// Trace is an event trace that can be asked.
type Trace struct {
	path    string
	file    *os.File
	info    *instr.RunInfo // nil: not known
	exact   bool           // its records have exact blocks
	entries []entry        // by lane, in it by time of receipt, in it as in the file
	start   []uint32       // first entry of each lane, and the number of all
	lps     []uint32       // ids of the LPs of the lanes, ascending
	lanes   []uint32       // lane by id plus 1, 0: none; nil if the ids are far apart
	from    float64        // first time of receipt
	to      float64        // the last
	records uint64         // of the file
	undone  uint64         // events without an execution that stayed

	names  labels.Labels // what the model calls LPs
	kinds  []string      // names of the types of messages or, without them, of LPs
	kindOf []int         // kind by Exact.Message
	types  []fields      // by type of LP

	keeping sync.Mutex // guards what is kept
	kept    kept

	lock    sync.Mutex // guards the order by sender
	bySrc   []uint32   // first place in the order by sender of each lane, and the number of all
	ordered []bool     // whether the part of a lane is in order
}

// mostEntries is the largest number of events of an index.
const mostEntries = math.MaxUint32 - 1

// read reads the file of a trace.
func read(in cli.Input) (t *Trace, err error) {
	t = &Trace{path: in.Name, from: math.Inf(1), to: math.Inf(-1)}
	if in.Stdin {
		return nil, cli.Usagef("standard input cannot be read again and again: name the file or its folder")
	}
	file, err := os.Open(in.Name)
	if err != nil {
		return nil, fmt.Errorf("ross: input: %w: name a file that can be read", err)
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	t.file = file
	t.describe()
	undo, err := t.readRecords(in)
	if err != nil {
		return nil, err
	}
	t.order()
	if undo {
		if err := t.merge(); err != nil {
			return nil, err
		}
	}
	t.orderBySender()
	return t, nil
}

// Close closes the file.
func (t *Trace) Close() error { return t.file.Close() }

// readRecords makes an entry of each record, with ids in place of lanes. It reports whether some are about events that
// were undone.
func (t *Trace) readRecords(in cli.Input) (undo bool, err error) {
	offset := int64(0)
	err = in.Each(func(r *instr.Record) error {
		if r.Kind != instr.KindEvent {
			return fmt.Errorf("ross: input: %s: no event trace, which a run with --event-trace writes: name one", in.Name)
		}
		e := &r.Event
		if t.records == 0 {
			if file, err := t.file.Stat(); err == nil {
				t.entries = make([]entry, 0, min(file.Size()/int64(instr.EventSize+len(e.Payload))+1, mostEntries))
			}
		}
		if t.records++; t.records > mostEntries || offset >= 1<<offsetBits {
			return fmt.Errorf("ross: input: %s: more than %d events: make a shorter run, or leave types out of the trace (Type.Untraced)",
				in.Name, mostEntries)
		}
		n := entry{recv: float64(e.RecvTS), send: float64(e.SendTS), word: uint64(offset), src: e.Src, by: e.Dest}
		if t.exact {
			x, ok := instr.GetExact(e.Payload)
			if !ok {
				return fmt.Errorf("ross: input: %s: record at byte %d: no exact block, although %s says that there is one: restore the files of one run",
					in.Name, offset, instr.RunName)
			}
			n.recv, n.send = x.RecvTS, x.SendTS
			n.word |= uint64(x.What) << offsetBits
			undo = undo || x.What == instr.ExactUndone
		}
		t.from, t.to = min(t.from, n.recv), max(t.to, n.recv)
		t.entries = append(t.entries, n)
		offset += int64(instr.EventSize + len(e.Payload))
		return nil
	})
	if err == nil && len(t.entries) == 0 {
		err = fmt.Errorf("ross: input: %s: no event: make a run with --event-trace=3 that handles some", in.Name)
	}
	return undo, err
}

// order sorts the entries, and finds the lanes.
func (t *Trace) order() {
	t.findLanes()
	t.start = make([]uint32, len(t.lps)+1)
	for i := range t.entries {
		e := &t.entries[i]
		e.src, e.by = uint32(t.laneOf(e.src)), uint32(t.laneOf(e.by))
		t.start[e.by+1]++
	}
	for lane := range t.lps {
		t.start[lane+1] += t.start[lane]
	}
	t.gather()
	parallel(len(t.lps), func(lane int) {
		part := t.lane(lane)
		slices.SortFunc(part, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.recv, b.recv), cmp.Compare(a.offset(), b.offset()))
		})
	})
	for i := range t.entries {
		e := &t.entries[i]
		what := instr.ExactWhat(e.undone())
		e.word &= 1<<offsetBits - 1
		if e.word |= stayedBit; what == instr.ExactUndone { // one execution less
			e.word ^= stayedBit | 1<<offsetBits
		}
	}
}

// findLanes collects the ids of all LPs.
func (t *Trace) findLanes() {
	most := uint32(0)
	for i := range t.entries {
		most = max(most, t.entries[i].src, t.entries[i].by)
	}
	if uint64(most) < max(4*uint64(len(t.entries)), 1<<20) {
		t.lanes = make([]uint32, uint64(most)+1)
		for i := range t.entries {
			t.lanes[t.entries[i].src], t.lanes[t.entries[i].by] = 1, 1
		}
		for id, there := range t.lanes {
			if there != 0 {
				t.lps = append(t.lps, uint32(id))
				t.lanes[id] = uint32(len(t.lps))
			}
		}
		return
	}
	for i := range t.entries {
		t.lps = append(t.lps, t.entries[i].src, t.entries[i].by)
	}
	slices.Sort(t.lps)
	t.lps = slices.Clip(slices.Compact(t.lps))
}

// laneOf returns the lane of an LP, -1 if it has none.
func (t *Trace) laneOf(id uint32) int {
	if t.lanes != nil {
		if int(id) < len(t.lanes) {
			return int(t.lanes[id]) - 1
		}
		return -1
	}
	if lane, ok := slices.BinarySearch(t.lps, id); ok {
		return lane
	}
	return -1
}

// lane returns the entries of a lane.
func (t *Trace) lane(lane int) []entry { return t.entries[t.start[lane]:t.start[lane+1]] }

// laneAt returns the lane of entry i.
func (t *Trace) laneAt(i int) int {
	return sort.Search(len(t.lps), func(lane int) bool { return int(t.start[lane+1]) > i })
}

// gather brings the entries of each lane together, in place: each is swapped to where its lane has room.
func (t *Trace) gather() {
	next := slices.Clone(t.start)
	for lane := range t.lps {
		for next[lane] < t.start[lane+1] {
			e := &t.entries[next[lane]]
			if home := e.by; int(home) != lane {
				*e, t.entries[next[home]] = t.entries[next[home]], *e
				next[home]++
				continue
			}
			next[lane]++
		}
	}
}

// merge makes one entry of all records of an event: how often it was undone, and where its last execution is. Records
// are of one event if they agree in LPs, times and tie-breaker.
func (t *Trace) merge() error {
	old, to := slices.Clone(t.start), uint32(0)
	var group []withTie
	for lane := range t.lps {
		t.start[lane] = to
		for from, end := old[lane], old[lane+1]; from < end; {
			group = group[:0]
			for at := t.entries[from].recv; from < end && t.entries[from].recv == at; from++ {
				group = append(group, withTie{entry: t.entries[from]})
			}
			merged, err := t.mergeGroup(group)
			if err != nil {
				return err
			}
			for i := range merged {
				t.entries[to] = merged[i].entry
				to++
			}
		}
	}
	t.start[len(t.lps)] = to
	t.entries = t.entries[:to]
	return nil
}

// withTie is an entry and the tie-breaker of its event.
type withTie struct {
	entry
	tie float64
}

// isOf reports whether a record is about the event of another one of the same lane and time of receipt.
func (e *withTie) isOf(o *withTie) bool { return e.src == o.src && e.send == o.send && e.tie == o.tie }

// mergeGroup merges the records of a lane with one time of receipt, in place, and returns the events in the order of
// their last executions.
func (t *Trace) mergeGroup(all []withTie) ([]withTie, error) {
	if len(all) > 1 {
		for i := range all {
			_, x, err := t.record(&all[i].entry)
			if err != nil {
				return nil, err
			}
			all[i].tie = x.Tie
		}
		slices.SortFunc(all, func(a, b withTie) int {
			return cmp.Or(cmp.Compare(a.src, b.src), cmp.Compare(a.send, b.send), cmp.Compare(a.tie, b.tie),
				cmp.Compare(a.offset(), b.offset()))
		})
	}
	to := 0
	for from := 0; from < len(all); to++ {
		event, undone := all[from], 0
		for ; from < len(all) && all[from].isOf(&event); from++ {
			if undone += all[from].undone(); all[from].stayed() {
				event.word = all[from].word
			} else {
				event.word &^= stayedBit
			}
		}
		event.word |= uint64(min(undone, mostUndone)) << offsetBits
		if !event.stayed() {
			t.undone++
		}
		all[to] = event
	}
	all = all[:to]
	slices.SortFunc(all, func(a, b withTie) int { return cmp.Compare(a.offset(), b.offset()) })
	return all, nil
}

// orderBySender puts the entries of each sender together: entries[bySrc[lane]+k].by is the k-th. order is sorted when
// the effects of an event are first asked for, since most parts never are.
func (t *Trace) orderBySender() {
	t.bySrc, t.ordered = make([]uint32, len(t.lps)+1), make([]bool, len(t.lps))
	for i := range t.entries {
		t.bySrc[t.entries[i].src+1]++
	}
	for lane := range t.lps {
		t.bySrc[lane+1] += t.bySrc[lane]
	}
	next := slices.Clone(t.bySrc)
	for i := range t.entries {
		at := &next[t.entries[i].src]
		t.entries[*at].by = uint32(i)
		*at++
	}
}

// sent returns the entries that a lane sent at a time, in the order of the index.
func (t *Trace) sent(lane int, at float64) (all []int) {
	t.lock.Lock()
	defer t.lock.Unlock()
	part := t.entries[t.bySrc[lane]:t.bySrc[lane+1]]
	if !t.ordered[lane] {
		t.ordered[lane] = true
		order := make([]uint32, len(part))
		for k := range part {
			order[k] = part[k].by
		}
		slices.SortFunc(order, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(t.entries[a].send, t.entries[b].send), cmp.Compare(a, b))
		})
		for k := range part {
			part[k].by = order[k]
		}
	}
	k := sort.Search(len(part), func(k int) bool { return t.entries[part[k].by].send >= at })
	for ; k < len(part) && t.entries[part[k].by].send == at; k++ {
		all = append(all, int(part[k].by))
	}
	return all
}

// between returns the first entry of a lane from a time on, and the first one after another time.
func (t *Trace) between(lane int, from, to float64) (first, end int) {
	part := t.lane(lane)
	first = sort.Search(len(part), func(k int) bool { return part[k].recv >= from })
	end = first + sort.Search(len(part)-first, func(k int) bool { return part[first+k].recv > to })
	return int(t.start[lane]) + first, int(t.start[lane]) + end
}

// parallel calls f for 0 to n-1, on all processors.
func parallel(n int, f func(i int)) {
	var next atomic.Int64
	var over sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		over.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	over.Wait()
}
