package gen

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	firstSeed = flag.Uint64("first", 1, "the seed of the first random program")
	programs  = flag.Int("programs", 24, "number of random programs")
	checked   = flag.Int("checked", 2, "number of those that run under every scheduler")
)

const (
	randomEnd = 30.0
	randomLPs = 3
)

// TestRandomProgramsDoWhatTheirSourceSays generates random programs, and compares what they do as they are written, as
// they were generated, and in an interpreter that shares nothing with either. Some run under every scheduler.
func TestRandomProgramsDoWhatTheirSourceSays(t *testing.T) {
	dir := t.TempDir()
	if keep := os.Getenv("KEEP"); keep != "" {
		dir = keep
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	work, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	_, replaced, _ := strings.Cut(string(work), "\nreplace")
	replaced = strings.ReplaceAll(replaced, "=> ./", "=> "+root+"/")
	var all []*program
	var source, list strings.Builder
	source.WriteString("// Command random has random programs of processes.\npackage main\n\nimport (\n\t\"math\"\n\n" +
		"\t\"github.com/ross-go/ross\"\n\t\"github.com/ross-go/ross/proc\"\n\t\"github.com/ross-go/ross/resource\"\n)\n" + base)
	for i := range *programs {
		p := newProgram(*firstSeed + uint64(i))
		all = append(all, p)
		source.WriteString(p.text())
		fmt.Fprintf(&list, "\tcheck(%q, %v, proc.Type(ross.Type[%s]{LPs: %d, Init: (*%s).init}), func(w *%s) *Base { return &w.Base })\n",
			p.name, i < *checked, p.name, randomLPs, p.name, p.name)
	}
	for name, text := range map[string]string{
		"go.mod":      "module github.com/ross-go/ross/proc/random\n\ngo 1.26.0\n",
		"go.work":     "go 1.26.0\n\nuse (\n\t.\n\t" + root + "\n\t" + root + "/proc\n)\n\nreplace" + replaced,
		"programs.go": source.String(),
		"main.go":     fmt.Sprintf(harness, randomEnd, list.String()),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", filepath.Join(dir, "go.work"))
	t.Setenv("GOFLAGS", "")
	files, errs := Packages(dir, ".")
	for _, err := range errs {
		t.Error(err)
	}
	if len(files) != 1 || len(errs) > 0 {
		t.Fatalf("%d files", len(files))
	}
	if err := os.WriteFile(files[0].Path, files[0].Text, 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	var stderr strings.Builder
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, stderr.String())
	}
	var want strings.Builder
	steps := 0
	for _, p := range all {
		for _, lp := range interpret(p, randomEnd, randomLPs) {
			fmt.Fprintf(&want, "%s %d %x %d\n", p.name, lp.n, lp.log, lp.steps)
			steps += lp.steps
		}
	}
	got := strings.Split(string(out), "\n")
	for i, line := range strings.Split(want.String(), "\n") {
		if i >= len(got) || got[i] != line {
			t.Errorf("%q is what the interpreter says, and %q the program (-first=%s -programs=1)", line, got[min(i, len(got)-1)],
				strings.TrimPrefix(strings.SplitN(line, " ", 2)[0], "W"))
		}
	}
	if steps < 10**programs {
		t.Errorf("the programs take %d steps: they prove little", steps)
	}
	t.Logf("%d programs, %d steps", len(all), steps)
}

// harness is the main package of random programs.
const harness = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/proc/proctest"
)

const runsTo = %g

func main() {
%s}

func check[S any](name string, all bool, t ross.Type[S], base func(*S) *Base) {
	types := func() []ross.LPType { return []ross.LPType{t} }
	if err := proctest.Compare(ross.Config{End: runsTo}, types); err != nil {
		fmt.Println(name, err)
		os.Exit(1)
	}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.RollbackCheck, ross.Optimistic} {
		cfg := ross.Config{End: runsTo, Synch: synch}
		if cfg.PEs = 1; synch == ross.Optimistic {
			cfg.PEs = 2
		}
		sim, err := ross.Run(context.Background(), cfg, types()...)
		if err != nil {
			fmt.Println(name, err)
			os.Exit(1)
		}
		for i := range lps {
			b := base(ross.StateOf[S](sim.LP(ross.LPID(i))))
			line := fmt.Sprintf("%%s %%d %%x %%d", name, i, b.Log, b.Steps)
			if synch == ross.Sequential {
				fmt.Println(line)
				logs[line] = true
			} else if !logs[line] {
				fmt.Println(name, "differs under --synch", synch)
				os.Exit(1)
			}
		}
		sim.Close()
	}
	if all {
		if _, err := modeltest.Check(modeltest.Model{Config: ross.Config{End: runsTo}, Types: types, Short: true}); err != nil {
			fmt.Println(name, err)
			os.Exit(1)
		}
	}
}

var logs = map[string]bool{}

var _ = proc.Timeout
`
