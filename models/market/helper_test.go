// How the tests run the program, and what of a run they compare.

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/racetest"
)

// sparse: one in this many combinations is tried.
var sparse = racetest.Pick(1, 4)

var tested = modeltest.Program{Name: "market", Run: run}

// result is what does not depend on where a run has run.
type result struct {
	digest string
	states []string // lines of exchanges and traders, sorted
}

var stateLine = regexp.MustCompile(`(?m)^(?:EXCHANGE|TRADER) .*$`)

// play runs the program, which must not fail.
func play(t *testing.T, line string) result {
	t.Helper()
	out := output(t, line)
	r := result{modeltest.Figure(t, out, "Committed Event Digest"), stateLine.FindAllString(out, -1)}
	slices.Sort(r.states) // PEs print side by side
	return r
}

func output(t *testing.T, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, run(strings.Fields(line+" --digest"), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	return out.String()
}

// fails runs the program, which must end with a status, and returns the error.
func fails(t *testing.T, status int, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, status, run(strings.Fields(line), &out, &errs), "%s: %s", line, &errs)
	return errs.String()
}

// numbers returns the numbers that a pattern finds in the lines of states.
func (r result) numbers(t *testing.T, pattern string) (all []int) {
	t.Helper()
	find := regexp.MustCompile(pattern)
	for _, line := range r.states {
		if found := find.FindStringSubmatch(line); found != nil {
			n, err := strconv.Atoi(found[1])
			require.NoError(t, err)
			all = append(all, n)
		}
	}
	return all
}

// lps is how many LPs there are, on all PEs of a run.
const lps = 48

// on is where a run runs.
type on struct {
	synch, pes, nkp int
	more            string
}

func (o on) String() string {
	return fmt.Sprintf("--synch=%d --pes=%d --nlp=%d --nkp=%d %s ", o.synch, o.pes, lps/o.pes, o.nkp, o.more)
}

// alone is a sequential run.
var alone = on{1, 1, 4, ""}
