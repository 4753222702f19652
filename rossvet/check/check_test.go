package check

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
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
	analysistest.Run(t, analysistest.TestData()+"/corpus", together, "./...")
}
