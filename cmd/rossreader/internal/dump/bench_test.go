// This file measures dumps of an event trace, format by format.

package dump

import (
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// writeTrace writes a trace of n events of 4096 LPs, with payloads of size bytes.
func writeTrace(t testing.TB, n, size int) string {
	path := filepath.Join(t.TempDir(), "run-evtrace.bin")
	w, err := instr.CreateTrace(path, 0)
	require.NoError(t, err)
	rnd := rand.New(rand.NewPCG(1, 2))
	payload := make([]byte, size)
	now := 0.0
	for i := range n {
		now += rnd.ExpFloat64() / 1000
		for j := range payload {
			payload[j] = byte(rnd.Uint32())
		}
		w.Add(rnd.Uint64N(4096), rnd.Uint64N(4096), max(0, now-rnd.ExpFloat64()), now, float64(i)*3e-7, payload)
	}
	require.NoError(t, w.Close())
	return path
}

func BenchmarkDump(b *testing.B) {
	const events = 500_000
	for _, size := range []int{0, 16} {
		path := writeTrace(b, events, size)
		for _, format := range []string{"csv", "jsonl", "parquet"} {
			name := format + "/payload=0"
			if size > 0 {
				name = format + "/payload=16"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					require.Zero(b, Run([]string{path, "--format=" + format}, io.Discard, io.Discard))
				}
				b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
			})
		}
	}
}
