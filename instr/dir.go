// This file owns the names of the output: the folder of a run and the files in it.

package instr

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

const (
	// DefaultDir is the output folder if none is named (--stats-path in ROSS).
	DefaultDir = "stats-output"
	// DefaultPrefix begins the file names when no prefix is given (--stats-prefix in ROSS).
	DefaultPrefix = "ross-stats"
	// TraceSuffix ends the name of an event trace, before ".bin".
	TraceSuffix = "evtrace"
	// StatisticsSuffix ends the names of the files with the statistics of the model, before
	// ".csv" and ".json".
	StatisticsSuffix = "-statistics"
	// LabelsSuffix ends the name of the file with the model's names of the LPs.
	LabelsSuffix = "-labels.csv"
)

// MakeDir makes the output folder of one run and returns its name. An empty path
// stands for [DefaultDir]; a path without a name of its own (".", "..", "/") for
// DefaultDir in that folder. Missing parents are made.
//
// An existing folder is left alone, so that no run overwrites the data of another:
// `<path>-<pid>-<unix time>` is made next to it instead (with a number appended if that
// exists too). The caller compares the result with its request and informs the user.
//
// The error names the path: something that is not a folder is in the way, or the
// parent cannot be made or written to.
func MakeDir(path string) (dir string, err error) {
	return makeDir(path, os.Getpid(), time.Now().Unix())
}

func makeDir(path string, pid int, now int64) (string, error) {
	path = filepath.Clean(path)
	switch filepath.Base(path) {
	case ".", "..", string(filepath.Separator):
		path = filepath.Join(path, DefaultDir)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", dirError(path, err)
	}
	fresh := fmt.Sprintf("%s-%d-%d", path, pid, now)
	dir := path
	for n := 1; ; n++ {
		err := os.Mkdir(dir, 0o700) // the mode is the original's
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) || !isDir(dir) {
			return "", dirError(dir, err)
		}
		dir = fresh
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", fresh, n)
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func dirError(path string, err error) error {
	return fmt.Errorf("ross: output folder %s: %w: %s (--stats-path)", path, err,
		atomicfile.Remedy(err, "name a place for a new folder"))
}

// FileName returns `<dir>/<prefix>-<suffix>.bin`, an empty prefix standing for
// [DefaultPrefix].
func FileName(dir, prefix, suffix string) string {
	if prefix == "" {
		prefix = DefaultPrefix
	}
	return filepath.Join(dir, prefix+"-"+suffix+".bin")
}
