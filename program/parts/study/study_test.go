// This file owns the tests of studies with a small model: workers, journals, tasks, and what is refused.

package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/stats"
)

// desk is a service desk without a queue.
type desk struct {
	Served stats.Counter   `ross:"served"`
	Time   stats.Tally     `ross:"time,s"`
	Load   stats.Histogram `ross:"load"`
	Rare   stats.Tally     `ross:"rare"`
}

// desks returns a program whose variables are its own. rare is what the model records only after a long time.
func desks() program.Program {
	speed, kind := 1.0, "plain"
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.ConsLookahead = 3, 20, 0
	return program.Program{
		Name: "desks", Config: cfg, Parts: []program.Part{Of(desks)},
		Options: func(o *ross.Options, cfg *ross.Config) {
			g := o.Group("Desks")
			cfg.RegisterLPs(g)
			g.Float64(&speed, "speed", "customers of a desk and unit of time")
			g.String(&kind, "kind", "kind of desk: plain, slow, which draws other numbers, or broken, which fails")
		},
		Prepare: func(*ross.Config) error {
			if !(speed > 0) {
				return fmt.Errorf("option --speed=%g: must be above 0: %w", speed, ross.ErrUsage)
			}
			return nil
		},
		Build: func(sim *ross.Simulation) error {
			if sim.Config().Replication == 2 && kind == "broken" {
				return errors.New("the desk is broken")
			}
			return sim.Define(ross.Type[desk]{
				Name: "desk",
				Init: func(_ *desk, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/speed), ross.None{}) },
				Event: ross.On(func(s *desk, lp *ross.LP, _ *ross.None) {
					after := lp.RNG().Exponential(1 / speed)
					if kind == "slow" { // other numbers from now on
						lp.RNG().Unif()
					}
					s.Served.Inc(lp)
					s.Time.Add(lp, after)
					s.Load.Add(lp, after)
					if after > 5/speed {
						s.Rare.Add(lp, after)
					}
					ross.Send(lp, lp.ID(), after, ross.None{})
				}),
			})
		},
		Results: func(sim *ross.Simulation) (map[string]float64, error) {
			return map[string]float64{"events": float64(sim.Summary().NetEvents())}, nil
		},
		Finish: func(*ross.Simulation) error { return errors.New("a study prints nothing of its runs") },
	}
}

// try runs the program with the words of a line.
func try(line string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = desks().Main(strings.Fields(line), &o, &e)
	return status, o.String(), e.String()
}

// must runs it without an error, and returns what it prints and its table as CSV.
func must(t *testing.T, line string) (out, table string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	status, out, errs := try(line + " --table=" + path)
	require.Zero(t, status, "%s: %s", line, errs)
	require.Empty(t, errs)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return out, string(content)
}

const line = "--replications=6 --vary=speed=1..2:0.5 --vary=synch=1,3"

// direct makes one run as a program without this package would.
func direct(t *testing.T, speed float64, synch ross.Scheduler, replication uint64) experiment.Responses {
	t.Helper()
	p := desks()
	cfg := p.Config
	o := ross.NewOptions("direct")
	p.Options(o, &cfg)
	_, err := o.Parse([]string{fmt.Sprint("--speed=", speed)})
	require.NoError(t, err)
	cfg.Synch, cfg.Replication = synch, replication
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, p.Build(sim))
	require.NoError(t, sim.Run(context.Background()))
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	row := func(name string) stats.Row {
		r, _ := table.Row("desk", name)
		return r
	}
	r := experiment.Responses{"served": row("served").Sum, "time": row("time").Mean, "load": row("load").Mean,
		"events": float64(sim.Summary().NetEvents())}
	load := row("load")
	r["load p50"], r["load p90"], r["load p99"] = load.Quantile(0.5), load.Quantile(0.9), load.Quantile(0.99)
	if rare := row("rare"); rare.Count > 0 {
		r["rare"] = rare.Mean
	}
	return r
}

