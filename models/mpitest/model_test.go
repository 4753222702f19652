// This file pins tests of package modeltest under mpirun: this test binary is started again, on two ranks; programs with
// several simulations, parameters and studies; and the processes of a job and their memory.

//go:build linux || (mpi && cgo && !purego)

package mpitest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/params"
	"github.com/ross-go/ross/stats"
)

// asRank says that mpirun has started this test binary.
var asRank = ranks.Launcher() != ""

// inMPI runs tests that use ranks one after the other.
func inMPI(run func() int) int {
	end, err := ross.KeepMPI()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status := run()
	if err := end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// courier is the state of a small model; it carries letters to others.
type (
	courier struct {
		Carried int64
		Away    stats.Tally
	}
	letter struct{ N int64 }
)

// couriers returns a model that is right, unless wrong is what the last courier does on ranks.
func couriers(wrong func(s *courier, lp *ross.LP)) modeltest.Model {
	const n = 12
	step := func(s *courier, lp *ross.LP, m *letter) {
		if *ross.Write(lp, &s.Carried) += m.N; wrong != nil && lp.ID() == n-1 && lp.PE().Simulation().Ranks() > 1 {
			wrong(s, lp)
		}
		away := 0.1 + lp.RNG().Exponential(1)
		s.Away.Add(lp, away)
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, n-1)), away, letter{s.Carried % 100})
	}
	return modeltest.Model{
		Config: ross.Config{End: 20},
		Short:  true,
		Types: func() []ross.LPType {
			return []ross.LPType{ross.Type[courier]{LPs: n, Lookahead: 0.1, Saving: ross.SaveByLog,
				Init: func(_ *courier, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, letter{1}) }, Event: ross.On(step)}}
		},
	}
}

// models are those of the ranks, with what an error of them says.
var models = []struct {
	name, says string
	model      modeltest.Model
}{
	{"right", "", couriers(nil)},
	{"right again", "", couriers(nil)}, // MPI is kept
	{"state", "modeltest: courier, rank 1 of 2: 2 ranks of --synch=3 --pes=1 --nkp=4 --batch=8 --gvt-interval=8: " +
		"states at the end: not as in the sequential run: LP 11 (courier): courier.Carried is ",
		couriers(func(s *courier, lp *ross.LP) { *ross.Write(lp, &s.Carried) += 100 })},
	{"statistics", `modeltest: courier, rank 1 of 2: 2 ranks of --synch=3 --pes=1 --nkp=4 --batch=8 --gvt-interval=8: ` +
		`statistics: not as in the sequential run: "LP 11, Away: `, couriers(func(s *courier, lp *ross.LP) { s.Away.Add(lp, 7) })},
	{"panic", "no such luck", couriers(func(*courier, *ross.LP) { panic("no such luck") })},
}

func TestModelsAreTestedOnRanks(t *testing.T) {
	needsMPI(t, "package modeltest in each rank")
	if !asRank {
		out, status := start(t, t.TempDir(), 2, os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+t.Name()+"$",
			"-test.timeout="+testkit.RankLimit(t).String()).wait()
		require.Zero(t, status, out)
		for _, m := range models {
			require.Equal(t, 2, strings.Count(out, "--- PASS: "+t.Name()+"/"+strings.ReplaceAll(m.name, " ", "_")+" ("), "%s on both ranks:\n%s", m.name, out)
		}
		return
	}
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			report, err := modeltest.Check(m.model)
			if m.says != "" {
				require.ErrorIs(t, err, modeltest.ErrModel)
				require.ErrorContains(t, err, m.says)
				return
			}
			require.NoError(t, err)
			require.Empty(t, report.LeftOut)
			require.NotContains(t, strings.Join(report.Notes, " "), "no event went from one PE to another")
			on := 0
			for _, run := range report.Runs {
				if strings.HasPrefix(run, "2 ranks of --synch=") {
					on++
				}
			}
			require.Greater(t, on, 3, report.Runs)
		})
	}
}

// parameters from a file on ranks: each rank reads the file, all LPs have what it says, and ranks that have
// read different files do not run.

type (
	ward      struct{ Beds, Calls int64 } // the state of an LP; its handler notes the parameters
	call      struct{}
	equipment struct { // the parameters
		Beds  int64
		Every float64
	}
)

// wards returns a program with parameters from a file. After a run, seen has the states of all wards.
func wards(seen *[]ward) program.Program {
	const n = 6
	var file params.File
	var all []equipment
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = n, 20
	return program.Program{
		Name: "wards", Config: cfg,
		Options: func(o *ross.Options, _ *ross.Config) {
			params.Option(o.Group("Wards"), &file, "params", "parameters of wards")
		},
		Prepare: func(*ross.Config) (err error) {
			all, err = params.Each(&file, n, func(i int) string { return fmt.Sprintf("ward[%d]", i) }, equipment{Beds: 1, Every: 1})
			if err == nil {
				err = file.Done()
			}
			return err
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[ward]{
				Saving: ross.SaveByLog,
				Init:   func(_ *ward, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, call{}) },
				Event: ross.On(func(s *ward, lp *ross.LP, _ *call) {
					*ross.Write(lp, s) = ward{all[lp.ID()].Beds, s.Calls + 1}
					ross.Send(lp, (lp.ID()+1)%n, all[lp.ID()].Every, call{})
				}),
			})
		},
		Finish: func(sim *ross.Simulation) (err error) {
			*seen, err = ross.Gather(sim, func(_ *ross.LP, s *ward) ward { return *s })
			return err
		},
	}
}

