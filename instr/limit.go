// This file owns Limit, the limit on the total size of a run's files.

package instr

import "sync/atomic"

// Limit bounds the total size of several files, in bytes. Buffers draw on it ahead of their records
// and return nothing, so the files never exceed it and, unless records are very large, get close to
// it. Once a record finds nothing left, its buffer accepts no more records: a collection ends
// early, but has no holes. A Limit is safe for concurrent use.
type Limit struct {
	left    atomic.Int64
	lot     int64 // what a buffer draws at a time, unless its record needs more
	reached atomic.Bool
	tell    func()
}

// NewLimit returns a limit of the given number of bytes for the given number of buffers. tell,
// unless nil, is called once, by the first buffer that finds nothing left.
func NewLimit(bytes int64, buffers int, tell func()) *Limit {
	l := &Limit{lot: min(bytes/int64(max(buffers, 1))/64, firstSlice), tell: tell}
	l.left.Store(bytes)
	return l
}

// Reached reports whether a record has found nothing left.
func (l *Limit) Reached() bool { return l.reached.Load() }

// draw takes n bytes, or some more if available, and returns how many; 0 if fewer than n are left.
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
