// This file owns the command line of `rossreader figures`.

package figures

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/runlist"
	"github.com/ross-go/ross/instr"
)

const helpText = `Makes a page that draws a figure of all runs in a folder and below it (run time, net events a
second, efficiency, statistics of the model and others) against an option in which the runs
differ, or against the time at which they began. The reader of the page chooses figure and option,
and a second option whose values have lines of their own. Runs are found by their run.json, which
--stats-path makes them write.`

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NoFlags("figures", "FOLDER -o PAGE.html", "draw figures of all runs against their options: a page",
		helpText)
	out := f.StringP("output", "o", "", "`FILE` to write; - for standard output, the summary then goes to standard error")
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		if len(names) != 1 {
			return cli.Usagef("%d folders: name the one with the runs", len(names))
		}
		if *out == "" {
			return cli.Usagef("no output: name a file with -o, or - for standard output")
		}
		if info, err := os.Stat(names[0]); err != nil {
			return fmt.Errorf("ross: input: %w: name a folder with runs", err)
		} else if !info.IsDir() {
			return cli.Usagef("%s is a file: name the folder with the runs", names[0])
		}
		runs, cut, err := runlist.Scan(names[0])
		if err != nil {
			return err
		}
		p := NewReader().Page(names[0], runs, cut)
		if len(p.data.Runs.Name) == 0 {
			return fmt.Errorf("ross: figures: %s: no run in it or below it describes itself: run simulations with --stats-path",
				names[0])
		}
		err = cli.Write(*out, stdout, inputsOf(runs), func(w io.Writer) error { return p.Write(w) })
		if err != nil {
			return err
		}
		summary := cli.Summary(*out, stdout, stderr)
		fmt.Fprintf(summary, "%s: runs: %d, figures: %d, options in which they differ: %d\n", *out, len(p.data.Runs.Name),
			len(p.data.Figures), p.data.options())
		for _, remark := range p.data.Remarks {
			fmt.Fprintln(summary, printable(remark))
		}
		return nil
	})
}

// inputsOf returns the files that are read, which the output may not replace.
func inputsOf(runs []*runlist.Run) (all []cli.Input) {
	for _, r := range runs {
		if r.Info != nil {
			all = append(all, cli.Input{Name: filepath.Join(r.Dir, instr.RunName)})
		}
		for _, name := range r.Statistics {
			all = append(all, cli.Input{Name: filepath.Join(r.Dir, name)})
		}
	}
	return all
}

// printable replaces characters by which a name could steer a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