func TestRanksHaveTheParametersOfTheFile(t *testing.T) {
	needsMPI(t, "this test in each rank")
	if !asRank {
		dir := t.TempDir()
		for name, beds := range map[string]int{"one.yaml": 60, "other.yaml": 61} {
			text := fmt.Sprintf("\"ward[0..1].beds\": %d\n\"ward[*]\":\n  beds: 40\n  every: 1.5\n", beds)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		out, status := start(t, dir, 2, os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+t.Name()+"$",
			"-test.timeout="+testkit.RankLimit(t).String()).wait()
		require.Zero(t, status, out)
		require.Equal(t, 2, strings.Count(out, "--- PASS: "+t.Name()), "on both ranks:\n%s", out)
		require.Equal(t, 1, strings.Count(out, "wards: ross: start: rank 1 differs from rank 0: option --params: sha256:"), "one rank says it, once:\n%s", out)
		return
	}
	run := func(line string) (seen []ward, status int, said string) {
		var errs bytes.Buffer
		status = wards(&seen).Main(strings.Fields(line), new(bytes.Buffer), &errs)
		return seen, status, errs.String()
	}
	for _, synch := range []string{"--synch=3", "--synch=3 --pes=2"} {
		all, status, said := run("--params=one.yaml " + synch)
		require.Zero(t, status, said)
		require.Equal(t, []int64{60, 60, 40, 40, 40, 40}, []int64{all[0].Beds, all[1].Beds, all[2].Beds, all[3].Beds, all[4].Beds, all[5].Beds})
		for _, w := range all { // at 1, 2.5, ... 19
			require.EqualValues(t, 13, w.Calls)
		}
	}
	file := map[bool]string{true: "one.yaml", false: "other.yaml"}[ranks.First()]
	_, status, said := run("--params=" + file + " --synch=3")
	require.Equal(t, 2, status)
	fmt.Print(said)
}

// studies over ranks: what docs/running.md says of them.

func TestAStudyOverRanksHasTheTableOfOneProcess(t *testing.T) {
	page, err := os.ReadFile("../../docs/running.md")
	require.NoError(t, err)
	_, words, found := strings.Cut(string(page), "\nmpirun -np 2 ./queueing ")
	require.True(t, found)
	words, _, _ = strings.Cut(words, "\n")
	args := strings.Fields(words)
	require.Contains(t, args, "--synch=3")
	dir := t.TempDir()
	ranks := runIn(t, dir, 2, "queueing", append(args, "--workers=2", "--table=ranks.csv")...)
	require.Equal(t, 1, strings.Count(ranks, "servers  "+"customers waiting"), "one rank prints:\n%s", ranks)
	one := runIn(t, dir, 0, "queueing", append(args, "--synch=1", "--pes=1", "--workers=3", "--journal=", "--table=one.csv")...)
	require.Equal(t, one, ranks)
	again := runIn(t, dir, 0, "queueing", append(args, "--table=again.csv")...) // from the journal of the ranks
	require.Equal(t, one, again)
	content := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, 61, strings.Count(content("ranks.runs"), "\n"), "a head and a line for each run, once")
	require.Equal(t, content("one.csv"), content("ranks.csv"))
	require.Equal(t, content("one.csv"), content("again.csv"))
}

// Tests of programs with more than one simulation: one after the other on all ranks, and
// at one time on parts of the ranks.

var digestLine = regexp.MustCompile(`(?m)^simulation \d+: .*$`)

// digests returns the lines in which testdata/several prints what its simulations
// committed.
func digests(out string) []string {
	lines := digestLine.FindAllString(out, -1)
	slices.Sort(lines)
	return lines
}

// sequentially returns the lines of both simulations, run as one process each.
func sequentially(t *testing.T) []string {
	t.Helper()
	want := digests(run(t, 0, "several", "--do=series", "--synch=1", "--nlp=24"))
	require.Len(t, want, 2)
	require.NotEqual(t, want[0][len("simulation 0"):], want[1][len("simulation 1"):], "they are to differ")
	return want
}

func TestHalvesOfTheRanksRunSimulationsOfTheirOwnAtOneTime(t *testing.T) {
	needsMPI(t, "communicators")
	want := sequentially(t)
	for _, np := range testlevel.Pick([]int{2, 4}, []int{2, 4}, []int{2}) {
		for _, synch := range []int{2, 3} {
			for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
				t.Run(fmt.Sprintf("np=%d/synch=%d/pes=%d", np, synch, pes), func(t *testing.T) {
					out := run(t, np, "several", "--do=halves", fmt.Sprintf("--nlp=%d", 24/(np/2*pes)),
						fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes))
					require.Equal(t, want, digests(out), out)
				})
			}
		}
	}
}

