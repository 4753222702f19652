// This file tests that findings are true: those of random runs, of the engine and invented ones, are compared with what
// the files of the run have, which is added up here once more, by code that shares no function with the findings.

package report

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// ofOne is what the records of a PE or a KP add up to.
type ofOne struct {
	handled, undone, rollbacks, secondary, aborted, sends, gvts float64
	events, rollback, network, gvt, fossil, queue, saving       float64 // seconds
	last                                                        float64
}

// truth is what the files of a run have.
type truth struct {
	pes map[uint32]*ofOne
	kps map[[2]uint32]*ofOne // by PE and KP
	sum ofOne                // of the PEs
	doc struct {
		PEs, Ranks uint64
		Host       struct{ Processors float64 }
		Options    map[string]string
		Result     map[string]any
	}
}

func readTruth(t *testing.T, dir string) *truth {
	t.Helper()
	w := &truth{pes: map[uint32]*ofOne{}, kps: map[[2]uint32]*ofOne{}}
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &w.doc))
	r, err := instr.Open(filepath.Join(dir, "ross-stats-gvt.bin"))
	require.NoError(t, err)
	defer r.Close()
	for rec, err := range r.All() {
		require.NoError(t, err)
		switch rec.Kind {
		case instr.KindPE:
			p := rec.PE
			one := w.pes[p.PE]
			if one == nil {
				one = &ofOne{}
				w.pes[p.PE] = one
			}
			for _, to := range []*ofOne{one, &w.sum} {
				to.handled += float64(p.Processed)
				to.undone += float64(p.RolledBack)
				to.rollbacks += float64(p.Rollbacks)
				to.secondary += float64(p.SecondaryRollbacks)
				to.aborted += float64(p.Aborted)
				to.sends += float64(p.NetworkSends)
				to.gvts += float64(p.GVTs)
				to.saving += float64(p.LZ4) + float64(p.Buddy)
				to.events += float64(p.EventProcess)
				to.rollback += float64(p.Rollback) + float64(p.CancelQ) + float64(p.EventAbort)
				to.network += float64(p.NetRead) + float64(p.NetOther)
				to.gvt += float64(p.GVT)
				to.fossil += float64(p.FossilCollect)
				to.queue += float64(p.PQ)
			}
			one.last = max(one.last, rec.Meta.RealTime)
		case instr.KindKP:
			at := [2]uint32{rec.KP.PE, rec.KP.KP}
			if w.kps[at] == nil {
				w.kps[at] = &ofOne{}
			}
			w.kps[at].handled += float64(rec.KP.Processed)
			w.kps[at].undone += float64(rec.KP.RolledBack)
		}
	}
	return w
}

// result returns a figure of run.json, 0 if it is not there.
func (w *truth) result(name string) float64 {
	x, _ := w.doc.Result[name].(float64)
	return x
}

// time returns the seconds of all PEs.
func (w *truth) time() (all float64) {
	for _, one := range w.pes {
		all += one.last
	}
	return all
}

func (w *truth) idle() float64 {
	_, kept := w.kept()
	return kept * 100 * w.result("idle_seconds") / (w.result("runtime_seconds") * float64(w.doc.PEs))
}

// kept returns what remains of the time in which PEs were busy, and of the rest, without what they had no processor.
func (w *truth) kept() (ofBusy, ofRest float64) {
	s := &w.sum
	had, waited := w.processors()
	busy := (s.events + s.rollback + s.network + s.gvt + s.fossil + s.queue) / w.time()
	lacked := min(max(busy-had, 0), waited)
	return (busy - lacked) / max(busy, 1e-300), 1 - min((waited-lacked)/max(1-busy, 1e-300), 1)
}

func (w *truth) perGVT() float64 { return (w.sum.handled - w.sum.undone) / w.sum.gvts }

