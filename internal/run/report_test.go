// What a report says: its parts with --report=short, what checks of rollback have shown, remarks, progress lines, and
// hints: what looks like a mistake is reported, once, and nothing else is.

package run_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
)

// sums is a model of 4 LPs.
func sums(synch ross.Scheduler, kind string) (ross.Config, ross.LPType) {
	cfg := rosstest.Small()
	cfg.Synch, cfg.NLP, cfg.End, cfg.ShortReport, cfg.Digest, cfg.ConsLookahead, cfg.ReportInterval =
		synch, 4, 100, kind == "short", true, 0.01, 0.1
	return cfg, rosstest.Forever(rosstest.NoTick)
}

func TestShortReportIsShort(t *testing.T) {
	for synch := ross.Sequential; synch <= ross.RollbackCheck; synch++ {
		t.Run(synch.String(), func(t *testing.T) {
			testkit.Watch(t)
			cfg, typ := sums(synch, "short")
			text := unwrapped(rosstest.Run(t, cfg, typ).Report)
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
			text := unwrapped(rosstest.Run(t, cfg, typ).Report)
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
		bad := ross.Type[rosstest.Word]{
			Init: func(_ *rosstest.Word, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, rosstest.Word{}) },
			Event: ross.On(func(s *rosstest.Word, _ *ross.LP, _ *rosstest.Word) { s.N++ }).Reverse(
				func(*rosstest.Word, *ross.LP, *rosstest.Word) {}),
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
	require.Regexp(t, `no difference; later ones were not tried, since memory was full \(--max-memory\)\n$`,
		unwrapped(rosstest.Run(t, cfg, typ).Report))
}

// unwrapped returns a short report with long lines in one.
func unwrapped(text string) string { return strings.ReplaceAll(text, "\n            ", " ") }

func TestRemarksNameTheOption(t *testing.T) {
	testkit.Watch(t)
	cfg, typ := sums(ross.Conservative, "short")
	cfg.PEs, cfg.NLP = 64, 1
	text := rosstest.Run(t, cfg, typ).Report
	require.Regexp(t, `(?m)^Remark +64 PEs share \d+ cores: --pes=\d+ is enough$`, text)
}

// remarks returns the remarks of a short report, and its first line.
func remarks(text string) (first string, all []string) {
	for line := range strings.Lines(unwrapped(text)) {
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
	testkit.Watch(t)
	cfg, _ := sums(ross.Conservative, "short")
	cfg.PEs, cfg.NLP, cfg.ConsLookahead, cfg.Tuning.FixedKPs = 2, 2, 0.005, true
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = ross.On(func(_ *none, lp *ross.LP, _ *word) {
		ross.Send(lp, (lp.ID()+1)%4, 0.0625, word{})
	})
	_, all := remarks(rosstest.Run(t, cfg, typ).Report)
	require.Contains(t, all,
		"events to other PEs have delays of 0.0625 or more: a lookahead near that needs fewer GVTs (--cons-lookahead=0.062, now 0.005)")
}

func TestNothingIsUndoneInASequentialRunThatFails(t *testing.T) {
	cfg, _ := sums(ross.Sequential, "short")
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = ross.On(func(_ *none, lp *ross.LP, _ *word) { lp.Fail(fmt.Errorf("enough")) })
	out := rosstest.Try(t, cfg, typ)
	require.ErrorContains(t, out.Err, "enough")
	require.Contains(t, out.Report, "Ended ")
	require.NotContains(t, out.Report, "undone")
}

func TestAutoIsNamedAndCalledWhatItWas(t *testing.T) {
	for pes, want := range map[int]string{1: "sequential, since there is one PE",
		2: "sequential, since the run was over before others were tried"} {
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
	}{{ross.Sequential, 1, true}, {ross.RollbackCheck, 1, true}, {ross.Conservative, 2, true}, {ross.Optimistic, 2, true},
		{ross.Auto, 2, true}, {ross.Optimistic, 4, false}} {
		testkit.Watch(t)
		cfg, typ := sums(c.synch, "full")
		cfg.PEs, cfg.NLP, cfg.LPs, cfg.End, cfg.Tuning.FixedKPs = c.pes, 1, 4, 1000, true
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
			testkit.Watch(t)
			l := spreadLoad()
			commits := make([]uint64, loadLPs)
			l.commit = func(_ *loadState, lp *ross.LP, _ *ross.Bits, _ *loadMsg) { commits[lp.ID()]++ }
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = 3, pes, int(loadLPs/pes), l.end
			knobsOf(&cfg).Disturb = harass(t, pes, 0.02)
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(l.lpType()))
			require.NoError(t, sim.Run(context.Background()))
			st := sim.Summary()
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
	testkit.Watch(t)
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
	st := sim.Summary()
	require.Equal(t, sum, st.NetEvents())
	require.Equal(t, sum, states, "the states are those of the committed events")
}

// hinted runs a model on some ranks and returns the hints of the report. They are the
// warnings of the log, too.
func hinted(t *testing.T, ranks int, configure func(*ross.Config), typ ross.LPType) (hints []string, report string) {
	t.Helper()
	var lock sync.Mutex
	var out, log bytes.Buffer
	seed := testrand.Seed(t)
	sims, errs := runOnRanks(t, worldtest.New(ranks, seed, 10), ranks, func(rank int, c *ross.Config) {
		lock.Lock()
		defer lock.Unlock()
		c.MaxMemory, c.ReportInterval, c.Digest = 64<<20, 1, true
		configure(c)
		c.Log = slog.New(slog.NewTextHandler(lineLog(func(p []byte) { lock.Lock(); log.Write(p); lock.Unlock() }), nil))
		if rank == 0 {
			c.Output = &out
		}
	}, typ)
	for _, err := range errs {
		require.NoError(t, err)
	}
	closeAll(sims)
	for _, line := range strings.Split(out.String(), "\n") {
		if text, found := strings.CutPrefix(line, "Note: "); found {
			hints = append(hints, text)
		}
	}
	warned := 0
	for _, text := range hints {
		if !strings.Contains(text, " are 1 2 3 4:") && !strings.Contains(text, " are 2147483646") { // for the report alone
			require.Contains(t, log.String(), `"ross: `+text+`"`)
			warned++
		}
	}
	require.Equal(t, warned, strings.Count(log.String(), "level=WARN"), "%s", &log)
	return hints, out.String()
}

// lineLog is a function that takes what is written.
type lineLog func([]byte)

func (w lineLog) Write(p []byte) (int, error) { w(p); return len(p), nil }

func TestPEsWithoutLPsAreTold(t *testing.T) {
	block := func(n uint64) func(*ross.Config) { // what a model does that takes Config.PEs for all PEs
		return func(c *ross.Config) {
			c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return gid * n / 24 }}
		}
	}
	only := func(pes ...uint64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return pes[gid%uint64(len(pes))] }}
		}
	}
	const advice = ": the mapping gives them none; Config.PEs (--pes) counts the PEs of one rank; use a mapping.For, or Simulation.NumPEs, which is %d here"
	for name, c := range map[string]struct {
		ranks, pes int
		lps        uint64
		set        func(*ross.Config)
		want       string
	}{
		"all on the first rank": {2, 2, 24, block(2), "PEs 2 to 3 have no LPs" + fmt.Sprintf(advice, 4)},
		"all on the second":     {2, 1, 24, only(1), "PE 0 has no LPs" + fmt.Sprintf(advice, 2)},
		"some here and there":   {1, 8, 24, only(1, 5), "PEs 0, 2 to 4, 6 to 7 have no LPs" + fmt.Sprintf(advice, 8)},
		"every other": {1, 24, 24, only(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21),
			"PEs 0, 2, 4, 6, 8, 10, 12, 14, ... have no LPs" + fmt.Sprintf(advice, 24)},
		"more PEs than LPs": {1, 8, 3, func(c *ross.Config) { dealtSeven(c); c.LPs = 3 },
			"PEs 3 to 7 have no LPs: the run has 3 LPs for 8 PEs; use fewer PEs"},
		"none idle":               {2, 2, 24, block(4), ""},
		"linear":                  {2, 2, 4, func(c *ross.Config) { c.Mapping, c.NLP, c.LPs = mapping.Linear, 1, 0 }, ""},
		"round robin":             {2, 2, 4, func(c *ross.Config) { c.Mapping, c.NLP, c.LPs = mapping.RoundRobin, 1, 0 }, ""},
		"one PE, KPs without LPs": {1, 1, 3, func(c *ross.Config) { c.NKP = 16; only(0)(c) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			hints, report := hinted(t, c.ranks, func(cfg *ross.Config) {
				cfg.LPs, cfg.Synch, cfg.PEs, cfg.End = int(c.lps), 3, c.pes, 5
				c.set(cfg)
			}, gossip(c.lps))
			if c.want == "" {
				require.Empty(t, hints)
				return
			}
			require.Equal(t, []string{c.want}, hints)
			require.Less(t, strings.Index(report, "\nNote: "), strings.Index(report, "*** START"),
				"before a long run, not after it")
		})
	}
}

func TestSeedsOfAPatternAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		seeds, cores [4]uint64
		want         []string // their beginnings
	}{
		"none":    {},
		"equal":   {seeds: [4]uint64{7, 7, 7, 7}, want: []string{"--rng-seed1 to 4 are 7 7 7 7: "}},
		"1 2 3 4": {seeds: [4]uint64{1, 2, 3, 4}, want: []string{"--rng-seed1 to 4 are 1 2 3 4: "}},
		"all clamped": {seeds: [4]uint64{3e9, 4e9, 3e9, 4e9},
			want: []string{"--rng-seed1 to 4 are 2147483646 2147483542 2147483422 2147483322: "}},
		"the engine's": {cores: [4]uint64{3, 3, 3, 3}, want: []string{"--core-rng-seed1 to 4 are 3 3 3 3: "}},
		"both": {seeds: [4]uint64{2, 2, 2, 2}, cores: [4]uint64{3, 3, 3, 3},
			want: []string{"--rng-seed1", "--core-rng-seed1"}},
		"without a pattern": {seeds: [4]uint64{123456, 99, 2000000000, 1}},
		"those of ROSS": {seeds: [4]uint64{11111111, 22222222, 33333333, 44444444},
			cores: [4]uint64{55555555, 66666666, 77777777, 88888888}},
	} {
		t.Run(name, func(t *testing.T) {
			hints, _ := hinted(t, 1, func(cfg *ross.Config) {
				cfg.Streams.Seeds, cfg.Streams.CoreSeeds,
					cfg.End = c.seeds, c.cores, 2
			}, gossip(8))
			require.Len(t, hints, len(c.want))
			for i, want := range c.want {
				require.Contains(t, hints[i], want)
				require.Contains(t, hints[i],
					"give each run another --replication, another --seed, or four seeds without a pattern")
			}
		})
	}
	hints, _ := hinted(t, 2, func(cfg *ross.Config) {
		cfg.Streams.Seeds, cfg.NLP, cfg.Synch, cfg.End = [4]uint64{7, 7, 7, 7}, 4, 3, 2
	}, gossip(8))
	require.Len(t, hints, 1, "once, not once a rank")
}

