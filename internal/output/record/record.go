// This file owns what a record has of the program and of what it was started with: the executable and its build, the
// environment, and the files that the command line names.

// Package record collects what --record adds to run.json before a run: see instr.RunRecord.
package record

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/internal/sys/filehash"
)

// Start is what a run was started with.
type Start struct {
	Words   []string          // of the command line, without the program, and those of files of arguments
	Values  map[string]string // of the model's options, by their names without dashes
	Written []string          // options that name files which the run writes
	Restart string            // the checkpoint from which the run starts; "": none
}

// Of returns the record of a run that starts.
func Of(s *Start) (*instr.RunRecord, error) {
	build, err := Build()
	if err != nil {
		return nil, err
	}
	r := &instr.RunRecord{Build: build, Environment: environment(os.Environ())}
	r.Folder, _ = os.Getwd()
	if r.Inputs, err = inputs(s); err != nil {
		return nil, err
	}
	for _, name := range s.Written {
		if path := s.Values[name]; path != "" {
			if r.Outputs == nil {
				r.Outputs = map[string]string{}
			}
			r.Outputs[name] = path
		}
	}
	return r, nil
}

// Build returns what is known of the executable that runs.
func Build() (instr.RunBuild, error) {
	var b instr.RunBuild
	path, err := os.Executable()
	file := filehash.Hash{}
	if err == nil {
		file, err = filehash.Executable()
	}
	if err != nil {
		return b, fmt.Errorf("the executable cannot be read: %w: keep its file until the end of the run", err)
	}
	b = instr.RunBuild{Path: path, Size: file.Size, SHA256: file.SHA256, Revision: buildinfo.Short(),
		Compiler: csrc.Compiler()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b, nil
	}
	b.Package, b.Module, b.Version = info.Path, info.Main.Path, info.Main.Version
	b.Settings, b.Modules = map[string]string{}, map[string]string{}
	for _, s := range info.Settings {
		if s.Key != "-ldflags" && s.Value != "" { // that may set variables to what is nobody's business
			b.Settings[s.Key] = s.Value
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Modules[m.Path] = strings.TrimSpace(m.Version + " " + m.Sum)
	}
	return b, nil
}

// decide are variables that Go reads and that may matter; the engine's begin with ROSS_.
var decide = []string{"GOMAXPROCS", "GODEBUG", "GOMEMLIMIT", "GOGC"}

// environment returns the variables that matter. Some of ROSS_ may be the user's own, so those whose names tell of a
// secret are left out.
func environment(all []string) map[string]string {
	kept := map[string]string{}
	for _, line := range all {
		name, value, _ := strings.Cut(line, "=")
		secret := slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASS"}, func(s string) bool {
			return strings.Contains(strings.ToUpper(name), s)
		})
		if slices.Contains(decide, name) || strings.HasPrefix(name, "ROSS_") && !secret {
			kept[name] = value
		}
	}
	return kept
}

// inputs returns the files that the command line names: values of options and words that are names of files, or lists
// of such names with commas between them, apart from files that the run writes.
func inputs(s *Start) (map[string]instr.RunFile, error) {
	names := map[string]bool{}
	add := func(value string) {
		for _, name := range append(strings.Split(value, ","), value) {
			if info, err := os.Stat(name); name != "" && err == nil && info.Mode().IsRegular() {
				names[name] = true
			}
		}
	}
	outputs := slices.Concat([]string{"stats-path", "stats-prefix", "report-path", "io-name"}, s.Written)
	for _, word := range s.Words {
		option, value, given := strings.Cut(word, "=")
		name, is := strings.CutPrefix(option, "--")
		switch {
		case !is:
			add(word)
		case given && !slices.Contains(outputs, name):
			add(value)
		}
	}
	for name, value := range s.Values {
		if !slices.Contains(outputs, name) {
			add(value)
		}
	}
	if s.Restart != "" {
		found, _ := filepath.Glob(strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[",
			`\[`).Replace(s.Restart) + ".rio-*")
		for _, name := range found {
			add(name)
		}
	}
	all := map[string]instr.RunFile{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		file, err := instr.HashFile(name)
		if err != nil {
			return nil, fmt.Errorf("input file %s: %w: make it readable, or leave out --record", name, err)
		}
		all[name] = file
	}
	return all, nil
}
