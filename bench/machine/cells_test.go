// This file owns the tests of cells and their order.

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNumbersOfPEsArePowersOfTwoAndWhatTheMachineHas(t *testing.T) {
	for _, c := range []struct {
		cores, processors int
		want              []int
		size              int
	}{
		{1, 1, []int{1}, 1}, {1, 2, []int{1, 2}, 1}, {2, 2, []int{1, 2}, 1}, {6, 12, []int{1, 2, 4, 6, 12}, 1},
		{16, 16, []int{1, 2, 4, 8, 16}, 1}, {16, 32, []int{1, 2, 4, 8, 16, 32}, 2},
		{96, 192, []int{1, 2, 4, 8, 16, 32, 64, 96, 192}, 16},
	} {
		l := layout{cores: c.cores, processors: c.processors}
		require.Equal(t, c.want, l.counts())
		require.Equal(t, c.size, l.fixedSize())
	}
}

func TestCellsAreDifferentAndComeAfterTheirReferences(t *testing.T) {
	for _, l := range []layout{
		{cores: 1, processors: 1}, {cores: 2, processors: 2, binds: true, starts: true},
		{cores: 64, processors: 128, binds: true, starts: true}, {cores: 8, processors: 8},
	} {
		cells := l.cells(workloads())
		seen := map[string]bool{}
		for _, c := range cells {
			require.False(t, seen[c.name()], c.name())
			seen[c.name()] = true
			require.True(t, l.binds || !c.Bound)
			require.True(t, l.starts || c.On != ranks)
		}
		done := map[*cell]bool{}
		for _, task := range l.tasksOf(cells) {
			if task.of.Scheduler == sequential {
				require.Equal(t, task.of.Size != l.fixedSize(), task.once)
			} else {
				require.NotNil(t, task.reference, task.of.name())
				require.True(t, done[task.reference.of], task.of.name())
				require.Equal(t, task.of.Size, task.reference.of.Size)
			}
			require.Positive(t, task.expected)
			done[task.of] = true
		}
		require.Positive(t, l.weight(cells))
		for i, w := range workloads() {
			require.Equal(t, w.name, cells[i].Workload, "sequential runs come first")
			require.Equal(t, sequential, cells[i].Scheduler)
		}
		for _, s := range l.seriesOf(workloads(), cells) {
			require.Len(t, s.cells, len(l.counts()), "%s, %v, %s", s.Workload, s.variant, s.scaling())
			for i, n := range l.counts() {
				require.Equal(t, n, s.cells[i].PEs)
			}
		}
	}
}

func TestASmallMachineHasTheModelsOfTheOtherTables(t *testing.T) {
	c := cell{Workload: modelB, Size: 1, variant: variant{optimistic, ranks, true}, PEs: 2, End: 100}
	b := workloads()[0]
	require.Equal(t, []string{"model", "--workload=B", "--lps=1024", "--end=100", "--synch=optimistic", "--balance=off",
		"--ranks=2", "--pes=1", "--bind=cores"}, c.args(&b))
	c.variant = variant{conservative, threads, false}
	require.Equal(t, []string{"--pes=2", "--bind=none"}, c.args(&b)[6:])
	c.variant = variant{Scheduler: sequential}
	require.Equal(t, "--synch=sequential", c.args(&b)[4])
	d := workloads()[4]
	c.Workload, c.Size = d.name, 4
	require.Contains(t, c.args(&d), "--routers=16")
}

func TestWorkloadsAreChosenByName(t *testing.T) {
	all, err := matching(workloads(), "")
	require.NoError(t, err)
	require.Len(t, all, 5)
	some, err := matching(workloads(), "C,B")
	require.NoError(t, err)
	require.Equal(t, []string{"C", "B"}, []string{some[0].name, some[1].name})
	_, err = matching(workloads(), "B,X")
	require.ErrorContains(t, err, `no workload "X": there are B, A, S, C, dragonfly`)
}

func TestRunsAreAsLongAsTheyShould(t *testing.T) {
	for _, c := range []struct {
		layout
		least, most float64
	}{{layout{cores: 2, processors: 2}, 0.12, 4}, {layout{cores: 64, processors: 64}, 2.56, 4},
		{layout{cores: 512, processors: 512}, 4, 4}} {
		cells := c.cells(workloads())
		require.InDelta(t, c.least, c.seconds(time.Second, cells), 1e-9)
		require.InDelta(t, c.most, c.seconds(10*time.Hour, cells), 1e-9)
	}
	w := workload{probe: 10}
	require.InDelta(t, 200, w.endFor(2, 0.1), 1e-9)
	require.InDelta(t, 10, w.endFor(0.01, 0.1), 1e-9, "no shorter than the first one")
	require.InDelta(t, 10, w.endFor(2, 0), 1e-9, "the first one was stopped")
	w.most = 50
	require.InDelta(t, 50, w.endFor(2, 0.1), 1e-9)
}
