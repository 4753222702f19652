// This file owns the words that are refused.

package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// word is what to look for, and what to write instead.
type word struct {
	pattern *regexp.Regexp
	instead string
}

type words []word

// readWords reads tools/words.txt.
func readWords(name string) (all words, err error) {
	rows, err := readRows(name)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		pattern, instead, found := strings.Cut(row, "\t")
		if !found {
			return nil, fmt.Errorf("%s: %q has no tab", name, row)
		}
		re, err := regexp.Compile(`(?i)` + strings.ReplaceAll(pattern, " ", `\s+`))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, word{re, instead})
	}
	return all, nil
}

// readRows returns the lines of a list that are not empty and no comments.
func readRows(name string) (rows []string, err error) {
	text, err := os.ReadFile(name)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, line)
		}
	}
	return rows, err
}

// in returns the refused words of a paragraph.
func (ws words) in(file string, p paragraph) (found []finding) {
	for _, w := range ws {
		for _, at := range w.pattern.FindAllStringIndex(p.text, -1) {
			is := strings.Join(strings.Fields(p.text[at[0]:at[1]]), " ")
			found = append(found, finding{file, p.lineAt(at[0]), fmt.Sprintf("%q: write %s", is, w.instead)})
		}
	}
	return found
}
