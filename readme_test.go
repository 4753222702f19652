// This file owns the tests that README.md, docs/README.md, ross.go and docs/instrumentation.md do not part from their
// programs.

package ross_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_readme_test.go")
	require.NoError(t, err)

	const from = "const lps"
	_, shown, _ := strings.Cut(string(readme), "\n"+from)
	shown, _, found := strings.Cut(shown, "\n}\n```")
	require.True(t, found, "README.md has no program from %q to its end", from)
	_, here, _ := strings.Cut(string(source), "\n"+from)
	here, _, _ = strings.Cut(here, "\n\t// Output:")
	require.Equal(t, strings.Replace(here, "func Example()", "func main()", 1), shown)
}

func TestTheProgramOfThePackageCommentRuns(t *testing.T) {
	testlevel.Once(t, "a program that go run compiles")
	source, err := os.ReadFile("ross.go")
	require.NoError(t, err)
	_, shown, _ := strings.Cut(string(source), "//	package main\n")
	shown, _, found := strings.Cut("//	package main\n"+shown, "\n//\n// It runs")
	require.True(t, found, "ross.go has no program")
	shown = strings.ReplaceAll(strings.ReplaceAll(shown, "//\t", ""), "\n//\n", "\n\n")
	program, err := os.ReadFile("docs/readme/main.go")
	require.NoError(t, err)
	require.Equal(t, string(program), shown+"\n")
	out, err := exec.Command("go", "run", "./docs/readme").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "LP 0 received 91 events\n", string(out))
}

func TestInstrumentationPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile("docs/instrumentation.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_instrumentation_test.go")
	require.NoError(t, err)

	require.Equal(t, 6, testkit.RequireShown(t, string(page), string(source)), "parts of the example on the page")
}

// Another module can call a package if its exported functions and types do not name those of internal packages. Those
// that do say that they are for the engine.
func TestPackagesThatTheIndexCallsUsableAloneNeedNoInternalTypes(t *testing.T) {
	readme, err := os.ReadFile("docs/README.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(readme), "| package | contents |")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	packages := 0
	for row := range strings.Lines(table) {
		for _, link := range regexp.MustCompile(`\]\(\.\./([a-z/]+)\)`).FindAllStringSubmatch(row, -1) {
			if names := internalTypes(t, link[1]); link[1] == "gvt" {
				require.NotEmpty(t, names, "%s can be used alone", link[1])
			} else {
				require.Empty(t, names, link[1])
			}
			packages++
		}
	}
	require.Greater(t, packages, 10)
}

// internalTypes returns what the exported declarations of a package name of internal packages, but for those that are
// for the engine.
func internalTypes(t *testing.T, dir string) (names []string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution|parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	engines := map[string]bool{} // types for the engine
	for _, file := range files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && isForTheEngine(d.Doc) {
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						engines[s.Name.Name] = true
					}
				}
			}
		}
	}
	for _, file := range files {
		internal := map[string]bool{}
		for _, i := range file.Imports {
			if path := strings.Trim(i.Path.Value, `"`); strings.Contains(path, "/internal/") {
				internal[path[strings.LastIndex(path, "/")+1:]] = true
			}
		}
		look := func(n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := s.X.(*ast.Ident); ok && internal[of.Name] {
						names = append(names, of.Name+"."+s.Sel.Name)
					}
				}
				f, isField := n.(*ast.Field)
				return !isField || len(f.Names) == 0 || f.Names[0].IsExported()
			})
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && !isForTheEngine(d.Doc) && !engines[receiverOf(d)] {
					look(d.Type)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && !engines[s.Name.Name] {
						look(s.Type)
					}
				}
			}
		}
	}
	return names
}

// isForTheEngine reports whether a doc comment says that what it describes is for the engine.
func isForTheEngine(doc *ast.CommentGroup) bool {
	return strings.Contains(strings.Join(strings.Fields(doc.Text()), " "), "It is for the engine")
}

// receiverOf returns the name of the type of a method, "" for a function.
func receiverOf(d *ast.FuncDecl) string {
	name := ""
	if d.Recv != nil {
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && name == "" {
				name = id.Name
			}
			return true
		})
	}
	return name
}
