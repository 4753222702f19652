// This file owns Processes, the processes of an LP as its state has them, and what names them.

package proc

import (
	"iter"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// Processes are the processes that live at an LP. The state of the LP embeds it:
//
//	type Bank struct {
//		proc.Processes
//		Counter proc.Servers `ross:"counter,min"`
//	}
//
// It holds no pointers: what processes do is undone with the events in which they do it, whatever the Saving of
// the type is, and checkpoints have the processes that wait.
type Processes struct {
	run *runner `ross:"-"` // first, so that what deltas save is in one piece, as a rule, and small
	numbers
	table   ross.Block[process]                // their records
	waiters ross.Block[container.Slab[waiter]] // one, of those who wait for signals and for ends of processes
}

// numbers are those of Processes that change when one begins or ends.
type numbers struct {
	serial uint32 // of the process that was started last
	living uint32
	free   container.Handle // a free record, and so on by waiting
	left   uint32           // a set of processes that have travelled from here: the bits that bitOf gives their names
}

// Host is a state that embeds Processes.
type Host interface{ processes() *Processes }

func (ps *Processes) processes() *Processes { return ps }

// Living returns the number of processes that live at the LP: those that wait, and the one that runs.
func (ps *Processes) Living() int { return int(ps.living) }

// PID names a process of an LP, from its start to its end, or until it travels to another LP, where it has another
// PID. It is a number, so it may be kept in states and sent in messages. No two processes of an LP have the same PID
// (until 2^32 have been started). 0 is the PID of nobody.
type PID uint64

// pidOf returns the PID of the process with a handle and a serial.
func pidOf(h container.Handle, serial uint32) PID { return PID(serial)<<32 | PID(h) }

// handle returns the handle of a process, which may be gone.
func (id PID) handle() container.Handle { return container.Handle(id) }

// serial returns the number of a process among those of its LP.
func (id PID) serial() uint32 { return uint32(id >> 32) }

// Ref names a wait of a process. When the wait is over, it names nothing any more. It is a value without pointers.
type Ref struct {
	PID   PID
	Epoch uint32 // which of the waits of the process
	name  uint32 // of the process, as kinds begin with, for those who ask when it has ended
}

// BeginsLate is for package resource: a process that a server has taken begins its service when it goes on.
func (Ref) BeginsLate() {}

// inFrame is the number of words of a frame that are kept in the record of a process; a longer one has a block.
const inFrame = 7

// process is a process that waits, or runs. What changes with each wait lies together, in the first cache line of the
// record, since it is saved together.
type process struct {
	identity
	pause
	words [inFrame]uint64    // the frame
	cause uint64             // of an interruption
	more  ross.Block[uint64] // the frame, if it has more words than inFrame; otherwise zero, if it is there
}

// identity is what a process has from its start to its end. A record that is free is zero, apart from waiting, and from
// a block of zeros that it keeps for a long frame: blocks that are freed take effect at commit, which costs more.
type identity struct {
	kind    uint64 // which process it is: what kindOf returns
	serial  uint32
	waiting container.Handle // the last of a ring of those who wait for its end; of a free record, the next free one
}

// pause is what changes with each wait, and is saved before, with the frame behind it.
type pause struct {
	epoch uint32 // number of waits that are over
	wait  wait   // what it waits for
	why   why    // what has ended the last wait
	flags uint8
	size  uint8   // number of words of the frame in the record
	value uint64  // what the wait is about, or has brought
	timer uint64  // number of the timer of the wait, 0 if it has none
	since float64 // when the wait began
}

// The flags of a process.
const (
	fresh         = 1 << iota // it has not begun
	interruptible             // its wait ends if it is interrupted
	interrupted               // an interruption waits for the next wait that can be interrupted
	killed                    // it goes to its exit
)

// wait is what a process waits for; 0: it does not wait.
type wait uint8

// The waits.
const (
	runs     wait = iota
	inTravel      // to another LP: it is about to leave
	isReady       // for its turn within the event
	forTime
	forWork
	forService
	forTurn
	forItem
	forRoom
	forAmount
	forSignal
	forEnd
	forMail
	forSeveral
	forOther
)

var waits = [...]string{"runs", "travels", "is ready", "sleeps", "works", "is served", "waits for a server", "waits for an item",
	"waits for room", "waits for an amount", "waits for a signal", "waits for the end of a process", "waits for mail",
	"waits for one of several things", "waits"}

// String returns what a process does.
func (w wait) String() string {
	if int(w) < len(waits) {
		return waits[w]
	}
	return "unknown"
}

// why is what has ended a wait.
type why uint8

// The reasons.
const (
	byStart why = iota
	byTime
	byOther
	byInterrupt
	byKill
)

// wake is the message that wakes a process of the LP that sends it.
type wake struct {
	PID   PID
	Epoch uint32
	Why   uint32
}

// The Why of messages that wake no process.
const (
	// attach has the handler of a type tell its parameters: see asking.
	attach = math.MaxUint32
	// overdue is that a turn, PID, has waited for a batch long enough, at the servers Epoch bytes into the state.
	overdue = attach - 1
)

// waiter is one who waits for a signal or the end of a process.
type waiter struct {
	ref  Ref
	next container.Handle // in the ring
	n    uint32           // what the value of the wait becomes
}

// ring returns those who wait in a ring, the first one first. The loop changes nothing.
func (ps *Processes) ring(lp *ross.LP, last container.Handle) iter.Seq[waiter] {
	return func(yield func(waiter) bool) {
		if last == 0 {
			return
		}
		all := (*container.Slab[waiter])(memoryOf(&ps.waiters))
		for h := last; h != 0; {
			w := all.Get(lp, h)
			if w == nil {
				return
			}
			if w = all.Get(lp, w.next); w == nil || !yield(*w) {
				return
			}
			if h = all.Get(lp, h).next; h == last {
				return
			}
		}
	}
}
