// This file pins what loading a checkpoint does.

package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/rio"
)

// What loading does with Init, the clock and tie-breakers, appended jobs, and what is reported of
// checkpoints that do not fit.

func TestModesOfLoadingSayWhatBecomesOfInit(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "walk")
	rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 3)}, rosstest.Walkers())
	for _, c := range []struct {
		mode   ross.LoadMode
		asROSS bool
		want   rosstest.Walker
		draws  uint64
	}{
		// Of 6 events, 3 were before the checkpoint. Those of a second Init are 3 more.
		{ross.LoadInit, false, rosstest.Walker{Value: 6, Inits: 1, PreRuns: 1}, 6},
		{ross.LoadInit, true, rosstest.Walker{Value: 6, Inits: 1, PreRuns: 2}, 6}, // PreRun is called
		// the message holds the 3 draws that were made
		{ross.LoadPreInit, false, rosstest.Walker{Value: 3 + 3 + 3*4, Inits: 2, PreRuns: 2}, 9},
		// its message is of before the load
		{ross.LoadPostInit, false, rosstest.Walker{Value: 3 + 3 + 3, Inits: 1, PreRuns: 2}, 9},
	} {
		t.Run(fmt.Sprintf("%d/as ROSS=%v", c.mode, c.asROSS), func(t *testing.T) {
			end := 6.0
			if c.asROSS {
				end = 3
			}
			sim := rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: c.mode, Configure: func(cfg *ross.Config) {
				rosstest.Walk(4, end)(cfg)
				cfg.Checkpoints.AsROSS = c.asROSS
			}}, rosstest.Walkers())
			lp := sim.LP(2)
			require.Equal(t, c.want, *ross.StateOf[rosstest.Walker](lp))
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
			var states []rosstest.Walker
			for _, n := range lps {
				sim := keepOf(t, cp, func(c *ross.Config) {
					rosstest.Walk(n/2, 3)(c)
					c.Synch, c.PEs, c.Checkpoints.Files = 3, 2, int(files)
				}, func(*ross.Simulation) {}, ross.Appending())
				for gid := range ross.LPID(n) {
					states = append(states, *ross.StateOf[rosstest.Walker](sim.LP(gid)))
				}
			}
			sim := rosstest.RunLeg(t, rosstest.Leg{From: cp, Mode: ross.LoadInit, Configure: func(c *ross.Config) {
				rosstest.Walk(6, 6)(c)
				c.Synch, c.PEs, c.NKP = 3, 2, 3
			}}, rosstest.Walkers())
			require.EqualValues(t, 12, sim.TotalLPs())
			for gid := range ross.LPID(12) {
				was := states[gid]
				was.Value *= 2
				require.Equal(t, was, *ross.StateOf[rosstest.Walker](sim.LP(gid)))
			}
			require.EqualValues(t, 36, sim.Summary().NetEvents())
		})
	}
}

func TestStoreTellsThatAppendedJobsAreOfDifferentTimes(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "all")
	store := func(end float64) string {
		var out strings.Builder
		keepOf(t, cp, func(c *ross.Config) {
			rosstest.Walk(2, end)(c)
			c.Output = &out
		}, func(*ross.Simulation) {}, ross.Appending())
		return out.String()
	}
	require.NotContains(t, store(3), "\nNote:")
	require.NotContains(t, store(3), "\nNote:", "of the same time")
	require.Contains(t, store(5), "Note: checkpoint "+cp+": this simulation was stored at virtual time 5, and one that it "+
		"was added to at 3: only --io-as-ross loads them together, which starts all at 0\n")
	require.ErrorContains(t, attempt(t, cp, rosstest.Walk(6, 9), rosstest.Walkers()), "load it with --io-as-ross")
}

