// This file tests findings about the load of PEs, those that name LPs, and what the time line marks and computes.

package report

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
	"github.com/ross-go/ross/internal/sys/labels"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// rulesOf returns the findings of a stored run whose PE 1 has far more events than PE 0, by rule, as if KPs
// had moved as in b.
func rulesOf(t *testing.T, b *instr.RunBalance) map[string]finding {
	dir := hotRun(t)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32,
		Scheduler: "optimistic",
		State:     instr.RunComplete, Command: []string{"hot"}, Result: &instr.RunResult{Runtime: 1, NetEvents: 20000,
			Processed: 24000, Balance: b}}
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
	require.Contains(t, kp["hot"].Figure, "KP 0 of PE 1 has 73.6 % of the work of 2 PEs, its busiest LP 25 %",
		"as the samples have it")
	require.Contains(t, kp["hot"].Advice, "--nkp")
	many := rulesOf(t, &instr.RunBalance{Moves: 2, After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1",
		OfKP: 0.1})
	require.NotContains(t, many, "hot", "no KP is to blame")
	require.Contains(t, many["uneven"].Advice, "KPs have moved")
	require.NotContains(t, many["uneven"].Figure, "LP", "the PE has handled events of other LPs than its own")
	none := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "KP 0 of PE 1", OfKP: 0.1})
	require.Contains(t, none["uneven"].Advice, "none did")
	require.Contains(t, none["uneven"].Figure, "; most of LP 17 ")
	whole := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.1, KP: "all KPs of PE 1",
		OfKP: 0.8})
	require.Contains(t, whole["hot"].Advice, "Type.Lookahead")
	other := rulesOf(t, &instr.RunBalance{After: []float64{1, 0}, LP: 3, Share: 0.1, KP: "KP 0 of PE 0", OfKP: 1})
	require.NotContains(t, other, "hot", "a KP with 9 % of the events is not what makes PE 1 busy")
	require.Contains(t, other, "uneven")
	alone := rulesOf(t, &instr.RunBalance{After: []float64{0.2, 0.8}, LP: 17, Share: 0.7, KP: "KP 0 of PE 1", OfKP: 0.8,
		Alone: 0.4})
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
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "even", Synch: 2, PEs: 2, Ranks: 1, KPs: 8, LPs: 16,
		Scheduler: "conservative",
		State:     instr.RunComplete,
		Result: &instr.RunResult{Runtime: 0.5, Balance: &instr.RunBalance{Before: []float64{1, 0}, After: []float64{1, 0},
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
		require.Equal(t, []string{"cores"}, rulesIn(load(t, dir).findings()),
			"the engine gave the events to the PE that had the processor")
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
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32,
		State: instr.RunFailed,
		Result: &instr.RunResult{Runtime: 2, Processed: f.total.Processed, RolledBack: f.total.RolledBack + 123,
			NetEvents: f.total.Processed - f.total.RolledBack - 123, Primary: 5, MemoryPeak: 17_511_219, MemoryLimit: 14 << 20,
			Shortages: 3, ForcedGVTs: 7, GVTs: 9,
			IdleSeconds: 2}}
	require.NoError(t, info.Write(dir))
	rows := cells(makePage(t, dir))
	require.Equal(t, grouped(f.total.RolledBack+123), rows["Events rolled back"])
	require.Equal(t, "123", rows["… because the run ended, by no rollback"])
	require.Equal(t, "16.7 MiB used at most, 2.7 MiB beyond the limit of 14 MiB: what undoes events is recorded even then",
		rows["Memory used at most"])
	for _, one := range load(t, dir).findings() {
		require.NotContains(t, one.Figure, "forced", "healthy runs have as many")
		require.NotContains(t, one.Figure, "nothing that is timed", "idle time is measured")
	}
	t123 := findings.Efficiency(float64(f.total.Processed), float64(f.total.RolledBack+123))
	require.NotEqual(t, short(t123)+" %", rows["Efficiency"], "what was undone because the run ended is no rollback")
	require.Empty(t, load(t, dir).findings(), "no advice on the speed of a run that failed")
	require.Empty(t, load(t, dir).lacks())

	info.Result.Undecided, info.Result.Efficiency = 100, 41 // as the engine has it
	info.Reason = "ross: LP 5 at time 1: sent an event, with 2 pending: " + mem.ErrLimit.Error() + ": 3 of 4 bytes in use"
	require.NoError(t, info.Write(dir))
	rows = cells(makePage(t, dir))
	require.Equal(t, "100", rows["… because the run ended, by no rollback"])
	require.Equal(t, "41 %", rows["Efficiency"])
	found := load(t, dir).findings()
	require.Len(t, found, 1)
	require.Equal(t, "The run ended because memory ran out", found[0].What)
	require.Contains(t, found[0].Advice, "--max-memory=56M")
	var out bytes.Buffer
	load(t, dir).print("x.html", &out)
	require.Equal(t, "x.html: the run failed: "+info.Reason+"\nx.html: findings: 1\n  "+found[0].What+": "+found[0].Figure+"\n",
		out.String())
	require.NotContains(t, makePage(t, dir), "Saves at most")

	info.Result = &instr.RunResult{Runtime: 2.4e-7, Efficiency: 100} // it failed in Init
	require.NoError(t, info.Write(dir))
	page := makePage(t, dir)
	require.Equal(t, "–", cells(page)["Run time"])
	require.Contains(t, page, "the run failed before its first event")

	info.State, info.Result = instr.RunComplete, &instr.RunResult{Runtime: 2, Processed: 5, NetEvents: 5}
	require.NoError(t, info.Write(dir))
	page = makePage(t, dir)
	require.NotContains(t, cells(page), "… because the run ended, by no rollback")
	require.Contains(t, page, `<p id="verdict">The run is complete: 5 net events in 2 s. `)
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
	require.NoError(t, os.WriteFile(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix), []byte(names.String()),
		0o644))
	return dir
}

