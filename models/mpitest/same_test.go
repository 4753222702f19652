//go:build linux || (mpi && cgo && !purego)

// This file pins that a run of ranks is that of one process: events, tables, reports, ROSS's references, and checkpoints,
// which other numbers of ranks load.

package mpitest

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi/session"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rio"
)

// Tests of what is committed: the same as in a sequential run, on any number of ranks.

// lps is how many LPs a simulation has, on however many ranks and PEs.
const lps = 48

// simulations are the programs to run.
var simulations = []struct {
	name    string
	program string
	synch   []int
	args    []string
}{
	{"phold", "phold", []int{3, 5}, []string{"--lookahead=0.1", "--remote=0.5", "--start-events=2", "--end=8"}},
	{"zerotie", "zerotie", []int{3, 5}, []string{"--end=3"}},
	{"stress", "stress", []int{3, 5}, []string{"--end=3"}},
	{"queueing", "queueing", []int{3}, []string{"--walk=0.25", "--end=20", "--warm-up=2"}},
	// A window of a conservative run is short, and each is a round of GVT.
	{"phold in windows", "phold", []int{2}, []string{"--lookahead=0.25", "--remote=0.5", "--start-events=2", "--end=4"}},
	{"zerotie in windows", "zerotie", []int{2}, []string{"--cons-lookahead=0", "--end=1.5"}},
	{"stress in windows", "stress", []int{2}, []string{"--lookahead=0.25", "--end=3"}},
}

// nlp returns the flag that gives a program all its LPs on the given number of PEs.
func nlp(pes int) string {
	return "--nlp=" + strconv.Itoa(lps/pes)
}

func TestDigestOnRanksIsThatOfASequentialRun(t *testing.T) {
	for _, sim := range simulations {
		t.Run(sim.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--digest"}, sim.args...)
			one := run(t, 0, sim.program, append(args, "--synch=1", nlp(1))...)
			for _, synch := range sim.synch {
				if testlevel.Is(testlevel.Few) && synch == 5 {
					continue
				}
				for _, np := range testlevel.Pick([]int{1, 2, 3, 4, 8}, []int{1, 2, 4}, []int{2}) {
					for _, pes := range testlevel.Pick([]int{1, 2}, []int{1, 2}, []int{2}) {
						if pes == 2 && np != 2 && np != 4 || // several PEs on one rank need no MPI, and 16 PEs many processors
							np == 3 && synch != 2 || np == 8 && synch != 3 || np == 1 && synch == 5 {
							continue
						}
						t.Run(fmt.Sprintf("synch=%d/np=%d/pes=%d", synch, np, pes), func(t *testing.T) {
							t.Parallel() // starting takes longer than running
							got := run(t, np, sim.program, append([]string{nlp(np * pes),
								fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes)}, args...)...)
							requireSameEvents(t, one, got)
							requireRanks(t, got, np, pes)
						})
					}
				}
			}
		})
	}
}

// requireSameEvents requires that two reports are of runs with the same events.
func requireSameEvents(t *testing.T, want, got string) {
	t.Helper()
	for _, label := range []string{"Committed Event Digest", "Net Events Processed"} {
		require.Equal(t, figure(t, want, label), figure(t, got, label), "%s:\n%s", label, got)
	}
}

// requireRanks requires that a report is of a run on the given number of ranks, which sent one another
// events, and that all of these arrived.
func requireRanks(t *testing.T, report string, np, pes int) {
	t.Helper()
	require.Equal(t, 1, strings.Count(report, fmt.Sprintf("tw_net_start: Found world size to be %d \n", np)), report)
	require.EqualValues(t, np*pes, count(t, report, "Total PEs"))
	require.EqualValues(t, lps, count(t, report, "Total LPs"))
	if np == 1 {
		require.NotContains(t, report, "Remote sends")
		return
	}
	sent := count(t, report, "Remote sends")
	require.Equal(t, sent, count(t, report, "Remote recvs"))
	require.NotZero(t, sent, "ranks keep to themselves:\n%s", report)
}

