//go:build !nolive

// The options on a command line.

package live

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// parse returns the options of a command line.
func parse(args ...string) (o Options, err error) {
	all := ross.NewOptions("model")
	cfg := ross.DefaultConfig()
	cfg.Register(all)
	o.Register(all)
	_, err = all.Parse(args)
	return o, err
}

func TestProgressIsASwitchThatDecidesByItselfByDefault(t *testing.T) {
	for arg, want := range map[string]string{
		"--digest": "", "--progress": "on", "--progress=on": "on", "--progress=1": "on", "--progress=off": "off",
		"--progress=0": "off", "--progress=false": "off", "--progress=auto": "auto",
	} {
		o, err := parse(arg)
		require.NoError(t, err)
		require.Equal(t, want, o.Progress, arg)
	}
}

func TestUnusableOptionsAreRefusedBeforeARun(t *testing.T) {
	for arg, says := range map[string]string{
		"--progress=maybe":  "option --progress=maybe: unknown value; give on, off or auto",
		"--http=x":          `option --http=x: port "x" is not 0 to 65535; give a port such as 8080, or host:port`,
		"--http":            "option --http: no value",
		"--http-linger=3":   "option --http-linger=3: no duration; give one such as 30s, 10m or 0",
		"--http-linger=-1s": "option --http-linger=-1s: no duration; give one such as 30s, 10m or 0",
	} {
		_, err := parse(arg)
		require.ErrorIs(t, err, ross.ErrUsage)
		require.ErrorContains(t, err, says)
	}
	h := hold(t, config(1, 1), false)
	_, err := Start(h.Simulation, Options{Progress: "maybe"}, io.Discard)
	require.ErrorIs(t, err, ross.ErrUsage)
}

func TestHelpHasTheGroupAfterTheEngines(t *testing.T) {
	all := ross.NewOptions("model")
	cfg := ross.DefaultConfig()
	cfg.Register(all)
	var engine, both bytes.Buffer
	require.NoError(t, all.WriteHelp(&engine))
	(&Options{}).Register(all)
	require.NoError(t, all.WriteHelp(&both))
	_, last, _ := strings.Cut(engine.String(), "\n  --help ")
	last = "  --help " + last
	rest, found := strings.CutPrefix(both.String(), strings.TrimSuffix(engine.String(), last))
	require.True(t, found)
	require.Equal(t, `
ROSS Live:
  --progress=when       progress bar on standard error, instead of lines: on, off, or auto (if it
                        is a terminal) (default auto)
  --http=addr           serve a page, figures, metrics and profiles during the run, at a port of
                        this machine, or at host:port
  --http-linger=time    how long --http goes on after the run, such as 30s or 10m; 0: until open
                        pages have the last figures (default 0s)
`+last, rest)
}
