// This file owns the program: which files it reads, and what it says.

// Command prose looks for three things in the prose of a module, which is its Markdown and the comments of its Go and
// C files: names of files that do not exist, words that tools/words.txt refuses, and names of the code that it does not
// have: in doc links, in code spans of pages, and at the beginning of doc comments.
//
//	prose [-code] FOLDER
//
// -code also looks for refused words in comments; without it they are only refused in Markdown. A name is one of a
// file if it exists in the folder of the text, in a folder that its paragraph names, in the root, or, with a folder in
// front, anywhere. Names of others are in tools/names.txt.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	code := flag.Bool("code", false, "refuse words in comments as well")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: prose [-code] FOLDER")
		os.Exit(2)
	}
	found, err := look(flag.Arg(0), *code)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose: error:", err)
		os.Exit(2)
	}
	for _, one := range found {
		fmt.Println(one)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// finding is something to correct.
type finding struct {
	file string
	line int
	text string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text) }

// look returns what is to be corrected in the module of a folder, in the order of files and lines.
func look(root string, code bool) (found []finding, err error) {
	files, err := filesOf(root)
	if err != nil {
		return nil, err
	}
	refused, err := readWords(filepath.Join(root, "tools", "words.txt"))
	if err != nil {
		return nil, err
	}
	names, err := newNames(files, filepath.Join(root, "tools", "names.txt"))
	if err != nil {
		return nil, err
	}
	idents, err := newIdents(root, files, names.foreign)
	if err != nil {
		return nil, err
	}
	if code {
		found = append(found, idents.firstWords()...)
		found = append(found, idents.links()...)
	}
	for _, file := range files {
		read := readers[path.Ext(file)]
		if read == nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		if bytes.Contains(text, []byte("DO NOT EDIT")) {
			continue
		}
		isPage := path.Ext(file) == ".md"
		for _, p := range read(text) {
			if (isPage || code) && !p.code {
				found = append(found, refused.in(file, p)...)
			}
			found = append(found, names.in(file, p)...)
			if isPage && !p.code {
				found = append(found, names.links(file, p)...)
				if file != "CHANGELOG.md" { // whose names were those of their time
					found = append(found, idents.spans(file, p)...)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line)
	})
	return found, nil
}

// filesOf returns the files of a module, sorted, without those that make builds.
func filesOf(root string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "bin" || strings.HasPrefix(name, ".") && name != "."):
			return fs.SkipDir
		case !d.IsDir():
			files = append(files, name)
		}
		return nil
	})
	return files, err
}
