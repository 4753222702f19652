// Every name of ROSS that models use exists, or is refused with a reason.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
)

// surface returns the rows of surface.txt: name, number of files, what the library has.
func surface(t *testing.T) (rows [][3]string) {
	for line := range strings.Lines(testkit.Content(t, "surface.txt")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		require.Len(t, words, 3, line)
		rows = append(rows, [3]string(words))
	}
	require.Greater(t, len(rows), 150)
	return rows
}

func TestWhatTheSurfaceSaysIsThereIsThere(t *testing.T) {
	folder := install(t)
	var uses strings.Builder
	uses.WriteString("#include <ross.h>\n")
	use := map[string]string{
		"function": "void *use_%[1]d(void) { return (void *)%[2]s; }\n",
		"variable": "void *use_%[1]d(void) { return (void *)&%[2]s; }\n",
		"value":    "int use_%[1]d(void) { return %[2]s; }\n",
		"type":     "size_t use_%[1]d(void) { %[2]s *p = 0; return sizeof *p; }\n",
		"macro":    "#ifndef %[2]s\n#error there is no macro %[2]s\n#endif\n",
		"field":    "void use_%[1]d(%[3]s *p) { (void)p->%[4]s; }\n",
	}
	for i, row := range surface(t) {
		name, kind := row[0], row[2]
		if text, ok := use[kind]; ok {
			of, field, _ := strings.Cut(name, ".")
			fmt.Fprint(&uses, strings.Split(fmt.Sprintf(text, i, name, of, field), "%!(EXTRA")[0])
			continue
		}
		files, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		require.Contains(t, []string{"refused", "model", "none"}, kind, name)
		if kind == "none" && !strings.Contains(name, ".") {
			require.Equal(t, 1, files, "%s is used by several files: support it, or refuse it in ross-refused.h", name)
		}
	}
	source := filepath.Join(t.TempDir(), "uses.c")
	require.NoError(t, os.WriteFile(source, []byte(uses.String()), 0o666))
	for _, language := range []string{"c", "c++"} {
		out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), "-x", language, "-c", "-Wall", source, "-o", filepath.Join(t.TempDir(), "uses.o")).CombinedOutput()
		if language == "c++" && strings.Contains(string(out), "cc1plus") {
			continue // there is no compiler for C++
		}
		require.NoError(t, err, "%s", out)
	}
}

func TestRefusedNamesSayWhy(t *testing.T) {
	folder := install(t)
	header := testkit.Content(t, "ross-refused.h")
	for _, row := range surface(t) {
		if name := row[0]; row[2] == "refused" {
			require.Contains(t, header, "ROSS_REFUSED("+name+", \"")
		}
	}
	source := filepath.Join(t.TempDir(), "refused.c")
	require.NoError(t, os.WriteFile(source, []byte("#include <ross.h>\nvoid f(tw_lp *lp) { tw_snapshot(lp, 8); }\n"), 0o666))
	out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "bin", "ross-cc"), "-c", source, "-o", filepath.Join(t.TempDir(), "refused.o")).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "tw_snapshot: this library has no deltas of states: undo changes in revent")
}
