// This file owns the runs: it builds the test of a mutant with an overlay, runs it, and reports what
// came of it.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// outcome is what became of a mutant.
type outcome string

const (
	caught   outcome = "caught"
	hangs    outcome = "hangs" // the test did not end in time, or ended because something hung
	survived outcome = "survived"
	open     outcome = "not caught" // as the list expects
	same     outcome = "no difference"
	broken   outcome = "cannot be tried" // it does not apply or build, or there is no such test
)

// runAll tries the mutants and prints what came of them. It reports whether all were caught.
func runAll(root string, all []mutant, limit time.Duration) bool {
	number := map[outcome]int{}
	var times []float64
	sound := map[string]string{} // by test: why it fails without a mutant, "" if it does not
	for _, m := range all {
		var is outcome
		var seconds float64
		var why string
		switch {
		case m.same != "":
			is, why = same, m.same
		case m.open != "":
			is, why = open, m.open
		default:
			is, seconds, why = m.run(root, limit, sound)
		}
		number[is]++
		if is == caught {
			times = append(times, seconds)
		}
		fmt.Printf("%-16s %6.2f s  %s", is, seconds, m.name)
		if why != "" {
			fmt.Printf(": %s", why)
		}
		fmt.Println()
	}
	slices.Sort(times)
	fmt.Printf(
		"%d mutants: %d caught, %d by a test that hangs, %d survived, %d are not caught yet, %d make no difference, %d cannot be tried\n",
		len(all), number[caught], number[hangs], number[survived], number[open], number[same], number[broken])
	if n := len(times); n > 0 {
		fmt.Printf("seconds of the test until it fails: median %.2f, most %.2f\n", times[n/2], times[n-1])
	}
	return number[survived]+number[broken] == 0
}

// run tries a mutant. Its test must pass without it, as sound records for the tests run so far.
func (m *mutant) run(root string, limit time.Duration, sound map[string]string) (
	is outcome, seconds float64, why string) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return broken, 0, err.Error()
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(root, dir)
	if err != nil {
		return broken, 0, err.Error()
	}
	test := fmt.Sprint(m.pkg, m.test, m.env, m.flags)
	if _, known := sound[test]; !known {
		sound[test] = ""
		if is, _, why := m.try(root, dir, limit); is != survived {
			sound[test] = fmt.Sprintf("without it the test %s %s %s", m.test, is, why)
		}
	}
	if sound[test] != "" {
		return broken, 0, sound[test]
	}
	return m.try(root, dir, limit, "-overlay", overlay)
}

// try builds and runs the test of a mutant, with further flags for the build.
func (m *mutant) try(root, dir string, limit time.Duration, with ...string) (is outcome, seconds float64, why string) {
	program := filepath.Join(dir, "test")
	args := slices.Concat([]string{"test", "-vet=off", "-c", "-o", program}, with, m.flags, []string{m.pkg})
	build := exec.Command(goCommand(), args...)
	build.Dir, build.Env = root, append(os.Environ(), m.env...)
	if out, err := build.CombinedOutput(); err != nil {
		return broken, 0, lastLines(out)
	}
	ctx, stop := context.WithTimeout(context.Background(), limit+10*time.Second)
	defer stop()
	test := exec.CommandContext(ctx, program, "-test.run="+m.test, "-test.failfast", "-test.v", "-test.timeout="+
		limit.String())
	test.Dir, test.Env = filepath.Join(root, m.pkg), append(os.Environ(), m.env...)
	begin := time.Now()
	out, err := test.CombinedOutput()
	seconds = time.Since(begin).Seconds()
	var exit *exec.ExitError
	text := string(out)
	switch {
	case err == nil && !strings.Contains(text, "--- PASS"):
		return broken, seconds, "no test has the name " + m.test
	case err == nil:
		return survived, seconds, ""
	case ctx.Err() != nil || strings.Contains(text, "panic: test timed out") || strings.Contains(text, "the run hangs"):
		return hangs, seconds, ""
	case !errors.As(err, &exit):
		return broken, seconds, err.Error()
	}
	return caught, seconds, failed(text)
}

// failed returns the name of the test that failed, "" if it is not known.
func failed(output string) string {
	_, rest, found := strings.Cut(output, "\n--- FAIL: ")
	if !found {
		return ""
	}
	name, _, _ := strings.Cut(rest, " ")
	return name
}

// overlay writes the changed files, and the list of them that go build takes.
func (m *mutant) overlay(root, dir string) (string, error) {
	files, err := m.files(root)
	if err != nil {
		return "", err
	}
	var list struct{ Replace map[string]string }
	list.Replace = map[string]string{}
	for name, text := range files {
		at := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return "", err
		}
		list.Replace[filepath.Join(root, name)] = at
	}
	data, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, data, 0o644)
}

// goCommand is the Go of the Makefile.
func goCommand() string {
	if name := os.Getenv("GO"); name != "" {
		return name
	}
	return "go"
}

// lastLines returns the end of an output in one line.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(len(lines)-3, 0):], "; ")
}
