// Every name of ROSS that models use exists, or is refused with a reason; and what C models do wrong is reported.

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/rng"
)

// name is a row of surface.txt.
type name struct {
	name, files, kind string
	last              string // the test that uses it, or the reason why it is not there
}

// surface returns the rows of surface.txt.
func surface(t *testing.T) (rows []name) {
	for line := range strings.Lines(testkit.Content(t, "surface.txt")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		require.Greater(t, len(words), 3, "%s has no test and no reason", line)
		rows = append(rows, name{words[0], words[1], words[2], strings.Join(words[3:], " ")})
	}
	require.Greater(t, len(rows), 150)
	return rows
}

func TestWhatTheSurfaceSaysIsThereIsThere(t *testing.T) {
	folder := install(t)
	var uses strings.Builder
	uses.WriteString("#include <ross.h>\n")
	use := map[string]string{
		"function": "void *use_%[1]d(void) { return (void *)%[2]s; }\n",
		"variable": "void *use_%[1]d(void) { return (void *)&%[2]s; }\n",
		"value":    "int use_%[1]d(void) { return %[2]s; }\n",
		"type":     "size_t use_%[1]d(void) { %[2]s *p = 0; return sizeof *p; }\n",
		"macro":    "#ifndef %[2]s\n#error there is no macro %[2]s\n#endif\n",
		"field":    "void use_%[1]d(%[3]s *p) { (void)p->%[4]s; }\n",
	}
	for i, row := range surface(t) {
		name, kind := row.name, row.kind
		if text, ok := use[kind]; ok {
			of, field, _ := strings.Cut(name, ".")
			fmt.Fprint(&uses, strings.Split(fmt.Sprintf(text, i, name, of, field), "%!(EXTRA")[0])
			continue
		}
		files, err := strconv.Atoi(row.files)
		require.NoError(t, err)
		require.Contains(t, []string{"refused", "model", "none"}, kind, name)
		if kind == "none" && !strings.Contains(name, ".") {
			require.Equal(t, 1, files, "%s is used by several files: support it, or refuse it in ross-refused.h", name)
		}
	}
	source := filepath.Join(t.TempDir(), "uses.c")
	require.NoError(t, os.WriteFile(source, []byte(uses.String()), 0o666))
	for _, language := range []string{"c", "c++"} {
		out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), "-x", language, "-c", "-Wall",
			source, "-o", filepath.Join(t.TempDir(), "uses.o")).CombinedOutput()
		if language == "c++" && strings.Contains(string(out), "cc1plus") {
			continue // there is no compiler for C++
		}
		require.NoError(t, err, "%s", out)
	}
}

func TestRefusedNamesSayWhy(t *testing.T) {
	folder := install(t)
	calls, want := "#include <ross.h>\nint f(void) { return io_init()", []string{
		"io_init: compile models that store and load checkpoints with -DUSE_RIO"}
	for _, row := range surface(t) {
		if row.kind == "refused" {
			calls += " + " + row.name + "()"
			want = append(want, row.name+": "+row.last)
		}
	}
	source := filepath.Join(t.TempDir(), "refused.c")
	require.NoError(t, os.WriteFile(source, []byte(calls+"; }\n"), 0o666))
	out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), "-c", source, "-o",
		filepath.Join(t.TempDir(), "refused.o")).CombinedOutput()
	require.Error(t, err)
	for _, says := range want {
		require.Contains(t, string(out), says)
	}
}

// The last column of a name that is there is a test, which compiles a model that uses the name.
func TestEachNameHasATestThatUsesIt(t *testing.T) {
	sources := cSources(t)
	words := regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	used := map[string]map[string]bool{}
	for test, source := range sources {
		used[test] = map[string]bool{}
		for _, w := range words.FindAllString(source, -1) {
			used[test][w] = true
		}
	}
	for _, row := range surface(t) {
		switch row.kind {
		case "refused", "model", "none":
			continue
		}
		require.Contains(t, sources, row.last, "%s: there is no such test", row.name)
		of, field, isField := strings.Cut(row.name, ".")
		if !isField {
			require.True(t, used[row.last][row.name], "%s does not use %s", row.last, row.name)
			continue
		}
		require.Regexp(t, `(->|\.)\s*`+field+`\b`, sources[row.last], "%s does not use %s of %s", row.last, field, of)
	}
}

