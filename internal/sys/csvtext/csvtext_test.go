// This file tests that cells are safe, and that they have their texts.

package csvtext

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

func TestCellsAreAsExpected(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "desk 3": "desk 3", "router (3,4,5)": "router (3,4,5)", "=SUM(A1)": "'=SUM(A1)", "-5": "'-5", "+1": "'+1",
		"@x": "'@x", "'": "''", "'a": "''a", "a\nb": `a\nb`, "\x1b[31m": `\x1b[31m`, "\u202eabc": `\u202eabc`, `C:\data`: `C:\data`,
		`C:\new`: `C:\\new`, "\tx": `\tx`, "Zürich": "Zürich", "\xff": `\xff`, "a\x00": `a\x00`, "\ufffd": "\ufffd",
	} {
		require.Equal(t, want, Cell(text), "%q", text)
		require.Equal(t, text, Parse(want), "%q", want)
	}
	require.Equal(t, "'x", Parse("'x"), "no cell of ours")
}

func FuzzCell(f *testing.F) {
	for _, text := range []string{"=1", "''=", `\x1b`, `\\n`, "\x1b\xfe\u2066", `\400`, `\'`, "\u0085"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cell := Cell(text)
		if got := Parse(cell); got != text {
			t.Fatalf("%q became %q, and this %q", text, cell, got)
		}
		if strings.ContainsFunc(cell, unicode.IsControl) || cell != "" && strings.IndexByte("=+-@\t\r", cell[0]) >= 0 {
			t.Fatalf("%q became %q", text, cell)
		}
	})
}
