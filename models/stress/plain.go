// This file owns the kinds of LPs without memory that rolls back.

package main

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// handState is undone by Reverse.
type handState struct {
	core
	Odd, Even uint64             // sums of words
	Sent      [burstSize + 1]int // number of events by fan-out
}

func (md *model) handType() ross.LPType {
	return storedWhole(md, ross.Type[handState]{
		Name: "hand",
		Init: func(_ *handState, lp *ross.LP) { md.start(lp) },
		Event: ross.OnUndo(func(s *handState, lp *ross.LP, bits *ross.Bits, m *small) {
			s.handle(md, lp, bits, &m.head)
		}).Reverse(func(s *handState, lp *ross.LP, bits *ross.Bits, m *small) { s.undo(bits, &m.head) }).Commit(
			func(_ *handState, lp *ross.LP, bits *ross.Bits, m *small) { md.enter(lp, bits, &m.head) }),
		Final: func(s *handState, lp *ross.LP) { s.audit(md, lp) },
	})
}

func (s *handState) handle(md *model, lp *ross.LP, bits *ross.Bits, m *head) {
	word := s.take(m)
	n := md.act(lp, &s.core, *m)
	*bits |= ross.Bits(n) << bitSent
	s.Sent[n]++
	if word&1 != 0 {
		bits.Set(bitOdd)
		s.Odd += uint64(word)
	} else {
		s.Even += uint64(word)
	}
}

func (s *handState) undo(bits *ross.Bits, m *head) {
	word := s.giveBack(m)
	s.Sent[*bits>>bitSent]--
	if bits.Get(bitOdd) {
		s.Odd -= uint64(word)
	} else {
		s.Even -= uint64(word)
	}
}

func (s *handState) audit(md *model, lp *ross.LP) {
	md.audit(lp, &s.core, s.Odd+s.Even, nil)
	events := 0
	for _, n := range s.Sent {
		events += n
	}
	if uint64(events) != s.Handled {
		md.differ(lp, "events by fan-out", events, s.Handled)
	}
}

// logState is undone by Save. Its queue, which undoes itself, has some of the newest words.
type logState struct {
	core
	Table [16]uint64
	Words container.Queue[uint32]
}

// drops returns how many words leave a queue of n: mostly it grows a little, then it loses most.
func drops(n int, word uint32) int {
	if word>>10%16 == 0 {
		return n - n/4
	}
	return int(word >> 14 % 2)
}

func (md *model) logType() ross.LPType {
	return stored(md, ross.Type[logState]{
		Name: "log", Saving: ross.SaveByLog,
		Init: func(_ *logState, lp *ross.LP) { md.start(lp) },
		Event: ross.OnUndo(func(s *logState, lp *ross.LP, _ *ross.Bits, m *medium) { s.handle(md, lp, m) }).Commit(
			func(_ *logState, lp *ross.LP, bits *ross.Bits, m *medium) {
				b, word, _ := md.enter(lp, bits, &m.head)
				b.held = append(b.held, word)
				b.held = b.held[drops(len(b.held), word):]
			}),
		Final: func(s *logState, lp *ross.LP) { md.audit(lp, &s.core, sum(s.Table[:]), logWords(s, lp)) },
	}, plainLog, logWords, restoreLog)
}

// handle saves some fields more than once, in parts and as a whole, before and
// after they change: only undoing the newest first restores them.
func (s *logState) handle(md *model, lp *ross.LP, m *medium) {
	checkBody(lp, m.Body[:], m.Word)
	ross.Save(lp, &s.Handled)
	ross.Save(lp, &s.Hash)
	ross.Save(lp, &m.head)
	word := s.take(&m.head)
	at := &s.Table[word%uint32(len(s.Table))]
	ross.Save(lp, at)
	*at += uint64(word)
	if word&(1<<8) != 0 {
		ross.Save(lp, &s.Table)
		shuffle(s.Table[:], 0)
	}
	s.Words.Push(lp, word)
	for range drops(s.Words.Len(), word) {
		s.Words.Pop(lp)
	}
	md.act(lp, &s.core, m.head)
	ross.Save(lp, &s.core)
	if word&(1<<9) != 0 {
		i := word % uint32(len(m.Body))
		ross.Save(lp, &m.Body[i])
		m.Body[i] ^= s.Hash
	}
}

// deltaState is undone by deltas of 200 bytes.
type deltaState struct {
	core
	Words stats.Tally // in the middle, where deltas have to leave it out
	Table [23]uint64
}