// keepOf runs walkers and stores them.
func keepOf(t *testing.T, name string, configure func(*ross.Config), prepare func(*ross.Simulation),
	options ...ross.StoreOption) *ross.Simulation {
	t.Helper()
	cfg := ross.DefaultConfig()
	configure(&cfg)
	cfg.Checkpoints.AfterRun, cfg.Checkpoints.Version = true, "walk 1"
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(rosstest.Walkers()))
	prepare(sim)
	require.NoError(t, sim.Run(context.Background()))
	require.NoError(t, sim.Store(name, options...))
	return sim
}

func TestStoreReplacesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	cp := filepath.Join(dir, "walk")
	nothing := func(*ross.Simulation) {}
	keepOf(t, cp, func(c *ross.Config) {
		rosstest.Walk(50, 3)(c)
		c.Synch, c.PEs, c.Checkpoints.Files = 3, 4, 4
	}, nothing)
	keepOf(t, cp, rosstest.Walk(2, 3), nothing)
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

// attempt makes a simulation, loads it unless it restarts, runs it, and returns the first error.
func attempt(t *testing.T, cp string, configure func(*ross.Config), types ...ross.LPType) error {
	t.Helper()
	cfg := ross.DefaultConfig()
	rosstest.Walk(4, 6)(&cfg)
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(types...))
	if cfg.Checkpoints.Restart == "" {
		if err := sim.Load(cp, ross.LoadInit); err != nil {
			return err
		}
	}
	return sim.Run(context.Background())
}

func TestCheckpointsThatDoNotFitAreRefused(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "walk")
	keepOf(t, cp, rosstest.Walk(4, 3), func(*ross.Simulation) {})
	as := func(c *ross.Config) {}
	other := rosstest.Walkers()
	other.Name = "run"
	for _, c := range []struct {
		name      string
		configure func(*ross.Config)
		typ       ross.LPType
		want      string
	}{
		{"LPs", rosstest.Walk(5, 6), rosstest.Walkers(), "it has 4 LPs, the simulation has 5"},
		{"streams", func(c *ross.Config) { c.Streams.PerLP = 2 }, rosstest.Walkers(),
			"its LPs have 1 random streams, those of the simulation 2"},
		{"end", rosstest.Walk(4, 3), rosstest.Walkers(),
			"it was stored at virtual time 3, and the run ends at 3: not a checkpoint of this simulation: raise --end, or load it with --io-as-ross"},
		{"type", as, other, `it has LPs of type "walk", which the model does not have; it has only ["run"]`},
		{"message", as,
			ross.Type[rosstest.Walker]{Name: "walk", Event: ross.On(func(*rosstest.Walker, *ross.LP, *[2]uint64) {})},
			`messages to LPs of type "walk" have 8 bytes in it, and 16 in the model`},
		{"fields of the message", as,
			ross.Type[rosstest.Walker]{Name: "walk", Event: ross.On(func(*rosstest.Walker, *ross.LP, *[1]uint64) {})},
			`messages to LPs of type "walk" have other fields in it than in the model`},
		{"state", as, ross.Type[uint64]{Name: "walk", Event: ross.On(func(*uint64, *ross.LP, *rosstest.Step) {})},
			`states of LPs of type "walk" have 24 bytes in it, and 8 in the model`},
		{"fields of the state", as,
			ross.Type[[3]uint64]{Name: "walk", Event: ross.On(func(*[3]uint64, *ross.LP, *rosstest.Step) {})},
			`states of LPs of type "walk" have other fields in it than in the model`},
		{"serialized", as,
			ross.Type[rosstest.Walker]{Name: "walk", Event: ross.On(func(*rosstest.Walker, *ross.LP, *rosstest.Step) {}),
				SerializedSize: func(*rosstest.Walker, *ross.LP) int { return 1 },
				Serialize:      func(*rosstest.Walker, *ross.LP, []byte) {},
				Deserialize:    func(*rosstest.Walker, *ross.LP, []byte) error { return nil }},
			`states of LPs of type "walk" were serialized by the model, or are now, but not both`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := attempt(t, cp, c.configure, c.typ)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "checkpoint "+cp)
			require.ErrorIs(t, err, ross.ErrCheckpoint)
		})
	}
	require.ErrorIs(t, attempt(t, cp+"-2", as, rosstest.Walkers()), rio.ErrNone)
}

