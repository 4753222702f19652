package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What users see of the repository: its models, documents and examples. Tests of the engine make mistakes on purpose.
var visible = []string{".", "./models/...", "./docs/...", "./bench/...", "./container", "./stats",
	"./program", "./program/parts/experiment", "./program/parts/live", "./mapping/..."}

// build returns the path of the program.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rossvet")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// in returns a command in the root of the repository.
func in(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = "../.."
	return c
}

func TestTheRepositoryHasOnlyTheMistakesThatItIsMeantToHave(t *testing.T) {
	out, _ := in("go", append([]string{"vet", "-vettool=" + build(t)}, visible...)...).CombinedOutput()
	meant := meantToBe(t)
	finding := regexp.MustCompile(`^(\S+\.go):\d+:\d+: (.*)`)
	for line := range strings.Lines(string(out)) {
		if f := finding.FindStringSubmatch(line); f != nil && meant.has(f[1], f[2]) || strings.HasPrefix(line, "#") {
			continue
		}
		t.Errorf("correct it, or enter it in testdata/meant.txt if it is meant to be: %s", line)
	}
	for _, m := range meant {
		if !m.found {
			t.Errorf("testdata/meant.txt: %s: not found: %s", m.file, m.text)
		}
	}
}

func TestItRunsAlone(t *testing.T) {
	if out, err := in(build(t), "-test=false", "./models/phold", "./docs/...").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// mistake is one that is meant to be.
type mistake struct {
	file, text string
	found      bool
}

type mistakes []*mistake

// meantToBe reads testdata/meant.txt: a file and how the finding begins, on each line.
func meantToBe(t *testing.T) (all mistakes) {
	f, err := os.Open("testdata/meant.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if file, text, ok := strings.Cut(lines.Text(), ": "); ok && !strings.HasPrefix(file, "#") {
			all = append(all, &mistake{file: file, text: text})
		}
	}
	return all
}

func (all mistakes) has(file, message string) (is bool) {
	for _, m := range all {
		if m.file == strings.TrimPrefix(filepath.ToSlash(file), "./") && strings.HasPrefix(message, m.text) {
			m.found, is = true, true
		}
	}
	return is
}