// claims returns the numbers that a finding must have, and whether it has reason to be made.
func (w *truth) claims(t *testing.T, one finding) (numbers []float64, holds bool) {
	t.Helper()
	s, n := &w.sum, float64(len(w.pes))
	kept, _ := w.kept()
	part := func(seconds float64) float64 { return 100 * kept * seconds / w.time() }
	balance, _ := w.doc.Result["balance"].(map[string]any)
	switch one.Rule {
	case "cores":
		each := math.Ceil(float64(w.doc.PEs) / float64(w.doc.Ranks))
		return []float64{each, w.doc.Host.Processors}, each > w.doc.Host.Processors
	case "efficiency":
		e := 0.0
		if net := s.handled - s.undone; net > 0 {
			e = 100 - 100*s.undone/net
		}
		return []float64{e, s.handled, s.undone}, e < 70
	case "secondary":
		share := 100 * s.secondary / s.rollbacks
		return []float64{share, s.rollbacks}, share > 50 && s.undone > 0.05*s.handled
	case "remote":
		share := 100 * s.sends / s.handled
		return []float64{share}, share > 40
	case "network":
		return []float64{part(s.network)}, part(s.network) > 30
	case "saving":
		if seconds := w.result("state_saving_seconds"); seconds > 0 {
			share := kept * 100 * seconds / (w.result("runtime_seconds") * float64(w.doc.PEs))
			return []float64{share}, share > 25
		}
		return []float64{part(s.saving)}, part(s.saving) > 25
	case "gvt":
		if strings.HasPrefix(one.What, "Few") {
			return []float64{w.perGVT()}, w.perGVT() < 10
		}
		return []float64{part(s.gvt)}, part(s.gvt) > 20
	case "lookahead":
		if strings.HasPrefix(one.What, "Few") {
			return []float64{w.perGVT()}, w.perGVT() < 10
		}
		return []float64{w.idle(), w.perGVT()}, w.idle() > 40 && w.perGVT() < 200
	case "window":
		if strings.HasPrefix(one.What, "--") {
			ahead, err := strconv.ParseFloat(w.doc.Options["max-opt-lookahead"], 64)
			require.NoError(t, err)
			if strings.Contains(one.Figure, "idle") {
				return []float64{w.idle(), ahead}, w.idle() > 40
			}
			return []float64{w.perGVT(), ahead}, w.perGVT() < 10
		}
		numbers = []float64{w.result("window_events"), w.result("window_least_events"), 2048}
		if strings.Contains(one.Figure, "idle") {
			numbers = append(numbers, w.idle())
		}
		return numbers, w.result("window_events") <= 128
	case "idle":
		return []float64{w.idle()}, w.idle() > 40
	case "processors":
		p := w.doc.Result["processors"].(map[string]any)
		got, waited := p["seconds"].(float64)/w.result("runtime_seconds"), p["waited_seconds"].(float64)/w.result(
			"runtime_seconds")
		numbers = []float64{float64(w.doc.PEs), got, waited}
		if strings.Contains(one.What, "each other") {
			numbers = append(numbers, w.idle())
		}
		return numbers, waited > 0.1 && 5*waited > got+waited
	case "one":
		share := 100 * balance["one_pe_seconds"].(float64) / w.result("runtime_seconds")
		return []float64{min(share, 100)}, share >= 50
	case "uneven", "slow":
		var pe uint32
		_, err := fmt.Sscanf(one.What, "PE %d", &pe)
		require.NoError(t, err)
		own := w.pes[pe]
		if one.Rule == "uneven" {
			net, mean := own.handled-own.undone, (s.handled-s.undone)/n
			return []float64{net, mean}, net > 1.5*mean
		}
		var others []float64
		for id, o := range w.pes {
			if id != pe {
				others = append(others, 1e6*o.events/o.handled)
			}
		}
		slices.Sort(others)
		median := (others[(len(others)-1)/2] + others[len(others)/2]) / 2
		cost := 1e6 * own.events / own.handled
		return []float64{cost, median}, cost > 3*median
	case "storm":
		all, those, named := 0.0, 0.0, 0
		for _, k := range w.kps {
			all += k.undone
		}
		for _, k := range w.kps {
			if others := (all - k.undone) / float64(len(w.kps)-1); k.undone > 4*others && k.undone >= 100 &&
				k.undone >= 0.05*s.handled {
				those += k.undone
				named++
			}
		}
		text := one.Figure
		if named == 1 {
			text = one.What + ": " + text
		}
		for _, m := range regexp.MustCompile(`KP (\d+) of PE (\d+)[^:]*: ([\d,]+) events`).FindAllStringSubmatch(text, -1) {
			kp, _ := strconv.Atoi(m[1])
			pe, _ := strconv.Atoi(m[2])
			undone, _ := strconv.ParseFloat(strings.ReplaceAll(m[3], ",", ""), 64)
			require.InDelta(t, w.kps[[2]uint32{uint32(pe), uint32(kp)}].undone, undone, 0.5, one.Figure)
		}
		said := numberInText.FindAllString(one.Figure, -1)
		mean, _ := strconv.ParseFloat(strings.ReplaceAll(said[len(said)-1], ",", ""), 64)
		want := (all - those) / float64(len(w.kps)-named)
		return nil, named > 0 && math.Abs(mean-want) <= 0.006*want+0.51
	case "hot":
		require.NotContains(t, one.What, "LP", "no run has such an LP")
		m := regexp.MustCompile(`KP (\d+) of PE (\d+) has ([\d.]+) %`).FindStringSubmatch(one.Figure)
		if m == nil {
			m = regexp.MustCompile(`(all) KPs of PE (\d+) have ([\d.]+) %`).FindStringSubmatch(one.Figure)
		}
		require.NotNil(t, m, one.Figure)
		pe, _ := strconv.Atoi(m[2])
		kp, _ := strconv.Atoi(m[1])
		claimed, _ := strconv.ParseFloat(m[3], 64)
		own, most := w.pes[uint32(pe)], 0.0
		share := max(own.handled/s.handled, own.events/s.events)
		if m[1] != "all" {
			k, ofPE := w.kps[[2]uint32{uint32(pe), uint32(kp)}], 0.0
			for at, o := range w.kps {
				if at[0] == uint32(pe) {
					ofPE += o.handled
				}
			}
			share = max(k.handled/s.handled, share*k.handled/ofPE)
		}
		for _, o := range w.pes {
			most = max(most, o.handled/s.handled, o.events/s.events)
		}
		return nil, claimed <= 100.5*share && most*n >= 1.19 && claimed*n >= 119
	case "memory":
		return nil, s.aborted > 0 || w.result("memory_shortages") > 0
	}
	require.Fail(t, "a rule without a check", one.Rule)
	return nil, false
}

