// This file pins which settings have no effect, that they say so, and that all others are used.

package ross

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documented returns the doc comments of Config's fields, and which of the fields the program reads other than for the
// report: those of a selector whose left side is a configuration, or the engine's settings, by its name.
func documented(t *testing.T) (docs map[string]string, used map[string]bool) {
	t.Helper()
	docs, used = map[string]string{}, map[string]bool{}
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, room := range []string{"kernel", "timewarp", "check", "collect", "checkpoint", "run", "settings"} {
		more, err := filepath.Glob(filepath.Join("internal", room, "*.go"))
		require.NoError(t, err)
		names = append(names, more...)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if fields, ok := n.Type.(*ast.StructType); ok && n.Name.Name == "Config" {
					for _, field := range fields.Fields.List {
						if ast.IsExported(field.Names[0].Name) {
							docs[field.Names[0].Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
						}
					}
				}
			case *ast.FuncDecl: // what checks and binds settings does not use them, nor does the report
				return !slices.Contains([]string{"rules", "Register", "registerKernel", "registerInstrumentation", "reportConfig", "realTimeInterval", "RealTimeInterval", "settings"}, n.Name.Name)
			case *ast.SelectorExpr:
				switch x := n.X.(type) {
				case *ast.Ident:
					used[n.Sel.Name] = used[n.Sel.Name] || slices.Contains([]string{"c", "cfg", "set"}, x.Name)
				case *ast.SelectorExpr:
					used[n.Sel.Name] = used[n.Sel.Name] || slices.Contains([]string{"cfg", "set", "Set"}, x.Sel.Name)
				}
			}
			return true
		})
	}
	return docs, used
}

func TestSettingsWithoutEffectSaySoAndOthersAreUsed(t *testing.T) {
	docs, used := documented(t)
	require.Contains(t, docs, "IOAsROSS")
	for name, doc := range docs {
		require.Equal(t, !used[name], strings.Contains(doc, "without effect"), "Config.%s: %s", name, doc)
	}
}

func TestOptionsWithoutEffectSaySoInTheHelp(t *testing.T) {
	docs, _ := documented(t)
	o, _, _ := pholdOptions()
	help := map[string]string{}
	for opt := range o.Engine() {
		help[opt.Name] = opt.Help
	}
	for name, doc := range docs {
		_, flags, _ := strings.Cut(doc, "[--")
		flag := strings.FieldsFunc(flags, func(r rune) bool { return r == ',' || r == ']' || r == ' ' })
		if len(flag) == 0 || help["--"+flag[0]] == "" {
			continue // it has none, or it is the seeds
		}
		require.Equal(t, strings.Contains(doc, "without effect"), strings.Contains(help["--"+flag[0]], "without effect"), "Config.%s", name)
	}
}

func TestAnEmptyValueOfAnOptionWithoutEffectIsIgnored(t *testing.T) {
	o, c, _ := pholdOptions()
	var words []string
	for opt := range o.Engine() {
		if strings.Contains(opt.Help, "without effect") {
			words = append(words, opt.Name+"=")
		}
	}
	slices.Sort(words)
	require.Equal(t, []string{"--clock-rate=", "--extramem=", "--pe-per-file=", "--read-buffer=", "--sample-count=", "--send-buffer="}, words)
	_, err := o.Parse(words)
	require.NoError(t, err)
	want := DefaultConfig()
	want.Args = append([]string{"phold"}, words...)
	require.Equal(t, want, c.WithoutModel())

	_, err = o.Parse([]string{"--clock-rate=7", "--clock-rate="})
	require.NoError(t, err)
	require.Equal(t, uint64(7), c.ClockRate)
	for _, word := range []string{"--clock-rate=x", "--clock-rate=0", "--clock-rate", "--avl-size=41"} {
		_, err := o.Parse([]string{word})
		require.ErrorIs(t, err, ErrUsage, word)
	}
}