// cSources returns, for each test here, the C models that it names, with the header that they have in common.
func cSources(t *testing.T) map[string]string {
	models := map[string]string{}
	paths, err := filepath.Glob("testdata/*.c")
	require.NoError(t, err)
	comments := regexp.MustCompile(`(?s)/\*.*?\*/`)
	for _, path := range paths {
		text := testkit.Content(t, path)
		if strings.Contains(text, `"record.h"`) {
			text += testkit.Content(t, "testdata", "record.h")
		}
		models[strings.TrimSuffix(filepath.Base(path), ".c")] = comments.ReplaceAllString(text, "")
	}
	tests := map[string]string{}
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, file := range files {
		for _, body := range strings.Split(testkit.Content(t, file), "\nfunc ")[1:] {
			name, _, _ := strings.Cut(body, "(")
			if !strings.HasPrefix(name, "Test") {
				continue
			}
			tests[name] = ""
			for model, text := range models {
				if strings.Contains(body, strconv.Quote(model)) {
					tests[name] += text
				}
			}
		}
	}
	return tests
}

// Names that no model of the other tests uses.

// lines are what a program prints of a check that fails.
const lines = `(?m)^line [0-9]+: `

func TestTheMPIOfOneProcess(t *testing.T) {
	path := compile(t, "mpi")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, path, "")
	require.Zero(t, status, errs)
	require.NotRegexp(t, lines, out)
	require.Equal(t, "efabcdef", testkit.Content(t, "file"))
	for line, says := range map[string]string{
		"--abort=7": "", "--send=1": "MPI_Send to rank 1: a program of one process has no other ranks",
		"--send=2": "MPI_Recv from rank 1: a program of one process has no other ranks",
		"--send=3": "MPI_Irecv: rank 0 waits for a message of its own that it has not sent",
		"--send=4": "MPI_Send: a type of MPI_Type_create_hindexed is for MPI_File_write_at: give one of the types of MPI",
		"--send=5": "MPI_Allreduce: there is no operation 100 for values of type",
	} {
		t.Chdir(t.TempDir())
		status, out, _ = play(t, path, line)
		require.NotZero(t, status, line)
		require.Contains(t, out, says)
	}
}

func TestNamesThatNoOtherModelUses(t *testing.T) {
	path := compile(t, "names")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, path, "--synch=1 --end=9.5 --one=4000000000 --two=18446744073709551615 --event-trace=3")
	require.Zero(t, status, errs)
	require.NotRegexp(t, lines, out)
	seeds := rng.NewSeeder(rng.Seeds{1, 2, 3, 4})
	for i := range 2 {
		s := seeds.Stream(uint64(i))
		if i == 1 {
			s.Unif() // before tw_run
		}
		require.Contains(t, out, fmt.Sprintf("9 %d of %d\n", s.State().C[0], i))
	}
	require.Contains(t, out, "> 0000  00 0f 1e 2d 3c 4b 5a 69 78 87 96 a5 b4 c3 d2 e1\n> 0010  f0 ff\n")
	require.Contains(t, out, "node: 0: warning: testdata/names.c:")
	require.Contains(t, out, ": what a warning says\n")
	require.Contains(t, out, "stages 11\n")
	got, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", func(b []byte) string { return fmt.Sprint(b) })
	require.NoError(t, err)
	require.Len(t, got, 18)
	for _, r := range got {
		require.Equal(t, fmt.Sprintf("[%d]", r.Dest), r.Payload)
	}
}

func TestSamplesHaveTheSizeThatInitSets(t *testing.T) {
	path := compile(t, "names")
	t.Chdir(t.TempDir())
	for _, synch := range []string{"--synch=1", "--synch=6"} {
		status, out, errs := play(t, path,
			synch+" --end=9.5 --one=4000000000 --two=18446744073709551615 --event-trace=3 --model-stats=3 --vt-interval=2 --vt-samp-end=9")
		require.Zero(t, status, errs)
		require.NotContains(t, out, "buffer", synch)
		r, err := instr.Open("stats-output/ross-stats-analysis-lps.bin")
		require.NoError(t, err)
		n := 0
		for record, err := range r.All() {
			require.NoError(t, err)
			s := record.VTModel
			require.Equal(t, bytes.Repeat([]byte{byte(s.LP) + 1}, 300), s.Payload)
			n++
		}
		require.NoError(t, r.Close())
		require.Equal(t, 8, n)
	}
}

