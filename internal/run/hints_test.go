// Hints: what looks like a mistake is reported, once, and nothing else is.

package run_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/statistic"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/mapping"
)

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
			c.Custom.PE = func(gid uint64) uint64 { return gid * n / 24 }
		}
	}
	only := func(pes ...uint64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.Custom.PE = func(gid uint64) uint64 { return pes[gid%uint64(len(pes))] }
		}
	}
	const advice = ": the mapping gives them none; Config.PEs counts the PEs of one rank; use Config.Custom.For, or Simulation.NumPEs, which is %d here"
	for name, c := range map[string]struct {
		ranks, pes int
		lps        uint64
		set        func(*ross.Config)
		want       string
	}{
		"all on the first rank":   {2, 2, 24, block(2), "PEs 2 to 3 have no LPs" + fmt.Sprintf(advice, 4)},
		"all on the second":       {2, 1, 24, only(1), "PE 0 has no LPs" + fmt.Sprintf(advice, 2)},
		"some here and there":     {1, 8, 24, only(1, 5), "PEs 0, 2 to 4, 6 to 7 have no LPs" + fmt.Sprintf(advice, 8)},
		"every other":             {1, 24, 24, only(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21), "PEs 0, 2, 4, 6, 8, 10, 12, 14, ... have no LPs" + fmt.Sprintf(advice, 24)},
		"more PEs than LPs":       {1, 8, 3, func(c *ross.Config) { dealtSeven(c); c.TotalLPs = 3 }, "PEs 3 to 7 have no LPs: the run has 3 LPs for 8 PEs; use fewer PEs"},
		"none idle":               {2, 2, 24, block(4), ""},
		"linear":                  {2, 2, 4, func(c *ross.Config) { c.Mapping, c.NLP, c.TotalLPs = mapping.Linear, 1, 0 }, ""},
		"round robin":             {2, 2, 4, func(c *ross.Config) { c.Mapping, c.NLP, c.TotalLPs = mapping.RoundRobin, 1, 0 }, ""},
		"one PE, KPs without LPs": {1, 1, 3, func(c *ross.Config) { c.NKP = 16; only(0)(c) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			hints, report := hinted(t, c.ranks, func(cfg *ross.Config) {
				cfg.Mapping, cfg.TotalLPs, cfg.Synch, cfg.PEs, cfg.End = mapping.Custom, c.lps, 3, c.pes, 5
				c.set(cfg)
			}, gossip(c.lps))
			if c.want == "" {
				require.Empty(t, hints)
				return
			}
			require.Equal(t, []string{c.want}, hints)
			require.Less(t, strings.Index(report, "\nNote: "), strings.Index(report, "*** START"), "before a long run, not after it")
		})
	}
}

func TestSeedsOfAPatternAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		seeds, cores [4]uint64
		want         []string // their beginnings
	}{
		"none":              {},
		"equal":             {seeds: [4]uint64{7, 7, 7, 7}, want: []string{"--rng-seed1 to 4 are 7 7 7 7: "}},
		"1 2 3 4":           {seeds: [4]uint64{1, 2, 3, 4}, want: []string{"--rng-seed1 to 4 are 1 2 3 4: "}},
		"all clamped":       {seeds: [4]uint64{3e9, 4e9, 3e9, 4e9}, want: []string{"--rng-seed1 to 4 are 2147483646 2147483542 2147483422 2147483322: "}},
		"the engine's":      {cores: [4]uint64{3, 3, 3, 3}, want: []string{"--core-rng-seed1 to 4 are 3 3 3 3: "}},
		"both":              {seeds: [4]uint64{2, 2, 2, 2}, cores: [4]uint64{3, 3, 3, 3}, want: []string{"--rng-seed1", "--core-rng-seed1"}},
		"without a pattern": {seeds: [4]uint64{123456, 99, 2000000000, 1}},
		"those of ROSS": {seeds: [4]uint64{11111111, 22222222, 33333333, 44444444},
			cores: [4]uint64{55555555, 66666666, 77777777, 88888888}},
	} {
		t.Run(name, func(t *testing.T) {
			hints, _ := hinted(t, 1, func(cfg *ross.Config) { cfg.Seeds, cfg.CoreSeeds, cfg.End = c.seeds, c.cores, 2 }, gossip(8))
			require.Len(t, hints, len(c.want))
			for i, want := range c.want {
				require.Contains(t, hints[i], want)
				require.Contains(t, hints[i], "give each run another --replication, another --seed, or four seeds without a pattern")
			}
		})
	}
	hints, _ := hinted(t, 2, func(cfg *ross.Config) { cfg.Seeds, cfg.NLP, cfg.Synch, cfg.End = [4]uint64{7, 7, 7, 7}, 4, 3, 2 }, gossip(8))
	require.Len(t, hints, 1, "once, not once a rank")
}

