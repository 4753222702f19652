// What a checkpoint says of the options of the run that stored it, and what is made of it.

package checkpoint_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rio"
)

// asked returns the configuration of a program whose model has the options that a command line names,
// and may have more.
func asked(t *testing.T, line string, more ...string) func(*ross.Config) {
	t.Helper()
	return func(c *ross.Config) {
		rosstest.Walk(4, 3)(c)
		packets, rate, log, pool, fast := uint64(4), 0.5, "", uint64(7), false
		var others [4]string
		o := ross.NewOptions("walk")
		g := o.Group("Walk")
		g.Uint64(&packets, "packets", "")
		g.Float64(&rate, "rate", "")
		g.Uint64(&c.NLP, "nlp", "")
		g = o.Group("Another")
		g.Bool(&fast, "fast", "")
		g.String(&log, "log", "")
		g.Uint64(&pool, "pool", "")
		g.MayVary("log", "pool")
		for i, name := range more {
			g.String(&others[i], name, "")
		}
		c.Register(o)
		_, err := o.Parse(strings.Fields(line))
		require.NoError(t, err)
	}
}

func TestOtherOptionsOfTheModelAreRefused(t *testing.T) {
	for _, c := range []struct{ stored, now, want string }{
		{"--packets=4", "--packets=5", "option --packets is 4 in it and 5 in this run"},
		{"", "--rate=.25", "option --rate is 0.5 in it and 0.25 in this run"},
		{"--fast --packets=3", "", "option --packets is 3 in it and 4 in this run; option --fast is true in it and false in this run"},
		{"--name=a", "--name=b", "option --name is a in it and b in this run"},
		{"--name=", "--name=b", `option --name is "" in it and b in this run`},
		{"--a-very-long-name-of-an-option=1", "--a-very-long-name-of-an-option=2", "option --a-very-long-name-of-an-option is 1 in it and 2 in this run"},
		{"", "--rng-seed1=1 --rng-seed2=2203 --rng-seed3=305 --rng-seed4=40017", "option --rng-seed1 is 0 in it and 1 in this run; option --rng-seed2"},
		{"", "--core-rng-seed1=1 --core-rng-seed2=2203 --core-rng-seed3=305 --core-rng-seed4=40017", "option --core-rng-seed1 is 0 in it and 1"},
		{"", "--seed=5", "option --seed is 0 in it and 5 in this run"},
		{"--replication=2", "--replication=3", "option --replication is 2 in it and 3 in this run"},
	} {
		more := []string{"name", "a-very-long-name-of-an-option"}
		cp := filepath.Join(t.TempDir(), "cp-000000")
		keepOf(t, cp, asked(t, c.stored, more...), nothing)
		now := func(restart string) func(*ross.Config) {
			return func(cfg *ross.Config) {
				asked(t, c.now+" --end=6 "+restart, more...)(cfg)
				cfg.IOName = strings.TrimSuffix(cp, "-000000")
			}
		}
		err := attempt(t, cp, now(""), rosstest.Walkers())
		require.ErrorIs(t, err, ross.ErrCheckpoint)
		require.ErrorContains(t, err, "checkpoint "+cp+": "+c.want)
		require.ErrorContains(t, err, ": give those that it was stored with, or --io-other-options if the difference is intended")
		_, logged, err := walkOn(t, now("--io-restart=latest"))
		require.ErrorIs(t, err, ross.ErrCheckpoint)
		require.ErrorContains(t, err, c.want)
		require.Empty(t, logged)

		_, logged, err = walkOn(t, now("--io-restart=latest --io-other-options"))
		require.NoError(t, err)
		require.Contains(t, logged, "checkpoint "+cp+": "+c.want)
		require.NoError(t, attempt(t, cp, func(cfg *ross.Config) { now("")(cfg); cfg.IOOtherOptions = true }, rosstest.Walkers()))
	}
}