var numberInText = regexp.MustCompile(`-?\d[\d,]*(\.\d+)?(e[+-]\d+)?`)

// parts returns where the time of the PEs went, in seconds.
func (w *truth) parts() map[string]float64 {
	s, all, whole := &w.sum, w.time(), w.result("runtime_seconds")*float64(w.doc.PEs)
	undone := s.undone / s.handled
	untimed := all - s.events - s.rollback - s.network - s.gvt - s.fossil - s.queue
	idle := min(w.result("idle_seconds")/whole, 1) * all
	switch {
	case w.doc.PEs == 1:
		idle = 0
	case idle == 0:
		idle = untimed
	}
	parts := map[string]float64{"events": s.events*(1-undone) + s.queue, "undone work": s.events*undone + s.rollback,
		"GVT and commit": s.gvt + s.fossil,
		"network":        s.network, "idle": idle, "not timed": max(untimed-idle, 0)}
	had, waited := w.processors()
	sum := 0.0
	for _, seconds := range parts {
		sum += seconds
	}
	busy := sum - parts["idle"] - parts["not timed"]
	lacked := min(max(busy-had*sum, 0), waited*sum) // nobody is busy without a processor
	rest := sum - busy
	restLacked := min(waited*sum-lacked, rest)
	for name := range parts {
		if name == "idle" || name == "not timed" {
			parts[name] *= (rest - restLacked) / max(rest, 1e-300)
		} else {
			parts[name] *= (busy - lacked) / max(busy, 1e-300)
		}
		parts[name] *= all / sum
	}
	parts["no processor"] = (lacked + restLacked) * all / sum
	return parts
}

// processors returns the shares of the time of the PEs in which they had a processor and waited for one.
func (w *truth) processors() (had, waited float64) {
	p, ok := w.doc.Result["processors"].(map[string]any)
	if !ok {
		return 1, 0
	}
	whole := w.result("runtime_seconds") * float64(w.doc.PEs)
	return p["seconds"].(float64) / whole, p["waited_seconds"].(float64) / whole
}

// saves returns what the advice of a finding saves at most, in seconds, as docs/findings.md has it.
func (w *truth) saves(one finding) float64 {
	needed := w.parts()["events"] / min(float64(w.doc.PEs), max(w.doc.Host.Processors, 1e-300)*float64(w.doc.Ranks))
	if w.doc.Host.Processors == 0 {
		needed = w.parts()["events"] / float64(w.doc.PEs)
	}
	if one.Rule == "slow" || one.Rule == "saving" {
		needed = 0
	}
	return min(w.costs(one), max(w.result("runtime_seconds")-needed, 0))
}

