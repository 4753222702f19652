// Every scheduler and layout leaves the events, states and statistics of a sequential run.

package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/effort"
	"github.com/ross-go/ross/internal/modeltest"
)

var program = modeltest.Program{Name: "airport", Run: run}

// line is a run of few airports, which are busy.
const line = "--lps=23 --planes=5 --end=400 --warm-up=60 "

func TestEverySchedulerLeavesTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	want := program.Play(t, line)
	for _, layout := range effort.Pick([]string{
		"--synch=1 --pq=go", "--synch=2 --pes=1", "--synch=2 --pes=2", "--synch=2 --pes=4",
		"--synch=3 --pes=1 --nkp=2", "--synch=3 --pes=2", "--synch=3 --pes=4 --nkp=1",
		"--synch=3 --pes=3 --nkp=2 --batch=1 --gvt-interval=1", "--synch=5 --pes=2", "--synch=6",
	}, []string{"--synch=2 --pes=2", "--synch=3 --pes=4 --nkp=1", "--synch=6"}, []string{"--synch=3 --pes=2 --nkp=1"}) {
		want.Same(t, program.Play(t, line+layout), layout)
	}
}

func TestAllEventsAreTakenBack(t *testing.T) {
	t.Chdir(t.TempDir())
	report := program.Play(t, line+"--synch=4 --max-memory=100M").Report
	require.Equal(t, "0", modeltest.Figure(t, report, "Net Events Processed"))
	require.NotEqual(t, "0", modeltest.Figure(t, report, "Events Rolled Back"))
}

func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	want := program.Play(t, line)
	for i, c := range effort.Pick([][2]string{
		{"--synch=1", "--synch=3 --pes=4 --nkp=2"}, {"--synch=3 --pes=2 --nkp=3", "--synch=1"},
		{"--synch=2 --pes=4", "--synch=3 --pes=3"}, {"--synch=3 --pes=3 --io-files=2", "--synch=2 --pes=2"},
	}, [][2]string{{"--synch=3 --pes=3 --io-files=2", "--synch=3 --pes=2"}}, [][2]string{{"--synch=3 --pes=2", "--synch=3 --pes=3"}}) {
		name := fmt.Sprintf("--io-name=leg%d ", i)
		want.Same(t, program.Play(t, line+name+c[0]+" --io-virtual-interval=150"), c[0])
		want.Same(t, program.Play(t, line+name+c[1]+" --io-restart=latest"), c[1])
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	effort.Once(t, "that digests differ")
	t.Chdir(t.TempDir())
	seen := map[string]string{}
	for _, change := range []string{"", "--planes=4", "--flight=50", "--lookahead=12", "--landing=9", "--take-off=6", "--ground=20", "--lps=22"} {
		digest := program.Play(t, "--lps=23 --planes=5 --end=200 "+change).Digest
		require.NotContains(t, seen, digest, "%q is %q", change, seen[digest])
		seen[digest] = change
	}
}
