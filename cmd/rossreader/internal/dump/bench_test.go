// This file measures dumps of an event trace, format by format.

package dump

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// writeTrace writes a trace of n events of 4096 LPs, with payloads of size bytes.
func writeTrace(t testing.TB, n, size int) string {
	path := filepath.Join(t.TempDir(), "run-evtrace.bin")
	var data []byte
	rnd := rand.New(rand.NewPCG(1, 2))
	payload := make([]byte, size)
	now := 0.0
	for i := range n {
		now += rnd.ExpFloat64() / 1000
		for j := range payload {
			payload[j] = byte(rnd.Uint32())
		}
		data = instr.AppendEvent(data, &instr.Event{Src: rnd.Uint32N(4096), Dest: rnd.Uint32N(4096),
			SendTS: float32(max(0, now-rnd.ExpFloat64())), RecvTS: float32(now), RealTS: float32(i) * 3e-7, Payload: payload})
	}
	require.NoError(t, os.WriteFile(path, data, 0o644))
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
					require.Zero(b, cli.Run(Command(), []string{path, "--format=" + format}, io.Discard, io.Discard))
				}
				b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
			})
		}
	}
}