func TestFindingsNameTheLPs(t *testing.T) {
	dir := hotRun(t)
	found := map[string]string{}
	for _, one := range load(t, dir).findings() {
		found[one.Rule] = one.Figure
	}
	require.Contains(t, found["storm"],
		`; most by LP 17 "router <17>" (2,000), LP 19 "router <19>" (2), LP 21 "router <21>" (2)`)
	require.Contains(t, found["uneven"], `; most of LP 17 "router <17>" (10,000), LP `)
	page := makePage(t, dir)
	require.Contains(t, page,
		`<tr><th scope="row"><button type="button" class="pick">LP 17 &#34;router &lt;17&gt;&#34;</button></th><td data-name="PE and KP">PE 1 KP 0</td><td class="n" data-name="Events handled">12,000</td>`)
	require.Equal(t, shownLPs, strings.Count(page, "<td data-name=\"PE and KP\">PE "))
}

func TestWithoutSamplesOfLPsThereIsNoTableOfThem(t *testing.T) {
	require.NotContains(t, makePage(t, stored("storm-hub")), `id="lps"`)
}

// eventful is a random run in which things happen, and what happened. Its samples by GVT are a second apart.
type eventful struct {
	dir                        string
	samples, pes, kps          int
	moves                      []moved
	moveAt                     []int // samples
	forced                     map[int]int
	stallFrom, stallTo         int // samples between which GVT stands still
	denseFrom, denseTo         int // samples between which GVT is as slow, and events are not
	handled, undone, rollbacks map[string][]int
}

