// What a report says: its parts with --report=short, what checks of rollback have shown, remarks and progress lines.

package run_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/models/rosstest"
)

// sums is a model of 4 LPs.
func sums(synch ross.Scheduler, kind string) (ross.Config, ross.LPType) {
	cfg := rosstest.Small()
	cfg.Synch, cfg.NLP, cfg.End, cfg.Report, cfg.Digest, cfg.ConsLookahead, cfg.ReportInterval = synch, 4, 100, kind, true, 0.01, 0.1
	return cfg, rosstest.Forever(rosstest.NoTick)
}

func TestShortReportIsShort(t *testing.T) {
	for synch := ross.Sequential; synch <= ross.RollbackCheck; synch++ {
		t.Run(synch.String(), func(t *testing.T) {
			modeltest.Watch(t)
			cfg, typ := sums(synch, "short")
			text := rosstest.Run(t, cfg, typ).Report
			assert.LessOrEqual(t, strings.Count(text, "\n"), 12, "%s", text)
			assert.Regexp(t, fmt.Sprintf(`^Run +run: 4 LPs on 1 PE of 1 rank, .* \(--synch=%d\), until time 100\n`, synch), text)
			for _, none := range []string{"***", "\t", "GVT #", "ROSS", "nan"} {
				assert.NotContains(t, text, none)
			}
			full, _ := sums(synch, "full")
			long := rosstest.Run(t, full, typ).Report
			digest := func(text string) string {
				_, after, _ := strings.Cut(text, "Digest")
				return strings.TrimSpace(after)[:min(16, len(strings.TrimSpace(after)))]
			}
			assert.Equal(t, synch != ross.OptimisticDebug, strings.Contains(text, "Digest"), "of nothing")
			assert.Equal(t, synch != ross.OptimisticDebug, strings.Contains(long, "Digest"), "of nothing")
			if synch != ross.OptimisticDebug {
				rosstest.RequireWholeReport(t, long)
				_, long, _ = strings.Cut(long, "Committed Event ")
				assert.Equal(t, digest(long), digest(text))
			}
		})
	}
}

func TestCheckSaysWhatItHasShown(t *testing.T) {
	for synch, want := range map[ross.Scheduler]string{
		ross.OptimisticDebug: ` events rolled back, after all had been handled: no difference`,
		ross.RollbackCheck:   ` events rolled back and handled again, one by one: no difference`,
	} {
		for _, kind := range []string{"", "full", "short"} {
			cfg, typ := sums(synch, kind)
			text := rosstest.Run(t, cfg, typ).Report
			label := map[bool]string{true: "Check       ", false: "\n\nCheck of rollback: "}[kind == "short"]
			require.Regexp(t, label+`\d+`+want+"\n$", text)
			require.NotContains(t, text, "Efficiency                                                0.00")
		}
	}
}

func TestCheckThatFailsHasShownNothing(t *testing.T) {
	for _, synch := range []ross.Scheduler{4, 6} {
		cfg, typ := sums(synch, "full")
		cfg.MaxMemory = 64 << 20
		bad := ross.Type[rosstest.Word, rosstest.Word]{
			Init:    func(_ *rosstest.Word, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, rosstest.Word{}) },
			Event:   func(s *rosstest.Word, _ *ross.LP, _ *ross.Bits, _ *rosstest.Word) { s.N++ },
			Reverse: func(*rosstest.Word, *ross.LP, *ross.Bits, *rosstest.Word) {},
		}
		_ = typ
		out := rosstest.Try(t, cfg, bad)
		require.ErrorIs(t, out.Err, ross.ErrReverse)
		require.NotContains(t, out.Report, "no difference")
	}
}

func TestCheckThatHadNoMemorySaysSo(t *testing.T) {
	cfg, typ := sums(ross.OptimisticDebug, "short")
	cfg.End, cfg.MaxMemory = 1e6, 1<<20
	require.Regexp(t, `no difference; later ones were not tried, since memory was full \(--max-memory\)\n$`, rosstest.Run(t, cfg, typ).Report)
}

