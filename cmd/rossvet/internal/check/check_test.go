package check

import (
	"os"
	"os/exec"
	"path"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// together is all analyzers in one, so that no analyzer finds anything in what is meant for another.
var together = &analysis.Analyzer{
	Name: "rossvet", Doc: "all analyzers", Requires: []*analysis.Analyzer{handlersAnalyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, a := range All() {
			if _, err := a.Run(pass); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
}

// Each package of the corpus has wrong handlers, with what is said about them, and right ones.
func TestWrongHandlersAreFoundAndRightOnesAreNot(t *testing.T) {
	// analysistest downloads nothing, and the corpus needs the modules of package ross.
	list := exec.Command("go", "list", "-deps", "-test", "./...")
	list.Dir = analysistest.TestData() + "/corpus"
	list.Env = append(os.Environ(), "GOWORK="+list.Dir+"/go.work")
	if out, err := list.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	analysistest.Run(t, analysistest.TestData()+"/corpus", together, "./...")
}

// What is not seen cannot be wrong: the test of the program that finds nothing in the models relies on this one.
func TestHandlersOfTheModelsAreSeen(t *testing.T) {
	cfg := &packages.Config{Mode: packages.LoadSyntax, Dir: "../../../.."}
	pkgs, err := packages.Load(cfg, "./models/...")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{handlersAnalyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{
		"airport": 7, "dragonfly": 19, "fabric": 11, "market": 16, "pcs": 9, "phold": 3, "pholdio": 6, "qhold": 3,
		"queueing": 5,
		"raid":     8, "runway": 9, "stress": 34, "torus": 15, "traffic": 7, "zerotie": 4,
	}
	for _, act := range graph.Roots {
		m, ok := act.Result.(*model)
		if !ok {
			t.Fatalf("%s: %v", act, act.Err)
		}
		name := path.Base(act.Package.PkgPath)
		if len(m.handlers) < least[name] {
			t.Errorf("models/%s: %d handlers are seen, it has %d", name, len(m.handlers), least[name])
		}
		delete(least, name)
	}
	if len(least) > 0 {
		t.Errorf("not looked at: %v", least)
	}
}