func (w *truth) costs(one finding) float64 {
	p, pes, whole := w.parts(), float64(w.doc.PEs), w.result("runtime_seconds")
	busiest, costs, dearest := 0.0, 0.0, 0.0
	for _, o := range w.pes {
		busiest = max(busiest, o.handled/w.sum.handled, o.events/max(w.sum.events, 1e-300))
		costs += o.events / o.handled / float64(len(w.pes))
		dearest = max(dearest, o.events/o.handled)
	}
	switch one.Rule {
	case "cores":
		return (p["idle"] + p["no processor"] + p["undone work"]) / pes
	case "idle":
		if pes == 1 {
			return p["not timed"]
		}
		return p["idle"] / pes
	case "processors":
		return (p["idle"] + p["no processor"]) / pes
	case "lookahead", "window", "memory":
		return p["idle"] / pes
	case "efficiency":
		return p["undone work"] / pes
	case "secondary":
		return p["undone work"] / pes * w.sum.secondary / w.sum.rollbacks
	case "remote":
		return (p["undone work"] + p["network"]) / pes
	case "network":
		return p["network"] / pes
	case "gvt":
		if strings.HasPrefix(one.What, "Few") {
			return (p["GVT and commit"] + p["idle"]) / pes
		}
		return p["GVT and commit"] / pes
	case "uneven", "hot":
		return whole * (1 - 1/(busiest*float64(len(w.pes))))
	case "slow":
		return whole * (1 - costs/dearest)
	case "one":
		return 0
	}
	return one.Save // storm and saving: their figures are compared
}

// requireTimeTrue compares the bar of the times with the files.
func (w *truth) requireTimeTrue(t *testing.T, f *figures) {
	t.Helper()
	want, sum := w.parts(), 0.0
	for _, p := range f.pays() {
		require.InDelta(t, want[p.Name], p.Seconds, 1e-3*w.time(), p.Name)
		require.GreaterOrEqual(t, p.Seconds, 0.0, p.Name)
		sum += p.Percent
	}
	require.InDelta(t, 100, sum, 1e-6)
}

// requireTrue compares all findings of a run with its files, and returns their rules.
func requireTrue(t *testing.T, dir string) (rules []string) {
	t.Helper()
	w, f := readTruth(t, dir), load(t, dir)
	w.requireTimeTrue(t, f)
	last := math.Inf(1)
	for _, one := range f.findings() {
		require.InDelta(t, w.saves(one), one.Save, 2e-3*w.result("runtime_seconds"), one.Rule)
		require.LessOrEqual(t, one.Save, last, "what saves more comes first")
		last = one.Save
		numbers, holds := w.claims(t, one)
		require.True(t, holds, "%+v", one)
		said := numberInText.FindAllString(one.Figure, -1)
		for i, want := range numbers {
			require.Less(t, i, len(said), one.Figure)
			got, err := strconv.ParseFloat(strings.ReplaceAll(said[i], ",", ""), 64)
			require.NoError(t, err)
			require.InDelta(t, want, got, 0.006*math.Abs(want)+0.051, "number %d of %q", i, one.Figure)
		}
		rules = append(rules, one.Rule)
	}
	return rules
}

