// This file owns the names of files: which of them exist.

package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// names knows all files of the module.
type names struct {
	files   map[string]bool // paths, and folders with a slash at the end
	tails   map[string]bool // what paths end with, if that has a slash
	foreign map[string]bool
}

// newNames reads tools/names.txt, which lists names of files of others.
func newNames(files []string, foreign string) (*names, error) {
	n := &names{files: map[string]bool{"./": true}, tails: map[string]bool{}, foreign: map[string]bool{}}
	for _, file := range files {
		n.files[file] = true
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			n.files[dir+"/"] = true
		}
		for tail := file; strings.Contains(tail, "/"); {
			n.tails[tail] = true
			_, tail, _ = strings.Cut(tail, "/")
		}
	}
	rows, err := readRows(foreign)
	for _, row := range rows {
		n.foreign[row] = true
	}
	return n, err
}

var (
	fileName   = regexp.MustCompile(`[\w./*{<$-]*\w\.(?:go|c|h|md|sh)\b`)
	folderName = regexp.MustCompile(`\w[\w./-]*`)
	link       = regexp.MustCompile(`\]\(([^)#\s]+)[^)\s]*\)`)
)

// in returns the names in a paragraph for which there is no file.
func (n *names) in(file string, p paragraph) (found []finding) {
	for _, at := range fileName.FindAllStringIndex(p.text, -1) {
		name, after := p.text[at[0]:at[1]], p.text[at[1]:]
		before := p.text[:at[0]]
		switch {
		case strings.ContainsAny(name, "*{<$"), strings.HasPrefix(name, "/"), strings.HasPrefix(name, "-"), n.foreign[name]:
			continue
		case strings.HasPrefix(after, "("), strings.HasPrefix(after, "/"): // a call, a host
			continue
		case strings.HasSuffix(before, ":"), strings.HasSuffix(before, "~"), strings.HasSuffix(before, "@"):
			continue
		}
		if !n.exists(strings.TrimPrefix(name, "./"), path.Dir(file), p.text) {
			found = append(found,
				finding{file, p.lineAt(at[0]), fmt.Sprintf("%s: there is no such file: write the name of one, or of the package",
					name)})
		}
	}
	return found
}

// exists reports whether a text of a folder means a file by a name.
func (n *names) exists(name, dir, text string) bool {
	if n.files[path.Join(dir, name)] || n.files[name] || n.tails[name] {
		return true
	}
	if strings.Contains(name, "/") {
		return false
	}
	for _, folder := range folderName.FindAllString(text, -1) { // folders that the paragraph names, by a file or without
		folder = strings.Trim(folder, "./")
		for _, in := range []string{folder, path.Dir(folder), path.Join(dir, folder)} {
			if at := path.Join(in, name); in != "." && (n.files[at] || n.tails[at]) {
				return true
			}
		}
	}
	return false
}

// links returns the links of a paragraph that lead to no file and to no folder.
func (n *names) links(file string, p paragraph) (found []finding) {
	for _, at := range link.FindAllStringSubmatchIndex(p.text, -1) {
		to := p.text[at[2]:at[3]]
		if strings.Contains(to, ":") {
			continue
		}
		if at, is := path.Join(path.Dir(file), to), n.files; !is[at] && !is[at+"/"] {
			found = append(found, finding{file, p.lineAt(0), fmt.Sprintf("%s: this link leads nowhere", to)})
		}
	}
	return found
}
