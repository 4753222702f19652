// This file pins that recordings are made once, in order, and at commit, under forced rollbacks
// and on several ranks. Package stats has the tests of its API.

package ross

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/statistic"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// gauge is a state with statistics as package stats has them.
type gauge struct {
	Tally struct {
		D statistic.Tally `ross:"-"`
	}
	Count int64
	Level struct {
		D statistic.Level `ross:"-"`
	}
	Bins struct {
		D statistic.Histogram `ross:"-"`
	}
	Series struct {
		D statistic.Series `ross:"-"`
	}
}

// gauges is a model whose events record, and all of whose events are undone by deltas.
func gauges() LPType {
	return Type[gauge, order8]{
		Name: "gauge",
		Init: func(_ *gauge, lp *LP) {
			for range 3 {
				Send(lp, lp.ID(), lp.RNG().Unif(), order8{uint64(lp.ID())})
			}
		},
		Event: func(s *gauge, lp *LP, _ *Bits, m *order8) {
			x := lp.RNG().Exponential(1)
			s.Count++
			for range m.Tag % 4 {
				lp.k.Record(statistic.OpTally, unsafe.Pointer(&s.Tally), math.Float64bits(x*1e6))
				lp.k.Record(statistic.OpTally, unsafe.Pointer(&s.Tally), math.Float64bits(1/x))
			}
			lp.k.Record(statistic.OpShift, unsafe.Pointer(&s.Level), math.Float64bits(x-1))
			Send(lp, LPID(lp.RNG().Integer(0, writerLPs-1)), 0.1+lp.RNG().Exponential(1), order8{m.Tag + uint64(s.Count)})
			lp.k.Record(statistic.OpBin, unsafe.Pointer(&s.Bins), math.Float64bits(x))
			lp.k.Record(statistic.OpTime, unsafe.Pointer(&s.Series), math.Float64bits(x))
		},
	}
}

// measure runs gauges and returns the statistics of all LPs as JSON, which has all bits.
func measure(t *testing.T, ranks int, configure func(*Config)) string {
	t.Helper()
	sims, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 5), ranks, func(_ int, c *Config) {
		c.End, c.MaxMemory, c.NKP, c.WarmUp, c.Statistics = 20, 200<<20, 4, 3, 1
		configure(c)
		c.NLP = writerLPs / uint64(max(c.PEs, 1)*ranks)
		if c.Synch == 3 || c.Synch == 5 {
			c.knobs.disturb = harass(t, c.PEs*ranks, 0.3)
		}
	}, gauges())
	for _, err := range errs {
		require.NoError(t, err)
	}
	text := figuresOf(t, sims)
	closeAll(sims)
	return text
}

// figuresOf returns the statistics of all LPs, which all ranks have.
func figuresOf(t *testing.T, sims []*Simulation) string {
	t.Helper()
	texts := make(chan string, len(sims))
	for _, sim := range sims {
		go func() {
			var b bytes.Buffer
			table, err := sim.r.Statistics(nil)
			if assert.NoError(t, err) {
				assert.NoError(t, table.WriteJSON(&b))
			}
			texts <- b.String()
		}()
	}
	text := <-texts
	for range len(sims) - 1 {
		require.Equal(t, text, <-texts, "all ranks have the same table")
	}
	return text
}

func TestStatisticsAreThoseOfASequentialRun(t *testing.T) {
	want := measure(t, 1, func(c *Config) {})
	require.Contains(t, want, `"statistic": "Level"`)
	type setUp struct {
		synch, pes, ranks int
		nkp               uint64
	}
	all := []setUp{{3, 2, 1, 4}, {3, 2, 2, 4}, {2, 3, 1, 1}, {3, 1, 1, 1}, {3, 3, 1, 16}, {3, 4, 1, 7}, {5, 2, 1, 4}, {6, 1, 1, 4}, {2, 2, 2, 4}, {3, 1, 3, 4}}
	for _, run := range testlevel.Pick(all, all[:4], all[:2]) {
		got := measure(t, run.ranks, func(c *Config) {
			c.Synch, c.PEs, c.NKP, c.ConsLookahead = Scheduler(run.synch), run.pes, run.nkp, 0.1
		})
		require.Equal(t, want, got, "%+v", run)
	}
}

func TestStatisticsBeginLaterOnAnyRanks(t *testing.T) {
	configure := func(ranks int, warmUp, end float64) func(*Config) {
		return func(c *Config) {
			c.Synch, c.PEs, c.NKP, c.NLP, c.WarmUp, c.End = Optimistic, 1, 2, writerLPs/uint64(ranks), warmUp, end
		}
	}
	_, sims := runLeg(t, leg{configure: configure(1, 12, 20)}, gauges())
	want := figuresOf(t, sims)
	for _, ranks := range testlevel.Pick([][2]int{{1, 2}, {2, 1}, {2, 3}}, [][2]int{{2, 1}}, [][2]int{{1, 2}}) {
		name := filepath.Join(t.TempDir(), "cp")
		runLeg(t, leg{ranks: ranks[0], to: name, configure: configure(ranks[0], 3, 10)}, gauges())
		_, sims = runLeg(t, leg{ranks: ranks[1], from: name, mode: LoadInit, configure: configure(ranks[1], 12, 20)}, gauges())
		require.Equal(t, want, figuresOf(t, sims), "%d", ranks)
	}
}