// newEventful writes a run whose LPs are called router 0, 1 and so on; those of a KP follow each other.
func newEventful(t *testing.T, dice *rand.Rand) *eventful {
	const lps = 2 // of a KP
	e := &eventful{dir: t.TempDir(), samples: 60, pes: 2 + dice.IntN(3), kps: 1 + dice.IntN(3), forced: map[int]int{},
		handled: map[string][]int{}, undone: map[string][]int{}, rollbacks: map[string][]int{}}
	e.stallFrom = 5 + dice.IntN(10)
	e.stallTo = e.stallFrom + 4 + dice.IntN(4)
	e.denseFrom = 35 + dice.IntN(5)
	e.denseTo = e.denseFrom + 6
	by := map[survey.KP]uint32{}
	var data []byte
	gvt := 0.0
	for n := 1; n <= e.samples; n++ {
		pace, most := 10.0, 100
		if n > e.stallFrom && n <= e.stallTo {
			pace, most = 0.1, 8
		} else if n > e.denseFrom && n <= e.denseTo {
			pace = 0.1
		}
		gvt += pace
		for pe := range e.pes {
			for kp := range e.kps {
				id := survey.KP{PE: uint32(pe), KP: uint32(kp)}
				if n == 1 {
					by[id] = id.PE
				}
				if to := uint32(dice.IntN(e.pes)); dice.IntN(40) == 0 && to != by[id] {
					e.moves, e.moveAt = append(e.moves, moved{id, by[id], to}), append(e.moveAt, n)
					by[id] = to
				}
			}
		}
		gvts := uint32(10)
		if dice.IntN(8) == 0 {
			e.forced[n] = 1 + dice.IntN(5)
			gvts += uint32(e.forced[n])
		}
		sum := func(all map[string][]int, name string, x int) {
			if all[name] == nil {
				all[name] = make([]int, e.samples)
			}
			all[name][n-1] += x
		}
		for pe := range e.pes {
			p := instr.PEStats{PE: uint32(pe), GVTs: gvts, QueueSize: 7, EventProcess: 0.25, Rollback: 0.125}
			var own []instr.KPStats
			var lp []instr.LPStats
			for id, at := range by {
				if at != uint32(pe) {
					continue
				}
				k := instr.KPStats{PE: id.PE, KP: id.KP, Rollbacks: uint32(dice.IntN(3))}
				for i := range uint32(lps) {
					l := instr.LPStats{PE: id.PE, KP: id.KP, LP: (id.PE*uint32(e.kps)+id.KP)*lps + i,
						Processed: uint32(most/2 + dice.IntN(most/2))}
					l.RolledBack = uint32(dice.IntN(int(l.Processed) / 2))
					k.Processed, k.RolledBack = k.Processed+l.Processed, k.RolledBack+l.RolledBack
					lp = append(lp, l)
					name := fmt.Sprintf("LP %d %q", l.LP, fmt.Sprintf("router %d", l.LP))
					sum(e.handled, name, int(l.Processed))
					sum(e.undone, name, int(l.RolledBack))
				}
				p.Processed, p.RolledBack, p.Rollbacks = p.Processed+k.Processed, p.RolledBack+k.RolledBack, p.Rollbacks+k.Rollbacks
				own = append(own, k)
				name := fmt.Sprintf("PE %d KP %d", k.PE, k.KP)
				sum(e.handled, name, int(k.Processed))
				sum(e.undone, name, int(k.RolledBack))
				sum(e.rollbacks, name, int(k.Rollbacks))
			}
			name := fmt.Sprintf("PE %d", pe)
			sum(e.handled, name, int(p.Processed))
			sum(e.undone, name, int(p.RolledBack))
			sum(e.rollbacks, name, int(p.Rollbacks))
			data = instr.AppendPE(data, gvt, float64(n), &p)
			for _, k := range own {
				data = instr.AppendKP(data, gvt, float64(n), &k)
			}
			for _, l := range lp {
				data = instr.AppendLP(data, gvt, float64(n), &l)
			}
		}
	}
	surveytest.Run{}.Put(t, e.dir, instr.GVTSuffix, data)
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "eventful", Synch: 3, PEs: uint64(e.pes), Ranks: 1,
		KPs:   uint64(e.pes * e.kps),
		State: instr.RunComplete, Options: map[string]string{"num-gvt": "10"},
		Result: &instr.RunResult{Runtime: float64(e.samples)}}
	require.NoError(t, info.Write(e.dir))
	var names strings.Builder
	require.NoError(t,
		labels.Write(&names, uint64(e.pes*e.kps*lps), func(id uint64) string { return fmt.Sprintf("router %d", id) }))
	require.NoError(t, os.WriteFile(filepath.Join(e.dir, instr.DefaultPrefix+instr.LabelsSuffix), []byte(names.String()),
		0o644))
	return e
}

