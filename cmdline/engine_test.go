package cmdline

import (
	"bytes"
	"errors"
	"flag"
	"log/slog"
	"slices"
	"testing"

	"github.com/ross-go/ross/internal/usage"
	"github.com/stretchr/testify/require"
)

func TestAnEngineSeesTheOptionsOfAll(t *testing.T) {
	o := NewOptions("own")
	seed, former := uint64(7), ""
	o.Group("Model").Uint64(&seed, "seed", "a seed")
	g := o.EngineGroup("Engine")
	idle := uint64(5)
	Idle(g, &idle, "idle", "nothing\naccepted without effect")
	g.Former(Action(func(text string) error {
		former = text
		return nil
	}), "old", "its former name")
	var words []string
	o.AfterParse(func(args []string) error {
		words = args
		return nil
	})
	_, err := o.Parse([]string{"--idle=", "--old=x", "--seed=9"})
	require.NoError(t, err)
	require.Equal(t, []string{"own", "--idle=", "--old=x", "--seed=9"}, words)
	require.Equal(t, "x", former)
	require.Equal(t, []Setting{{Name: "--seed", Value: "9", Group: "Model", Help: "a seed"}}, slices.Collect(o.Model()))
	all := slices.Collect(o.Engine())
	require.Equal(t, []string{"--idle", "--old"}, []string{all[0].Name, all[1].Name})
	require.Equal(t, "5", all[0].Value)
	require.True(t, all[1].Hidden)
	_, err = o.Parse([]string{"--idle=x"})
	require.ErrorIs(t, err, ErrUsage)
}

func TestMainHandsOutALoggerForWarnings(t *testing.T) {
	var stderr bytes.Buffer
	o := NewOptions("own")
	var log *slog.Logger
	o.OnMain(func(l *slog.Logger) { log = l })
	_, ok := o.Main(nil, nil, &stderr)
	require.True(t, ok)
	log.Info("ross: not shown")
	log.Warn("ross: shown")
	require.Equal(t, "own: shown\n", stderr.String())
}

func TestOptionsInAFlagSet(t *testing.T) {
	o := NewOptions("own")
	n := uint64(1)
	o.EngineGroup("Engine").Uint64(&n, "n", "a number\na remark")
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	require.NoError(t, o.AddTo(fs))
	require.NoError(t, fs.Parse([]string{"-n=4"}))
	require.EqualValues(t, 4, n)
	require.Equal(t, "(a remark) a number", fs.Lookup("n").Usage)
	err := o.AddTo(fs)
	require.ErrorIs(t, err, ErrUsage)
	require.ErrorContains(t, err, "flag -n: already in the flag set")
}

func TestUsageErrorsKeepTheirCause(t *testing.T) {
	cause := errors.New("no such file")
	err := &usage.Error{Text: "option --args-file=x: cannot be read", Cause: cause}
	require.ErrorIs(t, err, ErrUsage)
	require.ErrorIs(t, err, cause)
}
