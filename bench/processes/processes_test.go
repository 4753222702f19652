package processes

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/program"
)

// BenchmarkProcesses runs each model to the same end, and reports the processor time of an event.
func BenchmarkProcesses(b *testing.B) {
	for _, model := range []string{"bank", "traveller", "sleeper", "port"} {
		for _, c := range []struct {
			how    string
			synch  ross.Scheduler
			saving ross.Saving
		}{
			{"sequential", ross.Sequential, ross.SaveByDelta},
			{"deltas", ross.Optimistic, ross.SaveByDelta},
			{"log", ross.Optimistic, ross.SaveByLog},
		} {
			if model == "port" && c.how == "deltas" {
				continue // its types are saved by log
			}
			for i, impl := range []string{"handlers", "processes"} {
				b.Run(fmt.Sprintf("model=%s/synch=%s/impl=%s", model, c.how, impl), func(b *testing.B) {
					var events, user float64
					for b.Loop() {
						var e, u float64
						if model == "port" {
							before := used()
							e, _ = wait(b, programs[i](), end[model], c.synch, 1)
							u = used() - before
						} else {
							e, u = run(b, models[model][i](c.saving), c.synch, end[model])
						}
						events, user = events+e, user+u
					}
					b.ReportMetric(user/events, "user-ns/event")
				})
			}
		}
	}
}

var end = map[string]float64{"bank": 20_000, "traveller": 1000, "sleeper": 1000, "port": 1440}

// programs are those of the port, made of handlers and of processes.
var programs = [2]func() program.Program{portByHand, port.Program}

// run returns the number of committed events, and the user time in nanoseconds.
func run(tb testing.TB, t ross.LPType, synch ross.Scheduler, end float64) (events, user float64) {
	cfg := ross.Config{End: end, Synch: synch, PEs: 1}
	before := used()
	sim, err := ross.Run(context.Background(), cfg, t)
	require.NoError(tb, err)
	user = used() - before
	events = float64(sim.Summary().NetEvents())
	sim.Close()
	return events, user
}

// used returns the user time of this process in nanoseconds.
func used() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano())
}

// TestBothAreTheSameModel compares the number of events and a result.
func TestBothAreTheSameModel(t *testing.T) {
	for name, m := range models {
		handlers, _ := run(t, m[0](ross.SaveByDelta), ross.Sequential, end[name]/100)
		processes, _ := run(t, m[1](ross.SaveByDelta), ross.Sequential, end[name]/100)
		require.NotZero(t, handlers)
		require.Equal(t, handlers, processes, name)
	}
}
