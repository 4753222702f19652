// This file owns the tables of docs/side-by-side.md: how long the programs are, and what they print.

package sidebyside

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/models/processes/airport"
	"github.com/ross-go/ross/models/processes/hospital"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// count returns the lines of files that are neither empty nor comments, and how many of them have only brackets.
func count(t *testing.T, pattern, comment string) (lines, brackets int) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, path := range paths {
		for line := range strings.Lines(read(t, path)) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, comment) {
				continue
			}
			lines++
			if strings.Trim(line, "(){}[],; ") == "" {
				brackets++
			}
		}
	}
	return lines, brackets
}

func TestPageHasTheNumbersOfLines(t *testing.T) {
	t.Parallel()
	page := read(t, "../side-by-side.md")
	for _, model := range []string{"bank", "desk", "epidemic", "phold", "ring", "airport", "hospital", "port"} {
		row := "| " + model
		for _, c := range []struct{ pattern, comment string }{
			{"simpy/" + model + ".py", "#"},
			{"../../models/processes/" + model + "/" + model + ".go", "//"},
			{model + "_test.go", "//"},
			{"nexosim/" + model + ".rs", "//"},
			{"omnetpp/" + model + "/*", "//"},
		} {
			lines, brackets := count(t, c.pattern, c.comment)
			switch {
			case lines == 0:
				row += " | -"
			case strings.HasPrefix(c.pattern, "../../models"):
				row += fmt.Sprintf(" | %d | %d", lines+2, brackets) // a main of its own, and "os"
			default:
				row += fmt.Sprintf(" | %d", lines)
			}
		}
		require.True(t, strings.Contains(page, row+" |\n"), "the page lacks %s |", row)
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
