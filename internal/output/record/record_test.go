// What a record has of a run before it: files that the command line names, variables that decide, and no secrets.

package record

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func TestTheProgramIsKnownByItsHash(t *testing.T) {
	b, err := Build()
	require.NoError(t, err)
	path, err := os.Executable()
	require.NoError(t, err)
	file, err := instr.HashFile(path)
	require.NoError(t, err)
	require.Equal(t, file, instr.RunFile{Size: b.Size, SHA256: b.SHA256})
	require.Equal(t, path, b.Path)
	require.Equal(t, runtime.GOARCH, b.Settings["GOARCH"])
	require.NotContains(t, b.Settings, "-ldflags")
}

func TestVariablesThatDecideAreKeptAndSecretsAreNot(t *testing.T) {
	got := environment([]string{"GOMAXPROCS=4", "GODEBUG=a=1", "ROSS_TRANSPORT=x=y", "HOME=/root", "ROSS_API_TOKEN=1",
		"ROSS_PASSWORD=2", "ross_x=3", "ROSS_EMPTY="})
	require.Equal(t, map[string]string{"GOMAXPROCS": "4", "GODEBUG": "a=1", "ROSS_TRANSPORT": "x=y", "ROSS_EMPTY": ""}, got)
}

func TestFilesThatTheCommandLineNamesAreInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "b", "c", "d,e", "old", "ck.rio-md", "ck.rio-lp", "other.rio-md", "word", "default"} {
		require.NoError(t, os.WriteFile(name, []byte(name), 0o600))
	}
	require.NoError(t, os.Mkdir("folder", 0o700))
	absolute, err := filepath.Abs("c")
	require.NoError(t, err)
	got, err := inputs(&Start{
		Words: []string{"--trace=a", "--list=b,none", "--path=" + absolute, "--odd=d,e", "--folder=folder", "--out=old",
			"--stats-path=old", "--flag", "--", "word", "--io-restart=ck"},
		Values: map[string]string{"with": "default", "out": "old", "hash": "0123"}, Written: []string{"out"}, Restart: "ck"})
	require.NoError(t, err)
	names := []string{}
	for name, file := range got {
		names = append(names, name)
		require.EqualValues(t, len(filepath.Base(name)), file.Size)
		require.Len(t, file.SHA256, 64)
	}
	require.ElementsMatch(t, []string{"a", "b", absolute, "d,e", "word", "default", "ck.rio-md", "ck.rio-lp"}, names)
}

func TestFilesThatAreWrittenAreOutputs(t *testing.T) {
	r, err := Of(&Start{Values: map[string]string{"out": "table.csv", "none": ""}, Written: []string{"out", "none"}})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"out": "table.csv"}, r.Outputs)
	require.True(t, filepath.IsAbs(r.Folder))
}
