// This file owns the tests of the port made of handlers.

package processes

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// TestPortByHandLeavesTheSameStatistics compares all of them, to the last bit.
func TestPortByHandLeavesTheSameStatistics(t *testing.T) {
	table := func(p program.Program, seed uint64) (*stats.Table, float64) {
		cfg := p.Config
		cfg.End, cfg.Replication = 480, seed
		require.NoError(t, p.Prepare(&cfg))
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, p.Build(sim))
		require.NoError(t, sim.Run(context.Background()))
		all, err := stats.Collect(sim)
		require.NoError(t, err)
		return all, float64(sim.Summary().NetEvents())
	}
	for seed := range uint64(4) {
		processes, events := table(port.Program(), seed+1)
		handlers, same := table(portByHand(), seed+1)
		require.Equal(t, bits(processes), bits(handlers))
		require.Equal(t, events, same)
		for _, name := range []string{"Cranes.WaitGet", "Crews.Wait", "Stay[mega]", "Lanes.Reneged"} {
			row, ok := handlers.Row("Port", name)
			require.True(t, ok, name)
			require.Positive(t, row.Count, name)
		}
	}
}

// bits returns the rows of a table, each figure to its last bit.
func bits(t *stats.Table) (all []string) {
	for _, r := range t.Rows() {
		all = append(all, fmt.Sprintf("%s %s %s %s %d %d %x %x %x %x %x %x", r.Group, r.Name, r.Unit, r.Kind, r.LPs, r.Count,
			r.Sum, r.Mean, r.StdDev, r.Min, r.Max, r.NonZero))
	}
	return all
}

func TestPortByHandIsUndone(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: portByHand, Args: "--end=20", Short: true})
}
