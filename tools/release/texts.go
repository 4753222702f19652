// This file owns the texts that a release changes, or that must not be in one.

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

const changelog = "CHANGELOG.md"

// What stands between these marks in a page is about the time before the first release; GitHub does not show the marks.
const before, end = "<!-- before a release -->", "<!-- end -->"

var (
	marked     = regexp.MustCompile(`(?s)(\n*)` + before + `.*?` + end + `(\n*)`)
	unreleased = regexp.MustCompile(`(?m)^## \[Unreleased\].*$`)
	cited      = regexp.MustCompile(`(?m)^(version|date-released):.*\n`)
	licence    = regexp.MustCompile(`(?m)^license:`)
)

// turn writes the pages of a repository as those of a release: without what is about the time before the first one,
// with a section of CHANGELOG.md for the version, and with version and date in CITATION.cff. Doing it twice changes no
// more than doing it once.
func turn(version, date, root string) error {
	pages, err := filesOf(root, ".md")
	if err != nil {
		return err
	}
	number := strings.TrimPrefix(version, "v")
	for _, page := range pages {
		err := edit(filepath.Join(root, page), func(text string) string {
			text = marked.ReplaceAllStringFunc(text, func(s string) string {
				sides := marked.FindStringSubmatch(s) // of two gaps around a paragraph, one stays
				return max(sides[1], sides[2])
			})
			if page != changelog || strings.Contains(text, "## ["+number+"]") {
				return text
			}
			return unreleased.ReplaceAllLiteralString(text, "## [Unreleased]\n\n## ["+number+"] - "+date)
		})
		if err != nil {
			return err
		}
	}
	return edit(filepath.Join(root, "CITATION.cff"), func(text string) string {
		if strings.Contains(text, "\nversion: "+number+"\n") {
			return text
		}
		text = cited.ReplaceAllLiteralString(text, "")
		return licence.ReplaceAllLiteralString(text, "version: "+number+"\ndate-released: "+date+"\nlicense:")
	})
}

// edit changes a file, unless the text stays as it is.
func edit(file string, change func(string) string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	changed := change(string(text))
	if changed == string(text) {
		return nil
	}
	return os.WriteFile(file, []byte(changed), info.Mode().Perm())
}

// Between words of a text there is space, or a line break with the sign of a comment.
const gap = `[\s/#*]+`

// early is what no text of a release says.
var early = regexp.MustCompile(strings.ReplaceAll(`(?i)(nothing is (yet )?released|no release yet|not (yet )?(been )?released|`+
	`there is no release|before version 0\.|version 0\.[0-9.]+ will be|release will be|<!-- before a release -->)`, " ", gap))

// look returns what is in the way of a release of a version, each with the place and the remedy.
func look(version, root string) (found []string, err error) {
	files, err := filesOf(root, ".md", ".go", ".yml", ".cff", ".c", ".h")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if strings.HasPrefix(file, "tools/release/") || strings.Contains("/"+file, "/testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		for _, at := range early.FindAllIndex(text, -1) {
			line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
			found = append(found, fmt.Sprintf("%s:%d: %q: a release must not say that: correct it, or put it between %s and %s",
				file, line, text[at[0]:at[1]], before, end))
		}
		if file == changelog {
			found = append(found, lookAtChanges(version, string(text))...)
		}
	}
	replacing, err := lookForReplace(root)
	return append(found, replacing...), err
}

// lookAtChanges looks for the section of a version in the text of CHANGELOG.md.
func lookAtChanges(version, text string) []string {
	heading := "## [" + strings.TrimPrefix(version, "v") + "] - "
	_, section, there := strings.Cut(text, heading)
	if !there || !unreleased.MatchString(text) {
		return []string{fmt.Sprintf("%s: there is no %q, or no %q: run tools/release.sh set %s", changelog, heading+"DATE",
			"## [Unreleased]", version)}
	}
	section, _, _ = strings.Cut(section, "\n## ")
	if !strings.Contains(section, "\n- ") {
		return []string{fmt.Sprintf("%s: %q lists nothing: write what is new for users", changelog, heading)}
	}
	return nil
}

// lookForReplace looks for lines in go.mod files that only a clone obeys.
func lookForReplace(root string) (found []string, err error) {
	files, err := filesOf(root, "go.mod")
	for _, file := range files {
		if strings.Contains("/"+file, "/testdata/") || strings.HasPrefix(file, "tools/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		mod, err := modfile.Parse(file, text, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range mod.Replace {
			found = append(found, fmt.Sprintf("%s:%d: replaces %s: remove the line, go.work does that in a clone", file,
				r.Syntax.Start.Line, r.Old.Path))
		}
	}
	return found, err
}

// wanted returns a function that reports whether a name has an ending.
func wanted(name string) func(end string) bool {
	return func(end string) bool { return strings.HasSuffix(name, end) }
}

// filesOf returns the files of a repository whose names have one of the endings, in order, without those that are
// built.
func filesOf(root string, ends ...string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "bin"):
			return fs.SkipDir
		case d.Type().IsRegular() && slices.ContainsFunc(ends, wanted(name)):
			files = append(files, filepath.ToSlash(name))
		}
		return nil
	})
	return files, err
}
