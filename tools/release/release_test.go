// This file owns the tests of the texts of releases, and of archives. The template's test uses whole releases.

package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTurnWritesThePagesOfARelease(t *testing.T) {
	root := t.TempDir()
	put(t, root, "README.md", "one\n\n"+before+"\n**Nothing is released yet.**\n"+end+"\n\ntwo"+before+", and more"+end+".\n")
	put(t, root, "CHANGELOG.md", "# Changelog\n\n## [Unreleased]: 0.1.0\n\n- a thing\n")
	put(t, root, "CITATION.cff", "title: x\nlicense: y\n")
	for range 2 {
		if err := turn("v0.1.0", "2026-11-30", root); err != nil {
			t.Fatal(err)
		}
		same(t, root, "README.md", "one\n\ntwo.\n")
		same(t, root, "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-30\n\n- a thing\n")
		same(t, root, "CITATION.cff", "title: x\nversion: 0.1.0\ndate-released: 2026-11-30\nlicense: y\n")
	}
	if err := turn("v0.2.0", "2027-01-02", root); err != nil {
		t.Fatal(err)
	}
	same(t, root, "CITATION.cff", "title: x\nversion: 0.2.0\ndate-released: 2027-01-02\nlicense: y\n")
	if found := found(t, "v0.2.0", root); !strings.Contains(found, "lists nothing") || strings.Contains(found, "\n") {
		t.Errorf("0.2.0 has no news, and this is found: %s", found)
	}
}

func TestLookFindsWhatNoReleaseSays(t *testing.T) {
	root := t.TempDir()
	put(t, root, "CHANGELOG.md", "## [Unreleased]\n\n## [0.1.0] - 2026-11-30\n\n- a thing\n")
	put(t, root, "go.mod", "module example.com/m\n")
	if found := found(t, "v0.1.0", root); found != "" {
		t.Fatalf("nothing is in the way, but %s", found)
	}
	put(t, root, "a.md", "Well.\nNothing is\nreleased yet.\n")
	put(t, root, "b/b.go", "// Package b waits as long as there\n// is no release.\npackage b\n")
	put(t, root, "c.md", "Version 0.1.0 will be the first.\n")
	put(t, root, "go.mod", "module example.com/m\n\nreplace example.com/o => ../o\n")
	got := found(t, "v0.1.0", root)
	for _, want := range []string{"a.md:2: ", "b/b.go:1: ", "c.md:1: ", "go.mod:3: replaces example.com/o"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found:\n%s", want, got)
		}
	}
	if got := found(t, "v0.2.0", root); !strings.Contains(got, "## [0.2.0] - DATE") {
		t.Errorf("the changelog has no 0.2.0, and this is found: %s", got)
	}
}

func TestArchivesAreThoseOfTheProxy(t *testing.T) {
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/m\n")
	put(t, root, "m.go", "package m\n")
	put(t, root, "LICENSE", "as is\n")
	put(t, root, "sub/go.mod", "module example.com/m/sub\n")
	put(t, root, "sub/sub.go", "package sub\n")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=test", "-c", "user.email=test"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "all")
	git("tag", "v1.0.0")
	git("tag", "sub/v1.0.0")
	proxy := t.TempDir()
	for folder, want := range map[string]string{".": "LICENSE go.mod m.go", "sub": "LICENSE go.mod sub.go"} {
		if err := publish("v1.0.0", root, proxy, folder); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("example.com/m", folder)
		text, err := os.ReadFile(filepath.Join(proxy, path, "@v", "v1.0.0.zip"))
		if err != nil {
			t.Fatal(err)
		}
		archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]bool{}
		for _, f := range archive.File {
			files[strings.TrimPrefix(f.Name, path+"@v1.0.0/")] = true
		}
		for name := range strings.FieldsSeq(want) {
			if !files[name] {
				t.Errorf("%s lacks %s: %v", folder, name, files)
			}
		}
		if len(files) != 3 {
			t.Errorf("%s has more than its own files: %v", folder, files)
		}
	}
	if err := publish("v2.0.0", root, proxy, "sub"); err == nil || !strings.Contains(err.Error(), "sub/v2.0.0") {
		t.Errorf("a version without a tag is published: %v", err)
	}
}

func TestPackedFilesHaveNoTimes(t *testing.T) {
	root := t.TempDir()
	var before []byte
	for i, mode := range []os.FileMode{0o700, 0o755} {
		put(t, root, "it/program", "run me\n")
		put(t, root, "it/doc/LICENSE", "as is\n")
		if err := os.Chmod(filepath.Join(root, "it/program"), mode); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1e9*(i+1)), 0)
		if err := os.Chtimes(filepath.Join(root, "it/program"), at, at); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(root, "it.tar.gz")
		if status := run([]string{"pack", filepath.Join(root, "it"), file}, os.Stdout, os.Stderr); status != 0 {
			t.Fatalf("status %d", status)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !bytes.Equal(before, text) {
			t.Error("the same files with other times are packed in another way")
		}
		before = text
	}
	out, err := exec.Command("tar", "-tvzf", filepath.Join(root, "it.tar.gz")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "-rwxr-xr-x") || !strings.Contains(string(out), "it/doc/LICENSE") {
		t.Errorf("the archive has other files: %v\n%s", err, out)
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

func same(t *testing.T, root, name, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is\n%s\nand not\n%s", name, got, want)
	}
}

// found returns what look finds, a line for each.
func found(t *testing.T, version, root string) string {
	t.Helper()
	all, err := look(version, root)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}
