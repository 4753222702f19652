// This file owns the tests of what an engine registers, of options that print something instead of a run, and of
// bounds that include their ends; and the example.

package cmdline_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
)

func TestAnEngineSeesTheOptionsOfAll(t *testing.T) {
	o := cmdline.NewOptions("own")
	seed, former := uint64(7), ""
	o.Group("Model").Uint64(&seed, "seed", "a seed")
	g := o.EngineGroup("Engine")
	idle := uint64(5)
	cmdline.Idle(g, &idle, "idle", "nothing\naccepted without effect")
	g.Former(cmdline.Action(func(text string) error {
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
	require.Equal(t, []cmdline.Setting{{Name: "--seed", Value: "9", Group: "Model", Help: "a seed"}},
		slices.Collect(o.Model()))
	all := slices.Collect(o.Engine())
	require.Equal(t, []string{"--idle", "--old"}, []string{all[0].Name, all[1].Name})
	require.Equal(t, "5", all[0].Value)
	require.True(t, all[1].Hidden)
	_, err = o.Parse([]string{"--idle=x"})
	require.ErrorIs(t, err, cmdline.ErrUsage)
}

func TestOptionsOfAllGroupsHaveTheirValues(t *testing.T) {
	o := cmdline.NewOptions("own")
	model, engine, last := 2.5, uint64(3), ""
	o.Group("Model").Float64(&model, "model", "a number")
	o.EngineGroup("Engine").Uint64(&engine, "engine", "a number")
	o.LastGroup("Last").String(&last, "last", "a text")
	_, err := o.Parse([]string{"--engine=7", "--last=x"})
	require.NoError(t, err)
	for name, want := range map[string]string{"model": "2.5", "engine": "7", "last": "x"} {
		got, known := o.Value(name)
		require.True(t, known)
		require.Equal(t, want, got)
	}
	_, known := o.Value("none")
	require.False(t, known)
}

func TestMainHandsOutALoggerForWarnings(t *testing.T) {
	var stderr bytes.Buffer
	o := cmdline.NewOptions("own")
	var log *slog.Logger
	o.OnMain(func(l *slog.Logger) { log = l })
	_, ok := o.Main(nil, nil, &stderr)
	require.True(t, ok)
	log.Info("ross: not shown")
	log.Warn("ross: shown")
	require.Equal(t, "own: shown\n", stderr.String())
}

func TestHelpIsAlsoWhatOtherProgramsCallIt(t *testing.T) {
	for _, word := range []string{"--help", "-help", "-h"} {
		var stdout, stderr bytes.Buffer
		o := cmdline.NewOptions("own")
		status, ok := o.Main([]string{word}, &stdout, &stderr)
		require.False(t, ok)
		require.Zero(t, status, word)
		require.Contains(t, stdout.String(), "usage: own [options]", word)
		require.Empty(t, stderr.String())
	}
}

func TestWarningsKnowWhatElseTheirReaderSees(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.OpenFile(filepath.Join(t.TempDir(), name), os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, f.Close()) })
		return f
	}
	one, other := open("one"), open("other")
	again, err := os.OpenFile(one.Name(), os.O_WRONLY, 0)
	require.NoError(t, err)
	defer again.Close()
	log := cmdline.Warnings("own", one)
	require.True(t, cmdline.WarnsTo(log, one))
	require.True(t, cmdline.WarnsTo(log, again))
	require.False(t, cmdline.WarnsTo(log, other))
	require.False(t, cmdline.WarnsTo(log, new(bytes.Buffer)))
	require.False(t, cmdline.WarnsTo(cmdline.Warnings("own", new(bytes.Buffer)), one))
	require.False(t, cmdline.WarnsTo(slog.Default(), one))
	require.False(t, cmdline.WarnsTo(nil, one))
}

func TestOptionsInAFlagSet(t *testing.T) {
	o := cmdline.NewOptions("own")
	n := uint64(1)
	o.EngineGroup("Engine").Uint64(&n, "n", "a number\na remark")
	fs := flag.NewFlagSet("own", flag.ContinueOnError)
	require.NoError(t, o.AddTo(fs))
	require.NoError(t, fs.Parse([]string{"-n=4"}))
	require.EqualValues(t, 4, n)
	require.Equal(t, "(a remark) a number", fs.Lookup("n").Usage)
	err := o.AddTo(fs)
	require.ErrorIs(t, err, cmdline.ErrUsage)
	require.ErrorContains(t, err, "flag -n: already in the flag set")
}