// The commands of docs/codes.md work, with a model of the tests in the place of CODES's.
func TestTheCommandsOfThePageAboutCODES(t *testing.T) {
	folder, path := install(t), compile(t, "nodes")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page := testkit.Content(t, root, "docs", "codes.md")
	t.Chdir(t.TempDir())
	ofCODES := regexp.MustCompile(`--(num_messages|lp-io-dir)=`)
	seen := map[string]int{}
	for line := range strings.Lines(strings.Join(testkit.Blocks(page, "sh"), "\n")) {
		words := strings.Fields(line)
		switch at := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "/src/model-net-synthetic") }); {
		case at >= 0:
			seen["model"]++
			options := slices.DeleteFunc(words[at+1:slices.Index(words, "--")], ofCODES.MatchString)
			status, out, errs := play(t, path, strings.Join(options, " "))
			require.Zero(t, status, "%s%s%s", line, out, errs)
		case words[0] == "rossreader":
			seen["rossreader"]++
			if !testlevel.Is(testlevel.Few) {
				out, err := exec.CommandContext(t.Context(), "go", append([]string{"run", "-C", root, "./cmd/rossreader", words[1]},
					absolute(t, words[2:])...)...).CombinedOutput()
				require.NoError(t, err, "%s: %s", line, out)
			}
		case words[0] == "make" && words[1] == "libross":
			seen["make"]++
			if _, err := exec.LookPath("make"); err == nil {
				out, err := exec.CommandContext(t.Context(), "make", append([]string{"-n", "-C", root}, words[1:]...)...).
					CombinedOutput()
				require.NoError(t, err, "%s: %s", line, out)
				require.Contains(t, string(out),
					map[int]string{3: "MPI='' tools/libross.sh", 4: "MPI='1' tools/libross.sh"}[len(words)], line)
			}
		case slices.Contains(words, "cmake"):
			seen["cmake"]++
			if words[0] == "cmake" { // the other one needs a library with MPI
				configure(t, folder, root, words)
			}
		case words[0] == "tools/codes.sh":
			seen["codes.sh"]++
			out, err := exec.CommandContext(t.Context(), filepath.Join(root, words[0]), words[1:]...).CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out),
				words[2]+"/src has no program model-net-synthetic-slimfly: build CODES there (docs/codes.md)")
		}
	}
	require.Equal(t, map[string]int{"model": 5, "rossreader": 3, "make": 2, "cmake": 2, "codes.sh": 1}, seen)
}

// absolute replaces what is in this folder by its whole path.
func absolute(t *testing.T, words []string) (all []string) {
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, w := range words {
		if strings.HasPrefix(w, "dragonfly") {
			w = filepath.Join(here, w)
		}
		all = append(all, w)
	}
	return all
}

