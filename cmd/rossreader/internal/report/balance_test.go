// This file tests findings about the load of PEs, and those that name LPs.

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

// rulesOf returns the findings of a stored run whose PE 1 has far more events than PE 0, by rule, as if KPs
// had moved as in b.
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
	lp := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.7, KP: "KP 0 of PE 1", OfKP: 0.8})
	require.Contains(t, lp["hot"].Figure, "LP 17 has 70 % of the work of 2 PEs")
	require.Contains(t, lp["hot"].Advice, "more than 1.43 times")
	require.NotContains(t, lp, "uneven")
	kp := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.25, KP: "KP 0 of PE 1", OfKP: 0.8})
	require.Contains(t, kp["hot"].Figure, "KP 0 of PE 1 has 73.6 % of the work of 2 PEs, its busiest LP 25 %", "as the samples have it")
	require.Contains(t, kp["hot"].Advice, "--nkp")
	many := rulesOf(t, &instr.RunBalance{Moves: 2, After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.NotContains(t, many, "hot", "no KP is to blame")
	require.Contains(t, many["uneven"].Advice, "KPs have moved")
	require.NotContains(t, many["uneven"].Figure, "LP", "the PE has handled events of other LPs than its own")
	none := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.Contains(t, none["uneven"].Advice, "none did")
	require.Contains(t, none["uneven"].Figure, "; most of LP 17 ")
	whole := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "all KPs of PE 1", OfKP: 0.8})
	require.Contains(t, whole["hot"].Advice, "Type.Lookahead")
	other := rulesOf(t, &instr.RunBalance{After: []float64{1, 0}, LP: 3, Share: 0.1, KP: "KP 0 of PE 0", OfKP: 1})
	require.NotContains(t, other, "hot", "a KP with 9 % of the events is not what makes PE 1 busy")
	require.Contains(t, other, "uneven")
	alone := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.7, KP: "KP 0 of PE 1", OfKP: 0.8, Alone: 0.4})
	require.NotContains(t, alone, "hot", "one PE handled the events of the other")
	require.NotContains(t, alone, "uneven")
	mostly := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, Alone: 0.9})
	require.Contains(t, mostly["one"].Figure, "for 90 % of the run")
	off := rulesOf(t, nil)
	require.NotContains(t, off, "hot")
	require.Contains(t, off["uneven"].Advice, "--balance=on")
}

// What the last measurement says of an even run is not true of the run.
func TestTheLastPlanOfAnEvenRunIsNoFinding(t *testing.T) {
	dir := surveytest.Run{PEs: 2, KPs: 4, LPs: 2, Samples: 50, SlowPE: -1, ThrashingPE: -1}.Write(t)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "even", Synch: 2, PEs: 2, Ranks: 1, KPs: 8, LPs: 16, Scheduler: "conservative",
		State: instr.RunComplete, Result: &instr.RunResult{Runtime: 0.5, Balance: &instr.RunBalance{Before: []float64{1, 0}, After: []float64{1, 0},
			LP: 1, Share: 1, KP: "all KPs of PE 0", OfKP: 1}}}
	require.NoError(t, info.Write(dir))
	require.NotContains(t, rulesIn(load(t, dir).findings()), "hot")
	info.Result.Balance.KP = "KP 3 of PE 0"
	require.NoError(t, info.Write(dir))
	require.NotContains(t, rulesIn(load(t, dir).findings()), "hot")
}

func TestKPsThatHaveMovedInTimeAreNotSaidToBeMissing(t *testing.T) {
	for last, want := range map[uint32]string{900: "in the end the PEs were loaded alike", 200: "it still has more"} {
		var data []byte
		for n := 1; n <= 8; n++ {
			for pe := range uint32(2) {
				p := instr.PEStats{PE: pe, Processed: 1000}
				if pe == 1 {
					if p.Processed = 100; n > 6 {
						p.Processed = last
					}
				}
				p.EventProcess = 0.0009 * float32(p.Processed)
				data = instr.AppendPE(data, float64(n), float64(n), &p)
			}
		}
		dir := t.TempDir()
		surveytest.Run{}.Put(t, dir, instr.GVTSuffix, data)
		info := &instr.RunInfo{Version: instr.RunVersion, Synch: 3, PEs: 2, Ranks: 1, State: instr.RunComplete,
			Result: &instr.RunResult{Runtime: 8, Balance: &instr.RunBalance{Moves: 3, After: []float64{0.5, 0.5}}}}
		require.NoError(t, info.Write(dir))
		found := load(t, dir).findings()
		require.Equal(t, []string{"uneven"}, rulesIn(found))
		require.Contains(t, found[0].Advice, want)
		info.Host.Processors = 1
		require.NoError(t, info.Write(dir))
		require.Equal(t, []string{"cores"}, rulesIn(load(t, dir).findings()), "the engine gave the events to the PE that had the processor")
	}
}

