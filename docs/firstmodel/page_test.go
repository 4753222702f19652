// This file compares the chapter with its programs.

package firstmodel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
)

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
	require.Greater(t, testkit.RequireShown(t, string(text), sources.String()), 25, "parts of the programs in the chapter")
	printed := testkit.Blocks(string(text), "text")
	require.Greater(t, len(printed), 7)
	for _, block := range printed {
		require.True(t, strings.Contains(outputs.String(), block), "no program prints this:\n%s", block)
	}
}
