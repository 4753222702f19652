// This file pins what a checkpoint holds: Blocks, names of types, options, notes on scratch.

package checkpoint_test

import (
	"context"
	"fmt"
	html "html/template"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	text "text/template"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/rio"
	"github.com/ross-go/ross/stats"
)

// How states with Blocks are stored and restored: blocks in blocks, blocks that
// several Blocks share, cycles, freed blocks, and what is refused.

// bead is a value of a ring of blocks: each leads to the next.
type bead struct {
	Kind  uint8 // and padding
	Value uint64
	Next  ross.Block[bead]
}

// chain is a state with Blocks of every kind.
type chain struct {
	Small  uint16 // and padding
	Ring   ross.Block[bead]
	Last   ross.Block[bead] // the same block as one of the ring
	Table  ross.Block[[2]ross.Block[uint32]]
	Gone   ross.Block[uint64] // has been freed
	Sizes  ross.Block[struct{}]
	Events uint64
}

// chains returns a type whose events change what its Blocks lead to.
func chains() ross.Type[chain] {
	return ross.Type[chain]{
		Name: "chain",
		Init: func(s *chain, lp *ross.LP) {
			first := ross.Alloc[bead](lp, 1)
			s.Ring, s.Last = first, first
			for i := range uint64(3) {
				b := ross.Alloc[bead](lp, 1)
				b.Of(lp)[0] = bead{1, i, first}
				s.Last.Of(lp)[0].Next = b
				s.Last = b
			}
			s.Table = ross.Alloc[[2]ross.Block[uint32]](lp, 5)
			s.Gone = ross.Alloc[uint64](lp, 9)
			ross.Free(lp, s.Gone)
			s.Sizes = ross.Alloc[struct{}](lp, 7)
			ross.Send(lp, lp.ID(), 0.5, rosstest.Step{})
		},
		Event: ross.On(func(s *chain, lp *ross.LP, m *rosstest.Step) {
			s.Events++
			s.Last = s.Last.Of(lp)[0].Next
			s.Last.Of(lp)[0].Value += lp.RNG().Count()
			pair := &s.Table.Of(lp)[s.Events%5]
			i := lp.RNG().Integer(0, 1)
			ross.Free(lp, pair[i])
			pair[i] = ross.Alloc[uint32](lp, int(lp.RNG().Integer(0, 20)))
			for j := range pair[i].Of(lp) {
				pair[i].Of(lp)[j] = uint32(s.Events)
			}
			ross.Send(lp, lp.ID(), 1, *m)
		}),
	}
}

// chainLeg runs a part of a run of chains and returns its digests.
func chainLeg(t *testing.T, from, to string, end float64, mode ross.LoadMode, configure func(*ross.Config),
	types ...ross.LPType) [2]uint64 {
	t.Helper()
	testkit.Watch(t)
	sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: mode, Configure: func(c *ross.Config) {
		c.NLP, c.End = 12, end
		configure(c)
		c.NLP /= int(max(c.PEs, 1))
	}}, types...)
	return [2]uint64{*sim.Summary().Digest, *sim.Summary().StateDigest}
}

func TestStatesWithBlocksGoOnAsIfTheyHadNotStopped(t *testing.T) {
	alone := func(*ross.Config) {}
	want := chainLeg(t, "", "", 20, 0, alone, chains())
	for i, configure := range []func(*ross.Config){alone,
		func(c *ross.Config) { c.Synch, c.PEs = 3, 3 },
		func(c *ross.Config) { c.Synch, c.PEs, c.ConsLookahead = 2, 2, 0.5 },
	} {
		cp := filepath.Join(t.TempDir(), fmt.Sprint(i))
		chainLeg(t, "", cp, 9, 0, configure, chains())
		require.Equal(t, want, chainLeg(t, cp, "", 20, ross.LoadInit, alone, chains()), "stored by run %d", i)
		require.Equal(t, want, chainLeg(t, cp, "", 20, ross.LoadInit, configure, chains()), "loaded by run %d", i)
	}
}

// What Init has made of a state is replaced, and its blocks are freed.
func TestBlocksOfInitAreReplacedByThoseOfTheCheckpoint(t *testing.T) {
	quiet := chains()
	init := quiet.Init
	quiet.Init = func(s *chain, lp *ross.LP) {
		init(s, lp)
		s.Table.Of(lp)[3][1] = ross.Alloc[uint32](lp, 1<<16)
	}
	cp := filepath.Join(t.TempDir(), "chain")
	chainLeg(t, "", cp, 9, 0, func(*ross.Config) {}, chains())
	chainLeg(t, cp, "", 9.25, ross.LoadPostInit, func(c *ross.Config) {
		c.MaxMemory = 1 << 20 // less than the tables of Init, one after the other
	}, quiet)
}