func rulesIn(found []finding) (rules []string) {
	for _, one := range found {
		rules = append(rules, one.Rule)
	}
	return rules
}

// The figures of a run that failed agree: what was undone because it ended was undone by no rollback.
func TestFiguresOfAFailedRunAgree(t *testing.T) {
	dir := hotRun(t)
	f := load(t, dir)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32, State: instr.RunFailed,
		Result: &instr.RunResult{Runtime: 2, Processed: f.total.processed, RolledBack: f.total.rolledBack + 123,
			NetEvents: f.total.processed - f.total.rolledBack - 123, Primary: 5, MemoryPeak: 17_511_219, MemoryLimit: 14 << 20, Shortages: 3, ForcedGVTs: 7, GVTs: 9,
			IdleSeconds: 2}}
	require.NoError(t, info.Write(dir))
	rows := cells(makePage(t, dir))
	require.Equal(t, grouped(f.total.rolledBack+123), rows["Events rolled back"])
	require.Equal(t, "123", rows["… because the run ended, by no rollback"])
	require.Equal(t, "16.7 MiB used at most, 2.7 MiB beyond the limit of 14 MiB: what undoes events is recorded even then", rows["Memory used at most"])
	for _, one := range load(t, dir).findings() {
		require.NotContains(t, one.Figure, "forced", "healthy runs have as many")
		require.NotContains(t, one.Figure, "nothing that is timed", "idle time is measured")
	}
	info.State, info.Result.Shortages = instr.RunComplete, 0
	require.NoError(t, info.Write(dir))
	require.NotContains(t, cells(makePage(t, dir)), "… because the run ended, by no rollback")
}

// hotRun writes a run of 2 PEs with 2 KPs of 8 LPs each; LP 17, on KP 0 of PE 1, rolls back and
// handles most.
func hotRun(t *testing.T) string {
	var data []byte
	for n := 1; n <= 2; n++ {
		for pe := range uint32(2) {
			p := instr.PEStats{PE: pe, EventProcess: 0.95}
			kps := [2]instr.KPStats{{PE: pe}, {PE: pe, KP: 1}}
			var lps []instr.LPStats
			for i := range uint32(16) {
				s := instr.LPStats{PE: pe, KP: i / 8, LP: pe*16 + i, Processed: 100, RolledBack: i % 2}
				if s.LP == 17 {
					s.Processed, s.RolledBack = 6000, 1000
				}
				k := &kps[s.KP]
				k.Processed, k.RolledBack = k.Processed+s.Processed, k.RolledBack+s.RolledBack
				p.Processed, p.RolledBack = p.Processed+s.Processed, p.RolledBack+s.RolledBack
				lps = append(lps, s)
			}
			data = instr.AppendPE(data, float64(n), float64(n), &p)
			for _, k := range kps {
				data = instr.AppendKP(data, float64(n), float64(n), &k)
			}
			for _, l := range lps {
				data = instr.AppendLP(data, float64(n), float64(n), &l)
			}
		}
	}
	dir := t.TempDir()
	surveytest.Run{}.Put(t, dir, instr.GVTSuffix, data)
	var names strings.Builder
	require.NoError(t, labels.Write(&names, 32, func(id uint64) string { return fmt.Sprintf("router <%d>", id) }))
	require.NoError(t, os.WriteFile(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix), []byte(names.String()), 0o644))
	return dir
}

func TestFindingsNameTheLPs(t *testing.T) {
	dir := hotRun(t)
	found := map[string]string{}
	for _, one := range load(t, dir).findings() {
		found[one.Rule] = one.Figure
	}
	require.Contains(t, found["storm"], `; most by LP 17 "router <17>" (2,000), LP 19 "router <19>" (2), LP 21 "router <21>" (2)`)
	require.Contains(t, found["uneven"], `; most of LP 17 "router <17>" (10,000), LP `)
	page := makePage(t, dir)
	require.Contains(t, page, `<tr><th scope="row">LP 17 &#34;router &lt;17&gt;&#34;</th><td data-name="PE and KP">PE 1 KP 0</td><td class="n" data-name="Events handled">12,000</td>`)
	require.Equal(t, shownLPs, strings.Count(page, "<td data-name=\"PE and KP\">PE "))
}

func TestWithoutSamplesOfLPsThereIsNoTableOfThem(t *testing.T) {
	require.NotContains(t, makePage(t, stored("storm-hub")), `id="lps"`)
}