// TestDamageIsFoundBeforeTheFirstEvent has one bit changed in each part of each file that a load needs, a file that
// ends early, and one of another checkpoint of the same model.
func TestDamageIsFoundBeforeTheFirstEvent(t *testing.T) {
	dir := t.TempDir()
	cp, other := filepath.Join(dir, "walk"), filepath.Join(dir, "other")
	store := func(c *ross.Config) {
		rosstest.Walk(64, 3)(c)
		c.Checkpoints.Files = 2
		c.PEs, c.Synch, c.NLP = 2, ross.Optimistic, 32
	}
	keepOf(t, cp, store, nothing)
	keepOf(t, other, store, nothing)
	events := 0
	typ := rosstest.Walkers()
	typ.Event = ross.On(func(*rosstest.Walker, *ross.LP, *rosstest.Step) { events++ })
	ways := map[string]func(c *ross.Config){
		"sequential":      func(*ross.Config) {},
		"conservative":    func(c *ross.Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = ross.Conservative, 2, 32, 0.1 },
		"optimistic":      func(c *ross.Config) { c.Synch, c.PEs, c.NLP = ross.Optimistic, 4, 16 },
		"checked":         func(c *ross.Config) { c.Synch = 6 },
		"auto":            func(c *ross.Config) { c.Synch, c.PEs, c.NLP = ross.Auto, 2, 32 },
		"as ROSS":         func(c *ross.Config) { c.Checkpoints.AsROSS = true },
		"with restart":    func(c *ross.Config) { c.Checkpoints.Restart = cp },
		"another warm-up": func(c *ross.Config) { c.WarmUp = 4 },
	}
	for _, suffix := range []string{".rio-md", ".rio-lp", ".rio-data-0", ".rio-data-1"} {
		path := cp + suffix
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		foreign, err := os.ReadFile(other + suffix)
		require.NoError(t, err)
		damaged := map[string][]byte{"shorter": whole[:len(whole)-1], "half": whole[:len(whole)/2], "empty": {},
			"of another": foreign}
		for at := 0; at < len(whole); at += max(len(whole)/7, 1) {
			b := slices.Clone(whole)
			b[at] ^= 1 << (at % 8)
			damaged[fmt.Sprintf("bit of byte %d", at)] = b
		}
		last := slices.Clone(whole)
		last[len(last)-1] ^= 0x80
		damaged["last bit"] = last
		for what, b := range damaged {
			require.NoError(t, os.WriteFile(path, b, 0o644))
			for way, set := range ways {
				err := attempt(t, cp, func(c *ross.Config) { rosstest.Walk(64, 1e5)(c); set(c) }, typ)
				require.Error(t, err, "%s, %s, %s", suffix, what, way)
				found := path
				if suffix == ".rio-md" && what == "of another" {
					found = cp + ".rio-data-0" // the first that does not belong to it
				}
				require.ErrorContains(t, err, found, "%s, %s", what, way)
			}
		}
		require.NoError(t, os.WriteFile(path, whole, 0o644))
	}
	require.Zero(t, events)
	require.NoError(t, attempt(t, cp, func(c *ross.Config) { rosstest.Walk(64, 5)(c) }, typ))
}

// twoTypes maps the first n LPs to walk, and the others to run.
func twoTypes(n ross.LPID) (func(*ross.Config), []ross.LPType) {
	other := rosstest.Walkers()
	other.Name = "run"
	return func(c *ross.Config) {
		rosstest.Walk(4, 6)(c)
		c.TypeMap = func(gid ross.LPID) int {
			if gid < n {
				return 0
			}
			return 1
		}
	}, []ross.LPType{rosstest.Walkers(), other}
}

