// This file owns the comparison of a page with the programs that it shows.

package testkit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Blocks returns the contents of a page's blocks of a language.
func Blocks(page, language string) (all []string) {
	for {
		_, block, found := strings.Cut(page, "\n```"+language+"\n")
		if !found {
			return all
		}
		block, page, _ = strings.Cut(block, "\n```")
		all = append(all, block)
	}
}

// RequireShown requires that the parts, between empty lines, of all Go blocks of a page are in the sources, and returns
// how many parts there are.
func RequireShown(t *testing.T, page, sources string) (parts int) {
	t.Helper()
	for _, block := range Blocks(page, "go") {
		for part := range strings.SplitSeq(block, "\n\n") {
			require.True(t, strings.Contains(sources, part), "no program has this part of the page:\n%s", part)
			parts++
		}
	}
	return parts
}
