// This file owns the tables of docs/side-by-side.md: how long the programs are, and what they print.

package sidebyside

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/models/processes/airport"
	"github.com/ross-go/ross/models/processes/hospital"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// count returns the lines of a text that are neither empty nor comments, and how many of them have only brackets.
func count(text, comment string) (lines, brackets int) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, comment) {
			continue
		}
		lines++
		if strings.Trim(line, "(){}[],; ") == "" {
			brackets++
		}
	}
	return lines, brackets
}

// whole returns the texts of the files with a pattern.
func whole(t *testing.T, pattern string) (text string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, path := range paths {
		text += read(t, path)
	}
	return text
}

// functions returns the functions of a text in Python, which have no functions in them, or in Go.
func functions(text, keyword string) (all []string) {
	inside, depth := false, 0
	for line := range strings.Lines(text) {
		word := strings.TrimLeft(line, " ")
		if indent := len(line) - len(strings.TrimLeft(line, " \t")); inside && strings.TrimSpace(line) != "" && indent <= depth {
			inside = false // what closes a function of Go is a line of it
			if line == "}\n" {
				all[len(all)-1] += line
			}
		}
		if strings.HasPrefix(word, keyword) {
			inside, depth = true, len(line)-len(word)
			all = append(all, "")
		}
		if inside {
			all[len(all)-1] += line
		}
	}
	return all
}

// What waits in Python and Go.
var (
	yields = regexp.MustCompile(`\byield\b`)
	waits  = regexp.MustCompile(`\bp\.Sleep\(|\bproc\.At\[|\.Request\w*\(|\bc\.person\(`)
)

// waiting returns the lines of the functions that wait.
func waiting(functions []string, comment string, wait *regexp.Regexp) (sum int) {
	for _, f := range functions {
		if wait.MatchString(f) {
			lines, _ := count(f, comment)
			sum += lines
		}
	}
	return sum
}

func TestPageHasTheNumbersOfLines(t *testing.T) {
	t.Parallel()
	page := read(t, "../side-by-side.md")
	for _, model := range []string{"bank", "desk", "epidemic", "phold", "ring", "airport", "hospital", "port"} {
		python := whole(t, "simpy/"+model+".py")
		processes := whole(t, "../../models/processes/"+model+"/"+model+".go")
		lines, _ := count(python, "#")
		ours, brackets := count(processes, "//")
		ours += 2 // a main of its own, and "os"
		row := fmt.Sprintf("| %s | %d | %d | %d", model, lines, ours, brackets)
		for _, others := range []string{model + "_test.go", "nexosim/" + model + ".rs", "omnetpp/" + model + "/*"} {
			if lines, _ = count(whole(t, others), "//"); lines > 0 {
				row += fmt.Sprintf(" | %d", lines)
			} else {
				row += " | -"
			}
		}
		row += fmt.Sprintf(" | %d | %d |\n", waiting(functions(python, "def "), "#", yields),
			waiting(functions(processes, "func "), "//", waits))
		require.True(t, strings.Contains(page, row), "the page lacks %s", row)
	}
}

func TestPageHasWhatProgramsPrint(t *testing.T) {
	t.Parallel()
	page := read(t, "../side-by-side.md")
	for _, model := range []string{"desk", "epidemic", "phold", "ring"} {
		_, output, _ := strings.Cut(read(t, model+"_test.go"), "// Output: ")
		output, _, _ = strings.Cut(output, "\n")
		require.True(t, strings.Contains(page, " | "+output+" |\n"), "the page lacks %s", output)
	}
}

func TestPageHasWhatTheLargerProcessesGive(t *testing.T) {
	t.Parallel()
	page := read(t, "../side-by-side.md")
	table := func(p program.Program, words ...string) func(group, name string) stats.Row {
		all, err := stats.Collect(play(t, p, words...))
		require.NoError(t, err)
		return func(group, name string) stats.Row {
			row, ok := all.Row(group, name)
			require.True(t, ok, name)
			return row
		}
	}
	planes := table(airport.Program(), "--nplanes=2", "--mean=3")("Airport", "runway.Wait")
	patients := table(hospital.Program(), "--warm-up=0")
	doctor, left := patients("doctors", "since the door[2]"), patients("nurses", "left[2]").Count+
		patients("doctors", "left[2]").Count
	ships := table(port.Program())
	wait, stay := ships("Port", "Wait[feeder]"), ships("Port", "Stay[feeder]")
	for _, output := range []string{
		fmt.Sprintf("%d planes waited %.2f on average", planes.Count, planes.Mean),
		fmt.Sprintf("class 2: %d saw a doctor after %.3f hours, %d left", doctor.Count, doctor.Mean, left),
		fmt.Sprintf("%d feeders waited %.2f hours and stayed %.2f", wait.Count, wait.Mean, stay.Mean),
	} {
		require.True(t, strings.Contains(page, " | "+output+" |\n"), "the page lacks %s", output)
	}
}