func TestOptionsThatMayVaryAreNotCompared(t *testing.T) {
	const seeds = " --rng-seed1=1 --rng-seed2=2203 --rng-seed3=305 --rng-seed4=40017"
	for _, c := range []struct{ stored, now string }{
		{"--packets=5 --rate=.25 --fast", "--packets=5 --rate=0.25 --fast=1"},
		{"--log=a --pool=3", "--log=b --pool=4"},
		{"--synch=1 --nkp=3 --end=3", "--synch=3 --nkp=5 --pes=2 --nlp=2 --batch=3 --gvt-interval=4 --max-memory=64M --cons-lookahead=.1"},
		{seeds, seeds},
		{seeds, ""}, // the streams go on
		{"--seed=5 --replication=2", "--seed=5 --replication=2"},
		{"--seed=5 --replication=2", ""},
	} {
		cp := filepath.Join(t.TempDir(), "cp")
		keepOf(t, cp, asked(t, c.stored), nothing)
		_, logged, err := walkOn(t, func(cfg *ross.Config) {
			asked(t, c.now+" --end=6 --io-restart="+cp)(cfg)
		})
		require.NoError(t, err)
		require.Empty(t, logged)
	}
}

func TestOptionsThatWereAddedOrRemovedAreTold(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "cp")
	keepOf(t, cp, asked(t, "--old=some --same=1", "old", "same"), nothing)
	_, logged, err := walkOn(t, func(cfg *ross.Config) { asked(t, "--new=b --same=1 --end=6 --io-restart="+cp, "new", "same")(cfg) })
	require.NoError(t, err)
	require.Equal(t, "walk: checkpoint "+cp+": the model did not have --new=b when it was stored; it was stored with --old=some, which the model no longer has\n", logged)
}

func TestProgramsWithoutOptionsOfTheModelHaveNothingToCompare(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "cp")
	keepOf(t, cp, asked(t, "--packets=5"), nothing)
	require.NoError(t, attempt(t, cp, rosstest.Walk(4, 6), rosstest.Walkers()))
	keepOf(t, cp, rosstest.Walk(4, 3), nothing)
	require.NoError(t, attempt(t, cp, asked(t, "--packets=5 --end=6"), rosstest.Walkers()))
}

func TestValuesOfOptionsStayOnTheirLine(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "cp")
	values := [...]string{"", " a  b ", "two\nlines:\n  --rate              3\n", `"quoted"`}
	with := func(values [4]string, end float64) func(*ross.Config) {
		return func(c *ross.Config) {
			rosstest.Walk(4, end)(c)
			o := ross.NewOptions("walk")
			g := o.Group("Walk")
			for i := range values {
				g.String(&values[i], fmt.Sprintf("text%d", i), "")
			}
			c.Register(o)
			_, err := o.Parse([]string{fmt.Sprintf("--end=%g", end)})
			require.NoError(t, err)
		}
	}
	keepOf(t, cp, with(values, 3), nothing)
	c, err := rio.Open(cp)
	require.NoError(t, err)
	defer c.Close()
	model, engine := checkpoint.StoredOptions(c.Info().Settings)
	require.Len(t, model, 4)
	require.Equal(t, " a  b ", model[1].Value)
	require.Greater(t, len(engine), 40)
	require.NoError(t, attempt(t, cp, with(values, 6), rosstest.Walkers()))
	for i := range values {
		other := values
		other[i] += "x"
		err := attempt(t, cp, with(other, 6), rosstest.Walkers())
		require.ErrorContains(t, err, fmt.Sprintf("option --text%d is ", i))
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestOptionsThatMayVaryAreRegistered(t *testing.T) {
	o := ross.NewOptions("walk")
	o.Group("Walk").MayVary("log")
	_, err := o.Parse(nil)
	require.ErrorIs(t, err, ross.ErrUsage)
	require.ErrorContains(t, err, `option --log: declared to vary in "Walk", but not registered there`)
	require.NoError(t, o.WriteHelp(io.Discard))
}

func TestAnotherVersionOfTheModelIsTold(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "cp")
	keepOf(t, cp, rosstest.Walk(4, 3), nothing) // version "walk 1"
	for version, told := range map[string]bool{"": false, "walk 1": false, "walk 2": true} {
		var out strings.Builder
		cfg := ross.DefaultConfig()
		rosstest.Walk(4, 6)(&cfg)
		cfg.Output = &out
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(rosstest.Walkers()))
		require.NoError(t, sim.LoadCheckpoint(cp, ross.LoadInit))
		require.NoError(t, sim.RegisterModelVersion(version))
		require.NoError(t, sim.Run(t.Context()))
		require.Equal(t, told, strings.Contains(out.String(), `it was stored by version "walk 1" of the model, and this is version "walk 2"`), version)
	}
}