// ticker is a type whose LPs send what delay returns.
func ticker(lps uint64, first func(lp *ross.LP) float64, delay func(lp *ross.LP) float64) ross.Type[heard] {
	typ := gossip(lps)
	typ.Init = func(_ *heard, lp *ross.LP) { ross.Send(lp, lp.ID(), first(lp), loadMsg{}) }
	typ.Event = ross.On(func(s *heard, lp *ross.LP, _ *loadMsg) {
		s.Hash++
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1)), delay(lp), loadMsg{})
	})
	return typ
}

func random(mean float64) func(*ross.LP) float64 {
	return func(lp *ross.LP) float64 { return 0.1 + lp.RNG().Exponential(mean) }
}

// TestTimesGivenAsDelaysAreTold does it in a chain of events, with the same figures in
// all schedulers, whatever they roll back.
func TestTimesGivenAsDelaysAreTold(t *testing.T) {
	const lps = 256
	late := func(mean float64) ross.LPType {
		return ticker(lps, random(mean), func(lp *ross.LP) float64 { return lp.Now() + random(mean)(lp) })
	}
	for _, end := range testlevel.Pick([]float64{10, 1e5}, []float64{10, 1e5}, []float64{10}) {
		hints, report := hinted(t, 1, func(c *ross.Config) { c.NLP, c.End = lps, end }, late(1))
		require.Len(t, hints, 1)
		require.Contains(t, hints[0], " sends were to times past the end, ")
		require.Contains(t, hints[0], "Send takes a delay, not a time; if the model passes lp.Now()+d, pass d")
		require.Greater(t, strings.Index(report, "\nNote: "), strings.Index(report, "Committed Event Digest"))
		for _, on := range []struct{ ranks, pes, synch int }{{1, 2, 3}, {1, 2, 2}, {2, 2, 3}, {1, 1, 6}} {
			again, _ := hinted(t, on.ranks, func(c *ross.Config) {
				c.NLP, c.PEs, c.Synch, c.End = int(lps/uint64(on.ranks*on.pes)), on.pes, ross.Scheduler(on.synch), end
				if c.ConsLookahead = 0.1; on.synch == 3 {
					knobsOf(c).Disturb = harass(t, on.pes, 0.3)
				}
			}, late(1))
			require.Equal(t, hints, again, "end %g, %+v", end, on)
		}
	}
	hints, _ := hinted(t, 1, func(c *ross.Config) { c.NLP, c.End, c.Synch = lps, 100, 4 }, late(1))
	require.Empty(t, hints, "everything is undone")
}

