// This file pins the bridge to package flag.

package ross

import (
	"bytes"
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

func bridged(t *testing.T) (*flag.FlagSet, *Config, *int) {
	t.Helper()
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	fs.SetOutput(new(bytes.Buffer))
	hosts := fs.Int("hosts", 1, "hosts")
	c := DefaultConfig()
	require.NoError(t, c.RegisterFlags(fs))
	return fs, &c, hosts
}

func TestAFlagSetReadsTheEnginesOptions(t *testing.T) {
	fs, c, hosts := bridged(t)
	path := writeArgs(t, "--hosts=4 --nkp=3 --digest # words of the program's own are fine")
	require.NoError(t, fs.Parse([]string{"-end", "50", "--nkp=2", "--args-file=" + path, "--max-memory=2M", "--synch=1", "word"}))
	require.Equal(t, 50.0, c.End)
	require.Equal(t, uint64(3), c.NKP)
	require.Equal(t, 4, *hosts)
	require.True(t, c.Digest)
	require.Equal(t, uint64(2<<20), c.MaxMemory)
	require.Equal(t, []string{"word"}, fs.Args())
	require.Equal(t, "Arguments passed through --args-file:\n--hosts=4\n--nkp=3\n--digest\n\n", c.ArgsFileText)

	visited := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { visited[f.Name] = true })
	require.True(t, visited["hosts"], "a flag set by an arguments file counts as set")
}

func TestAFlagSetReportsUnusableValues(t *testing.T) {
	for _, words := range [][]string{{"--nkp=x"}, {"--bogus=1"}, {"--args-file=" + writeArgs(t, "--bogus=1")}} {
		fs, _, _ := bridged(t)
		require.Error(t, fs.Parse(words), words)
	}
}

func TestAFlagSetShowsDefaults(t *testing.T) {
	fs, _, _ := bridged(t)
	var text bytes.Buffer
	fs.SetOutput(&text)
	fs.PrintDefaults()
	require.Contains(t, text.String(), "number of kernel processes (KPs) per pe (default 16)")
	require.Contains(t, text.String(), "Set g_tw_lookahead (default 0.005)")
	require.NotContains(t, text.String(), "panic")
}

func TestATakenFlagIsAnErrorThatChangesNothing(t *testing.T) {
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	fs.Int("end", 1, "")
	c := DefaultConfig()
	err := c.RegisterFlags(fs)
	require.EqualError(t, err, "ross: flag -end: already in the flag set; rename the program's")
	require.ErrorIs(t, err, ErrUsage)
	require.Nil(t, fs.Lookup("nkp"))
}

func TestAFlagSetKeepsItsOwnFlagOfAFormerName(t *testing.T) {
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	own := fs.Int("time-interval", 1, "")
	c := DefaultConfig()
	require.NoError(t, c.RegisterFlags(fs))
	require.NoError(t, fs.Parse([]string{"--time-interval=5"}))
	require.Equal(t, 5, *own)
	require.Zero(t, c.EngineStats)
}
