// This file owns the clock under load: how fast a core counts alone, and while all others count.

package main

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ross-go/ross/bench/internal/median"
	"github.com/ross-go/ross/internal/sys/topology"
)

// clocks are speeds of cores, in millions of steps per second. A step is a multiplication that needs the result of
// the one before.
type clocks struct {
	Alone   float64 `json:"alone"`       // median
	All     float64 `json:"all_cores"`   // median of the cores
	Slowest float64 `json:"slowest"`     // of the cores
	Ratio   float64 `json:"all_to_one"`  // All / Alone
	Cores   int     `json:"cores"`       // that counted at once
	Threads float64 `json:"all_threads"` // median of all hardware threads; 0: there are no more than cores
}

const (
	countSteps = 1 << 21
	countTime  = 300 * time.Millisecond
	leastCount = 3
)

// speed returns the median speed of the calling thread.
func speed() float64 {
	var all []float64
	x := uint64(1)
	begin := time.Now()
	for at := begin; at.Sub(begin) < countTime || len(all) < leastCount; {
		for range countSteps {
			x = x*6364136223846793005 + 1
		}
		now := time.Now()
		all = append(all, countSteps/now.Sub(at).Seconds()/1e6)
		at = now
	}
	runtime.KeepAlive(x) // so that the compiler does not leave the counting out
	return median.Of(all)
}

// speeds has a thread on each processor count, all at the same time. Where threads cannot be bound the system places
// them.
func speeds(processors []int) []float64 {
	all := make([]float64, len(processors))
	var ready, done sync.WaitGroup
	ready.Add(len(processors))
	for i, n := range processors {
		done.Go(func() {
			_ = bindFor(n)
			ready.Done()
			ready.Wait()
			all[i] = speed()
		})
	}
	done.Wait()
	return all
}

// measureClocks measures the speed of a core alone, of all cores, and of all hardware threads, but of no more than
// most.
func measureClocks(m topology.Machine, most int) *clocks {
	var first, each []int
	for i := range m.Cores {
		first = append(first, m.Cores[i].Processors[0])
		each = append(each, m.Cores[i].Processors...)
	}
	first, each = first[:min(len(first), most)], each[:min(len(each), most)]
	if topology.Own() == nil {
		for i := range each {
			each[i] = -1
		}
		first = each[:len(first)]
	}
	c := &clocks{Alone: speeds(first[:1])[0], Cores: len(first)}
	all := speeds(first)
	c.All, c.Slowest = median.Of(all), slices.Min(all)
	c.Ratio = c.All / max(c.Alone, 1e-9)
	if len(each) > len(first) {
		c.Threads = median.Of(speeds(each))
	}
	return c
}
