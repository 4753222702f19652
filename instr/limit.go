// This file owns Limit: how much the files of a run may take together.

package instr

import "sync/atomic"

// Limit bounds what several files take together, bytes. Buffers draw on it ahead of their records, and
// give nothing back, so that the files have no more than that and, unless records are very
// large, nearly as much. Once a record finds nothing left, its buffer takes no more at all:
// a collection ends, and has no holes. It is safe for concurrent use.
type Limit struct {
	left    atomic.Int64
	lot     int64 // what a buffer draws at a time, if its record needs no more
	reached atomic.Bool
	tell    func()
}

// NewLimit returns a limit of so many bytes, for so many buffers. tell, unless nil, is called
// once, by whoever finds nothing left.
func NewLimit(bytes int64, buffers int, tell func()) *Limit {
	l := &Limit{lot: min(bytes/int64(max(buffers, 1))/64, firstSlice), tell: tell}
	l.left.Store(bytes)
	return l
}

// Reached reports whether a record has found nothing left.
func (l *Limit) Reached() bool { return l.reached.Load() }

// draw takes n bytes, or some more if there are, and returns how many; 0 if n are not left.
func (l *Limit) draw(n int) int {
	for {
		left := l.left.Load()
		if left < int64(n) {
			if !l.reached.Swap(true) && l.tell != nil {
				l.tell()
			}
			return 0
		}
		if got := min(max(int64(n), l.lot), left); l.left.CompareAndSwap(left, left-got) {
			return int(got)
		}
	}
}
