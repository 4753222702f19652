// This file tests the drawing of a run that was killed.

package chrome

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
)

func TestFilesOfAKilledRunAreDrawnUpToTheCut(t *testing.T) {
	dir := t.TempDir()
	data := instr.AppendEvent(instr.AppendEvent(nil, &instr.Event{RealTS: 1}), &instr.Event{RealTS: 2})
	cut := surveytest.Run{}.Put(t, dir, instr.TraceSuffix, data[:len(data)-1])
	require.NoError(t, os.Rename(cut, cut+instr.PartSuffix))
	out := filepath.Join(dir, "out.json")
	var stderr bytes.Buffer
	require.Equal(t, 1, cli.Run(Command(), []string{dir, "-o", out}, io.Discard, &stderr))
	require.NoFileExists(t, out)
	stderr.Reset()
	require.Equal(t, 1, cli.Run(Command(), []string{dir, "-o", out, "--partial"}, io.Discard, &stderr))
	require.Equal(t, 1, strings.Count(stderr.String(), cut+instr.PartSuffix+": record at byte 24: "), stderr.String())
	drawn, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, 1, count(decode(t, drawn), "X", "LP 0"))
}
