// This file owns how the files of a run are named on a command line.

package survey

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
)

// ErrNoFiles is wrapped by the error of [Find] about a folder without output of a run.
var ErrNoFiles = errors.New("no instrumentation files in it")

// Parse parses flags that stand anywhere among the arguments and returns the others.
func Parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		left := flags.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if at := len(args) - len(left); at > 0 && args[at-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// Find returns the files that are meant: each folder stands for the files in it that
// have the name of a run's output.
func Find(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("ross: instrumentation: %w: name a folder or files that exist", err)
		case !info.IsDir():
			files = append(files, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, fmt.Errorf("ross: instrumentation: %w: make the folder readable", err)
		}
		before := len(files)
		for _, e := range entries {
			if !e.IsDir() && isOutput(e.Name()) {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("ross: instrumentation: %s: %w: name the folder of --stats-path of a run with --engine-stats or --event-trace", path, ErrNoFiles)
		}
	}
	return files, nil
}

func isOutput(name string) bool {
	suffixes := []string{instr.GVTSuffix, instr.RTSuffix, instr.VTSuffix, instr.ModelSuffix, instr.TraceSuffix}
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, "-"+s+".bin") })
}