func TestMarksTellWhatHappened(t *testing.T) {
	dice := testrand.New(t)
	for range 20 {
		e := newEventful(t, dice)
		f := load(t, e.dir)
		c := f.marks()
		require.Empty(t, c.Absent)
		stalls, moves := 0, map[int][]moved{}
		for i, m := range e.moves {
			moves[e.moveAt[i]] = append(moves[e.moveAt[i]], m)
		}
		for _, m := range c.Marks {
			sample := int(math.Round(float64(m.To)))
			switch c.Rows[m.Row] {
			case "KPs moved":
				require.InDelta(t, float64(sample-1), float64(m.From), 1e-6, "a column is a sample here")
				require.Len(t, m.KPs, len(moves[sample]))
				for _, one := range moves[sample] {
					require.Contains(t, m.KPs, [2]uint32{one.kp.PE, one.kp.KP})
					require.Subset(t, m.PEs, []uint32{one.from, one.to})
					if len(moves[sample]) <= maxMoved {
						require.Contains(t, m.Text, fmt.Sprintf("KP %d of PE %d from PE %d to PE %d", one.kp.KP, one.kp.PE, one.from,
							one.to))
					}
				}
				delete(moves, sample)
			case "forced GVTs":
				require.Equal(t, fmt.Sprintf("GVTs that were forced: at least %d", e.forced[sample]), m.Text)
				delete(e.forced, sample)
			case "stalls":
				stalls++ // the GVT of a sample is in the middle of its bucket
				require.InDelta(t, float64(e.stallFrom), float64(m.From), 0.51)
				require.InDelta(t, float64(e.stallTo), float64(m.To), 0.51)
			}
		}
		require.Empty(t, moves)
		require.Empty(t, e.forced)
		require.Equal(t, 1, stalls, "where events are dense in virtual time, GVT is slow and the run is not")
	}
}

// The KPs of a stored run moved at random; the records of each PE follow that of the PE itself.
func TestMovesOfAStoredRunAreMarked(t *testing.T) {
	path := filepath.Join("..", "check", "testdata", "moved", "ross-stats-gvt.bin")
	r, err := instr.Open(path)
	require.NoError(t, err)
	defer r.Close()
	by, pe, moves := map[[2]uint32]uint32{}, uint32(0), 0
	for rec, err := range r.All() {
		require.NoError(t, err)
		switch rec.Kind {
		case instr.KindPE:
			pe = rec.PE.PE
		case instr.KindKP:
			id := [2]uint32{rec.KP.PE, rec.KP.KP}
			if before, ok := by[id]; ok && before != pe || !ok && id[0] != pe {
				moves++
			}
			by[id] = pe
		}
	}
	require.NotZero(t, moves)
	marked := 0
	for _, m := range load(t, path).marks().Marks {
		marked += len(m.KPs)
	}
	require.Equal(t, moves, marked)
}

// What the page computes tables of adds up to the counts of the records, also in a stretch.
func TestStretchesKeepTheCounts(t *testing.T) {
	e := newEventful(t, testrand.New(t))
	s := load(t, e.dir).stretches(nil)
	require.Len(t, s.PEs, e.pes)
	require.Len(t, s.KPs, e.pes*e.kps)
	require.Len(t, s.LPs, 2*e.pes*e.kps)
	require.Len(t, s.Names, 2*e.pes*e.kps)
	require.Equal(t, [4]any{uint32(1), "router 1", 0, 0}, s.Names[1])
	for _, d := range slices.Concat(s.PEs, s.KPs, s.LPs) {
		require.Len(t, d.Handled, e.samples, "a column is a sample")
		all, undone, rollbacks := 0, 0, 0
		for i := range d.Handled {
			require.InDelta(t, e.handled[d.Name][i], float64(d.Handled[i]), 1e-6, d.Name)
			require.InDelta(t, e.undone[d.Name][i], float64(d.Undone[i]), 1e-6, d.Name)
			all, undone = all+e.handled[d.Name][i], undone+e.undone[d.Name][i]
			if d.Rollbacks != nil {
				require.InDelta(t, e.rollbacks[d.Name][i], float64(d.Rollbacks[i]), 1e-6, d.Name)
				rollbacks += e.rollbacks[d.Name][i]
			}
			if d.Busy != nil {
				require.InDelta(t, 0.375, float64(d.Busy[i]), 1e-6)
				require.InDelta(t, 0.625, float64(d.Rest[i]), 1e-6)
			}
		}
		require.Equal(t, []int64{int64(all), int64(undone), int64(rollbacks)}, d.Sums[:3], d.Name)
	}
	require.Equal(t, int64(38), s.PEs[0].Sums[3], "percent")
	for _, p := range load(t, e.dir).activities().Parts {
		require.Contains(t, [][2]num{{num(survey.EventTime), 25}, {num(survey.RollbackTime), 12.5}}, [2]num{p[2], p[3]})
	}
}