// TestOtherSeedsGiveAnotherDigest shows that the comparison can fail.
func TestOtherSeedsGiveAnotherDigest(t *testing.T) {
	testlevel.Once(t, "that digests differ")
	seeds := []string{"--rng-seed1=5", "--rng-seed2=6", "--rng-seed3=7", "--rng-seed4=8"}
	args := []string{"--digest", "--synch=3", nlp(2), "--end=5"}
	require.NotEqual(t, figure(t, run(t, 2, "phold", args...), "Committed Event Digest"),
		figure(t, run(t, 2, "phold", append(args, seeds...)...), "Committed Event Digest"))
}

// Tests against what ROSS printed: the references in testdata of the models, compared
// as the tests there do, with the traces of runs of several ranks.

// onRanks returns a program as modeltest wants it, which runs under mpirun.
func onRanks(t *testing.T, np int, name string, payload func([]byte) string) testkit.Program {
	return testkit.Program{Name: name, Payload: payload, Run: func(args []string, stdout, stderr io.Writer) int {
		out, status := start(t, ".", np, append([]string{filepath.Join(bin, name)}, args...)...).wait()
		if status != 0 {
			stdout = stderr
		}
		_, _ = io.WriteString(stdout, out)
		return status
	}}
}

// shape is how a run is spread.
type shape struct{ synch, np, pes int }

var shapes = []shape{{3, 2, 1}, {3, 4, 1}, {3, 2, 2}, {2, 2, 1}, {2, 4, 1}, {5, 2, 1}}

func (s shape) String() string { return fmt.Sprintf("synch=%d/np=%d/pes=%d", s.synch, s.np, s.pes) }

// args returns flags for a traced run of the given number of LPs; --nlp is for one PE.
func (s shape) args(lps int) []string {
	return []string{
		"--event-trace=3", fmt.Sprintf("--synch=%d", s.synch), fmt.Sprintf("--pes=%d", s.pes),
		fmt.Sprintf("--nlp=%d", lps/s.np/s.pes),
	}
}

func TestTraceOfPHOLDOnRanksIsThatOfROSS(t *testing.T) {
	testlevel.Once(t, "what is in files")
	t.Chdir("../phold")
	for _, set := range []struct {
		name string
		lps  int
	}{{"ties-default", 8}, {"lookahead01", 8}, {"ties-remote1", 8}, {"stagger", 8}, {"startevents4", 6}, {"opt2-la01", 8}} {
		byDest, report := testkit.Reference(t, set.name, "trace_by_dest.csv"), testkit.Report(t, set.name)
		for _, s := range shapes {
			if set.lps%(s.np*s.pes) != 0 || set.name != "lookahead01" && s != shapes[0] && s != shapes[1] {
				continue
			}
			t.Run(set.name+"/"+s.String(), func(t *testing.T) {
				got, out := onRanks(t, s.np, "phold", nil).Like(t, set.name, s.args(set.lps)...)
				require.NoError(t, testkit.Compare(testkit.ByDest(got), byDest))
				require.Equal(t, figure(t, report, "Net Events Processed"), figure(t, out, "Net Events Processed"))
			})
		}
	}
}

// mpirun may put what one rank prints into a line of another.
var hash = regexp.MustCompile(`LPHASH \d+ [0-9a-f]{16}`)

// hashes returns the lines with the hashes of zerotie's LPs. Each rank prints those
// of its own LPs.
func hashes(out string) []string {
	lines := hash.FindAllString(out, -1)
	slices.Sort(lines)
	return lines
}

func TestTraceOfZerotieOnRanksIsThatOfROSS(t *testing.T) {
	testlevel.Once(t, "what is in files")
	const set, lps = "zerotie-np1", 8
	t.Chdir("../zerotie")
	payload := func(b []byte) string { // hop and priority
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), math.Float32frombits(binary.LittleEndian.Uint32(b[4:])))
	}
	want := testkit.ByDest(testkit.Reference(t, set, "trace.csv"))
	wantHashes := hashes(testkit.Report(t, set))
	require.Len(t, wantHashes, lps)
	for _, s := range shapes {
		t.Run(s.String(), func(t *testing.T) {
			got, out := onRanks(t, s.np, "zerotie", payload).Like(t, set, append(s.args(lps), "--cons-lookahead=0")...)
			require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
			require.Equal(t, wantHashes, hashes(out))
		})
	}
}

// The commands by which ROSS tests its PHOLD, under mpirun as there.