// configure has CMake find the library, with the page's options, and builds and runs a model.
func configure(t *testing.T, folder, root string, words []string) {
	if _, err := exec.LookPath("cmake"); err != nil || testlevel.Is(testlevel.Few) {
		return
	}
	lists := "cmake_minimum_required(VERSION 3.17)\nproject(codes C)\nfind_package(ROSS REQUIRED)\nadd_executable(model " +
		root +
		"/csrc/libross/testdata/nodes.c)\ntarget_link_libraries(model PRIVATE ROSS::ROSS)\n"
	require.NoError(t, os.Mkdir("codes", 0o777))
	require.NoError(t, os.WriteFile("codes/CMakeLists.txt", []byte(lists), 0o666))
	line := strings.ReplaceAll(strings.Join(words[1:], " "), "$HOME/ross-lib", folder)
	out, err := exec.CommandContext(t.Context(), "cmake", strings.Fields(line)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.CommandContext(t.Context(), "cmake", "--build", "codes-ranks").CombinedOutput()
	require.NoError(t, err, "%s", out)
	status, report, errs := play(t, "codes-ranks/model", "--synch=3 --ranks=2")
	require.Zero(t, status, errs)
	require.Contains(t, report, "nodes 2, events 178, by states 178\n")
}

// What C models do wrong is reported with the LP, its time and the function.

func TestFaultsOfHandlersAreReported(t *testing.T) {
	path := compile(t, "faulty")
	t.Chdir(t.TempDir())
	const optimistic = " --synch=3 --pes=2"
	for _, c := range []struct{ line, out, errs string }{
		{"--fault=1" + optimistic, "",
			"ross: LP 2 at 3: its event handler writes the static variable counter, which LPs on several PEs share: make it part of the state"},
		{"--fault=2", "", "ross: LP 2 at 3: its event handler caused signal 11 (SIGSEGV) at address"},
		{"--fault=2" + optimistic, "", "ross: LP 2 at 3: its event handler caused signal 11 (SIGSEGV) at address"},
		{"--fault=3", "", "ross: LP 2 at 3: its event handler has used up its stack of 1048576 bytes: use less"},
		{"--fault=4" + optimistic, "", "ross: LP 2 at 3: its event handler has called abort"},
		{"--fault=5", "node: 0: error: testdata/faulty.c:", ""},
		{"--fault=5" + optimistic, "LP 2 gives up (LP 2 at 3)\n", ""},
		{"--fault=6", "", "LP 2 (C type 0) at time 3: sent an event (message of C) to LP 99: no such LP: ids go from 0 to 7"},
		{"--fault=7", "", "LP 2 (C type 0) at time 3: sent LP 2 an event (message of C) with delay -1: bad delay"},
		{"--fault=8" + optimistic, "",
			"LP 2 (C type 0) at time 3: sent LP 2 an event with priority 3: bad priority: a priority must be in [0, 1]"},
		{"--fault=9" + optimistic, "",
			"LP 2 (C type 0) at time 3: sent an event in the name of LP 3: send outside a handler: give tw_event_new the LP"},
		{"--fault=12" + optimistic, "",
			"LP 2 (C type 0) at time 3: sent an event for LP 2 twice: unusable model: make another event for each tw_event_send"},
		{"--fault=13", "", "LP 2 (C type 0) at time 3: wrote beyond the "},
	} {
		t.Run(c.line, func(t *testing.T) {
			status, out, errs := play(t, path, c.line+" --end=10")
			require.NotZero(t, status)
			require.Contains(t, out, c.out)
			require.Contains(t, errs, c.errs)
		})
	}
}

func TestMistakesOfAHookThatTakesEventsAreReported(t *testing.T) {
	path := compile(t, "frozen")
	for line, says := range map[string]string{
		"--wrong=1":                         "tw_pq_dequeue: call it in the GVT hook",
		"--wrong=2":                         "tw_pq_enqueue: an event for LP 18 has two times, 9.27039 in recv_ts and 9.02039 in sig.recv_ts: set both",
		"--wrong=3":                         "tw_event_free: give it an event of tw_pq_dequeue, and each of these once",
		"--wrong=4":                         "is put back at 9, and GVT is 10: give it a later time",
		"--wrong=6 --synch=3":               "tw_pq_dequeue: some LPs have gone on when such a hook is called: use tw_trigger_gvt_hook_at",
		"--io-virtual-interval=7 --synch=1": "its state cannot be stored: the GVT hook keeps ",
	} {
		t.Chdir(t.TempDir())
		if !strings.Contains(line, "--synch") {
			line += " --synch=3 --pes=2"
		}
		status, out, errs := play(t, path, line)
		require.NotZero(t, status, line)
		require.Contains(t, out+errs, says, line)
	}
	status, _, errs := play(t, path, "--wrong=5 --synch=3 --pes=2")
	require.Zero(t, status)
	require.Regexp(t,
		`warning: node 0: [0-9]+ events that the GVT hook has taken out of the queue \(tw_pq_dequeue\) were neither put back`,
		errs)
}

// On one PE all handlers may write static variables, on several only init.
func TestWhatIsAllowedIsNoFault(t *testing.T) {
	path := compile(t, "faulty")
	t.Chdir(t.TempDir())
	for _, line := range []string{"--fault=0", "--fault=0 --synch=3 --pes=2", "--fault=0 --synch=2 --pes=3"} {
		status, out, errs := play(t, path, line+" --end=10")
		require.Zero(t, status, errs)
		require.Contains(t, out, "counter 15, left 1 ")
		require.Regexp(t, `Net Events Processed +72\n`, out)
	}
	// it is said, and has no effect, as in ROSS
	for _, line := range []string{"--fault=10 --synch=3 --pes=2", "--fault=10"} {
		status, out, errs := play(t, path, line+" --end=10")
		require.Zero(t, status, errs)
		require.Regexp(t, `Net Events Processed +72\n`, out)
		require.Equal(t, 1, strings.Count(out+errs, "made an event for LP 2 and has not sent it"), out+errs)
	}
	status, out, _ := play(t, path, "--fault=1 --end=10")
	require.Zero(t, status)
	require.Contains(t, out, "counter 22, left 1 ")
	t.Setenv("ROSS_STATICS", "shared")
	status, _, errs := play(t, path, "--fault=1 --end=10 --synch=3 --pes=2")
	require.Zero(t, status, errs)
}

// A run that goes on from a checkpoint calls no init. Its static variables are read-only nevertheless.
func TestStaticVariablesAreWatchedAfterARestart(t *testing.T) {
	path := compile(t, "faulty")
	t.Chdir(t.TempDir())
	status, _, errs := play(t, path, "--fault=0 --end=2.5 --io-virtual-interval=2")
	require.Zero(t, status, errs)
	const restart = " --end=10 --synch=3 --pes=2 --io-restart=latest --io-other-options"
	status, _, errs = play(t, path, "--fault=1"+restart)
	require.NotZero(t, status)
	require.Contains(t, errs, "ross: LP 2 at 3: its event handler writes the static variable counter")
	status, out, errs := play(t, path, "--fault=0"+restart)
	require.Zero(t, status, errs)
	require.Contains(t, out, "Restart at time 2 ")
}

// The first model has no check of its own, so that the bytes of states are compared; that of the second finds what is
// behind them.
func TestWhatReverseForgetsIsFound(t *testing.T) {
	faulty, kitchen := compile(t, "faulty"), compile(t, "kitchen")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, faulty, "--synch=6 --fault=11 --end=10")
	require.NotZero(t, status)
	require.Contains(t, errs,
		"LP 2 (C type 0) at time 3: the reverse event handler for the event that LP 2 sent at time 2 left the state different: "+
			"byte 8 of the state is 0x01, it was 0x00 before")
	require.NotContains(t, out, "sum")
	status, out, errs = play(t, kitchen, "--synch=6 --wrong=1")
	require.NotZero(t, status)
	require.Contains(t, errs, "the model's check_lps finds a difference to the state before")
	require.Contains(t, out, "sum 0\n", "the model's print_lp")
}

