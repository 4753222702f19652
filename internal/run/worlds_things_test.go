// What the LPs of worlds have besides their own fields: containers, many timers, statistics of all kinds, and the
// model's log.

package run_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// things are part of the state of an LP.
type things struct {
	Line    container.Queue[uint64]
	Pile    container.Stack[container.Queue[uint32]]
	Heap    container.Heap[float64, uint64]
	Ranking container.IndexedHeap[float64, words2]
	Ranked  container.Queue[container.Handle]
	Marks   container.Bitset
	Slab    container.Slab[words9]
	Seen    container.Set[uint32]
	Alarms  container.Map[uint64, ross.Timer]

	Sizes stats.Histogram
	Work  stats.Series
	Parts [2]stats.Series `ross:"parts,u,every=0.5"`
	Stock [2]stats.Level
	Notes []uint64 `ross:"-"`
}

// ways to change containers, each by a number that follows from the event.
var changes = []func(s *things, lp *ross.LP, x uint64){
	func(s *things, lp *ross.LP, x uint64) { s.Line.Push(lp, x) },
	func(s *things, lp *ross.LP, x uint64) { s.Line.PushFront(lp, x) },
	func(s *things, lp *ross.LP, _ uint64) { s.Line.Pop(lp) },
	func(s *things, lp *ross.LP, x uint64) {
		if n := s.Line.Len(); n > 0 {
			*s.Line.Edit(lp, int(x%uint64(n))) ^= x
		}
		if s.Line.Len() > 24 {
			s.Line.Clear(lp)
		}
	},
	func(s *things, lp *ross.LP, x uint64) {
		if s.Pile.Len() < 3 {
			s.Pile.Push(lp, container.Queue[uint32]{})
		}
		s.Pile.At(lp, int(x%uint64(s.Pile.Len()))).Push(lp, uint32(x))
	},
	func(s *things, lp *ross.LP, _ uint64) {
		if n := s.Pile.Len(); n > 0 {
			s.Pile.At(lp, n-1).Clear(lp)
			s.Pile.Pop(lp)
		}
	},
	func(s *things, lp *ross.LP, x uint64) { s.Heap.Push(lp, float64(x%16), x) },
	func(s *things, lp *ross.LP, _ uint64) { s.Heap.Pop(lp) },
	func(s *things, lp *ross.LP, x uint64) {
		s.Ranked.Push(lp, s.Ranking.Push(lp, float64(x%32), words2{x}))
	},
	func(s *things, lp *ross.LP, x uint64) {
		h, ok := s.Ranked.Pop(lp)
		switch {
		case !ok:
		case x%2 == 0:
			s.Ranking.Remove(lp, h)
		case s.Ranking.Fix(lp, h, float64(x%64)):
			s.Ranking.Edit(lp, h)[1]++
			s.Ranked.Push(lp, h)
		}
	},
	func(s *things, lp *ross.LP, _ uint64) { s.Ranking.Pop(lp) },
	func(s *things, lp *ross.LP, x uint64) { s.Marks.Set(lp, int(x%300)) },
	func(s *things, lp *ross.LP, x uint64) { s.Marks.Unset(lp, int(x%300)) },
	func(s *things, lp *ross.LP, x uint64) {
		if h := s.Slab.Add(lp, words9{x}); x%2 == 0 {
			s.Slab.Remove(lp, h)
		} else {
			s.Slab.Edit(lp, h)[3] = x
		}
		if s.Slab.Len() > 16 {
			s.Slab.Clear(lp)
		}
	},
	func(s *things, lp *ross.LP, x uint64) { s.Seen.Add(lp, uint32(x%64)) },
	func(s *things, lp *ross.LP, x uint64) { s.Seen.Delete(lp, uint32(x%64)) },
}

// changeThings changes up to three containers.
func changeThings(s *things, lp *ross.LP, tag uint64) {
	x := mixed(tag + 5)
	for range 1 + x%3 {
		x = mixed(x*3 + 1)
		changes[x>>8%uint64(len(changes))](s, lp, x>>20)
	}
}

// alarmTag marks the events of timers that send nothing.
const alarmTag = 0xa5 << 56

var errTimer = errors.New("a timer that is pending was not cancelled, or one twice")

// setAlarms cancels a timer, and starts others. It cancels one of them at once.
func setAlarms(s *things, lp *ross.LP, tag uint64, after func(delay float64, tag uint64) ross.Timer) {
	x := mixed(tag + 11)
	key := x % 8
	if old, ok := s.Alarms.Get(lp, key); ok {
		if was := old.Pending(lp); old.Cancel(lp) != was || old.Cancel(lp) {
			lp.Fail(errTimer)
		}
		s.Alarms.Delete(lp, key)
	}
	if x>>8%3 == 0 && s.Alarms.Len() < 6 {
		delays := []float64{0, 0.25, 1, 3, 1e3, 1e-300, 0.7}
		s.Alarms.Put(lp, key, after(delays[x>>16%uint64(len(delays))], x>>8|alarmTag))
	}
	if x>>24%4 == 0 {
		if t := after(0, x>>8|alarmTag); !t.Cancel(lp) {
			lp.Fail(errTimer)
		}
	}
}

// recordThings records in statistics.
func recordThings(s *things, lp *ross.LP, tag uint64) {
	s.Sizes.Add(lp, (lp.Now()-lp.SentAt())*float64(int64(tag%5)-1))
	s.Work.Add(lp, float64(tag%1000)*1e-3)
	s.Parts[tag&1].Add(lp, lp.Now())
	s.Stock[tag&1].Add(lp, float64(int64(tag%7)-3))
	if tag%16 == 3 {
		_ = lp.RNG().NormalSD(0, 1) // which draws two numbers, or keeps one
	}
}

// modelLog collects the model's log as text. It leaves out the numbers of PEs, which differ between layouts.
type modelLog struct {
	lock sync.Mutex
	text bytes.Buffer
	to   slog.Handler
}

func newModelLog() *modelLog {
	l := &modelLog{}
	l.to = slog.NewTextHandler(&l.text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "pe" || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	return l
}

func (l *modelLog) Enabled(context.Context, slog.Level) bool { return true }
func (l *modelLog) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *modelLog) WithGroup(string) slog.Handler            { return l }
func (l *modelLog) Handle(ctx context.Context, r slog.Record) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.to.Handle(ctx, r)
}