// TestROSSsOwnTestsRunOnRanks runs some of them to virtual time 12000, which is after the
// first sample at a virtual time. The test of phold has them all, on threads.
func TestROSSsOwnTestsRunOnRanks(t *testing.T) {
	testlevel.Once(t, "options, with digests as above")
	const until, sum = "--end=12000", "--digest"
	want := run(t, 0, "phold", "--synch=1", "--nlp=16", until, sum)
	for _, c := range testkit.PHOLDCommands("") {
		switch c.Name {
		case "SCHED_Conservative", "SCHED_Realtime", "INST_OptLP", "INST_Model":
			t.Run(c.Name, func(t *testing.T) {
				got := run(t, c.Ranks, "phold", append(strings.Fields(c.Line), until, sum)...)
				for _, label := range []string{"Net Events Processed", "Committed Event Digest"} {
					require.Equal(t, figure(t, want, label), figure(t, got, label))
				}
			})
		}
	}
}

// Tests of what a run of ranks leaves behind: one report, one row, and the LPs of all.

// columnsOfROSS is how many columns of ross.csv are those of ROSS.
const columnsOfROSS = 57

// table reads ross.csv: the names of the columns, and rows by name.
func table(t *testing.T, dir string) (names []string, rows []map[string]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, report.CSVName))
	require.NoError(t, err)
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll() // sees that all rows have as many columns
	require.NoError(t, err)
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return records[0], rows
}

func TestResultsAreThoseOfAllRanksOnce(t *testing.T) {
	args := []string{"--lookahead=0.1", "--remote=0.5", "--end=20", "--digest"}
	alone := t.TempDir()
	one := runIn(t, alone, 0, "phold", append(args, "--synch=1", "--nlp=32")...)
	columns, oneRow := table(t, alone)
	require.Equal(t, []string{"total_time", "digest"}, columns[columnsOfROSS-1:columnsOfROSS+1])
	for _, synch := range []int{2, 3, 5} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			dir := t.TempDir()
			out := runIn(t, dir, 2, "phold", append(args, fmt.Sprintf("--synch=%d", synch), "--pes=2", "--nlp=8")...)
			requireSameEvents(t, one, out)
			for _, once := range []string{
				"ROSS Version:", "Found world size to be 2", "PHOLD Model Configuration", "ROSS Core Configuration:",
				"*** START PARALLEL", "*** END SIMULATION ***", "TW Library Statistics:", "Total GVT Computations",
			} {
				want := 1
				if once == "Total GVT Computations" {
					want = 2 // ROSS prints it twice
				}
				require.Equal(t, want, strings.Count(out, once), "%q in\n%s", once, out)
			}
			names, rows := table(t, dir)
			require.Equal(t, columns, names)
			require.Len(t, rows, 1)
			requireRow(t, rows[0], oneRow[0], out)
			requireLPStats(t, dir, 4, 8)
		})
	}
}

// requireRow requires that a row of ross.csv agrees with that of a sequential run and
// with the report.
func requireRow(t *testing.T, row, one map[string]string, report string) {
	t.Helper()
	for _, same := range []string{"total_lp", "end_ts", "net_events", "digest"} {
		require.Equal(t, one[same], row[same], same)
	}
	require.Equal(t, "4", row["total_pe"])
	for column, label := range map[string]string{
		"net_events": "Net Events Processed", "events_processed": "Total Events Processed", "events_rb": "Events Rolled Back",
		"remote_sends": "Remote sends", "remote_recvs": "Remote recvs",
	} {
		require.Equal(t, figure(t, report, label), row[column], label)
	}
	require.Equal(t, row["remote_sends"], row["remote_recvs"])
	require.NotEqual(t, "0", row["remote_sends"])
	require.Equal(t, count(t, report, "Total Events Processed"),
		count(t, report, "Net Events Processed")+count(t, report, "Events Rolled Back"))
}

// requireLPStats requires a file for each PE, with its LPs.
func requireLPStats(t *testing.T, dir string, pes, perPE int) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, report.LPStatsDir))
	require.NoError(t, err)
	require.Len(t, files, pes)
	for pe := range pes {
		text, err := os.ReadFile(filepath.Join(dir, report.LPStatsDir, fmt.Sprintf("pe_%d.txt", pe)))
		require.NoError(t, err)
		require.Equal(t, perPE, strings.Count(string(text), "LPID: "))
		for lp := pe * perPE; lp < (pe+1)*perPE; lp++ {
			require.Equal(t, 1, strings.Count(string(text), fmt.Sprintf("LPID: %d\t", lp)), "LP %d in\n%s", lp, text)
		}
	}
}

