// This file owns the recognition of a study among the files of the command line, and its page from journals.

// Package studies makes the page of a study (package program/parts/page) of what the study has left: its journal, the
// journals of its tasks, or its table.
package studies

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// kind is what a file is.
type kind int

const (
	other kind = iota
	journal
	table
)

// Open returns the study in files, or in a folder with the journals of tasks; nil if the first of them is something
// else. Intervals of journals have the given confidence, and those of a table were computed with it.
func Open(names []string, confidence float64) (*page.Study, []cli.Input, error) {
	var files []string
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			files = append(files, journalsIn(name)...)
			if len(files) == 0 {
				return nil, nil, nil
			}
			continue
		}
		files = append(files, name)
	}
	if len(files) == 0 {
		return nil, nil, nil
	}
	first := kindOf(files[0])
	if first == other {
		return nil, nil, nil
	}
	if !(confidence > 0 && confidence < 1) {
		return nil, nil, cli.Usagef("--confidence=%g: out of range; give a number between 0 and 1, such as 0.95", confidence)
	}
	var inputs []cli.Input
	for i, file := range files {
		if i > 0 && (first == table || kindOf(file) != journal) {
			return nil, nil, cli.Usagef("%s: given together with %s; name one table of a study, or only the journals of one", file,
				files[0])
		}
		inputs = append(inputs, cli.Input{Name: file})
	}
	if first == table {
		s, err := ofTable(files[0], confidence)
		return s, inputs, err
	}
	s, err := ofJournals(files, confidence)
	return s, inputs, err
}

// journalsIn returns the journals of tasks in a folder.
func journalsIn(folder string) []string {
	return slices.DeleteFunc(experiment.TaskJournals(folder), func(file string) bool { return kindOf(file) != journal })
}

// kindOf returns what a file is, by its beginning and its name.
func kindOf(name string) kind {
	switch filepath.Ext(name) {
	case ".csv", ".parquet":
		return table
	}
	file, err := os.Open(name)
	if err != nil {
		return other // whoever reads it says what is wrong
	}
	defer file.Close()
	begin := make([]byte, 64)
	n, _ := file.Read(begin)
	if experiment.IsJournal(bytes.TrimRight(begin[:n], "\x00")) {
		return journal
	}
	return other
}

// ofJournals returns the page of journals.
func ofJournals(files []string, confidence float64) (*page.Study, error) {
	found, err := experiment.Read(confidence, files...)
	if err != nil {
		return nil, err
	}
	s := page.Of(found.Results, nil)
	words := wordsOf(found.Name)
	s.Program, s.Settings = words[0], found.Name
	for i, p := range found.Results.Points {
		s.Points[i].Command, s.Points[i].Rest = command(words, found.Seed, p.Point)
	}
	from := filepath.Base(files[0])
	if len(files) > 1 {
		from = fmt.Sprintf("%d journals, such as %s", len(files), from)
	}
	s.Notes = append(s.Notes, "Read from "+from+". A journal does not know how many replications there are to be; its "+
		"command lines are those of a program with the option --replications.")
	if found.Beyond > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d replications are left out, as one with a lower number is missing: the study has not "+
			"come to its end, or made more than it needed.", found.Beyond))
	}
	return s, nil
}

// wordsOf divides the name of a study's experiment into the words of its command line, which may be in double quotes.
func wordsOf(name string) (words []string) {
	for name = strings.TrimSpace(name); name != ""; name = strings.TrimLeft(name, " ") {
		if quoted, err := strconv.QuotedPrefix(name); err == nil && name[0] == '"' {
			word, _ := strconv.Unquote(quoted)
			words, name = append(words, word), name[len(quoted):]
			continue
		}
		word, after, _ := strings.Cut(name, " ")
		words, name = append(words, word), after
	}
	if len(words) == 0 {
		words = []string{"study"}
	}
	return words
}

// command returns the command line of a run of a point: before the number of its replication, and after it.
func command(words []string, seed uint64, point experiment.Point) (before, rest []string) {
	if i := slices.Index(words, "--"); i >= 0 {
		words, rest = words[:i], words[i:]
	}
	remark := false // about a checkpoint: "(stored at time 8, 2026-01-31 10:00:00)"
	for _, word := range words {
		remark = remark || strings.HasPrefix(word, "(stored")
		switch {
		case remark:
			remark = !strings.HasSuffix(word, ")")
		case strings.HasPrefix(word, "--io-restart="):
			before = append(before, word, "--io-branch") // as the runs of a study do
		case !strings.HasPrefix(word, "--result="): // a single run computes no results
			before = append(before, word)
		}
	}
	if seed != 0 {
		before = append(before, fmt.Sprint("--seed=", seed))
	}
	for _, param := range point {
		before = append(before, fmt.Sprint("--", param.Name, "=", param.Value))
	}
	return before, rest
}