// TestTheTableIsThatOfRunsByHand compares each cell with runs that were made one by one.
func TestTheTableIsThatOfRunsByHand(t *testing.T) {
	t.Chdir(t.TempDir())
	_, table := must(t, line)
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 7)
	require.Equal(t, []string{"speed", "synch"}, rows[0][:2])
	at, lacking := 0, 0
	for _, speed := range []float64{1, 1.5, 2} {
		for _, synch := range []ross.Scheduler{1, 3} {
			at++
			require.Equal(t, []string{fmt.Sprint(speed), strconv.Itoa(int(synch))}, rows[at][:2])
			runs := map[string][]float64{}
			for i := range uint64(6) {
				for name, v := range direct(t, speed, synch, i) {
					runs[name] = append(runs[name], v)
				}
			}
			for column := 2; column < len(rows[0]); column += 3 {
				name, is := strings.CutSuffix(rows[0][column], " mean")
				require.True(t, is)
				want := experiment.MeanInterval(runs[name], 0.95)
				for k, v := range []float64{want.Mean, want.Half, float64(want.N)} {
					got, err := strconv.ParseFloat(rows[at][column+k], 64)
					require.NoError(t, err)
					require.Equal(t, v, got, "%v: %s", rows[at], rows[0][column+k])
				}
				lacking += 6 - want.N
			}
		}
	}
	require.Positive(t, lacking, "not all runs have all results")
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, entries, "runs of a study leave no files")
}

func TestOnePointIsAListOfResults(t *testing.T) {
	out, _ := must(t, "--replications=4 --results=time,served --max-chain=50 --confidence=0.9")
	lines := strings.Split(out, "\n")
	require.Equal(t, "desks --max-chain=50", lines[0])
	require.Equal(t, "means with half widths of 90 % confidence intervals", lines[1])
	require.Equal(t, []string{"result", "mean", "half", "width", "replications"}, strings.Fields(lines[3]))
	var served []float64
	for i := range uint64(4) {
		served = append(served, direct(t, 1, 1, i)["served"])
	}
	require.Equal(t, "time", strings.Fields(lines[4])[0])
	want := experiment.MeanInterval(served, 0.9)
	require.Equal(t, []string{"served", fmt.Sprintf("%.5g", want.Mean), fmt.Sprintf("%.5g", want.Half), "4"},
		strings.Fields(lines[5]))
}

func TestWorkersJournalsAndTasksGiveTheSameTable(t *testing.T) {
	out, table := must(t, line+" --workers=1")
	same := func(words string) {
		t.Helper()
		gotOut, gotTable := must(t, line+words)
		require.Equal(t, out, gotOut, words)
		require.Equal(t, table, gotTable, words)
	}
	same(" --workers=3")
	dir := t.TempDir()
	journal := filepath.Join(dir, "runs")
	same(" --workers=2 --journal=" + journal)
	content, err := os.ReadFile(journal)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(content), "\n")
	require.Len(t, lines, 1+1+36+1)            // head, origin, runs
	for _, k := range []int{0, 1, 2, 20, 37} { // as kill -9 leaves it, in the middle of a line
		cut := strings.Join(lines[:k], "") + lines[k][:len(lines[k])/2]
		require.NoError(t, os.WriteFile(journal, []byte(cut), 0o600))
		same(fmt.Sprint(" --workers=", 1+k%3, " --journal=", journal))
	}
	same(" --merge=" + journal)
	for task := range 4 {
		status, said, errs := try(fmt.Sprintf("%s --journal=%s --task=%d/4", line, journal, task))
		require.Zero(t, status, errs)
		require.Equal(t,
			fmt.Sprintf("task %d/4 is done; %s.%d-of-4 has its runs: --merge=%s prints the table when all tasks are done\n",
				task, journal, task, dir), said)
	}
	same(" --merge=" + dir)
	same(fmt.Sprintf(" --merge=%s.3-of-4,%s.1-of-4,%s.0-of-4,%s.2-of-4", journal, journal, journal, journal))
	require.NoError(t, os.Remove(journal+".2-of-4"))
	status, said, errs := try(line + " --merge=" + dir)
	require.Equal(t, 1, status)
	require.Empty(t, said)
	require.Contains(t, errs, "merge: replications are missing: task 2/4 (")
	require.Contains(t, errs, "task 2/4 (point speed=1 synch=1: 2; point speed=1 synch=3: 2;")
	t.Setenv("SLURM_ARRAY_TASK_ID", "7")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "4")
	t.Setenv("SLURM_ARRAY_TASK_MIN", "3")
	t.Setenv("SLURM_ARRAY_TASK_STEP", "2")
	status, _, errs = try(line + " --task=slurm --journal=" + journal)
	require.Zero(t, status, errs)
	same(" --merge=" + dir)

	status, _, errs = try(strings.Replace(line, "synch=1,3", "synch=1", 1) + " --end=30 --journal=" + journal)
	require.Equal(t, 1, status)
	require.Contains(t, errs,
		`its name is desks, and that of this one is desks --end=30: name another journal, or remove this one`)
}