// invented writes a run whose PEs, KPs and times differ at random.
func invented(t *testing.T, dice *rand.Rand) string {
	dir, pes, kps, samples := t.TempDir(), 1+dice.IntN(5), 1+dice.IntN(4), 2+dice.IntN(6)
	skew := func() float64 { return math.Exp(1.2 * dice.NormFloat64()) } // some far from the others
	undone, secondary, sends, gvts, idle := dice.Float64()*dice.Float64(), dice.Float64(), 0.7*dice.Float64(), math.Exp(
		6*dice.Float64()), 0.7*dice.Float64()
	gvtTime, network, saving := 0.3*dice.Float64()*dice.Float64(), 0.5*dice.Float64()*dice.Float64(),
		0.5*dice.Float64()*dice.Float64()
	var data []byte
	var sum instr.RunResult
	own := make([][]float64, pes)
	cost := make([]float64, pes)
	for pe := range own {
		cost[pe] = skew()
		for range kps {
			own[pe] = append(own[pe], 200*skew())
		}
	}
	thrash := dice.IntN(4 * pes * kps) // a KP, or none
	for n := 1; n <= samples; n++ {
		for pe := range pes {
			p := instr.PEStats{PE: uint32(pe), GVTs: uint32(gvts), GVT: float32(gvtTime), NetRead: float32(network / 2),
				NetOther: float32(network / 2), Buddy: float32(saving)}
			var all []instr.KPStats
			for kp := range kps {
				k := instr.KPStats{PE: uint32(pe), KP: uint32(kp), Processed: uint32(own[pe][kp] * (0.5 + dice.Float64()))}
				k.RolledBack = uint32(undone * dice.Float64() * float64(k.Processed))
				if pe*kps+kp == thrash {
					k.RolledBack = k.Processed - k.Processed/10
				}
				k.Rollbacks = k.RolledBack/5 + 1
				k.SecondaryRollbacks = uint32(secondary * float64(k.Rollbacks))
				p.Processed, p.RolledBack = p.Processed+k.Processed, p.RolledBack+k.RolledBack
				p.Rollbacks, p.SecondaryRollbacks = p.Rollbacks+k.Rollbacks, p.SecondaryRollbacks+k.SecondaryRollbacks
				all = append(all, k)
			}
			p.NetworkSends = uint32(sends * float64(p.Processed))
			p.EventProcess = float32((1 - idle - gvtTime - network) * min(cost[pe], 1))
			p.EventProcess = max(p.EventProcess, 1e-6)
			data = instr.AppendPE(data, float64(n), float64(n), &p)
			for _, k := range all {
				data = instr.AppendKP(data, float64(n), float64(n), &k)
			}
			sum.Processed, sum.RolledBack = sum.Processed+uint64(p.Processed), sum.RolledBack+uint64(p.RolledBack)
			sum.Secondary += uint64(p.SecondaryRollbacks)
			sum.Primary += uint64(p.Rollbacks - p.SecondaryRollbacks)
		}
	}
	surveytest.Run{}.Put(t, dir, instr.GVTSuffix, data)
	sum.Runtime, sum.NetEvents = float64(samples), sum.Processed-sum.RolledBack
	sum.IdleSeconds = idle * float64(samples*pes)
	sum.Window, sum.LeastWindow = uint64(math.Exp(11*dice.Float64())), 16
	if dice.IntN(2) == 0 {
		after, left := make([]float64, pes), 1.0
		for i := range after {
			after[i] = left * dice.Float64()
			left -= after[i]
		}
		sum.Balance = &instr.RunBalance{After: after, KP: fmt.Sprintf("KP %d of PE %d", dice.IntN(kps), dice.IntN(pes)),
			OfKP: dice.Float64(), Active: pes}
		if dice.IntN(3) == 0 {
			sum.Balance.KP = fmt.Sprintf("all KPs of PE %d", dice.IntN(pes))
		}
		if dice.IntN(2) == 0 {
			sum.Balance.Alone = sum.Runtime * dice.Float64()
		}
	}
	if dice.IntN(2) == 0 {
		sum.Processors = &instr.RunProcessors{RunPEProcessor: instr.RunPEProcessor{Seconds: sum.Runtime * dice.Float64(),
			Waited: sum.Runtime * dice.Float64()}}
	}
	if dice.IntN(4) == 0 {
		sum.Shortages, sum.MemoryPeak, sum.MemoryLimit = 3, uint64(95+dice.IntN(20))<<20, 100<<20
	}
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "invented", Synch: 2 + dice.IntN(2), PEs: uint64(pes),
		Ranks: 1, State: instr.RunComplete,
		Host: instr.RunHost{Processors: 2 + dice.IntN(3)}, Options: map[string]string{"nkp": strconv.Itoa(kps)}, Result: &sum}
	if dice.IntN(3) == 0 {
		info.Options["max-opt-lookahead"] = strconv.Itoa(1 + dice.IntN(50))
	}
	require.NoError(t, info.Write(dir))
	return dir
}

// engineRun runs a model in which LPs send to others at random, under random settings.
func engineRun(t *testing.T, dice *rand.Rand) string {
	dir := filepath.Join(t.TempDir(), "run")
	cfg := ross.DefaultConfig()
	cfg.Synch = ross.Scheduler(2 + dice.IntN(2))
	cfg.PEs, cfg.NLP, cfg.NKP = 1+dice.IntN(4), 8<<dice.IntN(4), 1+dice.IntN(8)
	lookahead, remote := 0.01+0.2*dice.Float64(), dice.Float64()*dice.Float64()
	cfg.ConsLookahead = lookahead
	cfg.End = 60_000 / float64(cfg.NLP*cfg.PEs) * (0.5 + dice.Float64())
	cfg.MaxMemory, cfg.Tuning.FixedKPs = 256<<20, dice.IntN(2) == 0
	cfg.Instruments.Engine, cfg.Instruments.KPs, cfg.Instruments.Path = ross.SampleByGVT, true, dir
	next := func(lp *ross.LP) float64 { return lookahead + lp.RNG().Exponential(1) }
	rosstest.Run(t, cfg, ross.Type[rosstest.Sum]{
		Name: "random", Saving: ross.SaveByDelta,
		Init: func(_ *rosstest.Sum, lp *ross.LP) { ross.Send(lp, lp.ID(), next(lp), rosstest.Word{N: 1}) },
		Event: ross.On(func(s *rosstest.Sum, lp *ross.LP, m *rosstest.Word) {
			s.N += m.N
			to := lp.ID()
			if lp.RNG().Unif() < remote {
				to = rosstest.Anywhere(lp)
			}
			ross.Send(lp, to, next(lp), *m)
		}),
	})
	return dir
}