func TestLPOfAnotherTypeIsNamed(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "two")
	configure, types := twoTypes(2)
	rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: func(c *ross.Config) { configure(c); c.End = 3 }}, types...)
	configure, types = twoTypes(3)
	err := attempt(t, cp, configure, types...)
	require.ErrorIs(t, err, ross.ErrCheckpoint)
	require.ErrorContains(t, err, `LP 2 is of type "run" in it, and "walk" in the model`)
	slices.Reverse(types) // their order does not matter
	configure, _ = twoTypes(2)
	require.NoError(t, attempt(t, cp, func(c *ross.Config) {
		configure(c)
		was := c.TypeMap
		c.TypeMap = func(gid ross.LPID) int { return 1 - was(gid) }
	}, types...))
}

func TestStatesThatCannotBeStoredAreNamedBeforeTheRun(t *testing.T) {
	handler := func(name string, types ross.LPType, want string) {
		t.Run(name, func(t *testing.T) {
			sim, err := ross.New(ross.DefaultConfig())
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(types))
			err = sim.Load("x")
			require.ErrorIs(t, err, ross.ErrModel)
			require.ErrorContains(t, err, want)
			require.NoError(t, sim.Run(context.Background()), "without checkpoints")

			cfg := ross.DefaultConfig()
			cfg.Checkpoints.AfterRun = true
			sim, err = ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			err = sim.Define(types)
			require.ErrorIs(t, err, ross.ErrModel)
			require.ErrorContains(t, err, want)
		})
	}
	type list struct{ Items []int }
	handler("slice", ross.Type[list]{Event: ross.On(func(*list, *ross.LP, *rosstest.Step) {})}, "list.Items is a slice")
	type shelf struct {
		N     int
		Books [2]ross.Block[*uint64]
	}
	handler("block", ross.Type[shelf]{Event: ross.On(func(*shelf, *ross.LP, *rosstest.Step) {})},
		"shelf.Books[0][0] is a ptr")
	sim, err := ross.New(ross.DefaultConfig())
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(ross.Type[list]{Event: ross.On(func(*list, *ross.LP, *rosstest.Step) {}),
		Serialize: func(*list, *ross.LP, []byte) {}})
	require.ErrorIs(t, err, ross.ErrModel)
	require.ErrorContains(t, err, "give all three, or none")
}

func TestFailuresOfModelsInSerializingAreTold(t *testing.T) {
	lost := errors.New("lost")
	typ := rosstest.Walkers()
	typ.SerializedSize = func(*rosstest.Walker, *ross.LP) int { return 8 }
	typ.Serialize = func(s *rosstest.Walker, lp *ross.LP, buf []byte) { buf[0] = byte(s.Value) }
	typ.Deserialize = func(_ *rosstest.Walker, lp *ross.LP, _ []byte) error {
		if lp.ID() == 3 {
			return lost
		}
		return nil
	}
	for _, synch := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(synch), func(t *testing.T) {
			testkit.Watch(t)
			cp := filepath.Join(t.TempDir(), "walk")
			rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: rosstest.Walk(4, 3)}, typ)
			err := attempt(t, cp, func(c *ross.Config) { c.Synch = ross.Scheduler(synch) }, typ)
			require.ErrorIs(t, err, lost)
			require.ErrorContains(t, err, "LP 3 (walk): Deserialize")

			bad := typ
			bad.Serialize = func(_ *rosstest.Walker, lp *ross.LP, _ []byte) {
				if lp.ID() == 2 {
					panic("no room")
				}
			}
			var out strings.Builder
			cfg := ross.DefaultConfig()
			cfg.NLP, cfg.End, cfg.Synch, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Name, cfg.Output =
				4, 1e6, ross.Scheduler(synch), 1, cp+"-run", &out
			if synch != 1 {
				cfg.NLP, cfg.PEs = 2, 2
			}
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(bad))
			err = sim.Run(context.Background())
			require.ErrorIs(t, err, ross.ErrPanic)
			require.ErrorContains(t, err, "LP 2 (walk)")
			require.ErrorContains(t, err, "no room")
			require.NoError(t, sim.Close())
			numbers, err := rio.Numbers(cp + "-run")
			require.NoError(t, err)
			require.Empty(t, numbers)
		})
	}
}

