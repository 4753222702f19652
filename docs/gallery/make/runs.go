// This file owns building the programs and running them.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// moduleRoot returns the folder of the module in which the program has been started.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("gallery: go env GOMOD: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

// build builds the programs in models into a new folder, which the caller removes. They are without
// live view and debugging information, which makes linking faster.
func build(root string) (bin string, err error) {
	if bin, err = os.MkdirTemp("", "gallery"); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-tags", "nolive", "-ldflags=-s -w", "-o", bin+string(filepath.Separator),
		"./models/...")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(bin)
		return "", fmt.Errorf("gallery: go build: %w\n%s", err, out)
	}
	return bin, nil
}

// runs makes the runs of an entry, each in its own folder. It keeps the first error and makes no run
// after it, so that a picture asks for errors once, at its end.
type runs struct {
	bin   string
	entry *entry
	dir   string // has a folder for each run
	made  map[string]*result
	err   error
}

// fail keeps an error of a run, if it is the first.
func (r *runs) fail(command, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %w", command, fmt.Errorf(format, args...))
	}
}

// run makes a run with the options of the entry's command, followed by more, unless there was one with the same. Of an
// option that is given twice the last counts.
func (r *runs) run(more ...string) *result {
	key := strings.Join(more, " ")
	if r.made[key] == nil {
		r.made[key] = r.runIn(filepath.Join(r.dir, fmt.Sprint(len(r.made))), more...)
	}
	return r.made[key]
}

// sweep makes a run for each value of an option, with further options. Its points are the values, and what of returns.
func (r *runs) sweep(option string, values []float64, of func(*result) float64, more ...string) (points []point) {
	for _, v := range values {
		run := r.run(slices.Concat(more, []string{fmt.Sprintf("--%s=%v", option, v)})...)
		points = append(points, point{v, of(run)})
	}
	return points
}

// every returns the values from one to another, each by a step more.
func every(from, to, step float64) (values []float64) {
	for v := from; v <= to; v += step {
		values = append(values, v)
	}
	return values
}

// runIn is run in a given folder, where it finds the files of earlier runs.
func (r *runs) runIn(dir string, more ...string) *result {
	args := append(strings.Fields(r.entry.options), more...)
	res := &result{runs: r, command: r.entry.name + " " + strings.Join(args, " "), dir: dir}
	if r.err != nil {
		return res
	}
	// A run does not write to the folder of an earlier one.
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, statsFolder)), os.MkdirAll(dir, 0o755)); err != nil {
		r.fail(res.command, "%w", err)
		return res
	}
	cmd := exec.Command(filepath.Join(r.bin, r.entry.name), args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		r.fail(res.command, "%w: %s", err, bytes.TrimSpace(errs.Bytes()))
	}
	res.report = out.String()
	return res
}

// picture makes the runs of an entry and returns its picture.
func (e *entry) picture(bin string) (svg []byte, err error) {
	dir, err := os.MkdirTemp("", "gallery")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &runs{bin: bin, entry: e, dir: dir, made: map[string]*result{}}
	d := e.draw(r)
	if r.err != nil {
		return nil, r.err
	}
	return d.svg(), nil
}
