// This file pins that the options of all programs that name a file to be written say so in their registration, which
// has it checked before the run, and that others with such a text are known.

package cmdline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// otherFiles are the options of text that name files or folders and are no Group.File.
var otherFiles = map[string]string{
	"io-name":      "its folder is made before the run",
	"stats-path":   "it is made before the run",
	"stats-prefix": "a part of a name",
	"report-path":  "it is made before the run",
	"journal":      "it is opened before the first run",
	"merge":        "it is read",
	"design":       "it is read before the first run",
}

func TestOptionsThatNameFilesAreCheckedBeforeTheRun(t *testing.T) {
	names := regexp.MustCompile(`(?i)\b(files?|folder|directory|path)\b`)
	seen := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." ||
			!strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil // of testdata
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) != 3 {
				return true
			}
			method, is := call.Fun.(*ast.SelectorExpr)
			if !is || method.Sel.Name != "String" && method.Sel.Name != "File" {
				return true
			}
			help, name := text(call.Args[2]), text(call.Args[1])
			switch {
			case method.Sel.Name == "File":
				seen[name] = true
			case name != "" && names.MatchString(help):
				require.Contains(t, otherFiles, name, "%s: register --%s with Group.File if it is written", path, name)
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	for _, name := range []string{"links", "trace", "states"} {
		require.True(t, seen[name], "the test does not find --%s", name)
	}
}

// text returns the value of a string literal, or "".
func text(e ast.Expr) string {
	lit, is := e.(*ast.BasicLit)
	if !is || lit.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(lit.Value)
	return s
}

func TestFilesToBeWrittenAreCheckedByParse(t *testing.T) {
	t.Chdir(t.TempDir())
	for word, want := range map[string]string{
		"--out=new.csv":    "",
		"--out=":           "",
		"--out=none/x.csv": "ross: option --out=none/x.csv: no such file or directory: name a file in a folder that exists",
		"--out=.":          "ross: option --out=.: is a directory: it is a folder: name a file in it, or remove it",
	} {
		o := NewOptions("program")
		var path string
		o.Group("Files").File(&path, "out", "file for the result")
		_, err := o.Parse([]string{word})
		require.Equal(t, strings.TrimPrefix(word, "--out="), path)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, ErrUsage)
	}
}
