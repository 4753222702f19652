// This file owns what a run of a model leaves, and how long a model is.

package modeltest

import (
	"bytes"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	return Outcome{Figure(t, text, "Committed Event Digest"), Figure(t, text, "Final State Digest"), p.results(t, text), text}
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
