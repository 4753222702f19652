package proc

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChangesOfTheSourceAreNoted changes a file from which processes were generated, and its comments alone.
func TestChangesOfTheSourceAreNoted(t *testing.T) {
	all := sources.all
	defer func() { sources.all, sources.once = all, sync.Once{} }()
	const text = "package bank\n\nfunc f() {\n\tg(1) // once\n}\n"
	path := filepath.Join(t.TempDir(), "bank.go")
	for changed, noted := range map[string]string{
		text: "",
		"package bank\n\n\n// f calls g.\nfunc f() {\n\tg(1)\n}\n": "",
		"package bank\n\nfunc f() {\n\tg(2) // once\n}\n": "bank.go changed after processes were generated from it: " +
			"the old ones run: run go generate",
	} {
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o666))
		sources.all, sources.once = []source{{path, sourceHash([]byte(text))}}, sync.Once{}
		said := ""
		noteChanges(func(text string) { said = text })
		require.Equal(t, noted, said)
	}
}

// TestSourcesOfThePackageAreAsTheyWere reads the files of this package's tests, from which processes were generated.
func TestSourcesOfThePackageAreAsTheyWere(t *testing.T) {
	require.NotEmpty(t, sources.all)
	for _, s := range sources.all {
		text, err := os.ReadFile(s.path)
		require.NoError(t, err)
		require.Equal(t, s.hash, sourceHash(text), s.path)
	}
}
