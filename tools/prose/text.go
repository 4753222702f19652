// This file owns what is prose in a file: its paragraphs.

package main

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// paragraph is lines of prose that belong together, joined by line feeds. Lines without prose in it are empty, so that
// a place in the text leads to its line in the file.
type paragraph struct {
	line int // of the first line
	text string
	code bool // a block of code in a page, which may name files
}

// lineAt returns the line in the file of a place in the text.
func (p paragraph) lineAt(at int) int { return p.line + strings.Count(p.text[:at], "\n") }

// readers returns the paragraphs of files by the endings of their names.
var readers = map[string]func([]byte) []paragraph{".md": ofPage, ".go": ofGo, ".c": ofC, ".h": ofC}

// paragraphs joins lines of prose by their numbers. An empty line, or one that is missing, ends a paragraph.
type paragraphs struct {
	all  []paragraph
	last int
}

func (ps *paragraphs) add(line int, text string) {
	switch {
	case strings.TrimSpace(text) == "":
		return
	case len(ps.all) > 0 && line == ps.last+1:
		ps.all[len(ps.all)-1].text += "\n" + text
	default:
		ps.all = append(ps.all, paragraph{line: line, text: text})
	}
	ps.last = line
}

// end ends the paragraph that is being read.
func (ps *paragraphs) end() { ps.last = -1 }

// ofPage returns the paragraphs of a Markdown file. A row of a table, an item of a list and a block of code are
// paragraphs.
func ofPage(text []byte) []paragraph {
	var ps paragraphs
	fenced, code, list := false, false, false
	for i, line := range strings.Split(string(text), "\n") {
		trimmed := strings.TrimSpace(line)
		item := strings.HasPrefix(trimmed, "- ")
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
			ps.end()
			continue
		case fenced, trimmed == "":
		case !strings.HasPrefix(line, " "):
			code, list = false, item
		case strings.HasPrefix(line, "    ") && ps.last != i && !list:
			code = true
		}
		if !fenced && !code && (item || strings.HasPrefix(trimmed, "|")) {
			ps.end()
		}
		if ps.add(i+1, line); len(ps.all) > 0 && ps.last == i+1 {
			ps.all[len(ps.all)-1].code = fenced || code
		}
	}
	return ps.all
}

// ofGo returns the comments of a Go file.
func ofGo(text []byte) []paragraph {
	var ps paragraphs
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	for {
		at, kind, comment := s.Scan()
		if kind == token.EOF {
			return ps.all
		}
		if kind != token.COMMENT || strings.HasPrefix(comment, "//go:") || strings.HasPrefix(comment, "// Output:") {
			continue
		}
		first := file.Line(at)
		for i, line := range strings.Split(comment, "\n") {
			ps.add(first+i, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(line, "*/"), "//"), "/*"))
		}
	}
}

var (
	inC      = regexp.MustCompile(`(?s)"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/`)
	startInC = regexp.MustCompile(`^\s*(//|/\*+|\*/|\*)?`)
)

// ofC returns the comments of a C file.
func ofC(text []byte) []paragraph {
	var ps paragraphs
	for _, at := range inC.FindAllIndex(text, -1) {
		comment := string(text[at[0]:at[1]])
		if strings.HasPrefix(comment, `"`) {
			continue
		}
		first := 1 + strings.Count(string(text[:at[0]]), "\n")
		for i, line := range strings.Split(comment, "\n") {
			ps.add(first+i, startInC.ReplaceAllString(strings.TrimSuffix(line, "*/"), ""))
		}
	}
	return ps.all
}