// With debugging information the errors have the names of fields.
func TestFieldsHaveTheirNames(t *testing.T) {
	faulty, ledger := compile(t, "faulty", "-g"), compile(t, "ledger", "-g")
	t.Chdir(t.TempDir())
	for _, c := range []struct{ path, line, says string }{
		{faulty, "--synch=6 --fault=11 --end=10",
			`state different: state\.depth \(byte 8 of the state\) is 1, it was 0 before`},
		{ledger, "--synch=6 --hand=1 --wrong=2",
			`state\.account\[[0-9]+\] \(byte [0-9]+ of the state\) is -?[0-9]+, it was [0-9]+ before`},
		{ledger, "--pointer=1 --io-virtual-interval=17", `state\.extra holds an address`},
	} {
		status, _, errs := play(t, c.path, c.line)
		require.NotZero(t, status)
		require.Regexp(t, c.says, errs)
	}
}

// A stack of its own is one way to call handlers, cgo is the other; the events are the same.
func TestBothWaysToCallHandlersHaveTheSameEvents(t *testing.T) {
	t.Setenv("ROSS_CALLS", "cgo")
	TestPHOLDHasTheEventsOfROSS(t)
}

// The command line of ROSS: beginnings of names, and words for the model.
func TestOptionsAreThoseOfROSS(t *testing.T) {
	path, kitchen := compile(t, "faulty"), compile(t, "kitchen")
	t.Chdir(t.TempDir())
	status, out, _ := play(t, path, "--sync=1 --en=10 -- more words")
	require.Zero(t, status)
	require.Contains(t, out, "left 3 words\n")
	status, out, _ = play(t, path, "--end=10 model.conf")
	require.Zero(t, status)
	require.Contains(t, out, `Warning: "model.conf" is no option`)
	require.Contains(t, out, "left 2 model.conf\n")
	for line, want := range map[string]string{
		"--bogus=1":          "option --bogus=1: unknown",
		"--fault=x":          "option --fault=x: not a number; give a whole number",
		"--fault=5000000000": "out of range; give a whole number, 0 to 4294967295",
		"--synch=1 --pes=2":  "--pes=2: --synch=1 runs on one PE",
	} {
		status, _, errs := play(t, path, line)
		require.NotZero(t, status, line)
		require.Contains(t, errs, want)
	}
	_, out, _ = play(t, kitchen, "--seed=7 --end=1")
	require.Contains(t, out, "seed 7\n", "the option is the model's, although the engine has one, too")
	status, out, _ = play(t, path, "--help")
	require.Zero(t, status)
	require.Contains(t, out, "faulty")
	require.Contains(t, out, "--fault=n")
}
