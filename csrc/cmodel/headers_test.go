//go:build cgo && linux

// C files of a Go program find what they need in the headers, and no more.

package cmodel_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc/cmodel"
	"github.com/ross-go/ross/internal/testkit"
)

// compile calls the C compiler.
func compile(t *testing.T, args ...string) (said string, err error) {
	cc, err := exec.CommandContext(t.Context(), "go", "env", "CC").Output()
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), strings.Fields(string(cc))[0], args...).CombinedOutput()
	return string(out), err
}

// A C file that calls what the Go program does is not compiled, and the compiler says why.
func TestWhatTheGoProgramDoesIsNotCompiled(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, cmodel.WriteHeaders(folder))
	require.NoError(t, cmodel.WriteHeaders(folder), "again")
	names, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Greater(t, len(names), 8)
	require.Error(t, cmodel.WriteHeaders(filepath.Join(folder, "ross.h")))
	calls := "#include <ross.h>\nvoid f(void)\n{\n"
	refused := strings.Fields(`tw_opt_add tw_init tw_define_lps tw_lp_settype tw_lp_setup_types st_model_settype tw_pe_settype tw_run tw_end tw_lp_onpe
		tw_lp_onkp tw_kp_onpe tw_trigger_gvt_hook_at tw_trigger_gvt_hook_at_event_sig tw_trigger_gvt_hook_every tw_trigger_gvt_hook_when_model_calls
		io_init io_register_model_version io_load_checkpoint io_store_checkpoint io_appending_job`)
	for _, name := range refused {
		calls += name + "();\n"
	}
	source := filepath.Join(t.TempDir(), "calls.c")
	require.NoError(t, os.WriteFile(source, []byte(calls+"}\n"), 0o666))
	out, err := compile(t, "-O2", "-I", folder, "-c", source, "-o", os.DevNull)
	require.Error(t, err)
	for _, name := range refused {
		require.Regexp(t, name+`: .*Go program`, out)
	}
}

// cgo links a package alone, so that no name may be missing then.
func TestEachNameOfTheLibraryMayBeMissing(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, cmodel.WriteHeaders(folder))
	var uses strings.Builder
	n := 0
	for line := range strings.Lines(testkit.Content(t, "..", "libross", "surface.txt")) {
		if words := strings.Fields(line); words[0] != "#" && (words[2] == "function" || words[2] == "variable") {
			fmt.Fprintf(&uses, "\tsum += (unsigned long)%s;\n", map[string]string{"function": "", "variable": "&"}[words[2]]+words[0])
			n++
		}
	}
	require.Greater(t, n, 100)
	source := filepath.Join(folder, "uses.c")
	for _, first := range []string{"#define USE_RIO\n", "#define USE_RIO\n#define ROSS_REFUSE_AT_CALL\n"} {
		text := first + "#include <ross.h>\nint main(void)\n{\nunsigned long sum = 0;\n" + uses.String() + "return sum == 1;\n}\n"
		require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
		out, err := compile(t, "-I", folder, source, "-o", filepath.Join(folder, "uses"))
		require.NoError(t, err, "name it in ross-weak.h: %s", out)
	}
}
