// The other ways to the library: the shared one, by pkg-config's file and by hand.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
)

func TestModelsRunWithTheSharedLibrary(t *testing.T) {
	folder := install(t)
	pc := testkit.Content(t, folder, "lib", "pkgconfig", "ross.pc")
	set := strings.NewReplacer("${libdir}", "${prefix}/lib", "${includedir}", "${prefix}/include", "${prefix}", folder)
	var flags []string
	for line := range strings.Lines(pc) {
		if _, found, ok := strings.Cut(line, "flags: "); ok {
			flags = append(strings.Fields(set.Replace(set.Replace(found))), flags...)
		} else if found, ok := strings.CutPrefix(line, "Libs: "); ok {
			flags = append(flags, strings.Fields(set.Replace(set.Replace(found)))...)
		}
	}
	path := filepath.Join(t.TempDir(), "phold")
	cc := exec.CommandContext(t.Context(), installed.cc, append([]string{filepath.Join("testdata", "phold.c"), "-o", path}, flags...)...)
	out, err := cc.CombinedOutput()
	require.NoError(t, err, "%v: %s", cc.Args, out)
	t.Chdir(t.TempDir())
	t.Setenv("LD_LIBRARY_PATH", filepath.Join(folder, "lib"))
	status, report, errs := play(t, path, "--synch=3 --pes=2 --nlp=8 --end=100 --lookahead=0.1")
	require.Zero(t, status, errs)
	require.Contains(t, report, "received 851\n")
	require.Contains(t, errs, "nobody sees whether they write static variables: link the model with ross-cc")
	require.NoError(t, os.Remove(filepath.Join("ross.csv")))
}

func TestInstallingNeedsAFolder(t *testing.T) {
	install(t)
	out, err := exec.CommandContext(t.Context(), "../../tools/libross.sh", "").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "give the folder to install into, as make libross PREFIX=FOLDER does")
}
