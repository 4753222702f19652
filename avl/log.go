// Log: the events of other processes in the order in which they came, and how an anti-message finds one.

package avl

import (
	"fmt"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/sys/mem"
)

// Log is the index of a PE: what it has received from other processes, in the order of arrival, as long as an
// anti-message may name it. To add an event is to append to four arrays. With one source, the distance of an id from
// the last one shows where to look. With several, a search looks at the newest events first, where nearly all
// searches end, and makes a [Tree] of the others only when it has to. A Log is not safe for concurrent use.
//
// A source, such as a PE of another process, gives ids that grow, and its events come in that order. An
// anti-message comes while the event that sent the other one is not committed. So GVT decides what may go: an event
// that was sent before it.
type Log struct {
	ids    []uint64  // by place, all of the same length
	source []uint32  // likewise
	at     []uint64  // likewise: what Find returns
	sent   []float64 // likewise: virtual times of sending
	n      int       // events
	kept   int       // of them, those that the last Sweep left
	linked int       // of them, the oldest, those in the tree
	most   int       // events before a sweep
	deep   int       // the most that were in the tree
	scan   int       // number of the newest at which a search looks one by one
	least  int       // room at first
	one    bool      // all have come from source 0
	impl   string
	budget *mem.Budget // for nodes; nil: not charged
	tree   *Tree       // nil before it is first needed
	nodes  *mem.Region // node i is that of the event at place i-1
	order  []uint32    // places of nodes, to build and to insert
	counts []uint32    // by source
	steps  steps
}

// steps counts what a Log has done.
type steps struct {
	New, Sorted, Tree uint64 // searches that ended among the newest, in the order of one source and in the tree
	Swept, Built      uint64 // events that sweeps looked at, and events that trees were made of
}

// mostScanned is the number of events, the newest, at which a search looks one by one, at most. In a small
// log it is half of the room.
const mostScanned = 256

// growsSlowly is the room above which a log grows by a quarter instead of doubling.
const growsSlowly = 1 << 16

// NewLog returns an empty log with room for the given number of events at first, 2 at least. impl chooses the trees as
// for [New].
func NewLog(room int, impl string) (*Log, error) { return NewChargedLog(room, impl, nil) }

// NewChargedLog is NewLog with a budget (nil: none) to which the memory of trees is charged. If that is refused,
// searches go without a tree. It is for the engine.
func NewChargedLog(room int, impl string, budget *mem.Budget) (*Log, error) {
	if _, err := chosen(impl); err != nil {
		return nil, err
	}
	l := &Log{impl: impl, budget: budget, one: true, least: max(room, 2)}
	l.scan = min(l.least/2, mostScanned)
	l.resize(l.least)
	return l, nil
}

// Len returns the number of events.
func (l *Log) Len() int { return l.n }

// InTrees returns how many of the events are in trees.
func (l *Log) InTrees() int { return l.linked }

// Most returns how many events there were at most, and how many of them were in trees at most.
func (l *Log) Most() (events, inTrees int) { return max(l.most, l.n), l.deep }

// TreeSearches returns how many searches looked into trees.
func (l *Log) TreeSearches() uint64 { return l.steps.Tree }

// Bytes returns the memory of the log.
func (l *Log) Bytes() uint64 {
	b := uint64(len(l.ids))*(8+4+8+8) + 4*uint64(cap(l.order)+cap(l.counts)) + l.Charged()
	if l.tree != nil {
		b += l.tree.Bytes()
	}
	return b
}

// Charged returns the memory that is charged to the budget: that of the nodes of the tree.
func (l *Log) Charged() uint64 {
	if l.tree == nil {
		return 0
	}
	return uint64(l.nodes.Committed())
}

// resize makes room for n events.
func (l *Log) resize(n int) {
	l.ids = append(make([]uint64, 0, n), l.ids[:l.n]...)[:n]
	l.source = append(make([]uint32, 0, n), l.source[:l.n]...)[:n]
	l.at = append(make([]uint64, 0, n), l.at[:l.n]...)[:n]
	l.sent = append(make([]float64, 0, n), l.sent[:l.n]...)[:n]
}

// Add adds an event: the next id of a source, where the event is, and the virtual time at which it was sent.
func (l *Log) Add(source uint32, id, at uint64, sent float64) {
	i := l.n
	if i >= len(l.ids) {
		l.resize(len(l.ids) + max(min(len(l.ids), growsSlowly), len(l.ids)/4))
	}
	l.ids[i], l.source[i], l.at[i], l.sent[i] = id, source, at, sent
	if l.n++; source != 0 {
		l.one = false
	}
}

// Find returns where an event is and when it was sent. ok is false if the log does not have it. It is FindNew,
// then FindOld.
func (l *Log) Find(source uint32, id uint64) (at uint64, sent float64, ok bool) {
	if at, sent, ok = l.FindNew(source, id); ok {
		return at, sent, true
	}
	return l.FindOld(source, id)
}

// FindNew is Find among the newest events, which are looked at one by one. If all events have come from source 0,
// it is Find.
func (l *Log) FindNew(source uint32, id uint64) (at uint64, sent float64, ok bool) {
	if l.one {
		if i := l.findOne(id); i >= 0 && source == 0 {
			return l.at[i], l.sent[i], true
		}
		return 0, 0, false
	}
	for i := l.n - 1; i >= max(l.n-l.scan, 0); i-- {
		if l.ids[i] == id && l.source[i] == source {
			l.steps.New++
			return l.at[i], l.sent[i], true
		}
	}
	return 0, 0, false
}

