// This file pins the rules of arguments files.

package ross

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func writeArgs(t *testing.T, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "run.args")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestArgsFileStandsWhereItIsNamed(t *testing.T) {
	path := writeArgs(t, "# a run\n\n--nkp=3#x --end=6\r\n--end=7\n\t--batch=5 --end=10   # end=20\n--digest --run=a#b\n#--synch=3\n--lz4-knob=1")
	o, c, m := pholdOptions()
	_, err := o.Parse([]string{"--nkp=2", "--args-file=" + path, "--batch=6"})
	require.NoError(t, err)
	require.Equal(t, uint64(3), c.NKP, "the file overrides what is left of it")
	require.Equal(t, 10.0, c.End, "the last word of a name wins")
	require.Equal(t, uint64(6), c.Batch, "what is right of the file overrides it")
	require.True(t, c.Digest)
	require.Equal(t, "a", m.run)
	require.Zero(t, c.Synch)
	require.Equal(t, 1, c.LZ4Knob)
	require.Equal(t, "Arguments passed through --args-file:\n"+
		"--nkp=3\n--end=7\n--batch=5\n--end=10\n--digest\n--run=a\n--lz4-knob=1\n\n", c.ArgsFileText)
	require.Equal(t, []string{"phold", "--nkp=2", "--args-file=" + path, "--batch=6"}, c.Args)
}

func TestSeveralArgsFilesAreReadInTurn(t *testing.T) {
	first, second := writeArgs(t, "--nkp=3 --batch=4"), writeArgs(t, "--nkp=5")
	o, c, _ := pholdOptions()
	_, err := o.Parse([]string{"--args-file=" + first, "--args-file=" + second})
	require.NoError(t, err)
	require.Equal(t, uint64(5), c.NKP)
	require.Equal(t, uint64(4), c.Batch)
	require.Equal(t, "Arguments passed through --args-file:\n--nkp=3\n--batch=4\n\n"+
		"Arguments passed through --args-file:\n--nkp=5\n\n", c.ArgsFileText)
}

func TestArgsFileErrorsNameFileLineAndWord(t *testing.T) {
	const ok = "--nkp=3\n\n# fine\n"
	cases := []struct{ content, want string }{
		{ok + "--nlps=3", ":4: option --nlps=3: unknown; did you mean --nlp? see --help"},
		{ok + "--nkp=3 --batch=x", ":4: option --batch=x: not a number; give a whole number, 0 to 18446744073709551615"},
		{ok + "--end", ":4: option --end: no value; write --end=value"},
		{ok + `--run="a b"`, `:4: word "b\"": not an option; write options as --name=value, and words for the model after --`},
		{ok + "-- rest", ":4: word --: not allowed in an arguments file; put it on the command line"},
		{ok + "--args-file=other", ":4: option --args-file=other: not allowed in an arguments file; name each file on the command line"},
		{ok + "--args-file", ":4: option --args-file: not allowed in an arguments file; name each file on the command line"},
	}
	for _, tc := range cases {
		path := writeArgs(t, tc.content)
		o, _, _ := pholdOptions()
		_, err := o.Parse([]string{"--args-file=" + path})
		require.EqualError(t, err, "ross: "+path+tc.want)
		require.ErrorIs(t, err, ErrUsage)
	}
}

func TestMissingArgsFileIsAnErrorThatTellsWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no such.args")
	o, _, _ := pholdOptions()
	_, err := o.Parse([]string{"--args-file=" + path})
	require.EqualError(t, err, `ross: option --args-file="`+path+`": cannot be read: no such file or directory; `+
		"give a file that exists and may be read")
	require.ErrorIs(t, err, ErrUsage)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestArgsFileMayAskForHelp(t *testing.T) {
	o, _, _ := pholdOptions()
	_, err := o.Parse([]string{"--args-file=" + writeArgs(t, "--help")})
	require.ErrorIs(t, err, ErrHelp)
	require.NotErrorIs(t, err, ErrUsage)
}
