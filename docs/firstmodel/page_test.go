// This file compares the chapter with its programs.

package firstmodel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// blocks returns the contents of the page's blocks of a language.
func blocks(page, language string) (all []string) {
	for {
		_, block, found := strings.Cut(page, "\n```"+language+"\n")
		if !found {
			return all
		}
		block, page, _ = strings.Cut(block, "\n```")
		all = append(all, block)
	}
}

func TestChapterShowsItsPrograms(t *testing.T) {
	text, err := os.ReadFile("../first-model.md")
	require.NoError(t, err)
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var sources, outputs strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		sources.Write(source)
		_, _ = strings.NewReplacer("\t// Output: ", "", "\t// ", "").WriteString(&outputs, string(source))
	}
	shown := 0
	for _, block := range blocks(string(text), "go") {
		for part := range strings.SplitSeq(block, "\n\n") {
			require.True(t, strings.Contains(sources.String(), part), "no program has this part of the chapter:\n%s", part)
			shown++
		}
	}
	require.Greater(t, shown, 25, "parts of the programs in the chapter")
	printed := blocks(string(text), "text")
	require.Greater(t, len(printed), 7)
	for _, block := range printed {
		require.True(t, strings.Contains(outputs.String(), block), "no program prints this:\n%s", block)
	}
}