func TestASecondSimulationNeedsMPIToBeKept(t *testing.T) {
	needsMPI(t, "an end of MPI, which comes with that of a simulation")
	testlevel.Once(t, "what ranks say, before they run")
	start(t, t.TempDir(), 2, filepath.Join(bin, "several"), "--do=series", "--nlp=12", "--synch=3").
		endsSaying(`(?s)simulation 0: .*keep it \(ross.KeepMPI\)`)
}

func TestSimulationsRunOneAfterTheOther(t *testing.T) {
	testlevel.Once(t, "that MPI is kept")
	want := sequentially(t)
	for _, do := range map[bool][]string{false: {"kept", "held"}, true: {"series", "kept"}}[byThemselves] {
		for _, synch := range []int{2, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", do, synch), func(t *testing.T) {
				out := run(t, 2, "several", "--do="+do, "--nlp=12", fmt.Sprintf("--synch=%d", synch))
				require.Equal(t, want, digests(out), out)
			})
		}
	}
}

// The promise of --max-memory on ranks: it is a ceiling on the memory of each.

// TestARankStaysUnderItsCeiling runs PHOLD on two ranks, and once more with checkpoints and a trace, at a ceiling of
// a quarter more than it took without. Ranks cannot do with a quarter of it: GVT comes so often that there is little to do without.
func TestARankStaysUnderItsCeiling(t *testing.T) {
	testlevel.Once(t, "how much memory is resident")
	files := []string{"--io-virtual-interval=5", "--event-trace=1", "--io-name=ranks"}
	var ceiling, free uint64
	for float64(free) <= 1.2*float64(ceiling) { // otherwise there is nothing to do without: how much events take depends on when ranks run
		ceiling, free = slices.Max(residentRanks(t))*5/4, slices.Max(residentRanks(t, files...))
		require.Greater(t, ceiling, uint64(64<<20))
	}
	for rank, got := range residentRanks(t, append(files, fmt.Sprintf("--max-memory=%d", ceiling))...) {
		t.Logf("rank %d: %d of %d bytes, %.2f, and %d without a ceiling", rank, got, ceiling, float64(got)/float64(ceiling), free)
		require.Less(t, float64(got), 1.15*float64(ceiling), "rank %d", rank)
	}
}

// residentRanks runs PHOLD and returns the most memory that each of two ranks had.
func residentRanks(t *testing.T, args ...string) []uint64 {
	t.Helper()
	j := start(t, t.TempDir(), 2, append([]string{filepath.Join(bin, "phold"), "--synch=3", "--pes=1", fmt.Sprintf("--nlp=%d", testlevel.Times(300000, 120000)),
		"--nkp=64", "--end=20", "--progress=off"}, args...)...)
	j.await("START PARALLEL")
	most := make([]uint64, 2)
	over := make(chan struct{})
	seen := make(chan struct{})
	pids := []int{j.rank(0), j.rank(1)}
	go func() {
		defer close(seen)
		for {
			for rank, pid := range pids {
				most[rank] = max(most[rank], highWater(pid))
			}
			select {
			case <-over:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	out, status := j.wait()
	close(over)
	<-seen
	require.Zero(t, status, "%s", out)
	return most
}

// highWater returns the most memory that a process has had so far, in bytes, and 0 if it is no longer there.
func highWater(pid int) uint64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, _ := strconv.ParseUint(number, 10, 64)
	return kib << 10
}

// The processes of a job, as /proc shows them.

// rankEnv are the environment variables in which Open MPI and MPICH pass a rank its
// number.
var rankEnv = []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}

// environment returns the variables of a process, as NAME=value, none if there is no
// such process any more.
func environment(pid int) []string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return strings.Split(string(text), "\x00")
}

// processes returns the processes of the job that are there, mpirun among them.
func (j *job) processes() (pids []int) {
	entries, err := os.ReadDir("/proc")
	require.NoError(j.t, err)
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && slices.Contains(environment(pid), jobEnv+"="+j.id) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// rank returns the process of a rank. A wrapper of it has to exec it.
func (j *job) rank(n int) int {
	j.t.Helper()
	if byThemselves && n == 0 {
		return j.cmd.Process.Pid
	}
	for _, pid := range j.processes() {
		env := environment(pid)
		if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, fmt.Sprintf("ROSS_RANK=%d/", n)) }) {
			return pid
		}
		for _, name := range rankEnv {
			if slices.Contains(env, name+"="+strconv.Itoa(n)) {
				return pid
			}
		}
	}
	require.Fail(j.t, "no such rank", "%d of\n%s", n, &j.out)
	return 0
}

// kill ends a process that may have ended.
func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
