// Samples of memory: one for each sample of a PE by real time, with its times, and true where something else knows it.

package ross

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
)

// memorySamples returns the samples of memory of each PE, in order. Each has to belong to a record of the PE by real
// time, whose queue is returned at the same place.
func memorySamples(t *testing.T, dir string) (of map[uint32][]instr.Record, pending map[uint32][]uint32) {
	t.Helper()
	times := map[uint32][][2]float64{}
	of, pending = map[uint32][]instr.Record{}, map[uint32][]uint32{}
	for _, r := range modeltest.Records(t, dir, instr.RTSuffix) {
		if r.Kind == instr.KindPE {
			times[r.PE.PE] = append(times[r.PE.PE], [2]float64{r.Meta.TS, r.Meta.RealTime})
			pending[r.PE.PE] = append(pending[r.PE.PE], r.PE.QueueSize)
		}
	}
	again := map[uint32][][2]float64{}
	for _, r := range modeltest.Records(t, dir, instr.MemorySuffix) {
		require.Equal(t, instr.KindMemory, r.Kind)
		again[r.Memory.PE] = append(again[r.Memory.PE], [2]float64{r.Meta.TS, r.Meta.RealTime})
		of[r.Memory.PE] = append(of[r.Memory.PE], r)
	}
	require.Equal(t, times, again)
	return of, pending
}

// requireMemory requires that the samples of a run, which is over, are possible, and the last of each PE true: nothing
// has changed since.
func requireMemory(t *testing.T, dir string, sim *Simulation) {
	t.Helper()
	of, pending := memorySamples(t, dir)
	require.Len(t, of, len(sim.r.Locals))
	undo, used := uint64(0), sim.Stats().MemoryAllocated
	for _, pe := range sim.r.Locals {
		all := of[uint32(pe.ID)]
		requirePossible(t, all, &sim.cfg)
		for i := range all {
			if sim.cfg.Synch == Sequential {
				require.Equal(t, pending[uint32(pe.ID)][i], all[i].Memory.Events, "there are no events but those that wait")
			}
		}
		require.Equal(t, instr.MemoryStats{
			PE: uint32(pe.ID), Events: pe.Arena.InUse(), Queue: pe.Queue.Bytes(), Undo: pe.UndoBytes(), Used: used, Limit: sim.cfg.MaxMemory,
		}, all[len(all)-1].Memory)
		undo += pe.UndoBytes()
	}
	require.LessOrEqual(t, undo, used)
}

func requirePossible(t *testing.T, all []instr.Record, cfg *Config) {
	t.Helper()
	for i := range all {
		m := &all[i].Memory
		require.Equal(t, cfg.MaxMemory, m.Limit)
		require.Positive(t, m.Queue)
		require.GreaterOrEqual(t, m.Used, m.Undo)
		require.Less(t, m.Used, 2*m.Limit)
		require.LessOrEqual(t, uint64(m.Events), m.Used/8, "each takes some words")
	}
}

func TestEachSampleOfAPEByRealTimeHasItsMemory(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		dir := filepath.Join(t.TempDir(), "stats")
		l := &ledger{saving: SaveByDelta}
		_, err := l.run(t, context.Background(), synch, pes, func(c *Config) {
			if c.settings().Mode() == settings.Optimistic {
				c.knobs.disturb = harass(t, pes, 0.03)
			}
			c.EngineStats, c.RTInterval, c.StatsPath = settings.SampleByReal, 1, dir
		})
		require.NoError(t, err)
		requireMemory(t, dir, l.sim)
	})
}

func TestRanksWriteSamplesOfMemoryToOneFile(t *testing.T) {
	for _, pes := range []int{1, 2} {
		for _, synch := range testlevel.Pick([]int{2, 3}, []int{3}, []int{3}) {
			t.Run(fmt.Sprintf("pes=%d/synch=%d", pes, synch), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "stats")
				l := spreadLoad()
				l.end = 2
				sims := checkRanks(t, l, 2, func(c *Config) {
					c.EngineStats, c.RTInterval, c.StatsPath, c.BufferFree = settings.SampleAll, 1, dir, 0 // a flush at each GVT
					c.PEs, c.Synch, c.ConsLookahead, c.VTInterval = pes, Scheduler(synch), 0.1, 0.5
				})
				of, _ := memorySamples(t, dir)
				require.Len(t, of, 2*pes)
				for _, all := range of {
					requirePossible(t, all, &sims[0].cfg)
				}
				for _, sim := range sims {
					require.NoError(t, sim.CollectionError())
				}
			})
		}
	}
}

func TestFileOfMemoryIsThereWithSamplesOfPEsByRealTimeOnly(t *testing.T) {
	testlevel.Once(t, "which files there are")
	for _, c := range []struct {
		stats, pe int
		want      bool
	}{{settings.SampleByReal, 1, true}, {settings.SampleAll, 1, true}, {settings.SampleByReal, 0, false}, {settings.SampleByGVT, 1, false}} {
		dir := filepath.Join(t.TempDir(), "stats")
		_, sim := collected(t, dir, func(cfg *Config) {
			cfg.EngineStats, cfg.PEData, cfg.VTInterval, cfg.End, cfg.EventTrace = c.stats, c.pe, 0.5, 1, 0
		})
		_, err := os.Stat(instr.FileName(dir, "", instr.MemorySuffix))
		require.Equal(t, c.want, err == nil, "%+v", c)
		if c.want {
			requireMemory(t, dir, sim)
		}
	}
}

// TestSampleThatFindsNoRoomHasNoMemoryEither in the smallest buffers, with samples of LPs that do not fit.
func TestSampleThatFindsNoRoomHasNoMemoryEither(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	report, sim := collected(t, dir, func(c *Config) {
		c.EngineStats, c.RTInterval, c.EventTrace, c.BufferSize = settings.SampleByReal, 1, 0, 1000
	})
	require.ErrorContains(t, sim.CollectionError(), "found no room in the buffers")
	require.Contains(t, report, "samples of rt: raise --buffer-size")
	require.NotContains(t, report, "of memory")
	require.Empty(t, modeltest.Records(t, dir, instr.MemorySuffix))
}
