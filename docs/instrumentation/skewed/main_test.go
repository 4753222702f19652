// This file tests that the first case of docs/instrumentation.md shows what it says.

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// The commands of the text are those of docs/instrumentation/make.sh, which draws its pictures.
func TestPicturesAreOfTheCommandsOfTheText(t *testing.T) {
	text := read(t, filepath.Join("..", "..", "instrumentation.md"))
	own := map[string]string{} // by name
	for _, m := range regexp.MustCompile(
		`(?m)^\./((?:phold|skewed|hub) .*) --engine-stats=1 --kp-data=1 --stats-path=(\S+)$`).FindAllStringSubmatch(text,
		-1) {
		own[m[2]] = m[1]
	}
	require.GreaterOrEqual(t, len(own), 8)
	found := 0
	for line := range strings.Lines(read(t, filepath.Join("..", "make.sh"))) {
		name, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		if want, ok := own[name]; ok {
			require.Equal(t, want, strings.TrimSpace(command), name)
			found++
		}
	}
	require.GreaterOrEqual(t, found, 8)
}

// With KPs that stay where they are PE 0 has the city; the mapping by load shares it. What PEs commit does not depend
// on the machine.
func TestTheMappingIsWhatTheTextSays(t *testing.T) {
	part := func(args ...string) float64 { // the largest of a PE in the net events, to their mean
		dir := filepath.Join(t.TempDir(), "run")
		var stderr bytes.Buffer
		require.Zero(t,
			run(append(args, "--synch=3", "--pes=2", "--end=100", "--balance=off", "--engine-stats=1", "--stats-path="+dir),
				io.Discard, &stderr), stderr.String())
		r, err := instr.Open(instr.FileName(dir, "", instr.GVTSuffix))
		require.NoError(t, err)
		defer r.Close()
		net, all := map[uint32]float64{}, 0.0
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			if rec.Kind == instr.KindPE {
				n := float64(rec.PE.Processed) - float64(rec.PE.RolledBack)
				net[rec.PE.PE] += n
				all += n
			}
		}
		return max(net[0], net[1]) / (all / 2)
	}
	require.Greater(t, part(), findings.Uneven, "so the report says so")
	require.InDelta(t, 2*1_122_807/1_248_706., part(), 0.02, "as in the text")
	require.Less(t, part("--by-load"), 1.1)
}
