// The remarks of the short report: they name what to change, and are true.

package findings

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/report"
)

func TestNumbersInAdviceAreRoundAndNotTooLarge(t *testing.T) {
	for x, want := range map[float64]float64{0.050014924612915124: 0.05, 0.05: 0.05, 0.0999: 0.099, 1: 1, 12.75: 12,
		3e-300: 3e-300, 1e300: 1e300, 0.3: 0.3, 0.7: 0.7} {
		got := roundedDown(x)
		require.LessOrEqual(t, got, x)
		require.InEpsilon(t, want, got, 1e-9)
	}
	for _, x := range []float64{0, math.Inf(1), math.SmallestNonzeroFloat64} {
		require.LessOrEqual(t, roundedDown(x), x)
	}
}

func TestRemarkOnProcessorsSaysWhatThePEsGot(t *testing.T) {
	remark := func(pes uint64, idle, had, waited float64) string {
		s := report.Summary{Runtime: 10, TotalPEs: pes}
		e := End{Summary: &s, PEs: 1, Cores: 1, MovesKPs: true, IdleSeconds: idle, Processors: &ProcessorUse{had, waited}}
		return strings.Join(e.Remarks(), "\n")
	}
	for _, c := range []struct {
		had, waited float64
		lacked      bool
	}{{9, 0.5, false}, {9, 8, true}, {0.1, 0.9, false}, {0, 0, false}} {
		require.Equal(t, c.lacked, remark(2, 0, c.had, c.waited) != "", "%+v", c)
	}
	const got = "the PEs got 0.6 of 2 processors, and waited for 0.9 more: other programs use them, or the process may use no more; use fewer PEs (--pes), or a machine that has them free"
	require.Equal(t, got, remark(2, 0, 6, 9))
	require.Equal(t, got, remark(2, 12.2, 6, 9), "of 12.2 s in which they seemed idle, 7.2 were waiting for a processor")
	require.Equal(t, "PEs were idle 75 % of the time, and waited for each other: "+
		strings.NewReplacer("0.6", "0.2", "0.9", "0.3").Replace(got), remark(2, 18, 2, 3))
	require.Equal(t,
		"the run got 0.6 of 1 processor, and waited for 0.9 more: other programs use them, or the process may use no more",
		remark(1, 0, 6, 9))
	s := report.Summary{Runtime: 10, TotalPEs: 2}
	e := End{Summary: &s, PEs: 1, Cores: 1, MovesKPs: true, IdleSeconds: 12.2}
	require.Equal(t,
		[]string{
			"PEs were idle 61 % of the time: use fewer PEs (--pes), or place LPs that load them alike (Config.Mapping); or other programs use the processors"}, e.Remarks())
	e.PEs, s.TotalPEs, e.IdleSeconds = 4, 4, 27
	e.Cores = 2
	require.Equal(t, []string{"4 PEs share 2 cores: --pes=2 is enough"}, e.Remarks(), "they wait for a processor, not for events")
}

// The short report and the page of rossreader share the rule: a run that used nearly all of its memory without waiting
// for any was not short of it.
func TestMemoryThatSufficesIsNotShort(t *testing.T) {
	require.False(t, ShortOfMemory(7_578_564, 8<<20, 0, 0))
	require.False(t, ShortOfMemory(1<<20, 8<<20, 3, 0))
	require.True(t, ShortOfMemory(7_578_564, 8<<20, 1, 0))
	require.True(t, ShortOfMemory(0, 8<<20, 0, 1))
}

func TestRemarkOnMemoryNamesTheBuffersThatTakeMuch(t *testing.T) {
	memory := func(shortages, buffers uint64) string {
		return (&End{Shortages: shortages, Buffers: buffers, RankLimit: 64 << 20}).shortOfMemory()
	}
	const plain = "memory was short, which slows optimism down: raise --max-memory"
	require.Equal(t, plain, memory(9, 1<<20))
	require.Equal(t, plain, memory(0, 8<<20), "it was short at no time")
	require.Equal(t,
		plain+", or collect less: buffers of the instrumentation take up to 8.0 MiB of 64.0 MiB (--buffer-size)",
		memory(9, 8<<20))
}
