// This file owns reading what a run has left: report, states, statistics and events.

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
)

// statsFolder is where a run puts statistics and events.
const statsFolder = "stats-output"

// result is what a run has left. What cannot be read becomes the error of runs, and a zero value.
type result struct {
	runs            *runs
	command, report string
	dir             string
}

// words returns the words of the line of the report that begins with a label, after the label.
func (r *result) words(label string) []string {
	for line := range strings.Lines(r.report) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), label); ok {
			return strings.Fields(rest)
		}
	}
	r.runs.fail(r.command, "the report has no line %q", label)
	return nil
}

// figure returns a function that returns the number of result.figure.
func figure(label string, n int) func(*result) float64 {
	return func(r *result) float64 { return r.figure(label, n) }
}

// mean returns a function that returns the mean of a statistic of a type of LPs, or of the first type if that is "".
func mean(group, name string) func(*result) float64 {
	return func(r *result) float64 { return r.statisticOf(group, name).Mean }
}

// figure returns the number that follows a label of the report: word n, from 0, or from the end of
// the line, where -1 is its last word.
func (r *result) figure(label string, n int) float64 {
	words := r.words(label)
	if n < 0 {
		n += len(words)
	}
	if n < 0 || n >= len(words) {
		r.runs.fail(r.command, "the line %q has too few words", label)
		return 0
	}
	return r.number(strings.TrimRight(words[n], ";"))
}

// number returns the value of a word.
func (r *result) number(word string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		r.runs.fail(r.command, "%w", err)
	}
	return v
}

// lines returns the words of the lines of a file that the run has written.
func (r *result) lines(file string) (lines [][]string) {
	for line := range strings.Lines(string(r.content(file))) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

// content returns what is in a file that the run has written.
func (r *result) content(path ...string) []byte {
	if r.runs.err != nil {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(append([]string{r.dir}, path...)...))
	if err != nil {
		r.runs.fail(r.command, "%w", err)
	}
	return data
}

// named returns the value of a word such as landings=237 among the words of a line.
func (r *result) named(words []string, name string) float64 {
	for _, word := range words {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return r.number(value)
		}
	}
	r.runs.fail(r.command, "a line has no %s", name)
	return 0
}

// statistic is a statistic of the model, as --statistics=2 writes it.
type statistic struct {
	Group, Statistic string
	Count            float64
	Mean             float64
	Bins             []struct{ Low, High, N float64 } // of a histogram
	Course           []struct{ Begin, Sum float64 }   // of a series
}

// statisticOf returns the statistic with a name of a type of LPs, or of the first type that has one if that is "".
func (r *result) statisticOf(group, name string) statistic {
	var all struct{ Rows []statistic }
	data := r.content(statsFolder, "ross-stats-statistics.json")
	if r.runs.err != nil {
		return statistic{}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		r.runs.fail(r.command, "statistics: %w", err)
	}
	for _, row := range all.Rows {
		if row.Statistic == name && (group == "" || row.Group == group) {
			return row
		}
	}
	r.runs.fail(r.command, "no statistic is called %q", name)
	return statistic{}
}

// events returns the event trace of the run.
func (r *result) events() []instr.Event {
	if r.runs.err != nil {
		return nil
	}
	events, err := instr.ReadTrace(filepath.Join(r.dir, statsFolder, "ross-stats-evtrace.bin"))
	if err != nil {
		r.runs.fail(r.command, "%w", err)
	}
	return events
}