// TestDelaysThatAreMeantAreNoHint has models that send much past the end.
func TestDelaysThatAreMeantAreNoHint(t *testing.T) {
	testlevel.Once(t, "rounding")
	const lps = 1024
	fixed := func(d float64) func(*ross.LP) float64 { return func(*ross.LP) float64 { return d } }
	upTo := func(to float64) func(*ross.LP) float64 {
		return func(lp *ross.LP) float64 { return to * lp.RNG().Unif() }
	}
	for name, c := range map[string]struct {
		typ  ross.LPType
		ends []float64
	}{
		"PHOLD":              {ticker(lps, random(0.9), random(0.9)), []float64{0.15, 0.25, 0.5, 1, 1.5, 2, 3, 10}},
		"PHOLD without luck": {ticker(lps, fixed(1), fixed(1)), []float64{0.5, 1, 1.5, 2.5, 10}},
		"a long delay":       {ticker(lps, upTo(100), fixed(60)), []float64{70, 99, 100, 150}},
		"a delay as the run": {ticker(lps, upTo(50), fixed(99)), []float64{99, 100, 101}},
		"delays up to the end": {ticker(lps, upTo(50), func(lp *ross.LP) float64 {
			return 50 + 50*lp.RNG().Unif()
		}), []float64{80, 100, 120}},
		"from the start to the end": {ticker(lps, upTo(1), func(lp *ross.LP) float64 { return 100 - lp.Now()/2 }),
			[]float64{100}},
		"few": {ticker(90, random(1), func(lp *ross.LP) float64 { return lp.Now() + random(1)(lp) }),
			[]float64{100}},
	} {
		for _, end := range c.ends {
			hints, _ := hinted(t, 1, func(cfg *ross.Config) {
				if cfg.NLP, cfg.End = lps, end; name == "few" {
					cfg.NLP = 90
				}
			}, c.typ)
			require.Empty(t, hints, "%s, end %g", name, end)
		}
	}
}