func TestASignalEndsAStudyThatGoesOnLater(t *testing.T) {
	want, _ := must(t, line)
	journal := filepath.Join(t.TempDir(), "runs")
	end, runs := 5, 0
	interrupted := func(words string) (int, string, string) {
		s := new(study)
		ctx, cancel := context.WithCancelCause(context.Background())
		s.signals = func(context.Context) (context.Context, func()) { return ctx, func() {} }
		s.model = func() program.Program {
			p := desks()
			build := p.Build
			p.Build = func(sim *ross.Simulation) error {
				if runs++; runs == end {
					cancel(&ross.Interrupt{Signal: syscall.SIGINT})
				}
				return build(sim)
			}
			return p
		}
		p := desks()
		p.Parts = []program.Part{s}
		var out, errs bytes.Buffer
		status := p.Main(strings.Fields(words), &out, &errs)
		return status, out.String(), errs.String()
	}
	status, out, errs := interrupted(line + " --workers=1 --journal=" + journal)
	require.Equal(t, 130, status)
	require.Empty(t, out)
	require.Contains(t, errs,
		"stopped after 5 of 36 replications, run it again with the same journal to go on: interrupted (interrupt)\n")
	runs = 100
	status, out, _ = interrupted(line + " --workers=1 --journal=" + journal)
	require.Zero(t, status)
	require.Equal(t, want, out)
	require.Equal(t, 131, runs, "the five are not run again")
	runs = 0
	status, _, errs = interrupted(line + " --workers=1")
	require.Equal(t, 130, status)
	require.Contains(t, errs, "nothing is kept: give --journal=file, and the same command goes on from there\n")
}

func TestPrecisionIsReachedOrSaidNotToBe(t *testing.T) {
	_, table := must(t, "--precision=0.05 --results=time,served --vary=speed=1,4")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	var counts []float64
	for _, row := range rows[1:] {
		for _, column := range []int{1, 4} {
			var v [3]float64
			for k := range v {
				v[k], err = strconv.ParseFloat(row[column+k], 64)
				require.NoError(t, err)
			}
			require.LessOrEqual(t, v[1], 0.05*v[0])
			require.Less(t, v[2], 200.0)
			counts = append(counts, v[2])
		}
	}
	require.Greater(t, counts[0], counts[2], "less happens at the first point")
	out, _ := must(t, "--precision=0.0001 --replications=4 --max-replications=5 --results=time")
	require.Contains(t, out, "precision 0.0001 is not reached after 5 replications: point (no parameters)\n")
}

// Runs that all have the same value do not reach a precision, and the study says so.
func TestEqualRunsDoNotReachAPrecision(t *testing.T) {
	out, _ := must(t, "--precision=0.1 --max-replications=25 --results=served,events --end=1e-9")
	require.Contains(t, out, "served     0           0            25\n")
	require.Contains(t, out, "precision 0.1 is not reached after 25 replications: point (no parameters); "+
		"in all runs served is 0 and events is 0, which says nothing about the precision\n")
	out, _ = must(t, "--precision=0.1 --max-replications=12 --results=served --vary=end=1e-9,1000")
	require.Equal(t, 1, strings.Count(out, "is not reached"), out)
	require.Contains(t, out, "point end=1e-09; in all runs served is 0, which")
}

func TestAnErrorOfARunNamesPointAndReplication(t *testing.T) {
	status, out, errs := try("--replications=3 --vary=kind=plain,broken")
	require.Equal(t, 1, status)
	require.Empty(t, out)
	require.Equal(t, "desks: experiment \"desks\": point kind=broken, replication 2: the desk is broken\n", errs)
}

