// This file owns outcomes of model programs, and what compares them. Package modeltest compares
// the schedulers.

package testkit

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

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

// What a run of a model leaves, and how long a model is.

// Outcome is what must not depend on where a run has run.
type Outcome struct {
	Digest, States string // of events, and of the states at the end
	Table          string // the statistics of the model, or what it prints at the end
	Report         string // all that was printed
}

// Play runs the program in the current folder with a line of options and with --digest. It must
// not fail.
func (p Program) Play(t testing.TB, line string) Outcome {
	t.Helper()
	var out, errs bytes.Buffer
	require.Zero(t, p.Run(strings.Fields(line+" --digest"), &out, &errs), "%s: %s", line, &errs)
	require.Empty(t, errs.String())
	text := out.String()
	return Outcome{Figure(t, text, "Committed Event Digest"), Figure(t, text, "Final State Digest"), p.results(t, text),
		text}
}

// Same requires that two runs have left the same; line is that of the second.
func (o Outcome) Same(t testing.TB, other Outcome, line string) {
	t.Helper()
	require.Equal(t, o.Table, other.Table, line)
	require.Equal(t, [2]string{o.Digest, o.States}, [2]string{other.Digest, other.States}, line)
}

// results returns the results of the model in a report.
func (p Program) results(t testing.TB, report string) string {
	t.Helper()
	if p.Prints == "" {
		return Table(t, report)
	}
	at := strings.LastIndex(report, p.Prints)
	require.NotEqual(t, -1, at, "no %q in the report:\n%s", p.Prints, report)
	return report[at:]
}

var tablePattern = regexp.MustCompile(`(?m)^Statistics from time .*\n(?:.+\n)*`)

// Table returns the statistics of the model in a report.
func Table(t testing.TB, report string) string {
	t.Helper()
	table := tablePattern.FindString(report)
	require.NotEmpty(t, table, "no statistics in the report:\n%s", report)
	return table
}

// Lines returns the number of lines of Go files that are neither blank nor comments.
func Lines(t testing.TB, files ...string) int {
	t.Helper()
	n := 0
	for _, file := range files {
		text := []byte(Content(t, file))
		set := token.NewFileSet()
		f := set.AddFile(file, -1, len(text))
		var s scanner.Scanner
		s.Init(f, text, nil, 0)
		last := 0
		for {
			pos, tok, _ := s.Scan()
			if tok == token.EOF {
				break
			}
			if line := f.Line(pos); line != last {
				last, n = line, n+1
			}
		}
	}
	return n
}

// What compares a model with its version by hand: statistics and speed.

// precision is how far figures may be apart that were computed in another order, relatively.
const precision = 1e-12

// Same requires that a row of the model's statistics has the figures of the tally.
func (t *Tally) Same(tb testing.TB, name string, n uint64, mean, stdDev, least, greatest float64) {
	tb.Helper()
	require.Greater(tb, n, uint64(300), name)
	require.Equal(tb, t.N, n, name)
	require.InEpsilon(tb, t.Mean, mean, precision, name)
	require.InEpsilon(tb, t.StdDev(), stdDev, precision, name)
	require.Equal(tb, [2]float64{t.Least, t.Greatest}, [2]float64{least, greatest}, name)
}

// Same requires that a row of the model's statistics has the figures of the level, which must have
// been merged by the time.
func (l *Level) Same(tb testing.TB, name string, mean, nonZero, greatest float64) {
	tb.Helper()
	require.InEpsilon(tb, l.Area, mean, precision, name)
	require.InEpsilon(tb, l.NonZero, nonZero, precision, name)
	require.Equal(tb, l.Greatest, greatest, name)
}

// Schedulers calls a comparison for sequential, conservative and optimistic runs, on up to four PEs.
func Schedulers(compare func(synch, pes int)) {
	all := [][2]int{{1, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 4}, {6, 1}}
	few := [][2]int{{2, 2}, {3, 2}}
	for _, c := range testlevel.Pick(all, all, few) {
		compare(c[0], c[1])
	}
}

// Versions measures a model and its version by hand in turns, in each scheduler. run makes a run and returns how long
// it took and how many events it had. Both times are over the events of the model, because a version without timers
// that can be cancelled has more. Reported are medians: of the times, and of the ratios of two runs that follow one
// another, which a machine that is busy at times changes least.
func Versions(b *testing.B, run func(b *testing.B, byHand bool, synch, pes int) (seconds float64, events uint64)) {
	for _, c := range [][2]int{{1, 1}, {3, 1}, {3, 2}} {
		b.Run(fmt.Sprintf("synch=%d/pes=%d", c[0], c[1]), func(b *testing.B) {
			var model, hand, ratios []float64
			for b.Loop() {
				seconds, events := run(b, false, c[0], c[1])
				byHand, _ := run(b, true, c[0], c[1])
				model = append(model, seconds*1e9/float64(events))
				hand = append(hand, byHand*1e9/float64(events))
				ratios = append(ratios, seconds/byHand)
			}
			for unit, all := range map[string][]float64{"ns/event": model, "ns/event-by-hand": hand, "ratio": ratios} {
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], unit)
			}
		})
	}
}

// SameWithWorkers requires that a study prints the same with one worker and with four, whose runs must not share the
// model's parameters, and returns what it prints.
func (p Program) SameWithWorkers(t *testing.T, line string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	study := func(workers string) string {
		var out, errs bytes.Buffer
		require.Zero(t, p.Run(strings.Fields(line+" --progress=off --workers="+workers), &out, &errs), "%s", &errs)
		return out.String()
	}
	one := study("1")
	require.Equal(t, one, study("4"))
	return one
}
