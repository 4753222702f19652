// This file owns the doc links in comments.

package main

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"path"
	"strings"
)

// anything is a parser that takes whatever has the form of a doc link for one.
var anything = comment.Parser{
	LookupPackage: func(name string) (string, bool) { return name, true },
	LookupSym:     func(string, string) bool { return true },
}

// docLinks returns the doc links that lead nowhere, and how many there are in all.
func (p *packages) docLinks() (found []string, links int) {
	for _, d := range p.own {
		parser := d.Parser()
		d.texts(func(name, text string) {
			each(anything.Parse(text).Content, func(l *comment.DocLink) {
				links++
				if why := p.wrong(d, parser, l); why != "" {
					found = append(found, fmt.Sprintf("%s: %s: [%s]: %s", d.ImportPath, name, written(l), why))
				}
			})
		})
	}
	return found, links
}

// wrong says why a doc link of a package leads nowhere; nothing if it leads somewhere.
func (p *packages) wrong(d *documented, parser *comment.Parser, l *comment.DocLink) string {
	if l.ImportPath == "" {
		if !d.has(l.Recv, l.Name) {
			return "the package exports no such name"
		}
		return ""
	}
	to, known := l.ImportPath, true
	if !strings.Contains(to, "/") {
		to, known = parser.LookupPackage(to)
	}
	switch {
	case !known && l.Name == "" && !p.calledSo(l.ImportPath): // a word in brackets
		return ""
	case !known:
		return "the package imports no such package: write its whole path"
	case to == "":
		to = d.ImportPath
	}
	other := p.find(to)
	switch {
	case other == nil && strings.HasPrefix(to, p.first), other == nil && !strings.Contains(to, "."):
		return "there is no package " + to
	case other == nil, l.Name == "": // one of others
		return ""
	case !other.has(l.Recv, l.Name):
		return to + " exports no such name"
	}
	return ""
}

// calledSo reports whether a package of the modules has that name.
func (p *packages) calledSo(name string) bool {
	for importPath := range p.own {
		if path.Base(importPath) == name {
			return true
		}
	}
	return false
}

// written returns a link as the comment has it.
func written(l *comment.DocLink) string {
	text := l.Name
	if l.Recv != "" {
		text = l.Recv + "." + text
	}
	return strings.Trim(l.ImportPath+"."+text, ".")
}

// texts calls f with each comment that documentation shows, and the name that it is about.
func (d *documented) texts(f func(name, text string)) {
	values := func(all []*doc.Value) {
		for _, v := range all {
			f(v.Names[0], v.Doc)
		}
	}
	funcs := func(all []*doc.Func) {
		for _, one := range all {
			f(strings.TrimPrefix(one.Recv+"."+one.Name, "."), one.Doc)
		}
	}
	f("package comment", d.Doc)
	values(d.Consts)
	values(d.Vars)
	funcs(d.Funcs)
	for _, t := range d.Types {
		f(t.Name, t.Doc)
		values(t.Consts)
		values(t.Vars)
		funcs(t.Funcs)
		funcs(t.Methods)
	}
}

// each calls f with the doc links of blocks.
func each(blocks []comment.Block, f func(*comment.DocLink)) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *comment.Heading:
			eachOf(b.Text, f)
		case *comment.Paragraph:
			eachOf(b.Text, f)
		case *comment.List:
			for _, item := range b.Items {
				each(item.Content, f)
			}
		}
	}
}

func eachOf(texts []comment.Text, f func(*comment.DocLink)) {
	for _, t := range texts {
		switch t := t.(type) {
		case *comment.DocLink:
			f(t)
		case *comment.Link:
			eachOf(t.Text, f)
		}
	}
}