func TestRemarksNameTheOption(t *testing.T) {
	modeltest.Watch(t)
	cfg, typ := sums(ross.Conservative, "short")
	cfg.PEs, cfg.NLP = 64, 1
	text := rosstest.Run(t, cfg, typ).Report
	require.Regexp(t, `(?m)^Remark +64 PEs share \d+ cores: --pes=\d+ is enough$`, text)
}

// remarks returns the remarks of a short report, and its first line.
func remarks(text string) (first string, all []string) {
	for line := range strings.Lines(text) {
		if first == "" {
			first = strings.TrimSpace(line)
		}
		if label, remark, _ := strings.Cut(strings.TrimSpace(line), " "); label == "Remark" {
			all = append(all, strings.TrimSpace(remark))
		}
	}
	return first, all
}

func TestRemarkOnTheLookaheadNamesWhatItMayBeAndWhatItIs(t *testing.T) {
	modeltest.Watch(t)
	cfg, _ := sums(ross.Conservative, "short")
	cfg.PEs, cfg.NLP, cfg.ConsLookahead, cfg.Balance = 2, 2, 0.005, "off"
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
		ross.Send(lp, (lp.ID()+1)%4, 0.0625, word{})
	}
	_, all := remarks(rosstest.Run(t, cfg, typ).Report)
	require.Contains(t, all, "events to other PEs have delays of 0.0625 or more: a lookahead near that needs fewer GVTs (--cons-lookahead=0.062, now 0.005)")
}

func TestNothingIsUndoneInASequentialRunThatFails(t *testing.T) {
	cfg, _ := sums(ross.Sequential, "short")
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) { lp.Fail(fmt.Errorf("enough")) }
	out := rosstest.Try(t, cfg, typ)
	require.ErrorContains(t, out.Err, "enough")
	require.Contains(t, out.Report, "Ended ")
	require.NotContains(t, out.Report, "undone")
}

func TestAutoIsNamedAndCalledWhatItWas(t *testing.T) {
	for pes, want := range map[int]string{1: "sequential, since there is one PE", 2: "sequential, since the run was over before others were tried"} {
		cfg, typ := sums(ross.Auto, "short")
		cfg.PEs, cfg.NLP = pes, 4
		out := rosstest.Run(t, cfg, typ)
		first, _ := remarks(out.Report)
		require.Contains(t, first, ", sequential (--synch=auto), until time 100")
		require.Contains(t, out.Report, want)
		require.NotContains(t, out.Report, "--synch=100")
	}
}

// TestRunKnowsWhatItsPEsGotOfTheProcessors where each PE has a thread.
func TestRunKnowsWhatItsPEsGotOfTheProcessors(t *testing.T) {
	was := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(was)
	for _, c := range []struct {
		synch ross.Scheduler
		pes   int
		known bool
	}{{ross.Sequential, 1, true}, {ross.RollbackCheck, 1, true}, {ross.Conservative, 2, true}, {ross.Optimistic, 2, true}, {ross.Auto, 2, true}, {ross.Optimistic, 4, false}} {
		modeltest.Watch(t)
		cfg, typ := sums(c.synch, "full")
		cfg.PEs, cfg.NLP, cfg.TotalLPs, cfg.End, cfg.Balance = c.pes, 1, 4, 1000, "off"
		sim, report := rosstest.Define(t, cfg, typ)
		require.NoError(t, sim.Run(t.Context()))
		p := sim.RunInfo().Result.Processors
		if !c.known || runtime.GOOS != "linux" {
			require.Nil(t, p)
			require.NotContains(t, report.String(), "Processors: ")
			require.NoError(t, sim.Close())
			continue
		}
		require.NotNil(t, p, "synch=%v", c.synch)
		require.Len(t, p.OfPE, c.pes)
		sum := instr.RunPEProcessor{}
		for _, pe := range p.OfPE {
			require.GreaterOrEqual(t, pe.Seconds, 0.0)
			require.GreaterOrEqual(t, pe.Waited, 0.0)
			sum.Seconds, sum.Waited, sum.Preempted = sum.Seconds+pe.Seconds, sum.Waited+pe.Waited, sum.Preempted+pe.Preempted
		}
		require.Equal(t, sum, p.RunPEProcessor)
		require.Contains(t, report.String(), "\tProcessors: Got, Waited for, of PEs ")
		snap := 0.0
		for _, pe := range sim.Snapshot().PEs {
			snap += pe.ProcessorSeconds
		}
		require.Equal(t, sum.Seconds, snap)
		require.NoError(t, sim.Close())
	}
}

