// The kinds with memory that rolls back: a heap that moves as it grows and
// shrinks, undone by deltas; a list of blocks, undone by hand and by Save.

package main

import (
	"slices"

	"github.com/ross-go/ross"
)

// grows reports whether a structure gains a word or loses one: for 64 events it
// mostly gains, then it mostly loses.
func grows(handled uint64, word uint32) bool {
	quarter := word>>16%4 == 0
	return quarter == (handled/64%2 != 0)
}

// heapState is a binary heap of words, the least on top, in one block. The table
// makes deltas too large for a history.
type heapState struct {
	core
	Heap  ross.Block[uint32]
	N     int
	Table [128]uint64
}

func (md *model) heapType() ross.LPType {
	return stored(md, ross.Type[heapState]{
		Name: "heap", Saving: ross.SaveByDelta,
		Init: func(_ *heapState, lp *ross.LP) { md.start(lp) },
		Event: ross.OnUndo(func(s *heapState, lp *ross.LP, _ *ross.Bits, m *huge) { s.handle(md, lp, m) }).Commit(
			func(_ *heapState, lp *ross.LP, bits *ross.Bits, m *huge) { md.commitHeap(lp, bits, m) }),
		Final: func(s *heapState, lp *ross.LP) {
			held := slices.Clone(s.Heap.Of(lp)[:s.N])
			slices.Sort(held)
			md.audit(lp, &s.core, sum(s.Table[:]), held)
		},
	}, plainHeap, heapWords, restoreHeap)
}

func (s *heapState) handle(md *model, lp *ross.LP, m *huge) {
	checkBody(lp, m.Body[:], m.Word)
	grow := grows(s.Handled, m.Word)
	word := s.take(&m.head)
	if grow {
		s.push(lp, word)
	} else if s.N > 0 {
		s.pop(lp)
	}
	s.Table[word%uint32(len(s.Table))] += uint64(word)
	shuffle(s.Table[:], word>>8)
	md.act(lp, &s.core, m.head)
	for i := range word >> 12 % 4 * 24 {
		m.Body[i] ^= s.Hash + uint64(i)*factor
	}
}

// commitHeap keeps the words sorted.
func (md *model) commitHeap(lp *ross.LP, bits *ross.Bits, m *huge) {
	b, word, _ := md.enter(lp, bits, &m.head)
	if grows(b.Handled-1, word) {
		i, _ := slices.BinarySearch(b.held, word)
		b.held = slices.Insert(b.held, i, word)
	} else if len(b.held) > 0 {
		b.held = slices.Delete(b.held, 0, 1)
	}
}

// resize moves the heap to a block for n words.
func (s *heapState) resize(lp *ross.LP, n int) {
	to := ross.Alloc[uint32](lp, n)
	copy(to.Of(lp), s.Heap.Of(lp)[:s.N])
	ross.Free(lp, s.Heap)
	s.Heap = to
}

func (s *heapState) push(lp *ross.LP, word uint32) {
	if s.N == s.Heap.Len() {
		s.resize(lp, max(2*s.N, 2))
	}
	h := s.Heap.Of(lp)
	i := s.N
	for s.N++; i > 0 && word < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = word
}

func (s *heapState) pop(lp *ross.LP) {
	h := s.Heap.Of(lp)
	s.N--
	word, i := h[s.N], 0
	for 2*i+1 < s.N {
		c := 2*i + 1
		if c+1 < s.N && h[c+1] < h[c] {
			c++
		}
		if word <= h[c] {
			break
		}
		h[i], i = h[c], c
	}
	h[i] = word
	if s.N <= s.Heap.Len()/4 {
		s.resize(lp, s.Heap.Len()/2)
	}
}

// node is a node of a listState, in a separate block.
type node struct {
	Next, Prev ross.Block[node]
	Word       uint32
	Pad        [5]uint32
}

// listState is a queue of words. Reverse undoes pushes, Save undoes pops.
type listState struct {
	core
	Head, Tail ross.Block[node]
	N          int
}

func (md *model) listType() ross.LPType {
	return stored(md, ross.Type[listState]{
		Name: "list",
		Init: func(s *listState, lp *ross.LP) {
			s.push(lp, uint32(lp.ID()))
			md.books[lp.ID()].held = []uint32{uint32(lp.ID())}
			md.start(lp)
		},
		Event: ross.OnUndo(func(s *listState, lp *ross.LP, bits *ross.Bits, m *medium) { s.handle(md, lp, bits, m) }).Reverse(
			func(s *listState, lp *ross.LP, bits *ross.Bits, m *medium) { s.undo(lp, bits, m) }).Commit(
			func(_ *listState, lp *ross.LP, bits *ross.Bits, m *medium) { md.commitList(lp, bits, m) }),
		Final: func(s *listState, lp *ross.LP) { md.audit(lp, &s.core, md.books[lp.ID()].sum, s.words(lp)) },
	}, plainList, listWords, restoreList)
}

func (s *listState) handle(md *model, lp *ross.LP, bits *ross.Bits, m *medium) {
	checkBody(lp, m.Body[:], m.Word)
	grow := grows(s.Handled, m.Word)
	word := s.take(&m.head)
	switch {
	case grow:
		bits.Set(bitPush)
		s.push(lp, word)
	case s.N > 0:
		bits.Set(bitPop)
		m.Body[0] ^= uint64(s.pop(lp))
	}
	md.act(lp, &s.core, m.head)
}

// undo runs before the engine restores what pop saved and undoes allocations and
// frees.
func (s *listState) undo(lp *ross.LP, bits *ross.Bits, m *medium) {
	word := s.giveBack(&m.head)
	switch {
	case bits.Get(bitPush):
		s.N--
		s.Tail = s.Tail.Of(lp)[0].Prev
		if s.N == 0 {
			s.Head = ross.Block[node]{}
		} else {
			s.Tail.Of(lp)[0].Next = ross.Block[node]{}
		}
	case bits.Get(bitPop):
		s.N++
		fill(m.Body[:1], word)
	}
}

func (md *model) commitList(lp *ross.LP, bits *ross.Bits, m *medium) {
	b, word, _ := md.enter(lp, bits, &m.head)
	if grows(b.Handled-1, word) {
		b.held = append(b.held, word)
	} else if len(b.held) > 0 {
		m.Body[0] ^= uint64(b.held[0])
		checkBody(lp, m.Body[:], word)
		b.held = slices.Delete(b.held, 0, 1)
	}
}

// push puts a word at the end.
func (s *listState) push(lp *ross.LP, word uint32) {
	b := ross.Alloc[node](lp, 1)
	b.Of(lp)[0] = node{Prev: s.Tail, Word: word}
	if s.N == 0 {
		s.Head = b
	} else {
		s.Tail.Of(lp)[0].Next = b
	}
	s.Tail = b
	s.N++
}

// pop takes the first word out.
func (s *listState) pop(lp *ross.LP) uint32 {
	ross.Save(lp, &s.Head)
	ross.Save(lp, &s.Tail)
	first := s.Head.Of(lp)[0]
	ross.Free(lp, s.Head)
	s.N--
	s.Head = first.Next
	if s.N == 0 {
		s.Tail = ross.Block[node]{}
	} else {
		n := &s.Head.Of(lp)[0]
		ross.Save(lp, &n.Prev)
		n.Prev = ross.Block[node]{}
	}
	return first.Word
}

// words returns what is in the list, from first to last.
func (s *listState) words(lp *ross.LP) (all []uint32) {
	for b := s.Head; b.Len() > 0; b = b.Of(lp)[0].Next {
		all = append(all, b.Of(lp)[0].Word)
	}
	return all
}
