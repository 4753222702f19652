// This file owns the links of pages: which files and headings they lead to.

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)(?:\s+"[^"]*")?\)|(?:src|srcset|href)="([^"]+)"`)
	fences   = regexp.MustCompile("(?ms)^ *```.*?^ *```[^\n]*$|^\n(?:(?: {4}|\t)[^\n]*\n)+")
	span     = regexp.MustCompile("`[^`\n]+`")
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *#*$`)
	anchor   = regexp.MustCompile(`<a +(?:name|id)="([^"]+)"`)
	marks    = regexp.MustCompile("\\[([^\\]]*)\\]\\([^)]*\\)|[`*]")
)

// pageLinks returns the links of pages that lead nowhere, and how many of those that can be followed there are.
func (p *packages) pageLinks(root string) (found []string, links int, err error) {
	pages := map[string]string{}
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, at)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == ".git" || rel == "bin" || d.Name() == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(rel, ".md"):
			text, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			pages[filepath.ToSlash(rel)] = string(text)
		}
		return nil
	})
	for page, text := range pages {
		text = span.ReplaceAllString(fences.ReplaceAllString(text, "\n"), "")
		for _, m := range pageLink.FindAllStringSubmatch(text, -1) {
			to := m[1] + m[2]
			why, followed := p.leads(pages, page, to)
			if followed {
				links++
			}
			if why != "" {
				found = append(found, fmt.Sprintf("%s: %s: %s", page, to, why))
			}
		}
	}
	return found, links, err
}

// leads says why a link of a page leads nowhere, and whether it is one that can be followed here.
func (p *packages) leads(pages map[string]string, page, to string) (why string, followed bool) {
	for _, kind := range []string{"blob", "tree"} {
		if rest, is := strings.CutPrefix(to, "https://"+p.first+"/"+kind+"/main/"); is {
			return p.file(pages, rest), true
		}
	}
	if rest, is := strings.CutPrefix(to, "https://pkg.go.dev/"); is {
		return p.shown(rest), true
	}
	if strings.Contains(to, ":") {
		return "", false
	}
	if strings.HasPrefix(to, "#") {
		return p.file(pages, page+to), true
	}
	return p.file(pages, path.Join(path.Dir(page), to)), true
}

// file says why there is no file, or no heading in it, of a name.
func (p *packages) file(pages map[string]string, to string) string {
	name, at, anchored := strings.Cut(to, "#")
	if _, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(name))); err != nil {
		return "there is no such file"
	}
	text, page := pages[name]
	if anchored && page && !anchors(text)[at] {
		return "the page has no such heading"
	}
	return ""
}

// shown says why pkg.go.dev would not show a package, or a name.
func (p *packages) shown(to string) string {
	name, at, anchored := strings.Cut(to, "#")
	name, _, _ = strings.Cut(name, "@")
	if !strings.HasPrefix(name, p.first) {
		return ""
	}
	d := p.find(name)
	if d == nil {
		return "there is no such package"
	}
	recv, sym, method := strings.Cut(at, ".")
	if !method {
		recv, sym = "", at
	}
	if anchored && !strings.Contains(at, "-") && !d.has(recv, sym) {
		return "the package exports no such name"
	}
	return ""
}

// anchors returns those of a page, as GitHub names its headings.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range anchor.FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	for _, m := range heading.FindAllStringSubmatch(fences.ReplaceAllString(text, "\n"), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, marks.ReplaceAllString(m[1], "$1"))
		for n, first := 1, name; all[name]; n++ {
			name = first + "-" + strconv.Itoa(n)
		}
		all[name] = true
	}
	return all
}