func TestBlocksOfOtherValuesAreNotLoaded(t *testing.T) {
	type before struct{ Of ross.Block[uint64] }
	type after struct{ Of ross.Block[float64] }
	cp := filepath.Join(t.TempDir(), "values")
	rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 3)}, ross.Type[before]{
		Name: "values", Event: ross.On(func(*before, *ross.LP, *rosstest.Step) {})})
	sim, err := ross.New(func() ross.Config {
		c := ross.DefaultConfig()
		rosstest.Walk(4, 5)(&c)
		return c
	}())
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(ross.Type[after]{
		Name: "values", Event: ross.On(func(*after, *ross.LP, *rosstest.Step) {})}))
	require.ErrorContains(t, sim.Load(cp, ross.LoadInit),
		`states of LPs of type "values" have other fields in it than in the model`)
}

// A Deserialize that the model gives takes precedence.
func TestAModelMaySerializeItsBlocksItself(t *testing.T) {
	m := chains()
	stored := 0
	m.SerializedSize = func(*chain, *ross.LP) int { return 1 }
	m.Serialize = func(*chain, *ross.LP, []byte) { stored++ }
	m.Deserialize = func(*chain, *ross.LP, []byte) error { return nil }
	chainLeg(t, "", filepath.Join(t.TempDir(), "own"), 3, 0, func(*ross.Config) {}, m)
	require.Equal(t, 12, stored)
}

// The names of LP types to which the model gives none, and that checkpoints of versions
// that named them otherwise can be loaded and added to.

// Walker has a name that another package has as well.
type Walker struct{ N int64 }

type (
	left  struct{ N int64 }
	right struct{ N int64 }
)

// walkers returns a model of one type with two messages, which may be given a name.
func walkers(name string) ross.LPType {
	return ross.Type[Walker]{
		Name: name,
		Init: func(_ *Walker, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, left{}) },
		Event: ross.Events(
			ross.On(func(s *Walker, lp *ross.LP, m *left) {
				s.N += m.N
				ross.Send(lp, lp.ID(), 1, right{lp.RNG().Integer(0, 9)})
			}),
			ross.On(func(s *Walker, lp *ross.LP, m *right) {
				s.N -= m.N
				ross.Send(lp, lp.ID(), 1, left{lp.RNG().Integer(0, 9)})
			}),
		),
	}
}

// idle returns a type whose LPs do nothing.
func idle[S any](name string) ross.LPType {
	return ross.Type[S]{Name: name, Saving: ross.SaveNever, Event: ross.On(func(*S, *ross.LP, *tick) {})}
}

// namesOf returns the names of types in a model of one LP of each.
func namesOf(t *testing.T, types ...ross.LPType) (all []string) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.NKP = int(len(types)), 1
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid) }
	sim, _ := rosstest.Define(t, cfg, types...)
	for gid := range ross.LPID(cfg.NLP) {
		all = append(all, sim.LP(gid).TypeName())
	}
	require.NoError(t, sim.Close())
	return all
}

func TestATypeHasTheNameOfItsStateUnlessOthersHaveItToo(t *testing.T) {
	require.Equal(t, []string{"Walker", "uint64", "struct {}"},
		namesOf(t, walkers(""), idle[uint64](""), idle[struct{}]("")))
	require.Equal(t, []string{"checkpoint_test.Walker", "rosstest.Walker", "left"},
		namesOf(t, walkers(""), idle[rosstest.Walker](""), idle[left]("")))
	require.Equal(t, []string{"checkpoint_test.Walker", "Walker"},
		namesOf(t, walkers(""), idle[rosstest.Walker]("Walker")), "a given name stays")
	require.Equal(t, []string{"checkpoint_test.Walker", "Walker"}, namesOf(t, walkers(""), idle[Walker]("Walker")))
	require.Equal(t, []string{"Walker", "Walker"}, namesOf(t, walkers(""), idle[Walker]("")),
		"as before: of the same state")
	require.Equal(t, []string{"html/template.Template", "text/template.Template"},
		namesOf(t, idle[html.Template](""), idle[text.Template]("")))
}

