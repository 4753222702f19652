// This file owns what packages declare.

package main

import (
	"errors"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// packages knows those of the modules, by their paths, and those of the standard library once they were asked for.
type packages struct {
	root  string // of the repository
	first string // path of the first module
	own   map[string]*documented
	all   map[string]*documented // nil if there is none
}

// documented is a package as documentation shows it.
type documented struct {
	*doc.Package
	folder string
	fields map[string]bool // of structs, behind the names of their types
}

// system is what pkg.go.dev shows first.
var system = func() build.Context {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = "linux", "amd64", true
	return c
}()

// read reads the packages of the modules in folders of a repository.
func read(root string, folders []string) (*packages, error) {
	p := &packages{root: root, own: map[string]*documented{}, all: map[string]*documented{}}
	for _, folder := range folders {
		text, err := os.ReadFile(filepath.Join(root, folder, "go.mod"))
		if err != nil {
			return nil, err
		}
		module := modfile.ModulePath(text)
		if p.first == "" {
			p.first = module
		}
		top := filepath.Join(root, folder)
		err = filepath.WalkDir(top, func(at string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if at != top {
				_, other := os.Stat(filepath.Join(at, "go.mod"))
				name := d.Name()
				if other == nil || name == "testdata" || name == "bin" || strings.HasPrefix(name, ".") {
					return fs.SkipDir
				}
			}
			rel, err := filepath.Rel(top, at)
			if err != nil {
				return err
			}
			one, err := document(path.Join(module, filepath.ToSlash(rel)), at)
			if one != nil {
				p.own[one.ImportPath], p.all[one.ImportPath] = one, one
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// document reads the package in a folder; nil means that there is none.
func document(importPath, folder string) (*documented, error) {
	b, err := system.ImportDir(folder, 0)
	var none *build.NoGoError
	switch {
	case errors.As(err, &none):
		return nil, nil
	case err != nil:
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	d := &documented{folder: folder, fields: map[string]bool{}}
	for _, names := range [][]string{b.GoFiles, b.CgoFiles} {
		for _, name := range names {
			file, err := parser.ParseFile(fset, filepath.Join(folder, name), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
			d.addFields(file)
		}
	}
	d.Package, err = doc.NewFromFiles(fset, files, importPath)
	return d, err
}

// addFields adds the exported fields of the structs of a file.
func (d *documented) addFields(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		t, is := n.(*ast.TypeSpec)
		if !is {
			return true
		}
		if s, is := t.Type.(*ast.StructType); is {
			for _, f := range s.Fields.List {
				for _, name := range f.Names {
					d.fields[t.Name.Name+"."+name.Name] = true
				}
			}
		}
		return true
	})
}

// find returns the package of a path, nil if there is none.
func (p *packages) find(importPath string) *documented {
	if one, known := p.all[importPath]; known {
		return one
	}
	folder := filepath.Join(system.GOROOT, "src", filepath.FromSlash(importPath))
	one, err := document(importPath, folder)
	if err != nil {
		one = nil
	}
	p.all[importPath] = one
	return one
}

// has reports whether documentation of a package shows a name, one of a type if recv is not empty.
func (d *documented) has(recv, name string) bool {
	return d.Parser().LookupSym(recv, name) || recv != "" && d.fields[recv+"."+name]
}
