package mem

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileThatIsMissingSaysNothingAboutMemory(t *testing.T) {
	_, ok := readBytes("/none")
	require.False(t, ok)
}
