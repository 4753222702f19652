// This file owns the tests: changes of names in a small repository are found.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const thing = `package m

type Thing[T any] struct {
	Field int
	own   T
}

func (Thing[T]) Do(name string, more ...T) error { return nil }

type Face interface {
	Look(far bool) (int, error)
	own()
}

type Alias = hidden

type hidden struct{ own int }

func (hidden) Shown() {}

const Two, Version = 2, "1"

var Words = map[string]func(n int){}

func Fast() int { return fast() }
`

func TestChangesOfNamesAreFound(t *testing.T) {
	root := repository(t)
	said(t, 0, "+ ", "-write", root)
	got, err := os.ReadFile(filepath.Join(root, "tools/exports/ross.txt"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `example.com/m: const Two untyped int = 2
example.com/m: const Version untyped string
example.com/m: func Fast() int
example.com/m: method (Alias) Shown()
example.com/m: method (Thing) Do(string, ...T) error
example.com/m: type Alias = hidden
example.com/m: type Alias struct
example.com/m: type Face interface
example.com/m: type Face interface, Look(bool) (int, error)
example.com/m: type Face interface, unexported methods
example.com/m: type Thing struct, Field int
example.com/m: type Thing[T any] struct
example.com/m: var Words map[string]func(int)
`
	if string(got) != want {
		t.Errorf("the names are\n%s\nnot\n%s", got, want)
	}
	said(t, 0, "are those of tools/exports", root)
	git(t, root, "init", "-q")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "all")

	put(t, root, "m.go", strings.ReplaceAll(strings.ReplaceAll(thing, "name string", "another string"), `"1"`, `"2"`))
	said(t, 0, "are those of tools/exports", root)
	put(t, root, "m.go", thing+"\nfunc New() {}\n")
	said(t, 1, "+ example.com/m: func New()\nexports: no version is tagged", root)
	git(t, root, "tag", "v0.1.0")
	said(t, 1, "+ example.com/m: func New()\nexports: all changes since v0.1.0 are compatible\nexports: error: ", root)
	put(t, root, "m.go", strings.ReplaceAll(thing, "Field int", "Field int64"))
	said(t, 1, "- example.com/m: type Thing struct, Field int\n+ example.com/m: type Thing struct, Field int64\n"+
		"exports: incompatible with v0.1.0: example.com/m: Thing.Field: changed from int to int64\nexports: error: ", root)
	said(t, 0, "incompatible", "-write", root)
	said(t, 0, "are those of tools/exports", root)
	put(t, root, "proc/p.go", "package p\n\nfunc P() {}\n\nfunc Q() {}\n")
	said(t, 1, "tools/exports/proc.txt:\n+ example.com/m/proc: func Q()\n", root)
}

func TestNamesThatOneBuildHasAreFound(t *testing.T) {
	root := repository(t)
	said(t, 0, "+ ", "-write", root)
	put(t, root, "fast_arm64.go", "package m\n\nfunc OnARM() {}\n\nfunc fast() int { return 2 }\n")
	said(t, 2, "+ example.com/m: func OnARM()", root)
}

// repository makes one with the modules that are compared.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	use := ""
	for _, m := range modules {
		path := filepath.ToSlash(filepath.Join("example.com/m", m.folder))
		put(t, root, filepath.Join(m.folder, "go.mod"), "module "+path+"\n\ngo 1.26.0\n")
		use += "use ./" + m.folder + "\n"
	}
	put(t, root, "go.work", "go 1.26.0\n\n"+use)
	put(t, root, "m.go", thing)
	put(t, root, "fast_amd64.go", "package m\n\nfunc fast() int { return 1 }\n")
	put(t, root, "fast_arm64.go", "package m\n\nfunc fast() int { return 2 }\n")
	put(t, root, "internal/in/in.go", "package in\n\nfunc In() {}\n")
	put(t, root, "cmd/c/main.go", "package main\n\nfunc Main() {}\n\nfunc main() {}\n")
	put(t, root, "proc/p.go", "package p\n\nfunc P() {}\n")
	put(t, root, "program/parts/p.go", "package p\n\nfunc P() {}\n")
	put(t, root, "models/p.go", "package p\n\nfunc P() {}\n")
	if err := os.MkdirAll(filepath.Join(root, "tools/exports"), 0o777); err != nil {
		t.Fatal(err)
	}
	return root
}

// said requires the status and a part of what the program says.
func said(t *testing.T, status int, part string, args ...string) {
	t.Helper()
	var out strings.Builder
	if got := run(args, &out, &out); got != status || !strings.Contains(out.String(), part) {
		t.Fatalf("status %d, not %d, or without %q:\n%s", got, status, part, out.String())
	}
}

func git(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=test", "-c", "user.email=test"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
