// This file owns the list of mutants: its format, and how a mutant changes a file.

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is a fault and the test that catches it. In a list it is
//
//	== NAME
//	What is wrong, in one sentence.
//	file PATH
//	test PACKAGE REGEXP
//	 a line that stays
//	-a line that goes
//	+a line that comes
//
// The lines that stay and go must be in the file once, next to one another; spaces at their
// beginning and end do not matter, so that most changes of the code around them do not either. A
// fault in several places has several such groups, each with its file line. In place of the test
// may be
//
//	same WHY
//
// for a fault that no run can show, or
//
//	open WHY
//
// for one that no test catches yet. Further lines: "env NAME=VALUE" for building and running the
// test, "tags TAG,TAG", "flags FLAG FLAG" for go test, such as -race. Lines with # are comments.
type mutant struct {
	name, fault string
	pkg, test   string
	same        string // why the fault makes no difference
	open        string // why no test catches it yet
	env, flags  []string
	edits       []edit
}

// edit is the part of a mutant that changes a file in one place.
type edit struct {
	file     string
	old, new []string
}

// readAll returns the mutants of all lists in a folder, by name of the list.
func readAll(dir string) (all []mutant, err error) {
	lists, err := filepath.Glob(filepath.Join(dir, "*.mutants"))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, list := range lists {
		more, err := read(list)
		if err != nil {
			return nil, err
		}
		for _, m := range more {
			if seen[m.name] {
				return nil, fmt.Errorf("%s: there are two mutants %s: give one another name", list, m.name)
			}
			seen[m.name] = true
		}
		all = append(all, more...)
	}
	return all, nil
}

// read returns the mutants of a list.
func read(list string) (all []mutant, err error) {
	f, err := os.Open(list)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var m *mutant
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if name, is := strings.CutPrefix(line, "== "); is {
			all = append(all, mutant{name: name})
			m = &all[len(all)-1]
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if m == nil {
			return nil, fmt.Errorf("%s:%d: begin each mutant with == and its name", list, n)
		}
		if err := m.add(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", list, n, m.name, err)
		}
	}
	for _, m := range all {
		if m.fault == "" || len(m.edits) == 0 || count(m.test, m.same, m.open) != 1 {
			return nil, fmt.Errorf("%s: %s: a mutant has a sentence, a file, and one of test, same and open", list, m.name)
		}
	}
	return all, lines.Err()
}

// add takes in a line of a list.
func (m *mutant) add(line string) error {
	if strings.ContainsRune(" -+", rune(line[0])) {
		if len(m.edits) == 0 {
			return fmt.Errorf("name the file before its lines")
		}
		e := &m.edits[len(m.edits)-1]
		if line[0] != '+' {
			e.old = append(e.old, line[1:])
		}
		if line[0] != '-' {
			e.new = append(e.new, line[1:])
		}
		return nil
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "file":
		m.edits = append(m.edits, edit{file: rest})
	case word == "test":
		m.pkg, m.test, _ = strings.Cut(rest, " ")
	case word == "same":
		m.same = rest
	case word == "open":
		m.open = rest
	case word == "env":
		m.env = append(m.env, rest)
	case word == "tags":
		m.flags = append(m.flags, "-tags="+rest)
	case word == "flags":
		m.flags = append(m.flags, strings.Fields(rest)...)
	case m.fault == "":
		m.fault = line
	default:
		return fmt.Errorf(
			"unknown line %q: give file, test, same, open, env, tags or flags, or begin it with ' ', '-' or '+'", line)
	}
	return nil
}

// count returns how many of the texts are not empty.
func count(texts ...string) (n int) {
	for _, text := range texts {
		if text != "" {
			n++
		}
	}
	return n
}

// files returns the changed files, by their path below root.
func (m *mutant) files(root string) (map[string]string, error) {
	changed := map[string]string{}
	for _, e := range m.edits {
		text, known := changed[e.file]
		if !known {
			data, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
			text = string(data)
		}
		text, err := e.apply(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", m.name, e.file, err)
		}
		changed[e.file] = text
	}
	return changed, nil
}

// applies returns an error if the mutant cannot be put in.
func (m *mutant) applies(root string) error {
	_, err := m.files(root)
	return err
}

// apply returns a file's text with the edit.
func (e *edit) apply(text string) (string, error) {
	lines := strings.Split(text, "\n")
	at := -1
	for i := 0; i+len(e.old) <= len(lines); i++ {
		if !slices.EqualFunc(lines[i:i+len(e.old)], e.old, sameLine) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("%q is there twice: add a line that stays", e.old)
		}
		at = i
	}
	if at < 0 || len(e.old) == 0 {
		return "", fmt.Errorf("%q is not there any more: adapt the mutant to the code, or remove it", e.old)
	}
	return strings.Join(slices.Replace(lines, at, at+len(e.old), e.new...), "\n"), nil
}

func sameLine(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// row is the mutant's line of the table.
func (m *mutant) row() string {
	by := fmt.Sprintf("%s `%s`", m.pkg, m.test)
	if m.same != "" {
		by = "no difference: " + m.same
	}
	if m.open != "" {
		by = "**not caught**: " + m.open
	}
	return fmt.Sprintf("| %s | %s | %s |", m.name, strings.ReplaceAll(m.fault, "|", "\\|"),
		strings.ReplaceAll(by, "|", "\\|"))
}