// Progress lines of a run that goes on from a checkpoint.

func TestLoadedRunHasNoProgressLinesOfBefore(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "half")
	rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 50)}, rosstest.Walkers())
	for _, synch := range []int{1, 3} {
		var out strings.Builder
		rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
			rosstest.Walk(4, 100)(c)
			c.Synch, c.Output = ross.Scheduler(synch), &out
		}}, rosstest.Walkers())
		require.LessOrEqual(t, strings.Count(out.String(), "% complete"), 50)
	}
}

// The figures of a parallel run are true: they add up, and they are those that the
// model counts itself.

func TestFiguresOfAnOptimisticRunAddUp(t *testing.T) {
	for _, pes := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("pes=%d", pes), func(t *testing.T) {
			modeltest.Watch(t)
			l := spreadLoad()
			commits := make([]uint64, loadLPs)
			l.commit = func(_ *loadState, lp *ross.LP, _ *ross.Bits, _ *loadMsg) { commits[lp.ID()]++ }
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = 3, pes, uint64(loadLPs/pes), l.end
			*disturbOf(&cfg) = harass(t, pes, 0.02)
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(l.lpType()))
			require.NoError(t, sim.Run(context.Background()))
			st := sim.Stats()
			sum, lengths, committed, handled := uint64(0), uint64(0), uint64(0), uint64(0)
			for _, n := range commits {
				sum += n
			}
			for _, pe := range runOf(sim).Locals {
				require.Zero(t, pe.Uncommitted)
				require.Equal(t, pe.Counts.Processed-pe.Counts.Undone, pe.Counts.Committed)
				committed += pe.Counts.Committed
				for _, n := range pe.Counts.Lengths {
					lengths += n
				}
				for i := range pe.LPs {
					handled += pe.LPs[i].Processed
				}
			}
			require.Equal(t, sum, st.NetEvents())
			require.Equal(t, sum, committed)
			require.Equal(t, handled, st.EventsProcessed)
			require.Positive(t, st.EventsRolledBack)
			require.Equal(t, st.RollBacks(), lengths, "each rollback is in the histogram once")
			if pes > 1 {
				require.Positive(t, st.SendLocRemote)
				require.GreaterOrEqual(t, st.MinOffset, 0.1)
				require.Less(t, st.MinOffset, math.MaxFloat64)
			}
		})
	}
}

func TestStoppedRunHasCommittedExactlyWhatIsBeforeGVT(t *testing.T) {
	modeltest.Watch(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := spreadLoad()
	commits := make([]uint64, loadLPs)
	l.commit = func(_ *loadState, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
		if commits[lp.ID()]++; lp.Now() > 3 {
			cancel()
		}
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = 3, 2, loadLPs/2, 1e9
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(l.lpType()))
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
	sum, states := uint64(0), uint64(0)
	for gid, n := range commits {
		sum += n
		states += ross.StateOf[loadState](sim.LP(ross.LPID(gid))).handled
	}
	st := sim.Stats()
	require.Equal(t, sum, st.NetEvents())
	require.Equal(t, sum, states, "the states are those of the committed events")
}
