// This file owns names of Go: the first word of a doc comment, and what doc links and code spans of pages name.

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// idents knows what the Go files of a module declare.
type idents struct {
	packages map[string]declared // by folder
	folders  map[string][]string // of the packages of a name
	members  map[string]bool     // fields and methods of all types
	foreign  map[string]bool     // names of others, from tools/names.txt
	files    []parsed
	fset     *token.FileSet
}

// declared is what a package declares: names, and names of fields and methods behind those of their types.
type declared map[string]bool

// parsed is a file of Go.
type parsed struct {
	name string
	tree *ast.File
}

// newIdents reads the Go files of a module. Those that no Go compiler reads, in folders of test data, do not count.
func newIdents(root string, files []string, foreign map[string]bool) (*idents, error) {
	x := &idents{packages: map[string]declared{}, folders: map[string][]string{}, members: map[string]bool{},
		foreign: foreign, fset: token.NewFileSet()}
	for _, file := range files {
		if path.Ext(file) != ".go" || strings.Contains("/"+file, "/testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(x.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		x.files = append(x.files, parsed{file, tree})
		x.declare(path.Dir(file), tree)
	}
	for _, all := range x.packages {
		for name := range all {
			if _, member, dots := strings.Cut(name, "."); dots {
				x.members[member] = true
			}
		}
	}
	return x, nil
}

// declare adds what a file declares to its package.
func (x *idents) declare(dir string, tree *ast.File) {
	all := x.packages[dir]
	if all == nil {
		all = declared{}
		x.packages[dir] = all
	}
	if name := tree.Name.Name; !slices.Contains(x.folders[name], dir) {
		x.folders[name] = append(x.folders[name], dir)
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			all[qualified(d)] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, name := range s.Names {
						all[name.Name] = true
					}
				case *ast.TypeSpec:
					all.addType(s)
				}
			}
		}
	}
}

// addType adds a type with its fields, those that are embedded by their types' names, or the methods of an interface.
func (all declared) addType(s *ast.TypeSpec) {
	all[s.Name.Name] = true
	var fields *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return
	}
	for _, f := range fields.List {
		for _, name := range f.Names {
			all[s.Name.Name+"."+name.Name] = true
		}
		if len(f.Names) == 0 {
			all[s.Name.Name+"."+baseOf(f.Type)] = true
			all[s.Name.Name+".*"] = true // what it embeds has more
		}
	}
}

// qualified returns the name of a function, that of a method behind the one of its type.
func qualified(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return baseOf(d.Recv.List[0].Type) + "." + d.Name.Name
}

// baseOf returns the name of a type without its package, its parameters, and stars.
func baseOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return baseOf(e.X)
	case *ast.IndexExpr:
		return baseOf(e.X)
	case *ast.IndexListExpr:
		return baseOf(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// firstWords returns the doc comments that begin with another name than that of what they are about.
func (x *idents) firstWords() (found []finding) {
	for _, f := range x.files {
		for _, d := range f.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if !forTests.MatchString(d.Name.Name) { // its comment says what it shows
					found = append(found, x.firstWord(f.name, d.Doc, d.Name.Name)...)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					t, ok := s.(*ast.TypeSpec)
					if !ok {
						continue
					}
					if doc := t.Doc; doc != nil {
						found = append(found, x.firstWord(f.name, doc, t.Name.Name)...)
					} else if len(d.Specs) == 1 {
						found = append(found, x.firstWord(f.name, d.Doc, t.Name.Name)...)
					}
				}
			}
		}
	}
	return found
}

// firstWord looks at the first word of a doc comment, behind an article.
func (x *idents) firstWord(file string, doc *ast.CommentGroup, name string) []finding {
	words := strings.Fields(doc.Text())
	if len(words) > 1 && (words[0] == "A" || words[0] == "An" || words[0] == "The") {
		words = words[1:]
	}
	if len(words) == 0 || strings.HasPrefix(words[0], name) {
		return nil
	}
	return []finding{
		{file, x.fset.Position(doc.Pos()).Line, fmt.Sprintf("%q begins the comment of %s: begin it with the name", words[0],
			name)}}
}

