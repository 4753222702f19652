// Every scheduler and layout leaves the events, states and statistics of a sequential run.

package main

import (
	"testing"

	"github.com/ross-go/ross/internal/modeltest"
)

var tested = modeltest.Program{Name: "runway", Run: run}

// line is a run of few airports, which are busy.
const line = "--lps=23 --planes=5 --end=400 --warm-up=60 "

func TestEverySchedulerLeavesTheSame(t *testing.T) {
	tested.SameInEveryScheduler(t, line)
}

func TestAllEventsAreTakenBack(t *testing.T) {
	tested.AllTakenBack(t, line)
}

func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) {
	tested.SameAfterRestart(t, line)
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--lps=23 --planes=5 --end=200 ", "", "--planes=4", "--flight=50", "--lookahead=12", "--landing=9", "--take-off=6", "--ground=20", "--lps=22")
}
