// This file holds documents to the constants whose values they state.

package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// grouped returns a number as documents have it.
func grouped(n uintptr) string {
	if n >= 1000 {
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	return fmt.Sprint(n)
}

func TestDocumentsStateTheSizesOfToday(t *testing.T) {
	most := inlineLimits[len(inlineLimits)-1]
	require.Len(t, inlineLimits, 4)
	for name, want := range map[string][]string{
		"doc.go": {fmt.Sprintf("a message of up to %d bytes", slotInline),
			fmt.Sprintf("all messages of the model have more than %d bytes", slotInline),
			fmt.Sprintf("of up to %d bytes or, if there are none, up to %d or %s.", inlineLimits[1], inlineLimits[2],
				grouped(most))},
		"internal/engine/event/doc.go": {fmt.Sprintf("n <= %s ", grouped(most)),
			fmt.Sprintf("messages of up to %d bytes, or of up to %s if", slotInline, grouped(most))},
		"bench/README.md": {
			fmt.Sprintf("If all messages have more than %d bytes, those of up to %s now lie in the slot", slotInline,
				grouped(most))},
		"docs/running.md":               {fmt.Sprintf("a message of more than %d bytes", slotInline)},
		"docs/cluster.md":               {fmt.Sprintf("if messages have more than %d bytes", slotInline)},
		"send.go":                       {fmt.Sprintf("at least %s, were cancelled", grouped(leastSweep))},
		"internal/engine/kernel/doc.go": {fmt.Sprintf("and at least %s, a sweep frees them", grouped(leastSweep))},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", name))
		require.NoError(t, err)
		words := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "\n//", " ")), " ")
		for _, w := range want {
			require.Contains(t, words+" ", w, name)
		}
	}
}
