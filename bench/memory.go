// This file owns Memory: how many bytes an LP, a KP, a pending and an uncommitted event take.

package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
)

// Memory is one run of PHOLD on one PE that holds a number of things, and measures what it takes
// when it holds them all. Two runs that differ in the number of one thing show what that one takes:
// everything else is in both.
type Memory struct {
	Synch ross.Scheduler // Sequential, Conservative or Optimistic
	LPs   int
	KPs   int
	// Events is the number of pending events of each LP. An event sends one, so it stays as it is.
	Events  int
	Handled int // events handled before the measurement
	// Keep leaves all of them uncommitted in an optimistic run: GVT is not computed.
	Keep bool
}

// MemoryUse is what a run takes when it holds everything, in bytes.
type MemoryUse struct {
	Account float64 // counted against Config.MaxMemory, at most
	Heap    float64 // of this, and of whatever else is there, in the heap of Go, without garbage
	RSS     float64 // physical memory of the process
}

// MemoryPairs returns, by the thing whose size it gives, two runs that differ only in the number of
// it, and the difference.
func MemoryPairs(synch ross.Scheduler) map[string]struct {
	Less, More Memory
	N          int
} {
	type pair = struct {
		Less, More Memory
		N          int
	}
	const mi = 1 << 20
	pairs := map[string]pair{
		"lp":      {Memory{Synch: synch, LPs: mi / 2, KPs: 16, Handled: 1}, Memory{Synch: synch, LPs: mi, KPs: 16, Handled: 1}, mi / 2},
		"kp":      {Memory{synch, mi / 4, mi / 8, 1, 2 * mi, true}, Memory{synch, mi / 4, mi / 4, 1, 2 * mi, true}, mi / 8},
		"pending": {Memory{synch, 1 << 14, 16, 64, 3 * mi, false}, Memory{synch, 1 << 14, 16, 128, 6 * mi, false}, mi},
	}
	if synch == ross.Optimistic {
		pairs["uncommitted"] = pair{Memory{synch, 1 << 14, 16, 1, mi, true}, Memory{synch, 1 << 14, 16, 1, 2 * mi, true}, mi}
	}
	return pairs
}

// Measure runs m and returns what it takes. It is for a process of its own: what others have freed
// would be used again.
func (m Memory) Measure() (use MemoryUse, err error) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP, cfg.NKP, cfg.End = m.Synch, int(m.LPs), int(m.KPs), 1e9
	if m.Synch == ross.Conservative {
		cfg.ConsLookahead = pholdLookahead
	}
	if m.Keep {
		cfg.Tuning.GVTInterval, cfg.Tuning.FixedGVT = 1<<40, true
	}
	sim, err := ross.New(cfg)
	if err != nil {
		return use, err
	}
	defer sim.Close()
	before, heap := rss(), heapInUse()
	left := m.Handled // an event that is undone and handled again counts twice
	model := parallelPhold(m.LPs, m.Events, 0.1, pholdLookahead)
	send := model.Init
	model.Init = func(s *pholdState, lp *ross.LP) {
		*(*int64)(unsafe.Pointer(s)) = 1 // so that the state takes memory
		if send(s, lp); m.Events == 0 && lp.ID() == 0 {
			ross.Send(lp, 0, 1, pholdMsg{})
		}
	}
	next := pholdEvent(m.LPs, 0.1, pholdLookahead)
	model.Event = ross.On(func(s *pholdState, lp *ross.LP, msg *pholdMsg) {
		next(s, lp, msg)
		if left--; left == 0 {
			use.Heap = heapInUse() - heap
			use.RSS = rss() - before
			lp.Stop()
		}
	}).Reverse(func(*pholdState, *ross.LP, *pholdMsg) {})
	if err = sim.Define(model); err == nil {
		err = sim.Run(context.Background())
	}
	for _, f := range sim.Summary().Extra {
		if strings.HasPrefix(f.Label, "Memory Used at Most") {
			kib, _ := strconv.ParseFloat(f.Value, 64)
			use.Account = kib * 1024
		}
	}
	if err == nil && left != 0 {
		err = fmt.Errorf("%d events of %+v are left", left, m)
	}
	return use, err
}

// heapInUse returns the size of what is reachable in the heap, in bytes. It gives the rest back to
// the system.
func heapInUse() float64 {
	var s runtime.MemStats
	debug.FreeOSMemory()
	runtime.ReadMemStats(&s)
	return float64(s.HeapAlloc)
}

// rss returns the physical memory of the process in bytes, 0 where the system does not report it.
func rss() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return 0
	}
	return resident * float64(os.Getpagesize())
}