// ticker is a type whose LPs send what delay returns.
func ticker(lps uint64, first func(lp *ross.LP) float64, delay func(lp *ross.LP) float64) ross.Type[heard, loadMsg] {
	typ := gossip(lps)
	typ.Init = func(_ *heard, lp *ross.LP) { ross.Send(lp, lp.ID(), first(lp), loadMsg{}) }
	typ.Event = func(s *heard, lp *ross.LP, _ *ross.Bits, _ *loadMsg) {
		s.Hash++
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lps)-1)), delay(lp), loadMsg{})
	}
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
				c.NLP, c.PEs, c.Synch, c.End = lps/uint64(on.ranks*on.pes), on.pes, ross.Scheduler(on.synch), end
				if c.ConsLookahead = 0.1; on.synch == 3 {
					*disturbOf(c) = harass(t, on.pes, 0.3)
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
		"from the start to the end": {ticker(lps, upTo(1), func(lp *ross.LP) float64 { return 100 - lp.Now()/2 }), []float64{100}},
		"few":                       {ticker(90, random(1), func(lp *ross.LP) float64 { return lp.Now() + random(1)(lp) }), []float64{100}},
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
	return ross.Type[counting, ross.None]{
		Init: func(_ *counting, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
		Event: func(s *counting, lp *ross.LP, _ *ross.Bits, _ *ross.None) {
			kernelOf(lp).Record(statistic.OpCount, unsafe.Pointer(&s.Events.D), 1)
			if lp.Now() < n {
				ross.Send(lp, lp.ID(), 1, ross.None{})
			} else {
				last(lp)
			}
		},
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
		"beyond the end":           {30, 20, countsTo(50, nothing), fmt.Sprintf(before, 30.0, 20.0)},
		"at the end":               {20, 20, countsTo(50, nothing), fmt.Sprintf(before, 20.0, 20.0)},
		"before the end":           {19, 20, countsTo(50, nothing), ""},
		"without events after it":  {15, 20, countsTo(10, nothing), ""}, // levels have an average
		"stopped before":           {15, 20, countsTo(10, (*ross.LP).Stop), fmt.Sprintf(after, 15.0, 10.0)},
		"stopped at it":            {10, 20, countsTo(9, func(lp *ross.LP) { lp.StopAfter(1) }), fmt.Sprintf(after, 10.0, 10.0)},
		"stopped later":            {10, 20, countsTo(9, func(lp *ross.LP) { lp.StopAfter(2) }), ""},
		"never again":              {15, math.Inf(1), countsTo(10, nothing), fmt.Sprintf(after, 15.0, 10.0)},
		"at the last event":        {10, math.Inf(1), countsTo(10, nothing), ""},
		"of a model without any":   {30, 20, ticker(8, random(1), random(1)), ""},
		"stopped, and told before": {30, 20, countsTo(10, (*ross.LP).Stop), fmt.Sprintf(before, 30.0, 20.0)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ranks := range []int{1, 2} {
				hints, _ := hinted(t, ranks, func(cfg *ross.Config) {
					cfg.NLP, cfg.Synch, cfg.WarmUp, cfg.End = 8/uint64(ranks), 3, c.warmUp, c.end
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