func TestCheckpointsWithFormerNamesCanBeLoadedAndAddedTo(t *testing.T) {
	const former = "checkpoint_test.Walker"
	dir := t.TempDir()
	whole := rosstest.RunLeg(t, rosstest.Leg{Configure: rosstest.Walk(4, 20)}, walkers(""))
	for _, name := range []string{former, ""} {
		cp := filepath.Join(dir, "cp"+name)
		rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 7)}, walkers(name))
		rest := rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: rosstest.Walk(4, 20)}, walkers(""))
		require.Equal(t, whole.Summary().Digest, rest.Summary().Digest)
		require.Equal(t, whole.Summary().StateDigest, rest.Summary().StateDigest)

		sim := rosstest.RunLeg(t, rosstest.Leg{Configure: rosstest.Walk(2, 7)}, walkers(""))
		require.NoError(t, sim.Store(cp, ross.Appending()))
		require.NoError(t, rio.Verify(cp))
		stored, err := rio.Open(cp)
		require.NoError(t, err)
		want := []string{"Walker", "message checkpoint_test.right of Walker"}
		if name != "" {
			want = []string{former, "message checkpoint_test.right of " + former}
		}
		for i, typ := range stored.Info().Types {
			require.Equal(t, want[i], typ.Name)
		}
		require.NoError(t, stored.Close())
		both := rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: rosstest.Walk(6, 20)}, walkers(""))
		require.Equal(t, *ross.StateOf[Walker](whole.LP(3)), *ross.StateOf[Walker](both.LP(3)))
	}
}

// What a checkpoint holds of the options of the run that stored it, and what is made of it.

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
		g.Count(&c.NLP, "nlp", "")
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
		{"--fast --packets=3", "",
			"option --packets is 3 in it and 4 in this run; option --fast is true in it and false in this run"},
		{"--name=a", "--name=b", "option --name is a in it and b in this run"},
		{"--name=", "--name=b", `option --name is "" in it and b in this run`},
		{"--a-very-long-name-of-an-option=1", "--a-very-long-name-of-an-option=2",
			"option --a-very-long-name-of-an-option is 1 in it and 2 in this run"},
		{"", "--rng-seed1=1 --rng-seed2=2203 --rng-seed3=305 --rng-seed4=40017",
			"option --rng-seed1 is 0 in it and 1 in this run; option --rng-seed2"},
		{"", "--core-rng-seed1=1 --core-rng-seed2=2203 --core-rng-seed3=305 --core-rng-seed4=40017",
			"option --core-rng-seed1 is 0 in it and 1"},
		{"", "--seed=5", "option --seed is 0 in it and 5 in this run"},
		{"--replication=2", "--replication=3", "option --replication is 2 in it and 3 in this run"},
	} {
		more := []string{"name", "a-very-long-name-of-an-option"}
		cp := filepath.Join(t.TempDir(), "cp-000000")
		keepOf(t, cp, asked(t, c.stored, more...), nothing)
		now := func(restart string) func(*ross.Config) {
			return func(cfg *ross.Config) {
				asked(t, c.now+" --end=6 "+restart, more...)(cfg)
				cfg.Checkpoints.Name = strings.TrimSuffix(cp, "-000000")
			}
		}
		err := attempt(t, cp, now(""), rosstest.Walkers())
		require.ErrorIs(t, err, ross.ErrCheckpoint)
		require.ErrorContains(t, err, "checkpoint "+cp+": "+c.want)
		require.ErrorContains(t, err,
			": give those that it was stored with, or --io-other-options if the difference is intended")
		_, logged, err := walkOn(t, now("--io-restart=latest"))
		require.ErrorIs(t, err, ross.ErrCheckpoint)
		require.ErrorContains(t, err, c.want)
		require.Empty(t, logged)

		_, logged, err = walkOn(t, now("--io-restart=latest --io-other-options"))
		require.NoError(t, err)
		require.Contains(t, logged, "checkpoint "+cp+": "+c.want)
		require.NoError(t, attempt(t, cp, func(cfg *ross.Config) { now("")(cfg); cfg.Checkpoints.OtherOptions = true },
			rosstest.Walkers()))
	}
}

