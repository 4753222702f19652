// This file owns the tests: which links are found, and which are not.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLinksThatLeadNowhere(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/m\n")
	put(t, root, "m.go", "// Package m uses [sub.Thing] and [io.Reader], [T.Field] and a[i], [example.com/m/sub.Thing].\n//\n"+
		"// It also has [sub.Gone], [io.Gone], [T.Gone], [example.com/m/gone], [other].\npackage m\n\n"+
		"import (\n\t\"example.com/m/sub\"\n\t\"io\"\n)\n\nvar _ io.Reader\n\n// T is one of [sub.Thing.Do], of [U] and of [T.m].\n"+
		"type T struct{ Field sub.Thing }\n")
	put(t, root, "sub/sub.go", "package sub\n\ntype Thing int\n\n// Do does as [Thing.Undo].\nfunc (Thing) Do() {}\n")
	put(t, root, "other/other.go", "package other\n")
	put(t, root, "part/go.mod", "module example.com/m/part\n")
	put(t, root, "part/part.go", "// Package part uses [example.com/m/sub.Thing].\npackage part\n")
	put(t, root, "README.md", "# It is *one*, `two`\n\n[a](#it-is-one-two) [b](docs/b.md#b) [c](#gone) [d](docs/gone.md) [e](docs)\n"+
		"[f](https://example.com/m/blob/main/docs/b.md#b) [g](https://example.com/m/blob/main/gone.md)\n"+
		"[h](https://pkg.go.dev/example.com/m/sub#Thing.Do) [i](https://pkg.go.dev/example.com/m/sub#Gone)\n"+
		"[j](https://elsewhere.example/gone) `[k](gone)`\n\n```\n[l](gone)\n```\n\n    [m](gone)\n")
	put(t, root, "docs/b.md", "# B\n\n```\n# no\n```\n\n[a](../README.md) [b](#no)\n<img src=\"gone.svg\">\n")

	var out strings.Builder
	if status := run([]string{root, ".", "part"}, &out, os.Stderr); status != 1 {
		t.Errorf("the status is %d", status)
	}
	const want = `README.md: #gone: the page has no such heading
README.md: docs/gone.md: there is no such file
README.md: https://example.com/m/blob/main/gone.md: there is no such file
README.md: https://pkg.go.dev/example.com/m/sub#Gone: the package exports no such name
docs/b.md: #no: the page has no such heading
docs/b.md: gone.svg: there is no such file
example.com/m/sub: Thing.Do: [Thing.Undo]: the package exports no such name
example.com/m: T: [U]: the package exports no such name
example.com/m: package comment: [T.Gone]: the package exports no such name
example.com/m: package comment: [example.com/m/gone]: there is no package example.com/m/gone
example.com/m: package comment: [io.Gone]: io exports no such name
example.com/m: package comment: [other]: the package imports no such package: write its whole path
example.com/m: package comment: [sub.Gone]: example.com/m/sub exports no such name
`
	if out.String() != want {
		t.Errorf("found:\n%s\nnot\n%s", out.String(), want)
	}
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