func TestFindingsOfRandomRunsAreTrue(t *testing.T) {
	seen := map[string]bool{}
	dice := testrand.New(t)
	for range testlevel.Times(200, 60) {
		for _, rule := range requireTrue(t, invented(t, dice)) {
			seen[rule] = true
		}
	}
	require.GreaterOrEqual(t, len(seen), 8, "the runs differ in what is wrong with them: %v", seen)
	for range testlevel.Times(200, 6) {
		requireTrue(t, engineRun(t, dice))
	}
}

// The bar tells a busy machine from too few events.
func TestTimeWithoutAProcessorIsSaid(t *testing.T) {
	dir := t.TempDir()
	var data []byte
	for pe := range uint32(2) {
		data = instr.AppendPE(data, 1, 10, &instr.PEStats{PE: pe, Processed: 1000, RolledBack: 100, EventProcess: 4,
			Rollback: 1, GVT: 1})
	}
	surveytest.Run{}.Put(t, dir, instr.GVTSuffix, data)
	end := 200.0
	info := &instr.RunInfo{Version: instr.RunVersion, Synch: 3, PEs: 2, Ranks: 1, State: instr.RunFailed, EndTime: &end,
		Reason: "ross: LP 5 <desk> at time 1: panic: see the stack:", Detail: "\tmain.(*desk).Event\n\t\tmain.go:7",
		Result: &instr.RunResult{Runtime: 10, Processed: 2000, RolledBack: 200, NetEvents: 1800, Efficiency: 88.9,
			IdleSeconds: 6,
			Processors:  &instr.RunProcessors{RunPEProcessor: instr.RunPEProcessor{Seconds: 10, Waited: 5}}}}
	require.NoError(t, info.Write(dir))
	got := map[string]float64{}
	for _, p := range load(t, dir).pays() {
		got[p.Name] = p.Percent
	}
	// Of 20 s 8 are in events, a tenth of them undone, 2 rolling back, 2 GVT, 6 idle, 2 not timed; 5 are without a
	// processor. The PEs had one for 10 s, so that 2 of the 12 s in which they were busy are without, and 3 of the 8 s of
	// the rest.
	for name, want := range map[string]float64{onEvents: 36 * 10. / 12, onUndone: 14 * 10. / 12, onGVT: 10 * 10. / 12,
		onIdle: 30 * 5. / 8, onRest: 10 * 5. / 8, onNothing: 25} {
		require.InDelta(t, want, got[name], 1e-4, name)
	}
	page := makePage(t, dir)
	require.Contains(t, page, `<li><i class="no-processor"></i>no processor <b>25 %</b></li>`)
	require.Contains(t, page, `<dt>Busy</dt><dd>50 %</dd>`)
	require.Equal(t, 2, strings.Count(page, `data-name="Busy">50 %<`), "the table of PEs has the same meaning")
	require.Contains(t, page,
		`<p class="reason">ross: LP 5 &lt;desk&gt; at time 1: panic: see the stack:</p><p>GVT reached 1 of 200, 0.5 %.`)
	require.Contains(t, page, "<pre tabindex=\"0\">\tmain.(*desk).Event\n\t\tmain.go:7</pre>")
	info.State, info.Reason, info.Detail = instr.RunComplete, "", ""
	require.NoError(t, info.Write(dir))
	require.NotContains(t, makePage(t, dir), `id="banner"`)
}

// The stored runs have been measured: their findings are true as well.
func TestFindingsOfStoredRunsAreTrue(t *testing.T) {
	corpus(t, func(t *testing.T, dir string, _ []string) { requireTrue(t, dir) })
}