// TestAnOptionThatSetsTheNumberOfLPsIsNamed has an option of the model that sets the number of LPs, and one that only
// the total number says.
func TestAnOptionThatSetsTheNumberOfLPsIsNamed(t *testing.T) {
	sites := func(line string) func(*ross.Config) {
		return func(c *ross.Config) {
			rosstest.Walk(4, 3)(c)
			n := 4
			o := ross.NewOptions("walk")
			g := o.Group("Walk")
			g.Count(&n, "sites", "")
			c.RegisterLPs(g)
			c.Register(o)
			_, err := o.Parse(strings.Fields(line))
			require.NoError(t, err)
			c.NLP *= n
		}
	}
	cp := filepath.Join(t.TempDir(), "cp")
	keepOf(t, cp, sites("--nlp=1"), nothing)
	err := attempt(t, cp, sites("--nlp=1 --sites=5 --end=6"), rosstest.Walkers())
	require.ErrorContains(t, err,
		"option --sites is 4 in it and 5 in this run: not a checkpoint of this simulation: give those that it was stored with")
	err = attempt(t, cp, sites("--nlp=2 --end=6"), rosstest.Walkers())
	require.ErrorContains(t, err, "it has 4 LPs, the simulation has 8")
	err = attempt(t, cp, sites("--nlp=1 --sites=5 --end=6 --io-other-options"), rosstest.Walkers())
	require.ErrorContains(t, err, "it has 4 LPs, the simulation has 5")
}

func TestOptionsThatMayVaryAreNotCompared(t *testing.T) {
	const seeds = " --rng-seed1=1 --rng-seed2=2203 --rng-seed3=305 --rng-seed4=40017"
	for _, c := range []struct{ stored, now string }{
		{"--packets=5 --rate=.25 --fast", "--packets=5 --rate=0.25 --fast=1"},
		{"--log=a --pool=3", "--log=b --pool=4"},
		{"--synch=1 --nkp=3 --end=3",
			"--synch=3 --nkp=5 --pes=2 --nlp=2 --batch=3 --gvt-interval=4 --max-memory=64M --cons-lookahead=.1"},
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
	_, logged, err := walkOn(t,
		func(cfg *ross.Config) { asked(t, "--new=b --same=1 --end=6 --io-restart="+cp, "new", "same")(cfg) })
	require.NoError(t, err)
	require.Equal(t, "walk: checkpoint "+cp+
		": the model did not have --new=b when it was stored; it was stored with --old=some, which the model no longer has\n",
		logged)
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
	for version, noted := range map[string]bool{"": false, "walk 1": false, "walk 2": true} {
		var out strings.Builder
		cfg := ross.DefaultConfig()
		rosstest.Walk(4, 6)(&cfg)
		cfg.Output, cfg.Checkpoints.Version = &out, version
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(rosstest.Walkers()))
		require.NoError(t, sim.Load(cp, ross.LoadInit))
		require.NoError(t, sim.Run(t.Context()))
		require.Equal(t, noted,
			strings.Contains(out.String(), `it was stored by version "walk 1" of the model, and this is version "walk 2"`),
			version)
	}
}

// The notes on scratch that a model needs, and that a checkpoint does not store.

type (
	params struct{ Mean float64 }
	meaner interface{ mean() float64 }
	tick   struct{}
)

func (p *params) mean() float64 { return p.Mean }

// clerk has scratch of several kinds, which Init sets as a test wants it.
type clerk struct {
	N      int64
	Served stats.Counter
	In     struct {
		P *params `ross:"-"`
	}
	M     map[int]float64       `ross:"-"`
	F     func() float64        `ross:"-"`
	I     meaner                `ross:"-"`
	Table []float64             `ross:"-"`
	Some  [3]struct{ Q *int64 } `ross:"-"`
	Mean  float64               `ross:"-"`
	Buf   []byte                `ross:"-"`
	Text  string                `ross:"-"`
}

// clerks returns a model whose Init sets scratch, and whose handlers use it.
func clerks(set func(s *clerk), use func(s *clerk) float64) ross.LPType {
	return ross.Type[clerk]{
		Name: "clerk",
		Init: func(s *clerk, lp *ross.LP) {
			s.Served.Inc(lp)
			set(s)
			ross.Send(lp, lp.ID(), 1, tick{})
		},
		Event: ross.On(func(s *clerk, lp *ross.LP, _ *tick) {
			s.N++
			ross.Send(lp, lp.ID(), use(s), tick{})
		}).Reverse(func(s *clerk, _ *ross.LP, _ *tick) { s.N-- }),
	}
}

