// What loading does with Init, the clock and tie-breakers, appended jobs, and what is told of
// checkpoints that do not fit.

package ross

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rio"
)

// walker counts what is called.
type walker struct{ Value, Inits, PreRuns uint64 }

type step struct{ N uint64 }

// walkers have each LP send itself an event at each whole time and a half.
func walkers() Type[walker, step] {
	return Type[walker, step]{
		Name: "walk",
		Init: func(s *walker, lp *LP) {
			s.Inits++
			Send(lp, lp.ID(), 0.5, step{lp.RNG().Count()})
		},
		PreRun: func(s *walker, _ *LP) { s.PreRuns++ },
		Event: func(s *walker, lp *LP, _ *Bits, m *step) {
			s.Value += m.N + 1
			lp.RNG().Unif()
			Send(lp, lp.ID(), 1, *m)
		},
		Reverse: func(s *walker, _ *LP, _ *Bits, m *step) { s.Value -= m.N + 1 },
	}
}

func walkConfig(lps uint64, end float64) func(*Config) {
	return func(c *Config) { c.NLP, c.End = lps, end }
}

func TestModesOfLoadingSayWhatBecomesOfInit(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "walk")
	runLeg(t, leg{to: cp, configure: walkConfig(4, 3)}, walkers())
	for _, c := range []struct {
		mode   LoadMode
		asROSS bool
		want   walker
		draws  uint64
	}{
		// Of 6 events, 3 were before the checkpoint. Those of a second Init are 3 more.
		{LoadInit, false, walker{6, 1, 1}, 6},
		{LoadInit, true, walker{6, 1, 2}, 6},               // PreRun is called
		{LoadPreInit, false, walker{3 + 3 + 3*4, 2, 2}, 9}, // the message holds the 3 draws that were made
		{LoadPostInit, false, walker{3 + 3 + 3, 1, 2}, 9},  // its message is of before the load
	} {
		t.Run(fmt.Sprintf("%d/as ROSS=%v", c.mode, c.asROSS), func(t *testing.T) {
			end := 6.0
			if c.asROSS {
				end = 3
			}
			_, sims := runLeg(t, leg{from: cp, mode: c.mode, configure: func(cfg *Config) {
				walkConfig(4, end)(cfg)
				cfg.IOAsROSS = c.asROSS
			}}, walkers())
			lp := sims[0].LP(2)
			require.Equal(t, c.want, *StateOf[walker](lp))
			require.Equal(t, c.draws, lp.RNG().Count())
			require.Equal(t, end-0.5, lp.Now())
		})
	}
}

func TestJobsAppendLPsToACheckpoint(t *testing.T) {
	for _, files := range []int{1, 2} {
		t.Run(fmt.Sprint(files), func(t *testing.T) {
			cp := filepath.Join(t.TempDir(), "all")
			lps := []uint64{4, 2, 6}
			var states []walker
			for _, n := range lps {
				sim := keepOf(t, cp, func(c *Config) {
					walkConfig(n/2, 3)(c)
					c.Synch, c.PEs, c.IOFiles = 3, 2, uint64(files)
				}, (*Simulation).AppendingJob)
				for gid := range LPID(n) {
					states = append(states, *StateOf[walker](sim.LP(gid)))
				}
			}
			_, sims := runLeg(t, leg{from: cp, mode: LoadInit, configure: func(c *Config) {
				walkConfig(6, 6)(c)
				c.Synch, c.PEs, c.NKP = 3, 2, 3
			}}, walkers())
			require.EqualValues(t, 12, sims[0].TotalLPs())
			for gid := range LPID(12) {
				was := states[gid]
				was.Value *= 2
				require.Equal(t, was, *StateOf[walker](sims[0].LP(gid)))
			}
			require.EqualValues(t, 36, sims[0].Stats().NetEvents())
		})
	}
}

// keepOf runs walkers and stores them.
func keepOf(t *testing.T, name string, configure func(*Config), prepare func(*Simulation)) *Simulation {
	t.Helper()
	cfg := DefaultConfig()
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(walkers()))
	require.NoError(t, sim.InitIO())
	require.NoError(t, sim.RegisterModelVersion("walk 1"))
	prepare(sim)
	require.NoError(t, sim.Run(context.Background()))
	require.NoError(t, sim.StoreCheckpoint(name, ByFormula))
	return sim
}

func TestStoreReplacesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	cp := filepath.Join(dir, "walk")
	nothing := func(*Simulation) {}
	keepOf(t, cp, func(c *Config) {
		walkConfig(50, 3)(c)
		c.Synch, c.PEs, c.IOFiles = 3, 4, 4
	}, nothing)
	keepOf(t, cp, walkConfig(2, 3), nothing)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	require.Equal(t, []string{"walk.rio-data-0", "walk.rio-lp", "walk.rio-md", "walk.txt"}, names)
	text, err := os.ReadFile(cp + ".txt")
	require.NoError(t, err)
	for _, want := range []string{"MODEL Version:\twalk 1", "Total LPs:\t2", "--nkp", "--end"} {
		require.Contains(t, string(text), want)
	}
}

// attempt makes a simulation, loads and runs it, and returns the first error.
func attempt(t *testing.T, cp string, configure func(*Config), types ...LPType) error {
	t.Helper()
	cfg := DefaultConfig()
	walkConfig(4, 6)(&cfg)
	configure(&cfg)
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(types...))
	if err := sim.LoadCheckpoint(cp, LoadInit); err != nil {
		return err
	}
	return sim.Run(context.Background())
}

func TestCheckpointsThatDoNotFitAreRefused(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "walk")
	keepOf(t, cp, walkConfig(4, 3), func(*Simulation) {})
	as := func(c *Config) {}
	other := walkers()
	other.Name = "run"
	for _, c := range []struct {
		name      string
		configure func(*Config)
		typ       LPType
		want      string
	}{
		{"LPs", walkConfig(5, 6), walkers(), "it has 4 LPs, the simulation has 5"},
		{"streams", func(c *Config) { c.RNGsPerLP = 2 }, walkers(), "its LPs have 1 random streams, those of the simulation 2"},
		{"end", walkConfig(4, 3), walkers(), "it was stored at virtual time 3, and the run ends at 3: not a checkpoint of this simulation: raise --end, or load it with --io-as-ross"},
		{"type", as, other, `it has LPs of type "walk", which the model has not, only ["run"]`},
		{"message", as, Type[walker, [2]uint64]{Name: "walk", Event: func(*walker, *LP, *Bits, *[2]uint64) {}},
			`messages to LPs of type "walk" have 8 bytes in it, and 16 in the model`},
		{"fields of the message", as, Type[walker, [1]uint64]{Name: "walk", Event: func(*walker, *LP, *Bits, *[1]uint64) {}},
			`messages to LPs of type "walk" have other fields in it than in the model`},
		{"state", as, Type[uint64, step]{Name: "walk", Event: func(*uint64, *LP, *Bits, *step) {}},
			`states of LPs of type "walk" have 24 bytes in it, and 8 in the model`},
		{"fields of the state", as, Type[[3]uint64, step]{Name: "walk", Event: func(*[3]uint64, *LP, *Bits, *step) {}},
			`states of LPs of type "walk" have other fields in it than in the model`},
		{"serialized", as, Type[walker, step]{Name: "walk", Event: func(*walker, *LP, *Bits, *step) {},
			SerializedSize: func(*walker, *LP) int { return 1 }, Serialize: func(*walker, *LP, []byte) {}, Deserialize: func(*walker, *LP, []byte) error { return nil }},
			`states of LPs of type "walk" were serialized by the model, or are now, but not both`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := attempt(t, cp, c.configure, c.typ)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "checkpoint "+cp)
			require.ErrorIs(t, err, ErrCheckpoint)
		})
	}
	require.ErrorIs(t, attempt(t, cp+"-2", as, walkers()), rio.ErrNone)
}

func TestDamageIsFoundBeforeTheFirstEvent(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "walk")
	keepOf(t, cp, walkConfig(4, 3), func(*Simulation) {})
	data, err := os.ReadFile(cp + ".rio-data-0")
	require.NoError(t, err)
	data[len(data)-3] ^= 4
	require.NoError(t, os.WriteFile(cp+".rio-data-0", data, 0o644))
	events := 0
	typ := walkers()
	typ.Event = func(*walker, *LP, *Bits, *step) { events++ }
	err = attempt(t, cp, func(*Config) {}, typ)
	require.ErrorIs(t, err, rio.ErrDamaged)
	require.ErrorContains(t, err, cp+".rio-data-0")
	require.Zero(t, events)
}

