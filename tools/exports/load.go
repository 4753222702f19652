// This file owns reading packages: they are type-checked from their sources, without function bodies.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// variant is a build.
type variant struct{ system, arch, cgo, tags string }

func (v variant) String() string {
	return fmt.Sprintf("GOOS=%s GOARCH=%s CGO_ENABLED=%s -tags=%s", v.system, v.arch, v.cgo, v.tags)
}

var variants = []variant{
	{"linux", "amd64", "1", ""}, {"linux", "arm64", "0", ""}, {"darwin", "arm64", "0", ""}, {"linux", "amd64", "1", "mpi"},
}

// withC are the packages that call C. Only the engine uses them, and without cgo they are empty.
var withC = map[string]bool{"github.com/ross-go/ross/csrc": true, "github.com/ross-go/ross/csrc/clibm": true}

// exported is a package that others may import.
type exported = *types.Package

// loader reads packages; files are parsed once.
type loader struct {
	fset  *token.FileSet
	files map[string]*ast.File
}

func newLoader() *loader { return &loader{fset: token.NewFileSet(), files: map[string]*ast.File{}} }

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Name string
	GoFiles, CgoFiles     []string
	ImportMap             map[string]string
	Standard, DepOnly     bool
	Module                *struct{ Path string }
	Error                 *struct{ Err string }
}

// shown reports whether others may import a package. That the rest is right, compilers say.
func (p *listed) shown() bool {
	return !p.DepOnly && p.Name != "main" && !slices.Contains(strings.Split(p.ImportPath, "/"), "internal") &&
		len(p.GoFiles)+len(p.CgoFiles) > 0 && !withC[p.ImportPath]
}

// load returns the packages that others may import of the modules in folders, in the order of their paths.
func (l *loader) load(root string, v variant, folders []string) (map[string][]exported, error) {
	args := []string{"list", "-deps", "-e", "-tags=" + v.tags,
		"-json=ImportPath,Dir,Name,GoFiles,CgoFiles,ImportMap,Standard,DepOnly,Module,Error"}
	for _, folder := range folders {
		args = append(args, "./"+filepath.ToSlash(filepath.Join(folder, "..."))) // without modules below it
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=", "GOOS="+v.system, "GOARCH="+v.arch, "CGO_ENABLED="+v.cgo, "PWD="+root)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: go %s: %w\n%s", root, strings.Join(args, " "), err, &messages)
	}
	all := map[string]*types.Package{"unsafe": types.Unsafe}
	own := map[string][]exported{}
	first := ""
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.ImportPath == "unsafe" || p.ImportPath == "C" {
			continue
		}
		if p.Error != nil && !p.Standard && len(p.GoFiles)+len(p.CgoFiles) > 0 {
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		one, err := l.check(p, v, all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v, err)
		}
		all[p.ImportPath] = one
		if !p.shown() {
			continue
		}
		if first == "" || len(p.Module.Path) < len(first) {
			first = p.Module.Path
		}
		own[p.Module.Path] = append(own[p.Module.Path], one)
	}
	byFolder := map[string][]exported{}
	for path, packages := range own {
		slices.SortFunc(packages, func(a, b exported) int { return strings.Compare(a.Path(), b.Path()) })
		folder := strings.TrimPrefix(strings.TrimPrefix(path, first), "/")
		if folder == "" {
			folder = "."
		}
		byFolder[folder] = packages
	}
	return byFolder, nil
}

// check type-checks a package. What is of C has no type.
func (l *loader) check(p listed, v variant, all map[string]*types.Package) (*types.Package, error) {
	var files []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		path := filepath.Join(p.Dir, name)
		file := l.files[path]
		if file == nil {
			var err error
			file, err = parser.ParseFile(l.fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			l.files[path] = file
		}
		files = append(files, file)
	}
	var first error
	config := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            types.SizesFor("gc", v.arch),
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
		Importer: importer(func(path string) (*types.Package, error) {
			if mapped, is := p.ImportMap[path]; is {
				path = mapped
			}
			if one := all[path]; one != nil {
				return one, nil
			}
			return nil, fmt.Errorf("no package %s", path)
		}),
	}
	one, _ := config.Check(p.ImportPath, l.fset, files, nil)
	if first != nil && p.shown() {
		return nil, first
	}
	return one, nil
}

// importer is a function that imports packages.
type importer func(string) (*types.Package, error)

// Import is that of types.Importer.
func (f importer) Import(path string) (*types.Package, error) { return f(path) }