func TestDebugRunsKeepNothing(t *testing.T) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.Checkpoints.AfterRun = 4, true
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.ErrorIs(t, sim.Define(rosstest.Walkers()), ross.ErrUsage)
}

func TestFewerDataFilesThanAskedForAreToldOnce(t *testing.T) {
	const want = "Note: checkpoints have 4 data files and not 9 (--io-files=9): at most one for each PE\n"
	for files, notes := range map[uint64]int{1: 0, 4: 0, 9: 1} {
		for _, interval := range []float64{0, 1e9} {
			var out strings.Builder
			cp := filepath.Join(t.TempDir(), "cp")
			sim := rosstest.RunLeg(t, rosstest.Leg{To: cp, Configure: func(c *ross.Config) {
				rosstest.Walk(4, 3)(c)
				c.Synch, c.PEs, c.NLP, c.Checkpoints.Files, c.Output = 3, 4, 1, int(files), &out
				c.Checkpoints.Interval, c.Checkpoints.Name = time.Duration(float64(time.Second)*(interval)), cp+"-run"
			}}, rosstest.Walkers())
			require.NoError(t, sim.Store(cp))
			require.Equal(t, notes, strings.Count(out.String(), want), "--io-files=%d: %s", files, &out)
			require.Equal(t, notes, strings.Count(out.String(), "\nNote: "))
			_, err := os.Stat(fmt.Sprintf("%s.rio-data-%d", cp, min(files, 4)-1))
			require.NoError(t, err)
		}
	}
	var out strings.Builder
	cfg := ross.DefaultConfig()
	cfg.Checkpoints.Files, cfg.End, cfg.Output = 9, 3, &out
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(rosstest.Walkers()))
	require.NoError(t, sim.Run(context.Background()))
	require.NotContains(t, out.String(), "\nNote: ", "nothing is stored")
}

func TestMisuseOfCheckpointsIsTold(t *testing.T) {
	cfg := ross.DefaultConfig()
	cfg.End = 3
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.ErrorContains(t, sim.Load("x", ross.LoadInit), "call it between Define and Run")
	require.NoError(t, sim.Define(rosstest.Walkers()))
	require.ErrorContains(t, sim.Load("x", 7), "mode 7")
	require.ErrorContains(t, sim.Store("x"), "call it after Run")
	require.NoError(t, sim.Run(context.Background()))
	require.ErrorContains(t, sim.Store("x"), "set Config.Checkpoints.AfterRun")
	long := cfg
	long.Checkpoints.Version = strings.Repeat("v", 41)
	require.ErrorContains(t, long.Validate(), "at most 40 bytes")

	cfg.Checkpoints.Restart, cfg.Checkpoints.Name, cfg.Checkpoints.AfterRun = "latest", filepath.Join(t.TempDir(),
		"none"), true
	var out strings.Builder
	cfg.Output = &out
	sim, err = ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(rosstest.Walkers()))
	require.ErrorContains(t, sim.Load("x", ross.LoadInit), "leave the option out")
	require.NoError(t, sim.Run(context.Background()))
	require.Contains(t, out.String(), "There is no checkpoint "+cfg.Checkpoints.Name+
		"-*: the run starts from its beginning")
	require.EqualValues(t, 24, sim.Summary().NetEvents())
	require.ErrorIs(t, sim.Store(filepath.Join(cfg.Checkpoints.Name, "a", "b")), os.ErrNotExist)

	// One that is damaged is no reason to begin anew.
	require.NoError(t, sim.Store(rio.Numbered(cfg.Checkpoints.Name, 3)))
	require.NoError(t, os.Truncate(rio.Numbered(cfg.Checkpoints.Name, 3)+".rio-lp", 20))
	sim, err = ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(rosstest.Walkers()))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, rio.ErrDamaged)
	require.ErrorContains(t, err, "none-000003.rio-lp")
}
