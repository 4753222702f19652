package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// rulesOf returns the findings of a stored run whose PE 1 has far more events than PE 0, by rule, as if KPs
// had moved as b says.
func rulesOf(t *testing.T, b *instr.RunBalance) map[string]finding {
	dir := hotRun(t)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32, Scheduler: "optimistic",
		State: instr.RunComplete, Command: []string{"hot"}, Result: &instr.RunResult{Runtime: 1, NetEvents: 20000, Processed: 24000, Balance: b}}
	require.NoError(t, info.Write(dir))
	found := map[string]finding{}
	for _, one := range load(t, dir).findings() {
		found[one.Rule] = one
	}
	return found
}

// What limits a run whose KPs move is named, and nothing is advised that cannot help.
func TestFindingsNameWhatBalanceCannotMove(t *testing.T) {
	lp := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.75, KP: "KP 0 of PE 1", OfKP: 0.8})
	require.Contains(t, lp["hot"].Figure, "LP 17 has 75 % of the work of 2 PEs")
	require.Contains(t, lp["hot"].Advice, "more than 1.33 times")
	require.NotContains(t, lp, "uneven")
	kp := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.25, KP: "KP 0 of PE 1", OfKP: 0.8})
	require.Contains(t, kp["hot"].Figure, "KP 0 of PE 1 has 80 % of the work of 2 PEs, its busiest LP 25 %")
	require.Contains(t, kp["hot"].Advice, "--nkp")
	even := rulesOf(t, &instr.RunBalance{After: []float64{0.5, 0.5}, LP: 17, Share: 0.65, KP: "KP 0 of PE 1", OfKP: 0.65})
	require.NotContains(t, even, "hot", "the PEs are loaded alike")
	many := rulesOf(t, &instr.RunBalance{Moves: 2, After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.NotContains(t, many, "hot", "no KP is to blame")
	require.Contains(t, many["uneven"].Advice, "KPs have moved")
	require.NotContains(t, many["uneven"].Figure, "LP", "the PE has handled events of other LPs than its own")
	none := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.Contains(t, none["uneven"].Advice, "none did")
	require.Contains(t, none["uneven"].Figure, "; most of LP 17 ")
	whole := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "all KPs of PE 1", OfKP: 0.8})
	require.Contains(t, whole["hot"].Advice, "Type.Lookahead")
	off := rulesOf(t, nil)
	require.NotContains(t, off, "hot")
	require.Contains(t, off["uneven"].Advice, "--balance=on")
}