// Tests of models whose report ends with statistics: those of all ranks, once, with the bits of a
// sequential run.

func TestStatisticsOfRanksAreThoseOfASequentialRun(t *testing.T) {
	for program, args := range map[string][]string{
		"runway": {"--lps=47", "--planes=5", "--end=300"},
		"fabric": {"--dims=4x3x2", "--load=0.6", "--timeout=150", "--loss=0.05", "--end=200"},
	} {
		if testlevel.Few.LeavesOut(program, "runway") {
			continue
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			args = append(args, "--digest", "--warm-up=50", "--statistics=5", "--quantiles=0.25,0.9", "--stats-prefix=s")
			dir := filepath.Join(t.TempDir(), "out")
			one := run(t, 0, program, append([]string{"--stats-path=" + dir}, args...)...)
			wide, err := os.ReadFile(filepath.Join(dir, "s-statistics-lps.csv"))
			require.NoError(t, err)
			for _, synch := range testlevel.Pick([]int{2, 3}, []int{2, 3}, []int{3}) {
				for _, pes := range testlevel.Pick([]int{1, 2}, []int{2}, []int{2}) {
					t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
						t.Parallel()
						dir := filepath.Join(t.TempDir(), "out")
						got := run(t, 2, program, append([]string{fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", pes), "--stats-path=" + dir}, args...)...)
						lps, err := os.ReadFile(filepath.Join(dir, "s-statistics-lps.csv"))
						require.NoError(t, err)
						require.Equal(t, string(wide), string(lps))
						requireSameEvents(t, one, got)
						require.Equal(t, figure(t, one, "Final State Digest"), figure(t, got, "Final State Digest"))
						require.Equal(t, testkit.Table(t, one), testkit.Table(t, got))
					})
				}
			}
		})
	}
}

// TestStatisticsGoOnOnOtherRanks continues on three ranks what two have stored.
func TestStatisticsGoOnOnOtherRanks(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for program, args := range map[string][]string{
		"runway": {"--lps=24", "--end=300"},
		"fabric": {"--dims=4x3", "--load=0.6", "--timeout=150", "--loss=0.05", "--end=300"},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args = append(args, "--digest", "--io-name=ranks")
			one := run(t, 0, program, args...)
			runIn(t, dir, 2, program, append([]string{"--synch=3", "--pes=2", "--io-virtual-interval=100"}, args...)...)
			again := runIn(t, dir, 3, program, append([]string{"--synch=3", "--io-restart=latest"}, args...)...)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
			require.Equal(t, testkit.Table(t, one), testkit.Table(t, again))
		})
	}
}

// What a run of ranks is for: the same events, whatever computes them.

func Example() {
	phold := filepath.Join(bin, "phold")
	digest := func(words ...string) string {
		cmd := exec.Command(words[0], append(words[1:], "--lookahead=0.1", "--end=20", "--digest")...)
		cmd.Env = append(os.Environ(), session.In(bin)...)
		cmd.Dir = bin
		report, _ := cmd.Output() // without a digest in it the texts differ
		return regexp.MustCompile(`Committed Event Digest +\w+`).FindString(string(report))
	}
	one := digest(phold, "--synch=1", "--nlp=32")
	two := digest(together(2, phold, "--synch=3", "--pes=2", "--nlp=8")...)
	fmt.Println(one != "", one == two)
	// Output: true true
}

// The tests of models on several ranks: those of ROSS, and the network.