// twoTypes maps the first n LPs to walk, and the others to run.
func twoTypes(n LPID) (func(*Config), []LPType) {
	other := walkers()
	other.Name = "run"
	return func(c *Config) {
		walkConfig(4, 6)(c)
		c.TypeMap = func(gid LPID) int {
			if gid < n {
				return 0
			}
			return 1
		}
	}, []LPType{walkers(), other}
}

func TestLPOfAnotherTypeIsNamed(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "two")
	configure, types := twoTypes(2)
	runLeg(t, leg{to: cp, configure: func(c *Config) { configure(c); c.End = 3 }}, types...)
	configure, types = twoTypes(3)
	err := attempt(t, cp, configure, types...)
	require.ErrorIs(t, err, ErrCheckpoint)
	require.ErrorContains(t, err, `LP 2 is of type "run" in it, and "walk" in the model`)
	slices.Reverse(types) // their order does not matter
	configure, _ = twoTypes(2)
	require.NoError(t, attempt(t, cp, func(c *Config) {
		configure(c)
		was := c.TypeMap
		c.TypeMap = func(gid LPID) int { return 1 - was(gid) }
	}, types...))
}

func TestStatesThatCannotBeStoredAreNamedBeforeTheRun(t *testing.T) {
	handler := func(name string, types LPType, want string) {
		t.Run(name, func(t *testing.T) {
			sim, err := New(DefaultConfig())
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(types))
			for _, err := range []error{sim.InitIO(), sim.LoadCheckpoint("x", LoadInit)} {
				require.ErrorIs(t, err, ErrModel)
				require.ErrorContains(t, err, want)
			}
			require.NoError(t, sim.Run(context.Background()), "without checkpoints")

			sim, err = New(DefaultConfig())
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.InitIO(), "the types are not known yet")
			require.NoError(t, sim.Define(types))
			err = sim.Run(context.Background())
			require.ErrorIs(t, err, ErrModel)
			require.ErrorContains(t, err, want)
			require.Zero(t, sim.Stats().NetEvents())
		})
	}
	type list struct{ Items []int }
	handler("slice", Type[list, step]{Event: func(*list, *LP, *Bits, *step) {}}, "list.Items is a slice")
	type shelf struct {
		N     int
		Books [2]Block[uint64]
	}
	handler("block", Type[shelf, step]{Event: func(*shelf, *LP, *Bits, *step) {}}, "shelf.Books[0] is a ross.Block")
	sim, err := New(DefaultConfig())
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(Type[list, step]{Event: func(*list, *LP, *Bits, *step) {}, Serialize: func(*list, *LP, []byte) {}})
	require.ErrorIs(t, err, ErrModel)
	require.ErrorContains(t, err, "give all three, or none")
}

func TestFailuresOfModelsInSerializingAreTold(t *testing.T) {
	lost := errors.New("lost")
	typ := walkers()
	typ.SerializedSize = func(*walker, *LP) int { return 8 }
	typ.Serialize = func(s *walker, lp *LP, buf []byte) { buf[0] = byte(s.Value) }
	typ.Deserialize = func(_ *walker, lp *LP, _ []byte) error {
		if lp.ID() == 3 {
			return lost
		}
		return nil
	}
	for _, synch := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(synch), func(t *testing.T) {
			watch(t)
			cp := filepath.Join(t.TempDir(), "walk")
			runLeg(t, leg{to: cp, configure: walkConfig(4, 3)}, typ)
			err := attempt(t, cp, func(c *Config) { c.Synch = Scheduler(synch) }, typ)
			require.ErrorIs(t, err, lost)
			require.ErrorContains(t, err, "LP 3 (walk): Deserialize")

			bad := typ
			bad.Serialize = func(_ *walker, lp *LP, _ []byte) {
				if lp.ID() == 2 {
					panic("no room")
				}
			}
			var out strings.Builder
			cfg := DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.IOVirtualInterval, cfg.IOName, cfg.Output = 4, 1e6, Scheduler(synch), 1, cp+"-run", &out
			if synch != 1 {
				cfg.NLP, cfg.PEs = 2, 2
			}
			sim, err := New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(bad))
			err = sim.Run(context.Background())
			require.ErrorIs(t, err, ErrPanic)
			require.ErrorContains(t, err, "LP 2 (walk)")
			require.ErrorContains(t, err, "no room")
			require.NoError(t, sim.Close())
			numbers, err := rio.Numbers(cp + "-run")
			require.NoError(t, err)
			require.Empty(t, numbers)
		})
	}
}