func TestUsageErrorsKeepTheirCause(t *testing.T) {
	cause := errors.New("no such file")
	err := &usage.Error{Text: "option --args-file=x: cannot be read", Cause: cause}
	require.ErrorIs(t, err, cmdline.ErrUsage)
	require.ErrorIs(t, err, cause)
}

func TestVersionIsPrintedInsteadOfARun(t *testing.T) {
	var out, errs bytes.Buffer
	code, ok := cmdline.NewOptions("bikes").Main([]string{"--version"}, &out, &errs)
	require.False(t, ok)
	require.Zero(t, code)
	require.Regexp(t, `^bikes .*\nross +go-\S+\nrevision .*\ngo +go1\S+ \S+/\S+\n$`, out.String())
	require.Empty(t, errs.String())
}

func TestAModelMayHaveAnOptionOfTheNameOfAPrinter(t *testing.T) {
	o, version := cmdline.NewOptions("bikes"), ""
	o.Group("Bikes").String(&version, "version", "of the bikes")
	_, err := o.Parse([]string{"--version=3"})
	require.NoError(t, err)
	require.Equal(t, "3", version)
	var help bytes.Buffer
	require.NoError(t, o.WriteHelp(&help))
	require.Contains(t, help.String(), "--version=str         of the bikes")
	require.NotContains(t, help.String(), "library")
}

func TestPrinterGetsItsValueAndItsErrorsAreTold(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{usage.Errorf("option --draw=x: no such shape; give circle"), 2,
			"bikes: option --draw=x: no such shape; give circle"},
		{errors.New("disk full"), 1, "bikes: --draw: disk full\n"},
	} {
		o := cmdline.NewOptions("bikes")
		o.Printer("draw", "shape", "draw a shape", func(w io.Writer, value string) error {
			io.WriteString(w, value)
			return c.err
		})
		var out, errs bytes.Buffer
		code, ok := o.Main([]string{"--draw=x", "--nonsense"}, &out, &errs)
		require.False(t, ok)
		require.Equal(t, c.code, code)
		require.Equal(t, "x", out.String())
		require.Contains(t, errs.String(), c.text)
	}
}

func Example() {
	planes, wait := uint64(10), 0.5
	o := cmdline.NewOptions("airport")
	g := o.Group("Airport Model")
	g.Uint64(&planes, "planes", "planes at the start")
	g.Float64(&wait, "wait", "hours between them")
	if _, err := o.Parse([]string{"--planes=3"}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(planes, wait)
	_, err := o.Parse([]string{"--plane=3"})
	fmt.Println(err)
	_ = o.WriteHelp(os.Stdout)
	// Output:
	// 3 0.5
	// ross: option --plane=3: unknown; did you mean --planes? see --help
	// usage: airport [options] [-- [args]]
	//
	// Airport Model:
	//   --planes=n            planes at the start (default 10)
	//   --wait=dbl            hours between them (default 0.50)
	//   --help                show this message
	//   --version             show the versions of program, library and Go
}

func TestAModelKeepsItsNamesIfItMay(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		o := cmdline.NewOptions("own")
		seed, engine, other := uint64(7), uint64(8), uint64(9)
		o.Group("Model").Uint64(&seed, "seed", "a seed")
		if keeps {
			o.KeepModelNames()
		}
		g := o.EngineGroup("Engine")
		g.Uint64(&engine, "seed", "another")
		g.Uint64(&other, "other", "of the engine alone")
		_, err := o.Parse([]string{"--seed=1", "--other=2"})
		if !keeps {
			require.ErrorContains(t, err, `option --seed: registered in "Engine", but already in "Model"`)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, [3]uint64{1, 8, 2}, [3]uint64{seed, engine, other})
	}
}

func TestBoundsAreInTheirRange(t *testing.T) {
	for _, x := range []float64{1e-9, 1, 1e9} {
		require.NoError(t, cmdline.InRange("rate", x, 1e-9, 1e9))
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1), math.Nextafter(1e9, 2e9)} {
		err := cmdline.InRange("rate", x, 1e-9, 1e9)
		require.ErrorIs(t, err, usage.Err)
		require.ErrorContains(t, err, ": must be in [1e-09, 1e+09]")
	}
	require.NoError(t, cmdline.InRange("n", 4096, 1, 4096))
	require.ErrorContains(t, cmdline.InRange("n", 16777217, 1, 16777216), "option --n=16777217: must be in [1, 16777216]")
}
