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
	traced    = flag.Bool("notes", false, "print what both note: LP, time, number")
	checked   = flag.Int("checked", 2, "number of those that run under every scheduler")
)

const randomEnd = 30.0

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
		list.WriteString(p.entry(i < *checked))
	}
	for name, text := range map[string]string{
		"go.mod":      "module github.com/ross-go/ross/proc/random\n\ngo 1.26.0\n",
		"go.work":     "go 1.26.0\n\nuse (\n\t.\n\t" + root + "\n\t" + root + "/proc\n)\n\nreplace" + replaced,
		"programs.go": source.String(),
		"main.go":     fmt.Sprintf(harness, *traced, randomEnd, list.String()),
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
	run := exec.Command("go", "run", "-gcflags=-N -l -dwarf=false", ".") // it runs for a shorter time than the compiler
	run.Dir = dir
	var stderr strings.Builder
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, stderr.String())
	}
	said := map[string]string{} // by the program and the LP
	for line := range strings.Lines(string(out)) {
		if words := strings.SplitN(strings.TrimSpace(line), " ", 3); len(words) == 3 {
			said[words[0]+" "+words[1]] = words[2]
		}
	}
	if *traced {
		t.Log(stderr.String())
	}
	steps := 0
	for i, p := range all {
		for _, lp := range interpret(p, randomEnd) {
			name, want, _ := strings.Cut(lp.String(), " ")
			if got := said[p.name+" "+name]; got != want {
				t.Errorf("LP %s: %q is what the interpreter says, and %q the program (-first=%d -programs=1)", name, want, got,
					*firstSeed+uint64(i))
				break
			}
			steps += lp.steps
		}
		if text := said[p.name+" fails:"]; text != "" {
			t.Errorf("%s (-first=%d -programs=1)", text, *firstSeed+uint64(i))
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

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/proc/proctest"
)

const (
	tracing = %v
	runsTo  = %g
)

func main() {
%s}

func check(name string, all bool, types func() []ross.LPType, base func(lp *ross.LP) (*Base, int)) {
	if err := proctest.Compare(ross.Config{End: runsTo}, types); err != nil {
		fmt.Println(name, "fails:", err)
		return
	}
	logs := map[string]bool{}
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.RollbackCheck, ross.Optimistic} {
		cfg := ross.Config{End: runsTo, Synch: synch}
		if cfg.PEs = 1; synch == ross.Optimistic {
			cfg.PEs = 2
		}
		sim, err := ross.Run(context.Background(), cfg, types()...)
		if err != nil {
			fmt.Println(name, "fails:", err)
			return
		}
		for i := range lps {
			b, living := base(sim.LP(ross.LPID(i)))
			busy := b.Bench.Busy()
			for i := range b.Desks {
				busy += b.Desks[i].Busy()
			}
			line := fmt.Sprintf("%%d %%x %%d: %%x, %%d live, %%d busy, %%d on the shelf, %%v in the tank, %%v tools, %%d letters", i, b.Log,
				b.Steps, b.Seed, living, busy, b.Shelf.Len(), b.Tank.Now(), b.Tools.Now(), b.Box.Len())
			if synch == ross.Sequential {
				fmt.Println(name, line)
				logs[line] = true
			} else if !logs[line] {
				fmt.Println(name, "fails: --synch", synch, "leads to", line)
				return
			}
		}
		sim.Close()
	}
	if all {
		if _, err := modeltest.Check(modeltest.Model{Config: ross.Config{End: runsTo}, Types: types, Short: true}); err != nil {
			fmt.Println(name, "fails:", err)
		}
	}
}
`