// findOne returns the place of an event if all are of one source, -1 if it is not there. Few ids between two that are
// in the log are not, so that the distance of the id from the last one shows where to look.
func (l *Log) findOne(id uint64) int {
	n := l.n
	if n == 0 || id > l.ids[n-1] {
		return -1
	}
	l.steps.Sorted++
	i := 0
	if d := l.ids[n-1] - id; d < uint64(n) {
		i = n - 1 - int(d) // or after that
	}
	for end := min(i+8, n); i < end; i++ {
		if l.ids[i] == id {
			return i
		}
	}
	if k, ok := slices.BinarySearch(l.ids[i:n], id); ok {
		return i + k
	}
	return -1
}

// FindOld is Find among all events but the newest.
func (l *Log) FindOld(source uint32, id uint64) (at uint64, sent float64, ok bool) {
	n := max(l.n-l.scan, 0)
	if n == 0 || l.one {
		return 0, 0, false
	}
	i := 0
	if l.link(n) == nil {
		l.steps.Tree++
		var node uint32
		node, ok = l.tree.Find(source, id)
		i = int(node) - 1
	} else { // there is no memory for nodes
		for i = n - 1; i > 0 && (l.ids[i] != id || l.source[i] != source); i-- {
		}
		ok = l.ids[i] == id && l.source[i] == source
	}
	if !ok {
		return 0, 0, false
	}
	return l.at[i], l.sent[i], true
}

// link makes the n oldest events nodes of the tree: those that the last sweep has left in one go, and each
// after that by an insertion. After an error the next call makes the tree anew.
func (l *Log) link(n int) error {
	err := l.ensureNodes()
	if err == nil && l.linked == 0 { // what the tree has is of before the last sweep
		l.linked = min(n, l.kept)
		l.sortKept()
		err = l.tree.Build(l.order)
	}
	if err == nil && l.linked < n {
		l.order = l.order[:0]
		for i := l.linked; i < n; i++ {
			l.fill(i)
			l.order = append(l.order, uint32(i+1))
		}
		l.steps.Built += uint64(n - l.linked)
		l.linked = n
		err = l.tree.Insert(l.order)
	}
	if err != nil {
		l.linked = 0
	}
	l.deep = max(l.deep, l.linked)
	return err
}

// fill writes the key of the event at a place to its node.
func (l *Log) fill(i int) {
	n := l.tree.h.at(uint32(i + 1))
	n.ID, n.Source = l.ids[i], l.source[i]
}

// sortKept fills the nodes of the oldest events, and orders them by source. Ids of a source are in order.
func (l *Log) sortKept() {
	clear(l.counts)
	for _, s := range l.source[:l.linked] {
		for int(s)+1 >= len(l.counts) {
			l.counts = append(l.counts, 0)
		}
		l.counts[s+1]++
	}
	for s := 1; s < len(l.counts); s++ {
		l.counts[s] += l.counts[s-1]
	}
	l.order = slices.Grow(l.order[:0], l.linked)[:l.linked]
	for i, s := range l.source[:l.linked] {
		l.fill(i)
		l.order[l.counts[s]] = uint32(i + 1)
		l.counts[s]++
	}
	l.steps.Built += uint64(l.linked)
}

// ensureNodes makes the tree, and memory for as many nodes as there is room for events.
func (l *Log) ensureNodes() error {
	size := uint64(len(l.ids)+1) * NodeSize
	if l.tree != nil && uint64(l.nodes.Committed()) >= size {
		return nil
	}
	if size > math.MaxUint32*NodeSize {
		return fmt.Errorf("ross: index of received events: %d are too many", len(l.ids))
	}
	nodes, err := mem.Reserve(size, l.budget)
	if err != nil {
		return err
	}
	if err = nodes.Grow(uintptr(size)); err == nil {
		var tree *Tree
		if tree, err = New(nodes.Base(), NodeSize, l.impl); err == nil {
			l.Close()
			l.nodes, l.tree, l.linked = nodes, tree, 0
			return nil
		}
	}
	nodes.Release()
	return err
}

// Due reports whether it is time for a Sweep: there are twice as many events as the last one has left, and as many as
// there was room for at first.
func (l *Log) Due() bool { return l.n >= max(2*l.kept, l.least) }

// Sweep drops the events that were sent before GVT, a virtual time.
func (l *Log) Sweep(gvt float64) {
	l.steps.Swept += uint64(l.n)
	l.most = max(l.most, l.n)
	n := 0
	for i, sent := range l.sent[:l.n] {
		l.ids[n], l.source[n], l.at[n], l.sent[n] = l.ids[i], l.source[i], l.at[i], sent
		if !(sent < gvt) {
			n++
		}
	}
	l.n, l.kept, l.linked = n, n, 0
	if room := max(2*n, l.least); len(l.ids) > 4*room { // after a burst
		l.Close()
		l.resize(2 * room)
	}
}

// Close releases the memory of the tree. The log can be used further.
func (l *Log) Close() {
	if l.tree != nil {
		l.tree.Close()
		l.nodes.Release()
		l.tree, l.nodes, l.linked = nil, nil, 0
	}
}