func TestRunsWithoutAnEndHaveNoHint(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	cfg := ross.DefaultConfig()
	var out bytes.Buffer
	cfg.End, cfg.Output, cfg.NLP = math.Inf(1), &out, 8
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	n := 0
	require.NoError(t, sim.Define(ticker(8, random(1), func(lp *ross.LP) float64 {
		if n++; n == 20_000 {
			stop()
		}
		return random(1)(lp)
	})))
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
	require.NotContains(t, out.String(), "\nNote: ")
}

// counting is a state with a statistic.
type counting struct {
	Events struct {
		D statistic.Counter `ross:"-"`
	}
}

// countsTo returns a model whose LPs count n events, at times 1, 2, ...; the last one may do more.
func countsTo(n float64, last func(lp *ross.LP)) ross.LPType {
	return ross.Type[counting]{
		Init: func(_ *counting, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
		Event: ross.On(func(s *counting, lp *ross.LP, _ *ross.None) {
			kernelOf(lp).Record(statistic.OpCount, unsafe.Pointer(&s.Events.D), 1)
			if lp.Now() < n {
				ross.Send(lp, lp.ID(), 1, ross.None{})
			} else {
				last(lp)
			}
		}),
	}
}

// TestStatisticsThatNeverBeginAreTold, before the run if the settings say so, and otherwise after it.
func TestStatisticsThatNeverBeginAreTold(t *testing.T) {
	nothing := func(*ross.LP) {}
	const before = "the statistics of the model will be empty: they begin at --warm-up=%g, and the run ends at --end=%g; give an earlier --warm-up or a later --end"
	const after = "the statistics of the model are empty: they would begin at --warm-up=%g, and the run ended at time %g; give an earlier --warm-up"
	for name, c := range map[string]struct {
		warmUp, end float64
		typ         ross.LPType
		want        string
	}{
		"beyond the end":          {30, 20, countsTo(50, nothing), fmt.Sprintf(before, 30.0, 20.0)},
		"at the end":              {20, 20, countsTo(50, nothing), fmt.Sprintf(before, 20.0, 20.0)},
		"before the end":          {19, 20, countsTo(50, nothing), ""},
		"without events after it": {15, 20, countsTo(10, nothing), ""}, // levels have an average
		"stopped before":          {15, 20, countsTo(10, (*ross.LP).Stop), fmt.Sprintf(after, 15.0, 10.0)},
		"stopped at it": {10, 20, countsTo(9, func(lp *ross.LP) { lp.StopAfter(1) }),
			fmt.Sprintf(after, 10.0, 10.0)},
		"stopped later":            {10, 20, countsTo(9, func(lp *ross.LP) { lp.StopAfter(2) }), ""},
		"never again":              {15, math.Inf(1), countsTo(10, nothing), fmt.Sprintf(after, 15.0, 10.0)},
		"at the last event":        {10, math.Inf(1), countsTo(10, nothing), ""},
		"of a model without any":   {30, 20, ticker(8, random(1), random(1)), ""},
		"stopped, and told before": {30, 20, countsTo(10, (*ross.LP).Stop), fmt.Sprintf(before, 30.0, 20.0)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ranks := range []int{1, 2} {
				hints, _ := hinted(t, ranks, func(cfg *ross.Config) {
					cfg.NLP, cfg.Synch, cfg.WarmUp, cfg.End = int(8/uint64(ranks)), 3, c.warmUp, c.end
				}, c.typ)
				if c.want == "" {
					require.Empty(t, hints)
					continue
				}
				require.Equal(t, []string{c.want}, hints)
			}
		})
	}
}