func TestWrongWordsAreRefusedBeforeTheFirstRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range [][2]string{
		{"--replications=1", "option --replications=1: out of range; give 2 to 16777216"},
		{"--replications=-3", "option --replications=-3: out of range"},
		{"--replications=x", "option --replications=x: not a number"},
		{"--vary=speed=1,2", "option --vary=speed=1,2: is for a study; give --replications=20 with it, or leave it out"},
		{"--workers=2", "option --workers=2: is for a study; give --replications=20"},
		{"--journal=j", "option --journal=j: is for a study"},
		{"--replications=3 --workers=-1", "option --workers=-1: negative; give 1 or more"},
		{"--replications=3 --confidence=95",
			"option --confidence=95: out of range; give a number between 0 and 1, such as 0.95"},
		{"--replications=3 --precision=nan", "option --precision=NaN: out of range; give a part of the mean, such as 0.02"},
		{"--replications=3 --max-replications=9", "option --max-replications=9: without --precision"},
		{"--replications=30 --max-replications=9 --precision=0.1", "give at least as many as --replications"},
		{"--replications=3 --vary=speed", "option --vary=speed: no values; give the name of an option and its values"},
		{"--replications=3 --vary=speed=1,,2", `value "" is empty or there twice`},
		{"--replications=3 --vary=speed=1,2,1", `value "1" is empty or there twice; give each value once`},
		{"--replications=3 --vary=speed=1 --vary=speed=2",
			"option --vary=speed=2: speed is varied twice; give all its values at once"},
		{"--replications=3 --vary=speed=3..1",
			"option --vary=speed=3..1: an empty range; give the lower end first, and a step above 0"},
		{"--replications=3 --vary=speed=1..3:0", "a step above 0"},
		{"--replications=3 --vary=speed=1..x", `"x" is not a number; give a range such as 6..10`},
		{"--replications=3 --vary=speed=1..9e9", "more than 100000 values; give a larger step"},
		{"--replications=3 --vary=speed=1..1e3 --vary=end=1..1e3", "option --vary=end=1..1e3: more than 100000 points"},
		{"--replications=3 --vary=sped=1,2", "option --vary=sped=1,2: the program has no option --sped; see --help"},
		{"--replications=3 --vary=seed=1,2", "a study does not vary --seed"},
		{"--replications=3 --vary=journal=1,2", "a study does not vary --journal"},
		{"--replications=3 --vary=speed=1,0", "point speed=0: option --speed=0: must be above 0"},
		{"--replications=3 --vary=speed=1,fast", "point speed=fast: option --speed=fast: not a number"},
		{"--replications=3 --vary=nkp=0,1", "point nkp=0: option --nkp=0: out of range; give 1 or more"},
		{"--replications=3 --results=tiem",
			"desks: option --results: tiem is not a result; did you mean time? give one of events, load, load p50"},
		{"--replications=3 --results=nothing",
			"desks: option --results: nothing is not a result; give one of events, load, load p50"},
		{"--replications=3 --watch=1@5..6",
			"option --watch=1@5..6: prints the events of a single run; leave it out here, or make a single run with it"},
		{"--replications=3 --table=t.txt",
			"option --table=t.txt: this program writes no such table; give a name that ends with .csv"},
		{"--replications=3 --table=none/t.csv",
			"option --table=none/t.csv: no such file or directory: name a file in a folder that exists"},
		{"--replications=3 --task=3/3 --journal=j",
			"option --task=3/3: not one of several tasks; give i/n with i from 0 to n-1"},
		{"--replications=3 --task=slurm --journal=j",
			`option --task=slurm: SLURM_ARRAY_TASK_ID is "", so this is no task of an array`},
		{"--replications=3 --task=1/3", "option --task=1/3: without --journal its runs would be lost; give --journal=file"},
		{"--replications=3 --task=1/3 --journal=j --table=t.csv", "option --task=1/3: given together with --table"},
		{"--replications=3 --task=1/3 --journal=j --precision=0.1", "option --task=1/3: given together with --precision"},
		{"--replications=3 --task=1/3 --merge=.", "option --task=1/3: given together with --merge"},
		{"--replications=3 --merge=none",
			"option --merge=none: stat none: no such file or directory; name a folder with journals of tasks"},
		{"--replications=3 --merge=.",
			"option --merge=.: . has no journals of tasks, such as runs.3-of-10; name the folder of --journal"},
		{"--replications=3 --replication=2", "option --replication=2: is that of a single run"},
		{"--replications=3 --event-trace=1",
			"option --event-trace=1: each run of a study would write the same files; leave it out here, or make a single run with it"},
		{"--replications=3 --io-restart=latest",
			"option --io-restart=latest: all runs start from one checkpoint, whichever is the newest; give its name"},
		{"--replications=3 --digest",
			"option --digest=true: a study shows no digests of its runs; leave it out here, or make a single run with it"},
		{"--replications=3 --statistics=1", "option --statistics=1: a study prints a table of its results"},
		{"--replications=3 --vary=statistics=0,1", "a study does not vary --statistics"},
		{"--replications=3 --statistics=3", "option --statistics=3: each run of a study would write the same files"},
	} {
		status, out, errs := try(c[0])
		require.Equal(t, 2, status, "%s: %s%s", c[0], out, errs)
		require.Empty(t, out)
		require.True(t, strings.HasPrefix(errs, "desks: ") && strings.Count(errs, "\n") == 1, errs)
		require.Contains(t, errs, c[1], c[0])
	}
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestRangesHaveTheNumbersThatAPersonWrites(t *testing.T) {
	for text, want := range map[string]string{
		"6..10": "6 7 8 9 10", "6..10:2": "6 8 10", "6..11:2": "6 8 10", "0..0.5:0.1": "0 0.1 0.2 0.3 0.4 0.5",
		"-1..1":           "-1 0 1",
		"1e-3..3e-3:1e-3": "0.001 0.002 0.003", "1e9..2e9:1e9": "1000000000 2000000000", "5..5": "5", "0.5..2": "0.5 1.5",
	} {
		words, err := span(text)
		require.NoError(t, err, text)
		require.Equal(t, want, strings.Join(words, " "), text)
	}
	for text, want := range map[string]string{
		"0.3..0.6:0.1,0.9": "0.3 0.4 0.5 0.6 0.9", "9,1..3,5": "9 1 2 3 5", "1..2,7..9:2": "1 2 7 9", "a,b": "a b",
		"1..2": "1 2", "../a,../b": "../a ../b",
	} {
		var s study
		require.NoError(t, s.addFactor("x="+text), text)
		var words []string
		for _, v := range s.factors[0].values {
			words = append(words, v.word)
		}
		require.Equal(t, want, strings.Join(words, " "), text)
	}
	for text, want := range map[string]string{
		"1..3,2": `value "2" is empty or there twice; give each value once`, "1..3,": `value "" is empty`,
		"1..3,4..c": `"c" is not a number; give a range such as 6..10`, "b..c": `"b" is not a number`,
		"1..60000,100001..160000": "more than 100000 values; give a larger step",
	} {
		var s study
		require.ErrorContains(t, s.addFactor("x="+text), want, text)
	}
	require.IsType(t, 0, typed([]string{"1", "2"})[0].shown)
	require.IsType(t, 0.0, typed([]string{"1", "2.5"})[0].shown)
	require.IsType(t, "", typed([]string{"1", "inf"})[0].shown)
}