func TestModelsLeaveTheSameOnRanks(t *testing.T) {
	testlevel.Once(t, "handlers of models, which do on ranks what they do on PEs")
	for program, args := range map[string][]string{
		"airport":   {"--nplanes=2", "--mean=3", "--end=40"},
		"pcs":       {"--cells-x=5", "--cells-y=4", "--end=3000"},
		"traffic":   {"--cells-x=6", "--cells-y=4", "--vps-x=3", "--vps-y=2", "--end=20"},
		"torus":     {"--dims=3,2,4", "--arrive_rate=50", "--end=200"},
		"dragonfly": {"--routers=2", "--channels=2", "--terminals=2", "--arrive_rate=90", "--routing=1", "--end=250"},
		"raid":      {"--nfs=5", "--disk-distro=2", "--end=9000"},
		"network":   {"--shape=dragonfly:2,1,2", "--jobs=ring:4,uniform", "--routing=adaptive", "--heat", "--end=2000"},
		"qhold":     {"--lps=24", "--population=5", "--remote=0.3", "--end=1e11"},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			args = append(args, "--digest")
			one := run(t, 0, program, args...)
			for _, layout := range [][2]int{{3, 1}, {3, 2}, {2, 1}} {
				got := run(t, 2, program, append([]string{fmt.Sprintf("--synch=%d", layout[0]), fmt.Sprintf("--pes=%d", layout[1])}, args...)...)
				requireSameEvents(t, one, got)
				require.Equal(t, figure(t, one, "Final State Digest"), figure(t, got, "Final State Digest"))
			}
		})
	}
}

// Tests of checkpoints that ranks store together, and load on other numbers of ranks.

// spread is how the LPs of a run are laid out.
type spread struct{ np, pes, files int }

func (s spread) args(synch int) []string {
	return []string{nlp(max(s.np, 1) * s.pes), fmt.Sprintf("--synch=%d", synch), fmt.Sprintf("--pes=%d", s.pes), fmt.Sprintf("--io-files=%d", s.files)}
}

func TestCheckpointsOfRanksLoadOnOtherRanks(t *testing.T) {
	once(t, "what is in files")
	for i, c := range []struct {
		synch      int
		store      spread
		load       spread
		name, args string
	}{
		{3, spread{2, 2, 2}, spread{0, 1, 1}, "phold", "--lookahead=0.1"},
		{2, spread{3, 1, 2}, spread{2, 1, 1}, "phold", "--lookahead=0.25"},
		{3, spread{0, 2, 1}, spread{2, 2, 2}, "phold", "--lookahead=0.1"},
		{3, spread{2, 1, 1}, spread{3, 1, 3}, "zerotie", "--nkp=3"},
		{3, spread{3, 1, 2}, spread{2, 2, 1}, "stress", "--nkp=5"},
	} {
		if testlevel.Is(testlevel.Few) && i > 1 {
			continue
		}
		t.Run(fmt.Sprintf("%s/synch=%d/%+v to %+v", c.name, c.synch, c.store, c.load), func(t *testing.T) {
			t.Parallel()
			end := "--end=40"
			dir := t.TempDir()
			args := []string{"--digest", "--gvt-interval=1", end, c.args}
			one := run(t, 0, c.name, append(args, "--synch=1", nlp(1))...)
			storing := []string{"--io-interval=1e-6", "--io-name=ranks", "--io-keep=100"}
			if i%2 == 0 {
				storing = append(storing, "--io-compress")
			}
			first := runIn(t, dir, c.store.np, c.name, append(append(args, storing...), c.store.args(c.synch)...)...)
			requireSameEvents(t, one, first)
			numbers, err := rio.Numbers(filepath.Join(dir, "ranks"))
			require.NoError(t, err)
			require.NotEmpty(t, numbers)
			require.Equal(t, fmt.Sprint(len(numbers)), figure(t, first, "Checkpoints Stored"))
			for _, n := range []uint64{numbers[len(numbers)-1]} {
				cp, err := rio.Open(rio.Numbered(filepath.Join(dir, "ranks"), n))
				require.NoError(t, err)
				require.NoError(t, cp.Verify())
				clock := cp.Jobs()[0].Clock // any one: of a run on a busy machine the last checkpoint may be of its beginning
				require.NoError(t, cp.Close())
				again := runIn(t, dir, c.load.np, c.name, append(append(args, "--io-restart="+rio.Numbered("ranks", n)), c.load.args(3)...)...)
				require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
				all, left := count(t, one, "Net Events Processed"), count(t, again, "Net Events Processed")
				require.LessOrEqual(t, left, all)
				if c.name != "phold" { // events at the time of the checkpoint may be on either side
					continue
				}
				before := run(t, 0, c.name, append(args, "--synch=1", nlp(1), "--end="+strconv.FormatFloat(clock, 'g', -1, 64))...)
				require.Equal(t, all, count(t, before, "Net Events Processed")+left, "clock %g", clock)
			}
		})
	}
}