func TestInitIOIsForTheTimeBeforeTheRun(t *testing.T) {
	var sim *Simulation
	typ := walkers()
	typ.PreRun = func(*walker, *LP) { require.ErrorContains(t, sim.InitIO(), "has run, or is running") }
	typ.Final = func(*walker, *LP) { panic("no") }
	cfg := DefaultConfig()
	cfg.End = 3
	sim, err := New(cfg)
	require.NoError(t, err)
	require.NoError(t, sim.Define(typ))
	require.Error(t, sim.Run(context.Background()))
	require.ErrorContains(t, sim.InitIO(), "has run, or is running", "though it failed")
	require.NoError(t, sim.Close())
	require.ErrorContains(t, sim.InitIO(), "closed")
	cfg.Synch = 4
	sim, err = New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.ErrorIs(t, sim.InitIO(), ErrUsage)
}

func TestFewerDataFilesThanAskedForAreToldOnce(t *testing.T) {
	const want = "Note: checkpoints have 4 data files and not 9 (--io-files=9): at most one for each PE\n"
	for files, told := range map[uint64]int{1: 0, 4: 0, 9: 1} {
		for _, interval := range []float64{0, 1e9} {
			var out strings.Builder
			cp := filepath.Join(t.TempDir(), "cp")
			_, sims := runLeg(t, leg{to: cp, configure: func(c *Config) {
				walkConfig(4, 3)(c)
				c.Synch, c.PEs, c.NLP, c.IOFiles, c.Output = 3, 4, 1, files, &out
				c.IOInterval, c.IOName = interval, cp+"-run"
			}}, walkers())
			require.NoError(t, sims[0].StoreCheckpoint(cp, ByFormula))
			require.Equal(t, told, strings.Count(out.String(), want), "--io-files=%d: %s", files, &out)
			require.Equal(t, told, strings.Count(out.String(), "\nNote: "))
			_, err := os.Stat(fmt.Sprintf("%s.rio-data-%d", cp, min(files, 4)-1))
			require.NoError(t, err)
		}
	}
	var out strings.Builder
	cfg := DefaultConfig()
	cfg.IOFiles, cfg.End, cfg.Output = 9, 3, &out
	sim, err := New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(walkers()))
	require.NoError(t, sim.Run(context.Background()))
	require.NotContains(t, out.String(), "\nNote: ", "nothing is stored")
}

func TestMisuseOfCheckpointsIsTold(t *testing.T) {
	sim, err := New(DefaultConfig())
	require.NoError(t, err)
	defer sim.Close()
	require.ErrorContains(t, sim.LoadCheckpoint("x", LoadInit), "call it between Define and Run")
	require.NoError(t, sim.Define(walkers()))
	require.ErrorContains(t, sim.LoadCheckpoint("x", 7), "mode 7")
	require.ErrorContains(t, sim.StoreCheckpoint("x", ByFormula), "call it after Run")
	require.ErrorContains(t, sim.RegisterModelVersion(strings.Repeat("v", 41)), "at most 40 bytes")
	require.NoError(t, sim.Run(context.Background()))
	require.ErrorContains(t, sim.StoreCheckpoint("x", ByFormula), "call InitIO before Run")
	require.ErrorContains(t, sim.InitIO(), "call it before Run")

	cfg := DefaultConfig()
	cfg.IORestart, cfg.IOName = "latest", filepath.Join(t.TempDir(), "none")
	var out strings.Builder
	cfg.Output, cfg.End = &out, 3
	sim, err = New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(walkers()))
	require.ErrorContains(t, sim.LoadCheckpoint("x", LoadInit), "leave the option out")
	require.NoError(t, sim.InitIO())
	require.NoError(t, sim.Run(context.Background()))
	require.Contains(t, out.String(), "There is no checkpoint "+cfg.IOName+"-*: the run starts from its beginning")
	require.EqualValues(t, 24, sim.Stats().NetEvents())
	require.ErrorIs(t, sim.StoreCheckpoint(filepath.Join(cfg.IOName, "a", "b"), ByFormula), os.ErrNotExist)

	// One that is damaged is no reason to begin anew.
	require.NoError(t, sim.StoreCheckpoint(rio.Numbered(cfg.IOName, 3), ByFormula))
	require.NoError(t, os.Truncate(rio.Numbered(cfg.IOName, 3)+".rio-lp", 20))
	sim, err = New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(walkers()))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, rio.ErrDamaged)
	require.ErrorContains(t, err, "none-000003.rio-lp")
}
