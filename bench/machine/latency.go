// This file owns the latency of a cache line: the time that a number takes to another core and back.

package main

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/bench/internal/median"
	"github.com/ross-go/ross/internal/sys/topology"
)

// Where two processors are.
const (
	inCore    = "hardware threads of a core"
	inDomain  = "cores of a socket or node"
	inSocket  = "nodes of a socket"
	elsewhere = "sockets"
	unbound   = "any two threads"
)

// hop is a pair of processors.
type hop struct {
	A     int    `json:"a"`
	B     int    `json:"b"`
	Where string `json:"where"`
	// Nanoseconds of a round trip, which is two transfers.
	Least  float64 `json:"least_ns"`
	Median float64 `json:"median_ns"`
}

// Machines with more cores than allPairs have somePairs of each kind.
const (
	allPairs  = 16
	somePairs = 12
)

// hopsOf returns the pairs that are measured.
func hopsOf(m topology.Machine, bound bool) (all []hop) {
	if !bound {
		return []hop{{A: -1, B: -1, Where: unbound}}
	}
	kinds := map[string][]hop{}
	for i := range m.Cores {
		a := &m.Cores[i]
		if len(a.Processors) > 1 {
			kinds[inCore] = append(kinds[inCore], hop{A: a.Processors[0], B: a.Processors[1], Where: inCore})
		}
		for k := i + 1; k < len(m.Cores); k++ {
			b := &m.Cores[k]
			where := elsewhere
			switch {
			case a.Domain() == b.Domain():
				where = inDomain
			case a.Socket == b.Socket:
				where = inSocket
			}
			kinds[where] = append(kinds[where], hop{A: a.Processors[0], B: b.Processors[0], Where: where})
		}
	}
	for _, where := range []string{inCore, inDomain, inSocket, elsewhere} {
		of := kinds[where]
		n := len(of)
		if len(m.Cores) > allPairs {
			n = min(n, somePairs)
		}
		for i := range n { // evenly over the machine
			all = append(all, of[i*len(of)/n])
		}
	}
	return all
}

// padded is a word that has its cache line, and the one that processors fetch with it, to itself.
type padded struct {
	_    [128]byte
	word atomic.Uint64
	_    [128]byte
}

// Time of a pair, and round trips between two looks at the clock.
const (
	hopTime  = 15 * time.Millisecond
	hopBatch = 100
	leastHop = 5 // batches, however long they take
)

// ends is the number after which nobody answers.
const ends = ^uint64(0)

// measure has two threads pass a number to and fro. Odd numbers are for the second.
func (h *hop) measure() error {
	var line padded
	bound := make(chan error, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		bound <- bindFor(h.B)
		for next := uint64(1); ; next += 2 {
			for {
				got := line.word.Load()
				if got == next {
					break
				}
				if got == ends {
					return
				}
			}
			line.word.Store(next + 1)
		}
	}()
	var trips []float64
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer line.word.Store(ends)
		err := bindFor(h.A)
		if bound <- err; err != nil {
			return
		}
		next := uint64(1)
		begin := time.Now()
		for at := begin; at.Sub(begin) < hopTime || len(trips) < leastHop; {
			for range hopBatch {
				line.word.Store(next)
				for line.word.Load() != next+1 {
				}
				next += 2
			}
			now := time.Now()
			trips = append(trips, float64(now.Sub(at).Nanoseconds())/hopBatch)
			at = now
		}
	}()
	<-finished
	<-done
	for range 2 {
		if err := <-bound; err != nil {
			return err
		}
	}
	h.Least, h.Median = slices.Min(trips), median.Of(trips)
	return nil
}

// bindFor has the goroutine run on a processor only, if that is not negative. The goroutine keeps its thread, which
// ends with it.
func bindFor(processor int) error {
	runtime.LockOSThread()
	if processor < 0 {
		return nil
	}
	return topology.SetOf(processor).Bind()
}
