// This file owns Memory: how many bytes an LP, a KP, a pending and an uncommitted event take; and Many: as many LPs as
// a machine has room for.

package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/mem"
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
		"lp": {Memory{Synch: synch, LPs: mi / 2, KPs: 16, Handled: 1},
			Memory{Synch: synch, LPs: mi, KPs: 16, Handled: 1}, mi / 2},
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

// Many is a run of PHOLD with many LPs, of one event each until that is sent past the end.
type Many struct {
	LPs   int
	PEs   int     // 0: sequential
	End   float64 // virtual time
	Touch float64 // if it is not 0: there is no run, this many bytes are touched instead
}

// ManyUse is what a run of many LPs takes.
type ManyUse struct {
	Start  float64 // seconds until the first event: making all LPs, and what their Init sends
	Run    float64 // seconds from there on
	Begun  float64 // bytes of physical memory at the first event
	Peak   float64 // most bytes of physical memory
	Events uint64  // committed
	Touch  float64 // seconds for touching Touch bytes by one thread
}

// Measure runs m, in a process of its own.
func (m Many) Measure() (use ManyUse, err error) {
	if m.Touch > 0 {
		use.Touch, err = touch(uint64(m.Touch))
		return use, err
	}
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.NKP, cfg.End, cfg.MaxMemory = m.LPs, 16, m.End, 1<<40
	if cfg.Synch = ross.Sequential; m.PEs > 0 {
		cfg.Synch, cfg.PEs = ross.Optimistic, m.PEs
	}
	begin := time.Now()
	sim, err := ross.New(cfg)
	if err != nil {
		return use, err
	}
	defer sim.Close()
	model := parallelPhold(m.LPs, 1, pholdRemote, pholdLookahead)
	next := pholdEvent(m.LPs, pholdRemote, pholdLookahead)
	var begun atomic.Bool
	model.Event = ross.On(func(s *pholdState, lp *ross.LP, msg *pholdMsg) {
		if !begun.Load() && begun.CompareAndSwap(false, true) {
			use.Start, use.Begun = time.Since(begin).Seconds(), rss()
		}
		next(s, lp, msg)
	}).Reverse(func(*pholdState, *ross.LP, *pholdMsg) {})
	if err = sim.Define(model); err == nil {
		err = sim.Run(context.Background())
	}
	use.Run = time.Since(begin).Seconds() - use.Start
	use.Events, use.Peak = sim.Summary().NetEvents(), peak()
	return use, err
}

// touch writes to each page of n new bytes, in huge pages as those of LPs and events are, and returns how many seconds
// that takes: the system clears the pages.
func touch(n uint64) (seconds float64, err error) {
	region, err := mem.Reserve(n, nil)
	if err != nil {
		return 0, err
	}
	defer region.Release()
	if err = region.Grow(uintptr(n)); err != nil {
		return 0, err
	}
	begin := time.Now()
	for off := uintptr(0); off < uintptr(n); off += uintptr(os.Getpagesize()) {
		*(*byte)(unsafe.Add(region.Base(), off)) = 1
	}
	return time.Since(begin).Seconds(), nil
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

// peak returns the most physical memory in bytes that the process has had, 0 where the system does not report it.
func peak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kib float64
	if _, rest, ok := strings.Cut(string(text), "VmHWM:"); ok {
		_, _ = fmt.Sscan(rest, &kib)
	}
	return kib * 1024
}