const noted = `Note: LP type "clerk": clerk.%s is scratch (ross:"-") with a value, which checkpoints do not store`

func TestScratchThatARestartWouldMissIsNoted(t *testing.T) {
	one := int64(1)
	for field, c := range map[string]struct {
		set   func(s *clerk)
		use   func(s *clerk) float64
		fails bool // after a restart
	}{
		"In.P":      {func(s *clerk) { s.In.P = &params{1} }, func(s *clerk) float64 { return s.In.P.Mean }, true},
		"M":         {func(s *clerk) { s.M = map[int]float64{} }, func(s *clerk) float64 { s.M[0] = 1; return s.M[0] }, true},
		"F":         {func(s *clerk) { s.F = func() float64 { return 1 } }, func(s *clerk) float64 { return s.F() }, true},
		"I":         {func(s *clerk) { s.I = &params{1} }, func(s *clerk) float64 { return s.I.mean() }, true},
		"Table":     {func(s *clerk) { s.Table = []float64{1} }, func(s *clerk) float64 { return s.Table[0] }, true},
		"Some[2].Q": {func(s *clerk) { s.Some[2].Q = &one }, func(s *clerk) float64 { return float64(*s.Some[2].Q) }, true},
		"Mean":      {func(s *clerk) { s.Mean = 1 }, func(s *clerk) float64 { return max(1, s.Mean) }, false},
		"Text":      {func(s *clerk) { s.Text = "1" }, func(s *clerk) float64 { return 1 }, false},
	} {
		for _, synch := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s/synch=%d", field, synch), func(t *testing.T) {
				cfg := rosstest.Checking(synch)
				cfg.End, cfg.Checkpoints.Name, cfg.Checkpoints.AfterRun = 10, filepath.Join(t.TempDir(), "cp"), true
				if synch == 1 { // which stores one at this time, whatever it does
					cfg.Checkpoints.VirtualInterval = 4
				}
				sim, report := rosstest.Define(t, cfg, clerks(c.set, c.use))
				require.NoError(t, sim.Run(context.Background()))
				if synch == 1 {
					require.Equal(t, 1, strings.Count(report.String(), fmt.Sprintf(noted, field)), report)
				}
				require.NoError(t, sim.Store(cfg.Checkpoints.Name))
				require.Equal(t, 1, strings.Count(report.String(), fmt.Sprintf(noted, field)), report)
				require.NoError(t, sim.Close())
				cfg.End, cfg.Checkpoints.Restart = 20, cfg.Checkpoints.Name
				out := rosstest.Try(t, cfg, clerks(c.set, c.use))
				if !c.fails {
					require.NoError(t, out.Err)
					return
				}
				require.ErrorIs(t, out.Err, ross.ErrPanic)
				_, cause, found := strings.Cut(out.Err.Error(), "likely cause: ")
				require.True(t, found, out.Err)
				require.Regexp(t, `(^|, )clerk.`+regexp.QuoteMeta(field)+`[,:].*scratch \(ross:"-"\) is not stored in checkpoints`,
					cause)
			})
		}
	}
}

// TestScratchThatHandlersMakeIsNotNoted has a buffer, which no Init has made, and a store after the run.
func TestScratchThatHandlersMakeIsNotNoted(t *testing.T) {
	cfg := rosstest.Checking(1)
	cfg.End, cfg.Checkpoints.AfterRun = 10, true
	sim, report := rosstest.Define(t, cfg, clerks(func(s *clerk) { s.Buf = make([]byte, 0, 8) }, func(s *clerk) float64 {
		s.Buf = append(s.Buf[:0], 1, 2)
		s.Mean = 1
		return float64(s.Buf[0])
	}))
	require.NoError(t, sim.Run(context.Background()))
	require.NoError(t, sim.Store(filepath.Join(t.TempDir(), "cp")))
	require.NotContains(t, report.String(), "scratch")
}

// TestARunWithoutCheckpointsSaysNothingOfScratch also fails without one, which is no fault of scratch.
func TestARunWithoutCheckpointsSaysNothingOfScratch(t *testing.T) {
	out := rosstest.Try(t, rosstest.Checking(1),
		clerks(func(s *clerk) { s.Mean = 1 }, func(s *clerk) float64 { return s.In.P.Mean }))
	require.ErrorIs(t, out.Err, ross.ErrPanic)
	require.NotContains(t, out.Err.Error(), "likely cause")
	require.NotContains(t, out.Report, "scratch")
}
