// This file owns the test of what prose finds in a small module.

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// write writes a module, and returns its folder.
func write(t *testing.T, files map[string]string) string {
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestProse(t *testing.T) {
	root := write(t, map[string]string{
		"tools/words.txt": "# comment\nis none\tthere is no X\n\\btold\\b\treports\n",
		"tools/names.txt": "theirs.c\n",
		"in/doc.go":       "// Package in is in doc.go, not in gone.go;\n// in csrc/one.c, sub/two.go; theirs.c. It\n// is\n// none.\npackage in // told\n\nvar told = \"gone.go // told\" // Told\n",
		"csrc/one.c":      "/* See two.go. */\n\n/* It was\n * told by in/sub/two.go */\nchar *s = \"/* told gone.c */\"; // in/doc.go\n",
		"in/sub/two.go": "package sub\n\n// Type is right, [Type.Field] and [Type.Gone].\ntype Type struct{ Field int }\n\n" +
			"// Old returns [in.Gone].\nfunc New() {}\n\n// Whatever it shows.\nfunc TestIt() {}\n",
		"docs/names.md": "`Type`, `sub.Type.Field`, `New()`, `Field`, `go`, `g_tw`, `a.csv`; `Gone`, `sub.Gone`\nand `Type.Gone`.\n",
		"README.md": "# Title\n\nThere is\nnone, see [in](in), [two](in/two.go) and in/gone.go.\n\n```\ntold gone.go\n```\n\n    told gone.go\n\n" +
			"- an item of in: doc.go,\n  that was told\n\n| in/sub | two.go |\n| in | two.go |\n",
	})
	for _, c := range []struct {
		code bool
		want []string
	}{
		{false, []string{
			`README.md:3: "is none": write there is no X`,
			"README.md:3: in/two.go: this link leads nowhere",
			"README.md:4: in/two.go: there is no such file: write the name of one, or of the package",
			"README.md:4: in/gone.go: there is no such file: write the name of one, or of the package",
			"README.md:7: gone.go: there is no such file: write the name of one, or of the package",
			"README.md:10: gone.go: there is no such file: write the name of one, or of the package",
			`README.md:13: "told": write reports`,
			"README.md:16: two.go: there is no such file: write the name of one, or of the package",
			"csrc/one.c:1: two.go: there is no such file: write the name of one, or of the package",
			"docs/names.md:1: Gone: the code has no such name",
			"docs/names.md:1: sub.Gone: the code has no such name",
			"docs/names.md:2: Type.Gone: the code has no such name",
			"in/doc.go:1: gone.go: there is no such file: write the name of one, or of the package",
		}},
		{true, []string{`csrc/one.c:4: "told": write reports`, `in/doc.go:3: "is none": write there is no X`,
			`in/doc.go:5: "told": write reports`,
			`in/doc.go:7: "Told": write reports`, "in/sub/two.go:3: [Type.Gone]: there is no such name",
			`in/sub/two.go:6: "Old" begins the comment of New: begin it with the name`,
			"in/sub/two.go:6: [in.Gone]: there is no such name"}},
	} {
		found, err := look(root, c.code)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range found {
			if line := one.String(); !c.code || !strings.HasPrefix(line, "README.md") &&
				strings.Contains(line, "write reports") || strings.Contains(line, "doc.go:3") || strings.HasPrefix(line, "in/sub") {
				got = append(got, line)
			}
		}
		if !slices.Equal(c.want, got) {
			t.Errorf("found\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
