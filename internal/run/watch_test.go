// What the watch shows of a load, under all schedulers, with rollbacks that are forced, KPs that move, and on ranks.

package run_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// seen returns the blocks of the watch in a report.
func seen(report string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(report) {
		if in = strings.HasPrefix(line, "Watch: ") || in && strings.HasPrefix(line, "  "); in {
			b.WriteString(line)
		}
	}
	return b.String()
}

// watchGarden watches all LPs of a garden on ranks, and returns what each has printed.
func watchGarden(t testing.TB, ranks int, g garden, set func(*ross.Config)) (texts []string) {
	t.Helper()
	outs := make([]bytes.Buffer, ranks)
	_, errs := runOnRanks(t, worldtest.New(ranks, testrand.Seed(t), 20), ranks, func(rank int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.NKP, cfg.MaxMemory, cfg.Output = gardenLPs, gardenEnd, 4, 64<<20, &outs[rank]
		cfg.Watch, cfg.WatchLimit = fmt.Sprintf("0,1,2@5..,3@..20,%d@1..9,%d", gardenLPs-2, gardenLPs-1), 0
		set(cfg)
	}, g.lpType())
	for i, err := range errs {
		require.NoError(t, err)
		texts = append(texts, seen(outs[i].String()))
	}
	return texts
}

func TestAllSchedulersShowTheSameOfWatchedLPs(t *testing.T) {
	for name, g := range map[string]garden{
		"spread":  {},
		"ties":    {whole: true},
		"stopped": {whole: true, stops: stopsAfter(9), saving: ross.SaveByLog},
	} {
		if testlevel.Few.LeavesOut(name, "ties") {
			continue
		}
		want := watchGarden(t, 1, g, func(*ross.Config) {})[0]
		require.Greater(t, strings.Count(want, "Watch: "), 20)
		all := setups(t, 2, 3, 5, int(ross.Auto))
		all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
		all["KPs move"] = func(cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.NLP, cfg.Tuning.GVTInterval, cfg.Tuning.Batch = 3, 2, gardenLPs/2, 1, 4
			moving(1)(cfg)
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				testkit.Watch(t)
				require.Equal(t, want, watchGarden(t, 1, g, setup)[0])
			})
		}
	}
}

func TestEachRankShowsItsWatchedLPsInOrder(t *testing.T) {
	testkit.Watch(t)
	blocks := func(text string) []string { return strings.Split(text, "Watch: ")[1:] }
	want := blocks(watchGarden(t, 1, garden{}, func(*ross.Config) {})[0])
	var got []string
	for _, text := range watchGarden(t, 2, garden{}, func(cfg *ross.Config) { cfg.Synch, cfg.NLP = 3, gardenLPs/2 }) {
		own := blocks(text)
		var order []string // those of this rank among all
		for _, b := range want {
			if slices.Contains(own, b) {
				order = append(order, b)
			}
		}
		require.Equal(t, order, own)
		got = append(got, own...)
	}
	require.ElementsMatch(t, want, got)
}
