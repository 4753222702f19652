// This file owns the delivery of the model's log: records of committed events, in the order of
// the events.
//
// PEs commit events at different moments, and each of them KP by KP. So a PE keeps its records
// until it has a new GVT, and hands them over then. A record is delivered when all PEs of the
// rank have handed over theirs of events before its time. A run may have two logs: what models log, and
// what the watch shows.

package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
)

// Log delivers the records that models log to a handler of the program.
type Log struct {
	to      slog.Handler
	only    func(gid uint64, label string) bool // whether an LP's records are wanted; nil: all are
	pes     []logOfPE                           // by PE of this rank
	active  int                                 // number of the first ones, which handle events
	first   sync.Once                           // makes loggers
	loggers []*slog.Logger                      // by LP.Index, nil until needed
	lock    sync.Mutex
	waiting []logged // handed over; PEs may still hand over earlier ones
	err     error    // a panic of the handler
}

// logOfPE is a PE's part of the log.
type logOfPE struct {
	records []logged // of committed events, until the next GVT
	reached float64  // GVT when the PE handed over its records
	_       [Apart]byte
}

// of returns a PE's part of the log.
func (l *Log) of(pe *PE) *logOfPE { return &l.pes[pe.ID-pe.Run.Base] }

// logged is a record with its place in the order of events.
type logged struct {
	sig Signature
	lp  uint64
	slog.Record
}

// NewLog returns the log of a rank with a number of PEs. only says whether the records of an LP
// are wanted; nil means all.
func NewLog(to slog.Handler, only func(gid uint64, label string) bool, pes int) *Log {
	return &Log{to: to, only: only, pes: make([]logOfPE, pes), active: pes}
}

// keep keeps a record of an event that is not undone any more.
func (l *Log) keep(pe *PE, r *logged) {
	if pe.Run.Set.Sequential() {
		l.deliver(r)
		return
	}
	of := l.of(pe)
	of.records = append(of.records, *r)
}

// HandOver hands over the records of a PE when it has a new GVT: all its events before that are
// committed.
func (l *Log) HandOver(pe *PE, gvt float64) {
	l.lock.Lock()
	defer l.lock.Unlock()
	of := l.of(pe)
	l.take(of)
	of.reached = gvt
	if len(l.waiting) == 0 {
		return
	}
	for i := range l.active {
		gvt = min(gvt, l.pes[i].reached)
	}
	l.deliverBefore(gvt)
}

// setActive says that only the first n PEs handle events. Nobody may be in its loop, and nothing be left
// to deliver.
func (l *Log) setActive(n int) { l.active = n }

// flush delivers what is left after the last event, and returns what went wrong.
func (l *Log) flush() error {
	l.lock.Lock()
	defer l.lock.Unlock()
	for i := range l.pes {
		l.take(&l.pes[i])
	}
	l.deliverAll(l.waiting)
	l.waiting = nil
	return l.err
}

// take takes the records of a PE.
func (l *Log) take(of *logOfPE) {
	l.waiting = append(l.waiting, of.records...)
	clear(of.records)
	of.records = of.records[:0]
}

// deliverBefore delivers the records of events before a time.
func (l *Log) deliverBefore(time float64) {
	var now, later []logged
	for _, r := range l.waiting {
		if r.sig.Time < time {
			now = append(now, r)
		} else {
			later = append(later, r)
		}
	}
	l.waiting = later
	l.deliverAll(now)
}

// deliverAll delivers records in the order of their events. Those of one event stay in theirs.
func (l *Log) deliverAll(all []logged) {
	slices.SortStableFunc(all, func(a, b logged) int {
		return cmp.Or(a.sig.Compare(b.sig), cmp.Compare(a.lp, b.lp))
	})
	for i := range all {
		l.call(&all[i])
	}
}

// deliver delivers a record at once.
func (l *Log) deliver(r *logged) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.call(r)
}

// call calls the handler, whose errors, as usual with slog, have no effect on the program.
func (l *Log) call(r *logged) {
	defer func() {
		if p := recover(); p != nil && l.err == nil {
			l.err = fmt.Errorf("ross: Config.ModelLog: panic: %v: %w: correct the handler", p, ErrPanic)
		}
	}()
	_ = l.to.Handle(context.Background(), r.Record)
}

// All logs of a run.

// logs yields the logs that the run has.
func (r *Run) logs(yield func(*Log) bool) {
	if r.Log != nil && !yield(r.Log) {
		return
	}
	if r.Watch != nil {
		yield(r.Watch.log)
	}
}

// HandOverLogs is Log.HandOver of all logs.
func (r *Run) HandOverLogs(pe *PE, gvt float64) {
	for l := range r.logs {
		l.HandOver(pe, gvt)
	}
}

// FlushLogs is Log.Flush of all logs.
func (r *Run) FlushLogs() (err error) {
	for l := range r.logs {
		err = errors.Join(err, l.flush())
	}
	return err
}

// SetActiveInLogs is Log.SetActive of all logs.
func (r *Run) SetActiveInLogs(n int) {
	for l := range r.logs {
		l.setActive(n)
	}
}