func TestRanksThatAreToldToEndLeaveACheckpoint(t *testing.T) {
	testlevel.Once(t, "what is in files")
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			args := []string{nlp(4), "--synch=3", "--pes=2", "--lookahead=0.1", "--digest", "--io-name=ranks"}
			var env []string
			if signal == syscall.SIGTERM {
				env = unhurried
			}
			j := startWith(t, env, dir, 2, append(append([]string{filepath.Join(bin, "phold")}, args...),
				"--end=1e15", "--io-on-exit", "--io-interval=0.05", "--progress=off")...)
			j.until(func() bool {
				numbers, err := rio.Numbers(filepath.Join(dir, "ranks"))
				return err == nil && len(numbers) > 0 && rio.Exists(rio.Numbered(filepath.Join(dir, "ranks"), numbers[0]))
			})
			pid := j.cmd.Process.Pid // mpirun passes it on
			if signal == syscall.SIGKILL {
				pid = j.rank(1) // mpirun ends the others
			}
			require.NoError(t, syscall.Kill(pid, signal))
			out, status := j.wait()
			require.NotZero(t, status, out)
			if signal == syscall.SIGTERM {
				require.Len(t, regexp.MustCompile(`Checkpoint stored at time \S+: ranks-\d+\n`).FindAllString(out, -1), 1, out)
			}
			newest, err := rio.Latest(filepath.Join(dir, "ranks"))
			require.NoError(t, err)
			cp, err := rio.Open(newest)
			require.NoError(t, err)
			end := fmt.Sprintf("--end=%g", cp.Info().Clock+5)
			require.NoError(t, cp.Close())
			again := runIn(t, dir, 4, "phold", append(args[1:2:2], nlp(4), "--lookahead=0.1", "--digest", "--io-name=ranks", "--io-restart=latest", end)...)
			one := run(t, 0, "phold", "--synch=1", nlp(1), "--lookahead=0.1", "--digest", end)
			require.Equal(t, figure(t, one, "Committed Event Digest"), figure(t, again, "Committed Event Digest"))
		})
	}
}

// Tests of programs that store a checkpoint after the run: other runs continue from it,
// on other numbers of ranks, and commit what an uninterrupted run commits.

// restarts are programs, what they have in both parts of a run, and in one.
var restarts = map[string]struct{ both, straight, store, load string }{
	"pholdio": {"--lookahead=0.1 --remote=0.5 --start-events=2", "--io-store=2", "--io-store=1", "--io-as-ross=0"},
	"market":  {"--lookahead=0.1", "", "--store=half", "--load=half"},
}

func TestRunsGoOnOnOtherRanks(t *testing.T) {
	testlevel.Once(t, "what is in files")
	type place struct{ synch, np, pes int }
	alone := place{1, 0, 1}
	for program, r := range restarts {
		on := func(p place, more string) []string {
			return strings.Fields(fmt.Sprintf("--digest --synch=%d --pes=%d %s %s %s",
				p.synch, p.pes, nlp(max(p.np, 1)*p.pes), r.both, more))
		}
		want := run(t, 0, program, on(alone, r.straight+" --end=16")...)
		for _, c := range []struct{ store, load place }{
			{alone, place{3, 2, 2}},
			{place{3, 2, 2}, alone},
			{place{2, 2, 1}, place{3, 3, 1}},
			{place{3, 4, 1}, place{2, 2, 2}},
		} {
			t.Run(fmt.Sprintf("%s/store=%v/load=%v", program, c.store, c.load), func(t *testing.T) {
				t.Parallel() // starting takes longer than running
				dir := t.TempDir()
				files := fmt.Sprintf(" --io-files=%d --end=8", max(c.store.np, 1))
				stored := runIn(t, dir, c.store.np, program, on(c.store, r.store+files)...)
				require.NotEqual(t, figure(t, want, "Committed Event Digest"), figure(t, stored, "Committed Event Digest"))
				got := runIn(t, dir, c.load.np, program, on(c.load, r.load+" --end=16")...)
				require.Equal(t, figure(t, want, "Committed Event Digest"), figure(t, got, "Committed Event Digest"), got)
			})
		}
	}
}