func TestMeansEndWhereTheirHalfWidthsDo(t *testing.T) {
	for want, i := range map[string]experiment.Interval{
		"350532 ± 212":    {Mean: 350532.4, Half: 212.3},
		"1.256 ± 0.031":   {Mean: 1.25563, Half: 0.0311},
		"-0.50 ± 0.10":    {Mean: -0.5, Half: 0.0996},
		"12.0 ± 9.9":      {Mean: 12, Half: 9.94},
		"12 ± 10":         {Mean: 12.3, Half: 9.96},
		"7 ± 0":           {Mean: 7},
		"7 ± +Inf":        {Mean: 7, Half: math.Inf(1)},
		"NaN ± NaN":       {Mean: math.NaN(), Half: math.NaN()},
		"5.5e+12 ± 3e+02": {Mean: 5.5e12, Half: 300},
		"0.001 ± 1e-09":   {Mean: 0.001, Half: 1e-9},
	} {
		require.Equal(t, want, short(i))
	}
}

func TestAProgramRunsOnceWithoutAStudy(t *testing.T) {
	t.Chdir(t.TempDir())
	p := desks()
	p.Finish = nil
	var out bytes.Buffer
	require.Zero(t, p.Main(nil, &out, io.Discard))
	require.Contains(t, out.String(), "Net Events Processed")
	out.Reset()
	require.Zero(t, desks().Main([]string{"--help"}, &out, io.Discard))
	require.Contains(t, out.String(), "ROSS Studies:")
}

func TestATableInAnotherFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.columns")
	p := desks()
	p.Parts = []program.Part{Of(desks, Format{".columns", func(t *experiment.Table, w io.Writer) error {
		_, err := fmt.Fprintln(w, t.Columns[0], len(t.Rows))
		return err
	}})}
	var errs strings.Builder
	require.Zero(t, p.Main([]string{"--replications=2", "--vary=speed=1,2", "--table=" + path}, io.Discard, &errs), &errs)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "speed 2\n", string(content))
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, 2, p.Main([]string{"--replications=2", "--table=t.txt"}, io.Discard, &errs))
	require.Contains(t, errs.String(), "give a name that ends with .csv or .columns")
}

// A program may say how many LPs there are when it has read the command line, as the template does.
func TestAStudyOfLPsThatPrepareCountsIsTheSameOnAnyPEs(t *testing.T) {
	counted := func() program.Program {
		p := desks()
		p.Config.LPs = 0
		p.Parts = nil
		prepare := p.Prepare
		p.Prepare = func(cfg *ross.Config) error {
			cfg.LPs = 4
			return prepare(cfg)
		}
		return p
	}
	each := func() program.Program { // as many on each PE
		p := counted()
		p.Prepare = nil
		return p
	}
	for _, c := range []struct {
		model func() program.Program
		want  string
	}{{counted, "desks"}, {each, "desks --pes=2"}} {
		s := &study{model: c.model, program: "desks"}
		require.Equal(t, c.want, s.identity(&plan{args: []string{"--synch=3", "--pes=2"}}))
	}
}
