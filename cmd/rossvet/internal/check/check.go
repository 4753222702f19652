// This file owns the list of analyzers, what a finding looks like, and the comment that silences one.

// Package check has analyzers for models of package ross. They look at the handlers of LPs, which are the functions
// given to ross.Type, ross.On and ross.OnUndo, at processes of package proc, and at the functions of the same package
// that these use.
//
// A finding that is meant to be is silenced by a comment with a reason, on its line, on the line above it, or in the
// comment of the function:
//
//	//rossvet:ignore counts what this PE has done, no result depends on it
package check

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// All returns all analyzers.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		Outside, MapOrder, Concurrent, Shared, Kept, Unsaved, StatRead, Delay, Lookahead, Unreversed, Layout, Reversed,
		Copied, Committed, Endless,
	}
}

// analyzer returns an analyzer that needs the handlers of a package.
func analyzer(name, doc string, look func(*finder)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "ross" + name, Doc: doc, URL: "https://github.com/ross-go/ross/blob/main/docs/rossvet.md",
		Requires: []*analysis.Analyzer{handlersAnalyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			m := pass.ResultOf[handlersAnalyzer].(*model)
			if len(m.handlers) > 0 {
				m.mu.Lock() // drivers run analyzers at the same time
				defer m.mu.Unlock()
				look(&finder{pass: pass, model: m, said: map[token.Pos]bool{}})
			}
			return nil, nil
		},
	}
}

// finder is one analyzer at work on a package.
type finder struct {
	*model
	pass *analysis.Pass
	said map[token.Pos]bool
}

// report reports a finding, once for each place, unless a comment silences it.
func (f *finder) report(at token.Pos, format string, args ...any) {
	if f.said[at] || f.ignored(at) {
		return
	}
	f.said[at] = true
	f.pass.Reportf(at, format, args...)
}

const directive = "//rossvet:ignore "

// ignores says whether a comment silences findings: only one with a reason does.
func ignores(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, directive) && strings.TrimSpace(c.Text[len(directive):]) != ""
}

// span is some lines of a file.
type span struct {
	file        *token.File
	first, last int
}

// ignored says whether a comment silences what is found at a place.
func (m *model) ignored(at token.Pos) bool {
	file := m.fset.File(at)
	line := file.Line(at)
	for _, s := range m.silent {
		if s.file == file && s.first <= line && line <= s.last {
			return true
		}
	}
	return false
}

// findSilent lists the lines that comments silence.
func (m *model) findSilent(files []*ast.File) {
	for _, f := range files {
		file := m.fset.File(f.FileStart)
		for _, group := range f.Comments {
			for _, c := range group.List {
				if line := file.Line(c.Pos()); ignores(c) {
					m.silent = append(m.silent, span{file, line, line + 1})
				}
			}
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			for _, c := range fn.Doc.List {
				if ignores(c) {
					m.silent = append(m.silent, span{file, file.Line(fn.Pos()), file.Line(fn.End())})
				}
			}
		}
	}
}
