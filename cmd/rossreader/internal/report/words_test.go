// This file tests that what the page says in words agrees with its figures and with the files of the run.

package report

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// described is a run with samples of PEs, KPs and LPs, without an event trace, and with a description.
func described(t *testing.T, change func(*instr.RunInfo)) *figures {
	t.Helper()
	dir := hotRun(t)
	info := &instr.RunInfo{Version: instr.RunVersion, Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32,
		State:  instr.RunComplete,
		Host:   instr.RunHost{Processors: 2},
		Result: &instr.RunResult{Runtime: 2, Processed: 3500, NetEvents: 3500, GVTs: 70}}
	change(info)
	require.NoError(t, info.Write(dir))
	return load(t, dir)
}

func TestForcedGVTsAreNotDenied(t *testing.T) {
	for forced, want := range map[uint64]string{0: "No GVT was forced.",
		64: "64 of 70 computations of GVT were forced, or asked for by idle PEs: these samples do not show when."} {
		f := described(t, func(info *instr.RunInfo) { info.Result.ForcedGVTs = forced })
		require.Contains(t, f.noMarks(), want)
	}
	f := described(t, func(info *instr.RunInfo) { info.Result = nil })
	require.NotContains(t, f.noMarks(), "forced", "it is not known")
}

func TestALackOfATraceIsNotALackOfPlaces(t *testing.T) {
	f := described(t, func(*instr.RunInfo) {})
	require.NotEmpty(t, f.run.Home, "the PEs of the LPs are known")
	require.Equal(t, needTrace, f.pairTraffic().Absent)
	trace := instr.AppendEvent(nil, &instr.Event{Src: 1, Dest: 2, RealTS: 1})
	require.Equal(t, needHomes, load(t, put(t, instr.TraceSuffix, trace)).pairTraffic().Absent)
}

func TestAParallelRunOnOnePETimesNoMessages(t *testing.T) {
	absent := func(pes uint64, synch int) string {
		return described(t, func(info *instr.RunInfo) { info.PEs, info.Synch = pes, synch }).handlers().Absent
	}
	require.Contains(t, absent(1, 2), "has one PE")
	require.Contains(t, absent(1, 3), "has one PE")
	require.NotContains(t, absent(2, 3), "has one PE")
	require.NotContains(t, absent(1, 1), "has one PE")
}

func TestARunHasOneRunTime(t *testing.T) {
	f := described(t, func(info *instr.RunInfo) { info.Result.Runtime = 0.01 })
	f.total.Processed, f.total.RolledBack = 10, 0
	require.Contains(t, f.lacks()[0], "10 net events in 10 ms.", "not the time between the samples")
}

// The reason of a failed run names the time of an event, which GVT cannot have passed.
func TestGVTIsNotRoundedPastTheEventThatFailed(t *testing.T) {
	f := described(t, func(*instr.RunInfo) {})
	for gvt, want := range map[float64]string{6224.669857994608: "6224.67", 76239: "76239", 12345678: "12345678", 0.5: "0.5"} {
		f.gvt = []float64{gvt}
		require.Equal(t, "GVT reached "+want, f.reached())
	}
}

// Two ranks at half of their limits use half of what both have.
func TestTheLimitOfMemoryIsThatOfAllRanks(t *testing.T) {
	f := described(t, func(info *instr.RunInfo) {
		info.Ranks, info.Result.MemoryPeak, info.Result.MemoryLimit, info.Result.Shortages = 2, 100<<20, 100<<20, 1
	})
	require.Equal(t, "at most, of 200 MiB of all ranks", f.tiles(f.pays())[4].Hint)
	require.Contains(t, f.ran(), row{"Memory used at most", "100 MiB of 200 MiB"})
	for _, one := range f.findings() {
		require.NotEqual(t, "memory", one.Rule, one.Figure)
	}
	f.run.Info.Ranks = 1
	require.Equal(t, "at most, of 100 MiB", f.tiles(f.pays())[4].Hint)
	require.True(t, slices.ContainsFunc(f.findings(), func(one finding) bool { return one.Rule == "memory" }))
}

// Without samples nothing tells events from undone work.
func TestWithoutSamplesBusyTimeIsNotCalledEvents(t *testing.T) {
	with := described(t, func(*instr.RunInfo) {})
	copied := *with
	copied.perPE = nil
	without := &copied
	without.run.Info.Result.IdleSeconds = 1
	require.Equal(t, onEvents, with.pays()[0].Label)
	s := without.strip()
	require.Equal(t, onAll, s.Parts[0].Label)
	require.InDelta(t, 75, s.Parts[0].Percent, 1e-9)
	require.Contains(t, s.Note, "Busy: with events, undone work")
	require.NotContains(t, with.strip().Note, "Busy:")
	require.Empty(t, without.steps(with), "they have different parts")
	require.Equal(t, onAll, without.steps(without)[0].name)
	require.Equal(t, onEvents, with.steps(with)[0].name)
}

func TestBarsThatCountMoreThanBusyTimeSaySo(t *testing.T) {
	for _, waited := range []float64{0, 3.5} {
		f := described(t, func(info *instr.RunInfo) {
			info.Result.Processors = &instr.RunProcessors{
				RunPEProcessor: instr.RunPEProcessor{Seconds: 4 - waited, Waited: waited}}
		})
		busy, all, parts := 0.0, 0.0, f.pays()
		for _, p := range parts {
			all += p.Seconds
			if p.isBusy() {
				busy += p.Seconds
			}
		}
		drawn, n := 0.0, 0.0
		c := f.activity()
		for _, s := range c.Series {
			for _, v := range s.Values {
				if s.Name != "rest" {
					drawn += float64(v)
				}
				n += float64(v)
			}
		}
		differs := drawn/n > 1.01*busy/all
		require.Equal(t, waited > 0, differs)
		for _, note := range []string{c.Note, f.activities().Note} {
			if differs {
				require.Contains(t, note, short(100*(1-busy/all*n/drawn))+" % of the time in them the PEs had no processor")
			} else {
				require.NotContains(t, note, "no processor")
			}
		}
	}
}