var (
	docLink  = regexp.MustCompile(`(?:^|[\s("])\[\*?((?:[a-z]\w*\.)?[A-Z]\w*[a-z]\w*(?:\.[A-Z]\w*)?)\](?:$|[\s.,:;)"'?!])`)
	forTests = regexp.MustCompile(`^(Test|Benchmark|Fuzz|Example)`)
	files    = regexp.MustCompile(`^(go|csv|json|pc|cmake|md|sh|LICENSE|NOTICE)$`) // of what a point would separate
	codeSpan = regexp.MustCompile("`(?:([a-z]\\w*)\\.)?([A-Za-z]\\w*(?:\\.\\w+)*)(?:\\(\\))?`")
)

// links returns the doc links of comments that name nothing.
func (x *idents) links() (found []finding) {
	for _, f := range x.files {
		dir := path.Dir(f.name)
		for _, group := range f.tree.Comments {
			for _, c := range group.List {
				for _, at := range docLink.FindAllStringSubmatch(c.Text, -1) {
					if !x.exists(dir, f.tree, at[1]) {
						found = append(found,
							finding{f.name, x.fset.Position(c.Pos()).Line, fmt.Sprintf("[%s]: there is no such name", at[1])})
					}
				}
			}
		}
	}
	return found
}

// exists reports whether a name in a file of a folder is that of something, in its package or in one of the module.
func (x *idents) exists(dir string, tree *ast.File, name string) bool {
	if all := x.packages[dir]; all.has(name) {
		return true
	}
	pkg, rest, dots := strings.Cut(name, ".")
	if !dots {
		return x.foreign[name]
	}
	if len(x.folders[pkg]) > 0 {
		return x.in(pkg, rest)
	}
	for _, i := range tree.Imports { // of others
		if p := strings.Trim(i.Path.Value, `"`); path.Base(p) == pkg {
			return true
		}
	}
	return x.foreign[name]
}

// in reports whether a package of the module with a name declares another one.
func (x *idents) in(pkg, name string) bool {
	return slices.ContainsFunc(x.folders[pkg], func(dir string) bool { return x.packages[dir].has(name) })
}

// has reports whether a package declares a name, or one of a type that it declares and that embeds others.
func (all declared) has(name string) bool {
	if all[name] {
		return true
	}
	t, _, dots := strings.Cut(name, ".")
	return dots && all[t+".*"]
}

// spans returns the code spans of a page that look like a name of Go, and name nothing. Names with an underscore are of
// C or of the environment.
func (x *idents) spans(file string, p paragraph) (found []finding) {
	for _, at := range codeSpan.FindAllStringSubmatchIndex(p.text, -1) {
		pkg, name := "", p.text[at[4]:at[5]]
		if at[2] >= 0 {
			pkg = p.text[at[2]:at[3]]
		}
		if !strings.Contains(name, "_") && !files.MatchString(name) && !x.means(pkg, name) {
			found = append(found,
				finding{file, p.lineAt(at[0]),
					fmt.Sprintf("%s: the code has no such name", strings.Trim(p.text[at[0]:at[1]], "`"))})
		}
	}
	return found
}

// means reports whether a name is one of a package of the module, or with no package one of any.
func (x *idents) means(pkg, name string) bool {
	if x.foreign[name] || x.foreign[pkg+"."+name] {
		return true
	}
	if pkg != "" {
		return len(x.folders[pkg]) == 0 || x.in(pkg, name)
	}
	if name == strings.ToLower(name) || name == strings.ToUpper(name) { // a command, a folder, a value, a variable
		return true
	}
	if parts := strings.Split(name, "."); len(parts) > 2 { // a field of a field
		return x.members[parts[len(parts)-1]]
	}
	for _, all := range x.packages {
		if all.has(name) {
			return true
		}
	}
	return x.members[name]
}
