// This file owns the comparison of models made of processes with the programs of this folder, which are made of
// handlers and draw the same numbers.

package sidebyside

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	processbank "github.com/ross-go/ross/models/processes/bank"
	processdesk "github.com/ross-go/ross/models/processes/desk"
	processepidemic "github.com/ross-go/ross/models/processes/epidemic"
	processphold "github.com/ross-go/ross/models/processes/phold"
	processring "github.com/ross-go/ross/models/processes/ring"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// play runs a program with the words of a command line.
func play(t *testing.T, p program.Program, words ...string) *ross.Simulation {
	t.Helper()
	cfg := p.Config
	_, err := p.CommandLine(&cfg).Parse(words)
	require.NoError(t, err)
	if p.Prepare != nil {
		require.NoError(t, p.Prepare(&cfg))
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, p.Build(sim))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// Two hundred branches, optimistically on two PEs.
func Example_branches() {
	branches := processbank.Program()
	branches.Finish = func(sim *ross.Simulation) error {
		table, err := stats.Collect(sim)
		if err != nil {
			return err
		}
		wait, _ := table.Row("Bank", "counter.Wait")
		fmt.Printf("%d served after %.2f minutes, at most %.2f\n", wait.Count, wait.Mean, wait.Max)
		return nil
	}
	options := []string{"--lps=200", "--end=1000", "--warm-up=100", "--synch=3", "--pes=2"}
	branches.Main(options, io.Discard, os.Stderr)
	// Output: 10755 served after 2.74 minutes, at most 14.89
}

func TestProcessesGiveTheNumbersOfHandlers(t *testing.T) {
	t.Parallel()
	t.Run("bank", func(t *testing.T) {
		t.Parallel()
		want := &ross.StateOf[Bank](simulate(t, 10_000, bank).LP(0)).Counter
		got := &ross.StateOf[processbank.Bank](play(t, processbank.Program()).LP(0)).Counter
		require.Equal(t, want.Reneged.Count(), got.Reneged.Count())
		near(t, want.Wait.Mean(), got.Wait.Mean())
	})
	t.Run("desk", func(t *testing.T) {
		t.Parallel()
		want := &ross.StateOf[Desk](simulate(t, 10_000, desk).LP(0)).Clerks
		got := &ross.StateOf[processdesk.Desk](play(t, processdesk.Program()).LP(0)).Clerks
		require.Equal(t, want.Wait.Count(), got.Wait.Count())
		near(t, want.Wait.Mean(), got.Wait.Mean())
	})
	t.Run("epidemic", func(t *testing.T) {
		t.Parallel()
		want, got := simulate(t, 365, epidemic), play(t, processepidemic.Program())
		sick := int64(0)
		for i := range ross.LPID(places) {
			w, g := ross.StateOf[Place](want.LP(i)), ross.StateOf[processepidemic.Place](got.LP(i))
			require.Equal(t, [3]int64{w.Well, w.Sick, w.Over}, [3]int64{g.Well, g.Sick, g.Over}, "place %d", i)
			sick += w.Over
		}
		require.Positive(t, sick)
	})
	t.Run("phold", func(t *testing.T) {
		t.Parallel()
		want, got := simulate(t, 100, phold), play(t, processphold.Program())
		for i := range ross.LPID(members) {
			require.Equal(t, ross.StateOf[Member](want.LP(i)).Received,
				ross.StateOf[processphold.Member](got.LP(i)).Received, "LP %d", i)
		}
	})
	t.Run("ring", func(t *testing.T) {
		t.Parallel()
		var delays [2]stats.Row
		for i, sim := range []*ross.Simulation{simulate(t, 1000, ring), play(t, processring.Program())} {
			table, err := stats.Collect(sim)
			require.NoError(t, err)
			delays[i] = table.Rows()[0]
		}
		require.Equal(t, delays[0].Count, delays[1].Count)
		near(t, delays[0].Mean, delays[1].Mean)
	})
}
