// This file owns the tests that every model program with statistics passes.

package modeltest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

// SameInEveryScheduler requires that a run with a line of options leaves the same in every
// scheduler and layout. It returns what that is.
func (p Program) SameInEveryScheduler(t *testing.T, line string) Outcome {
	t.Helper()
	t.Chdir(t.TempDir())
	want := p.Play(t, line)
	for _, layout := range testlevel.Pick([]string{
		"--synch=1 --pq=go", "--synch=2 --pes=1", "--synch=2 --pes=2", "--synch=2 --pes=4",
		"--synch=3 --pes=1 --nkp=2", "--synch=3 --pes=2", "--synch=3 --pes=4 --nkp=1",
		"--synch=3 --pes=3 --nkp=2 --batch=1 --gvt-interval=1", "--synch=5 --pes=2", "--synch=6", "--synch=auto --pes=3",
	}, []string{"--synch=auto --pes=2", "--synch=2 --pes=2", "--synch=3 --pes=4 --nkp=1", "--synch=6"}, []string{"--synch=3 --pes=2 --nkp=1"}) {
		want.Same(t, p.Play(t, line+layout), layout)
	}
	return want
}

// AllTakenBack requires that --synch=4 rolls back all events and finds no difference.
func (p Program) AllTakenBack(t *testing.T, line string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	require.Zero(t, p.Run(strings.Fields(line+"--synch=4 --max-memory=100M --digest"), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	report := out.String()
	require.NotContains(t, report, "Committed Event Digest", "nothing is committed")
	require.Equal(t, "0", Figure(t, report, "Net Events Processed"))
	require.NotEqual(t, "0", Figure(t, report, "Events Rolled Back"))
	require.Contains(t, report, "after all had been handled: no difference")
}

// SameAfterRestart requires that runs which go on from a checkpoint, in another layout, leave what
// a run that never stopped leaves.
func (p Program) SameAfterRestart(t *testing.T, line string) {
	t.Helper()
	t.Chdir(t.TempDir())
	want := p.Play(t, line)
	for i, c := range testlevel.Pick([][2]string{
		{"--synch=1", "--synch=3 --pes=4 --nkp=2"}, {"--synch=3 --pes=2 --nkp=3", "--synch=1"},
		{"--synch=2 --pes=4", "--synch=3 --pes=3"}, {"--synch=3 --pes=3 --io-files=2", "--synch=2 --pes=2"}, {"--synch=auto --pes=2", "--synch=auto --pes=3"},
	}, [][2]string{{"--synch=3 --pes=3 --io-files=2", "--synch=3 --pes=2"}}, [][2]string{{"--synch=3 --pes=2", "--synch=3 --pes=3"}}) {
		name := fmt.Sprintf("--io-name=leg%d ", i)
		want.Same(t, p.Play(t, line+name+c[0]+" --io-virtual-interval=150"), c[0])
		want.Same(t, p.Play(t, line+name+c[1]+" --io-restart=latest"), c[1])
	}
}

// DifferentWith requires that a run with each of the changes to a line of options has other events.
func (p Program) DifferentWith(t *testing.T, line string, changes ...string) {
	t.Helper()
	testlevel.Once(t, "that digests differ")
	t.Chdir(t.TempDir())
	seen := map[string]string{}
	for _, change := range changes {
		digest := p.Play(t, line+change).Digest
		require.NotContains(t, seen, digest, "%q is %q", change, seen[digest])
		seen[digest] = change
	}
}
