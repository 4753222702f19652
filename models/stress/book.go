// The record of what was committed, kept outside the states: Commit writes it,
// event by event, and Final compares it with the state that is left after all
// rollbacks.

package main

import (
	"errors"
	"fmt"

	"github.com/ross-go/ross"
)

var (
	errOrder = errors.New("stress: committed events of an LP are out of order")
	errBody  = errors.New("stress: a message is not what was sent")
	errState = errors.New("stress: the state is not that of the committed events")
)

// book records an LP's committed events. Only Commit writes to it.
type book struct {
	core
	last  float64  // time of the newest
	sum   uint64   // of the words, times how often the LP added them up
	held  []uint32 // words that the LP keeps
	slept bool     // the LP suspended itself
	code  int
}

// bits that events leave for Reverse and Commit.
const (
	bitOdd    = 0
	bitPush   = 1
	bitPop    = 2
	bitAsleep = 3  // the LP suspended itself
	bitIdle   = 4  // and did nothing else
	bitSent   = 16 // from here on: how many events were sent
)

// enter commits an event. It returns the LP's book and the word that the message
// had; ok is false if there is no more to do.
func (md *model) enter(lp *ross.LP, bits *ross.Bits, m *head) (b *book, word uint32, ok bool) {
	b = &md.books[lp.ID()]
	if now := lp.Now(); now < b.last {
		lp.Fail(fmt.Errorf("%w: time %g after %g", errOrder, now, b.last))
	} else {
		b.last = now
	}
	if b.slept {
		lp.Fail(fmt.Errorf("%w: an event after the LP suspended itself", errOrder))
	}
	if bits.Get(bitAsleep) {
		b.slept, b.code = true, sleepCode(lp)
	}
	if bits.Get(bitIdle) {
		return b, 0, false
	}
	word = m.Word - uint32(b.Handled)
	b.Hash = b.Hash*factor + uint64(word)
	b.Handled++
	b.sum += uint64(word)
	return b, word, true
}

// audit compares a state with the book: its core, the sum of its words, and what
// it keeps.
func (md *model) audit(lp *ross.LP, c *core, sum uint64, held []uint32) {
	b := &md.books[lp.ID()]
	code, slept := lp.Suspended()
	switch {
	case *c != b.core:
		md.differ(lp, "events and their hash", *c, b.core)
	case sum != b.sum:
		md.differ(lp, "sum of words", sum, b.sum)
	case slept != b.slept || code != b.code:
		md.differ(lp, "suspension", fmt.Sprint(slept, code), fmt.Sprint(b.slept, b.code))
	case len(held) != len(b.held):
		md.differ(lp, "number of words kept", len(held), len(b.held))
	default:
		for i, w := range held {
			if w != b.held[i] {
				md.differ(lp, fmt.Sprintf("word %d kept", i), w, b.held[i])
				return
			}
		}
	}
}

func (md *model) differ(lp *ross.LP, what string, got, want any) {
	lp.Fail(fmt.Errorf("%w: %s: %v, not %v", errState, what, got, want))
}

// checkBody is for handlers, before they write to a message.
func checkBody(lp *ross.LP, body []uint64, word uint32) {
	if !isFilled(body, word) {
		lp.Fail(fmt.Errorf("%w: its body of %d words does not follow from its first", errBody, len(body)))
	}
}

func sum(words []uint64) (s uint64) {
	for _, w := range words {
		s += w
	}
	return s
}
