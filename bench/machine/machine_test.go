// This file owns the tests of what a machine says about itself, and of what is measured of it.

package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/topology"
)

func TestOthersUseWhatIsBusyAndNotOwn(t *testing.T) {
	before := readUsage("cpu  100 0 100 1000 5 0 0 10 0 0\ncpu0 1 2 3 4 5\ncpu1 1 2 3 4 5\nintr 5\n")
	require.True(t, before.known)
	require.Equal(t, 2, before.processors)
	after := readUsage("cpu  300 20 160 1000 9 10 10 60 7 7\ncpu0 1 2 3 4 5\ncpu1 1 2 3 4 5\n")
	after.at = before.at.Add(2 * time.Second)
	// 3 s were busy and 0.5 s stolen; the program used 1.5 of 4.
	require.InDelta(t, 0.5, float64(*after.othersSince(before, 1500*time.Millisecond)), 1e-9)
	require.Zero(t, float64(*after.othersSince(before, 10*time.Second)), "clocks are not that exact")
	require.Nil(t, after.othersSince(usage{}, 0))
	require.Nil(t, usage{}.othersSince(before, 0))
	for _, text := range []string{"", "cpu one 2 3 4 5\ncpu0 1 2 3 4 5\n", "intr 1 2 3 4 5\n"} {
		require.False(t, readUsage(text).known, text)
	}
}

func TestPressureIsRead(t *testing.T) {
	require.InDelta(t, 0.125, float64(*readPressure("some avg10=12.50 avg60=3.00 avg300=1.00 total=123")), 1e-9)
	require.Nil(t, readPressure("full avg10=12.50 avg60=3.00 avg300=1.00 total=123"))
	require.Nil(t, readPressure("some avg10=much"))
}

func TestProcessorsAndMemoryAreRead(t *testing.T) {
	require.Equal(t, "Fast CPU", processorName("processor\t: 0\nmodel name\t: Fast CPU\n\nprocessor\t: 1\nmodel name\t: Slow\n"))
	require.Equal(t, "implementer 0x41, part 0xd40", processorName("CPU implementer\t: 0x41\nCPU part\t: 0xd40\n"))
	require.Equal(t, "POWER9", processorName("cpu\t\t: POWER9\n"))
	require.Empty(t, processorName(""))
	total, available := memoryOf("MemTotal:  2048 kB\nMemFree: 1 kB\nMemAvailable: 1024 kB\nHugePages_Total: 0\n")
	require.Equal(t, uint64(2<<20), total)
	require.Equal(t, uint64(1<<20), available)
}

// made returns a machine of sockets with cores of some hardware threads each.
func made(sockets, cores, threads int) (m topology.Machine) {
	m.Known = true
	n := 0
	for s := range sockets {
		for range cores {
			c := topology.Core{Socket: s, Node: s}
			for range threads {
				c.Processors = append(c.Processors, n)
				n++
			}
			m.Cores = append(m.Cores, c)
		}
	}
	return m
}

func TestPairsAreAllOfASmallMachineAndSomeOfALargeOne(t *testing.T) {
	count := func(m topology.Machine) map[string]int {
		by, seen := map[string]int{}, map[[2]int]bool{}
		for _, h := range hopsOf(m, true) {
			by[h.Where]++
			require.NotEqual(t, h.A, h.B)
			require.False(t, seen[[2]int{h.A, h.B}])
			seen[[2]int{h.A, h.B}] = true
		}
		return by
	}
	require.Equal(t, map[string]int{inDomain: 1}, count(made(1, 2, 1)))
	require.Equal(t, map[string]int{inCore: 16, inDomain: 2 * 28, elsewhere: 64}, count(made(2, 8, 2)))
	require.Equal(t, map[string]int{inCore: 12, inDomain: 12, elsewhere: 12}, count(made(2, 64, 2)))
	m := made(2, 16, 1)
	for i := range m.Cores {
		m.Cores[i].Socket = 0
	}
	require.Equal(t, map[string]int{inDomain: 12, inSocket: 12}, count(m))
	require.Equal(t, []hop{{A: -1, B: -1, Where: unbound}}, hopsOf(made(2, 8, 2), false))
}

func TestPlacesAreCounted(t *testing.T) {
	p := placesOf(made(2, 4, 2))
	require.Equal(t, "0-15", p.Processors)
	require.Equal(t, []int{2, 2, 8, 16}, []int{p.Sockets, p.Nodes, p.Cores, p.Threads})
	require.Len(t, p.List, 8)
}

func TestLayoutKeepsToTheThreadsThatGoRuns(t *testing.T) {
	m := machine{Allowed: placesOf(made(2, 4, 2)), GOMAXPROCS: 16, topology: made(2, 4, 2)}
	l, _ := m.layout()
	require.Equal(t, []int{8, 16}, []int{l.cores, l.processors})
	m.GOMAXPROCS = 3
	l, notes := m.layout()
	require.Equal(t, []int{3, 3}, []int{l.cores, l.processors})
	require.Contains(t, notes[0], "Go runs 3 threads at a time")
}

// The figures depend on the machine; that there are some does not.
func TestThisMachineIsMeasured(t *testing.T) {
	m := describe()
	m.watch(context.Background())
	m.measure(context.Background())
	require.NotEmpty(t, m.lines())
	for _, h := range m.Latency {
		require.Positive(t, h.Least)
		require.LessOrEqual(t, h.Least, h.Median)
	}
	if c := m.Clock; c != nil {
		require.Positive(t, c.Alone)
		require.Positive(t, c.Ratio)
		require.LessOrEqual(t, c.Slowest, c.All)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped := describe()
	stopped.watch(ctx)
	stopped.measure(ctx)
	require.Nil(t, stopped.Clock)
}
