package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testlevel"
)

// memoryChild names the variable that makes the test binary one run of Memory: it holds the run as
// JSON.
const memoryChild = "ROSS_BENCH_MEMORY"

func TestMain(m *testing.M) {
	text := os.Getenv(memoryChild)
	if text == "" {
		os.Exit(m.Run())
	}
	var run Memory
	err := json.Unmarshal([]byte(text), &run)
	if err == nil {
		var use MemoryUse
		if use, err = run.Measure(); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(use)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measured runs m in a process of its own.
func measured(t testing.TB, m Memory) (use MemoryUse) {
	t.Helper()
	text, err := json.Marshal(m)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), memoryChild+"="+string(text)), os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &use))
	return use
}

// BenchmarkMemory is the memory of one LP, KP, pending and uncommitted event.
func BenchmarkMemory(b *testing.B) {
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic} {
		for _, of := range []string{"lp", "kp", "pending", "uncommitted"} {
			p, ok := MemoryPairs(synch)[of]
			if !ok {
				continue
			}
			b.Run(fmt.Sprintf("of=%s/synch=%d", of, synch), func(b *testing.B) {
				less, more := measured(b, p.Less), measured(b, p.More)
				n := float64(p.N)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric((more.Account-less.Account)/n, "B/account")
				b.ReportMetric((more.Heap-less.Heap)/n, "B/heap")
				b.ReportMetric((more.RSS-less.RSS)/n, "B/RSS")
			})
		}
	}
}

// An LP of PHOLD takes 128 bytes, 8 for its state and 1 for its flags.
func TestMemoryOfAnLP(t *testing.T) {
	testlevel.Once(t, "what memory costs")
	const n = 1 << 16
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.Conservative, ross.Optimistic} {
		less := measured(t, Memory{Synch: synch, LPs: n, KPs: 16, Handled: 1})
		more := measured(t, Memory{Synch: synch, LPs: 2 * n, KPs: 16, Handled: 1})
		require.InDelta(t, 137, (more.Account-less.Account)/n, 0.1, "%v", synch)
		require.InDelta(t, 137, (more.Heap-less.Heap)/n, 2, "%v: what is charged is what there is", synch)
	}
}