func (md *model) deltaType() ross.LPType {
	return storedWhole(md, ross.Type[deltaState]{
		Name: "delta", Saving: ross.SaveByDelta,
		Init: func(_ *deltaState, lp *ross.LP) { md.start(lp) },
		Event: ross.OnUndo(func(s *deltaState, lp *ross.LP, bits *ross.Bits, m *large) { s.handle(md, lp, bits, m) }).Commit(
			func(_ *deltaState, lp *ross.LP, bits *ross.Bits, m *large) { md.enter(lp, bits, &m.head) }),
		Final: func(s *deltaState, lp *ross.LP) {
			md.audit(lp, &s.core, sum(s.Table[:]), nil)
			md.auditWords(lp, &s.core, sum(s.Table[:]), s.Words.Count(), s.Words.Mean())
		},
	})
}

// handle changes a word of the table or all of them, and none, some or all of the
// message.
func (s *deltaState) handle(md *model, lp *ross.LP, bits *ross.Bits, m *large) {
	checkBody(lp, m.Body[:], m.Word)
	if md.dozes(lp) && md.suspends(lp, bits, m.Word) {
		return
	}
	word := s.take(&m.head)
	s.Words.Add(lp, float64(word))
	s.Table[word%uint32(len(s.Table))] += uint64(word)
	shuffle(s.Table[:], word>>8)
	md.act(lp, &s.core, m.head)
	for i := range word >> 10 % 4 * 8 {
		m.Body[i] += s.Hash
	}
}

// auditWords compares the statistic of the words with their sum.
func (md *model) auditWords(lp *ross.LP, c *core, sum, n uint64, mean float64) {
	if n != c.Handled {
		md.differ(lp, "words recorded", n, c.Handled)
	}
	if n > 0 && math.Abs(mean*float64(n)-float64(sum)) > 1e-9*float64(sum) {
		md.differ(lp, "mean of words recorded", mean, float64(sum)/float64(n))
	}
}

// shuffle, for one word in 8, changes all of a table, but not its sum.
func shuffle(table []uint64, word uint32) {
	if word%8 != 0 {
		return
	}
	x := uint64(word) + 1
	for i := range table[1:] {
		x *= factor
		table[i] -= x
		table[i+1] += x
	}
}

// The rare kinds: LPs that suspend themselves, and LPs whose events cannot be
// undone.

// dozes reports whether an LP undone by deltas sometimes suspends itself.
func (md *model) dozes(lp *ross.LP) bool { return lp.ID()%ross.LPID(len(kinds)) == 10 }

// suspends may suspend an LP. It reports whether the event has nothing else to
// do: half of the events that suspend also change the state, which must be
// undone.
func (md *model) suspends(lp *ross.LP, bits *ross.Bits, word uint32) bool {
	if lp.RNG().Unif() >= md.suspend {
		return false
	}
	bits.Set(bitAsleep)
	changes := word&1 != 0
	lp.Suspend(changes, sleepCode(lp))
	lp.Printf("LP %d suspended itself at %g\n", lp.ID(), lp.Now())
	if changes {
		return false
	}
	bits.Set(bitIdle)
	return true
}

// sleepCode is the code with which an LP suspends itself.
func sleepCode(lp *ross.LP) int { return 1 + int(lp.ID()) }

func (md *model) sleeperType() ross.LPType {
	return storedWhole(md, ross.Type[handState]{
		Name: "sleeper",
		Init: func(_ *handState, lp *ross.LP) { md.start(lp) },
		Event: ross.OnUndo(func(s *handState, lp *ross.LP, bits *ross.Bits, m *small) {
			if !md.suspends(lp, bits, m.Word) {
				s.handle(md, lp, bits, &m.head)
			}
		}).Reverse(func(s *handState, lp *ross.LP, bits *ross.Bits, m *small) { s.undo(bits, &m.head) }).Commit(
			func(_ *handState, lp *ross.LP, bits *ross.Bits, m *small) { md.enter(lp, bits, &m.head) }),
		Final: func(s *handState, lp *ross.LP) { s.audit(md, lp) },
	})
}

// neverState may hold anything.
type neverState struct {
	core
	words []uint32
}

func (md *model) neverType() ross.LPType {
	return stored(md, ross.Type[neverState]{
		Name: "never", Saving: ross.SaveNever,
		Init: func(_ *neverState, lp *ross.LP) { md.start(lp) },
		Event: ross.OnUndo(func(s *neverState, lp *ross.LP, _ *ross.Bits, m *small) {
			s.words = append(s.words, s.take(&m.head))
			md.act(lp, &s.core, m.head)
		}).Commit(func(_ *neverState, lp *ross.LP, bits *ross.Bits, m *small) {
			b, word, _ := md.enter(lp, bits, &m.head)
			b.held = append(b.held, word)
		}),
		Final: func(s *neverState, lp *ross.LP) { md.audit(lp, &s.core, md.books[lp.ID()].sum, s.words) },
	}, plainNever, neverWords, restoreNever)
}
