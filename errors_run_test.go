// How a run ends that goes wrong, what an error shows of a panic, and what the limit of its memory does.

package ross_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/report"
)

func TestCallsOutOfOrderAreRefused(t *testing.T) {
	const runText = "ross: Run: the simulation is not at its start: call New, Define, Run once each, in this order"
	const defineText = "ross: Define: called before on this simulation: make another one with New"
	typ := rosstest.Once(func(*ross.LP) {})
	ctx := context.Background()

	sim, err := ross.New(rosstest.Small())
	require.NoError(t, err)
	require.EqualError(t, sim.Run(ctx), runText, "Run before Define")
	require.NoError(t, sim.Define(typ))
	require.EqualError(t, sim.Define(typ), defineText, "Define twice")
	var never context.Context
	require.NoError(t, sim.Run(never), "a nil context never ends")
	require.EqualError(t, sim.Run(ctx), runText, "Run twice")
	require.EqualError(t, sim.Define(typ), defineText, "Define after Run")
	require.NoError(t, sim.Close())
	require.NoError(t, sim.Close(), "Close twice")
	require.EqualError(t, sim.Run(ctx), runText, "Run after Close")
	require.EqualError(t, sim.Define(typ), defineText, "Define after Close")
}

func TestSimulationWithoutLPsAnswersAllTheSame(t *testing.T) {
	check := func(t *testing.T, sim *ross.Simulation, pes, lps uint64) {
		t.Helper()
		assert.Nil(t, sim.LP(0))
		assert.Nil(t, sim.PE(0))
		assert.Equal(t, pes, uint64(sim.NumPEs()))
		assert.Equal(t, lps, uint64(sim.TotalLPs()))
		assert.Zero(t, sim.Summary().EventsProcessed)
	}
	sim, err := ross.New(rosstest.Small())
	require.NoError(t, err)
	t.Run("before Define", func(t *testing.T) { check(t, sim, 1, uint64(rosstest.Small().NLP)) })
	require.Error(t, sim.Define(ross.Type[none]{}))
	t.Run("after a Define that failed", func(t *testing.T) { check(t, sim, 1, uint64(rosstest.Small().NLP)) })
	require.NoError(t, sim.Define(rosstest.Once(func(*ross.LP) {})))
	require.NoError(t, sim.Close())
	t.Run("after Close", func(t *testing.T) { check(t, sim, 0, 0) })
}

func TestPanicOfAHandlerBecomesAnErrorThatNamesIt(t *testing.T) {
	boom := func(lp *ross.LP) {
		if lp.ID() == 3 {
			var none []int
			_ = none[lp.ID()]
		}
	}
	const what = "panic: runtime error: index out of range [3] with length 0: handler panicked: see the stack:\n"
	quiet := func() ross.Type[none] { return rosstest.Once(func(*ross.LP) {}) }
	inInit, inPreRun, inCommit, inFinal := quiet(), quiet(), quiet(), quiet()
	inInit.Init = func(_ *none, lp *ross.LP) { boom(lp) }
	inPreRun.PreRun = func(_ *none, lp *ross.LP) { boom(lp) }
	inCommit.Event = inCommit.Event.(ross.EventHandler[none, word]).Commit(
		func(_ *none, lp *ross.LP, _ *word) { boom(lp) })
	inFinal.Final = func(_ *none, lp *ross.LP) { boom(lp) }
	for name, c := range map[string]struct {
		typ ross.LPType
		who string
	}{
		"Init":   {inInit, "ross: LP 3 (once) at time 0: "},
		"PreRun": {inPreRun, "ross: LP 3 (once) at time 0: "},
		"Event":  {rosstest.Once(boom), "ross: LP 3 (once) at time 1.5: "},
		"Commit": {inCommit, "ross: LP 3 (once) at time 1.5: "},
		"Final":  {inFinal, "ross: LP 3 (once) at time 1.5: "},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Small(), c.typ)
			require.ErrorIs(t, out.Err, ross.ErrPanic)
			text, stack, _ := strings.Cut(out.Err.Error(), "\n")
			assert.Equal(t, c.who+what, text+"\n")
			assert.Contains(t, stack, "errors_run_test.go")
			rosstest.RequireWholeReport(t, out.Report)
		})
	}
}

func TestPanicOfAHookBecomesAnError(t *testing.T) {
	boom := func(*ross.PE) { panic("boom") }
	for name, set := range rosstest.Hooks(boom) {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			set(&cfg)
			out := rosstest.Try(t, cfg, rosstest.Once(func(*ross.LP) {}))
			require.ErrorIs(t, out.Err, ross.ErrPanic)
			require.ErrorContains(t, out.Err, "ross: panic in a hook at time ")
			require.ErrorContains(t, out.Err, ": boom: handler panicked: see the stack:\n")
			rosstest.RequireWholeReport(t, out.Report)
		})
	}
}

func TestFailIsReturnedByRunWithTheModelsOwnError(t *testing.T) {
	mine := errors.New("a queue of negative length")
	out := rosstest.Try(t, rosstest.Small(), rosstest.Once(func(lp *ross.LP) {
		lp.Fail(mine)
		ross.Send(lp, 0, 1, word{N: 1}) // void
	}))
	require.EqualError(t, out.Err, "ross: LP 3 (once) at time 1.5: the model gave up: a queue of negative length")
	require.ErrorIs(t, out.Err, mine)
	assert.EqualValues(t, 1, out.Summary().EventsProcessed)
	rosstest.RequireWholeReport(t, out.Report)
}

func TestErrorInInitRunsNoEvent(t *testing.T) {
	typ := rosstest.Once(func(*ross.LP) { t.Error("an event was handled") })
	typ.PreRun = func(_ *none, lp *ross.LP) { ross.Send(lp, 9, 1, word{}) }
	out := rosstest.Try(t, rosstest.Small(), typ)
	require.EqualError(t, out.Err,
		"ross: LP 0 (once) at time 0: sent an event (rosstest.Word) to LP 9: no such LP: ids go from 0 to 3")
	rosstest.RequireWholeReport(t, out.Report)
}

func TestNothingIsHandledOrFinishedAfterAnError(t *testing.T) {
	for name, set := range map[string]func(*ross.Config, *ross.Type[none]){
		"in Event": func(_ *ross.Config, typ *ross.Type[none]) {
			typ.Event = ross.On(func(_ *none, lp *ross.LP, _ *word) { lp.Fail(assert.AnError) })
		},
		"in a hook": func(c *ross.Config, _ *ross.Type[none]) {
			c.HookTrigger = ross.HookAt(1)
			c.GVTHook = func(pe *ross.PE, _ bool) { pe.LP(3).Fail(assert.AnError) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			typ := rosstest.Once(func(*ross.LP) { t.Error("an event was handled") })
			typ.PreRun = func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 2, word{}) }
			typ.Event = typ.Event.(ross.EventHandler[none, word]).Commit(
				func(*none, *ross.LP, *word) { t.Error("Commit was called") })
			typ.Final = func(*none, *ross.LP) { t.Error("Final was called") }
			cfg.PE.Final = func(*ross.PE) { t.Error("the PE's Final was called") }
			set(&cfg, &typ)
			out := rosstest.Try(t, cfg, typ)
			require.ErrorIs(t, out.Err, assert.AnError)
			rosstest.RequireWholeReport(t, out.Report)
		})
	}
}

var errFull = errors.New("disk full")

// fullAfter is an output that fails at a text that contains a word, once it has
// taken a number of them, and ever after.
type fullAfter struct {
	word string
	left int
	full bool
}

func (w *fullAfter) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.word) {
		w.full = w.full || w.left == 0
		w.left--
	}
	if w.full {
		return 0, errFull
	}
	return len(b), nil
}

func TestOutputThatFailsEndsTheRun(t *testing.T) {
	events := 0
	typ := ross.Type[none]{
		Name: "ticker",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			events++
			ross.Send(lp, lp.ID(), 1, word{})
		}),
	}
	for name, c := range map[string]struct {
		word   string
		events int
	}{
		"in the shape of the run": {"ROSS Core Configuration", 0},
		"at the start line":       {"*** START", 0},
		"at the end line":         {"*** END", 4 * 99},
		"in the closing report":   {"Running Time", 4 * 99},
	} {
		t.Run(name, func(t *testing.T) {
			events = 0
			cfg := rosstest.Small()
			cfg.Output = &fullAfter{word: c.word}
			out := rosstest.Try(t, cfg, typ)
			require.ErrorIs(t, out.Err, errFull)
			assert.Equal(t, c.events, events)
		})
	}
	t.Run("at a progress line", func(t *testing.T) {
		events = 0
		cfg := rosstest.Small()
		cfg.Output = &fullAfter{word: "% complete", left: 49}
		out := rosstest.Try(t, cfg, typ)
		require.ErrorIs(t, out.Err, errFull)
		assert.Less(t, events, 4*60)
	})
	t.Run("in the head", func(t *testing.T) {
		cfg := rosstest.Small()
		cfg.Output = &fullAfter{}
		sim, err := ross.New(cfg)
		require.Nil(t, sim)
		require.ErrorIs(t, err, errFull)
		require.ErrorContains(t, err, "ross: report is incomplete: ")
	})
}

func TestCancelledContextStopsTheRunAndReportsIt(t *testing.T) {
	mine := errors.New("user went home")
	for name, c := range map[string]struct {
		cancel func(cancel context.CancelCauseFunc)
		want   error
	}{
		"without a cause": {func(cancel context.CancelCauseFunc) { cancel(nil) }, context.Canceled},
		"with a cause":    {func(cancel context.CancelCauseFunc) { cancel(mine) }, mine},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			cfg := rosstest.Small()
			cfg.End = 1e9
			var report strings.Builder
			cfg.Output = &report
			sim, _ := rosstest.Define(t, cfg, rosstest.Forever(func(lp *ross.LP) {
				if lp.Now() == 1000 {
					c.cancel(cancel)
				}
			}))
			err := sim.Run(ctx)
			require.ErrorIs(t, err, c.want)
			require.ErrorIs(t, err, context.Canceled)
			require.Regexp(t, `^ross: run stopped at time \d+ of 1e\+09: `, err.Error())
			require.Less(t, sim.Summary().EventsProcessed, uint64(20000))
			rosstest.RequireWholeReport(t, report.String())
		})
	}
}

// underAFile returns a path that no folder can have.
func underAFile(t *testing.T) (path string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	return filepath.Join(file, "folder")
}

func TestTraceWithoutAFolderIsRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Instruments.Trace, cfg.Instruments.Path = ross.TraceAll, underAFile(t)
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorContains(t, err, "ross: output folder "+cfg.Instruments.Path)
	require.ErrorContains(t, err, "a part of the path is a file: name another folder (--stats-path)")
}

// noted is what a run says on the files of its report that it cannot write: once in the report, and once in the log.
func noted(t *testing.T, cfg ross.Config, want string) {
	t.Helper()
	var log strings.Builder
	cfg.Log = cmdline.Warnings("once", &log)
	out := rosstest.Try(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.NoError(t, out.Err)
	rosstest.RequireWholeReport(t, out.Report)
	require.Equal(t, 1, strings.Count(out.Report, "Note: "+want), out.Report)
	require.LessOrEqual(t, strings.Count(out.Report, "not written"), 1, out.Report)
	require.Contains(t, log.String(), "once: "+want)
}

func TestARunGoesOnWithoutAFolderForItsResults(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Dir = underAFile(t)
	noted(t, cfg, "ross.csv and ross_all_lp_stats are not written: ")
	cfg.Dir = filepath.Join(t.TempDir(), "new", "folder") // that is made
	out := rosstest.Try(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.NoError(t, out.Err)
	require.FileExists(t, filepath.Join(cfg.Dir, report.CSVName))
	require.FileExists(t, filepath.Join(cfg.Dir, report.LPStatsDir, "pe_0.txt"))
}

func TestResultsThatCannotBeWrittenAreToldOnce(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Dir = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(cfg.Dir, report.CSVName), 0o700))             // a file is to be there
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Dir, report.LPStatsDir), nil, 0o600)) // a folder
	noted(t, cfg, "row of results not written: "+cfg.Dir)
}

func TestATableOfROSSStaysAndTheRowGoesElsewhere(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Dir = t.TempDir()
	const original = "total_pe,total_kp,remote_sends\n1,16,0\n"
	path := filepath.Join(cfg.Dir, report.CSVName)
	require.NoError(t, os.WriteFile(path, []byte(original), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Dir, "ross-2.csv"), []byte("another\n"), 0o600))
	for rows := 1; rows <= 2; rows++ {
		noted(t, cfg, "the row of results is in ross-3.csv: ross.csv has other columns, and stays as it is")
		require.Equal(t, original, testkit.Content(t, path))
		require.Equal(t, 1+rows, strings.Count(testkit.Content(t, cfg.Dir, "ross-3.csv"), "\n"))
	}
}

func TestAFailedRunLeavesNoResults(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Dir = t.TempDir()
	out := rosstest.Try(t, cfg, rosstest.Once(func(lp *ross.LP) { lp.Fail(assert.AnError) }))
	require.ErrorIs(t, out.Err, assert.AnError)
	left, err := os.ReadDir(cfg.Dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestTraceOfARunThatFailedHoldsWholeRecordsUpToTheError(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Instruments.Trace, cfg.Instruments.Path = ross.TraceAll, filepath.Join(t.TempDir(), "trace")
	out := rosstest.Try(t, cfg, rosstest.Forever(func(lp *ross.LP) {
		if lp.Now() == 10 && lp.ID() == 2 {
			lp.Fail(assert.AnError)
		}
	}))
	require.ErrorIs(t, out.Err, assert.AnError)
	events := int(out.Summary().EventsProcessed)
	require.Greater(t, events, 36)
	require.Len(t, rosstest.ReadTrace(t, cfg.Instruments.Path), events)
}

func TestTraceOfARunThatNeverStartedIsRemoved(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Instruments.Trace, cfg.Instruments.Path = ross.TraceAll, filepath.Join(t.TempDir(), "trace")
	sim, _ := rosstest.Define(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.NoError(t, sim.Close())
	files, err := os.ReadDir(cfg.Instruments.Path)
	require.NoError(t, err)
	require.Empty(t, files)
}

// What an error shows of a panic: the model's functions and nothing of the engine, with all
// schedulers.

// shelf panics one call below its handler.
type shelf struct{ Books [2]int64 }

func (s *shelf) put(lp *ross.LP, m *word) { s.store(int(lp.ID())+int(m.N), m.N) }

//go:noinline
func (s *shelf) store(at int, n int64) { s.Books[at] = n }

func (s *shelf) look(*ross.LP, *glance) {}

type glance struct{}

func shelves() ross.LPType {
	return ross.Type[shelf]{
		Name:  "shelf",
		Label: func(id ross.LPID) string { return fmt.Sprintf("row %d", id) },
		Init:  func(_ *shelf, lp *ross.LP) { ross.Send(lp, lp.ID(), 1.5+float64(lp.ID()), word{N: 1}) },
		Event: ross.Events(ross.On((*shelf).put), ross.On((*shelf).look)),
	}
}

const stackText = `ross: LP 1 "row 1" (shelf) at time 2.5, handling rosstest.Word: panic: runtime error: index out of range [2] with length 2: handler panicked: see the stack:
	github.com/ross-go/ross_test.(*shelf).store
		errors_run_test.go
	github.com/ross-go/ross_test.(*shelf).put
		errors_run_test.go
	(N frames of the engine and of Go left out; GOTRACEBACK=all shows them)`

const undoneText = "\n\tif --synch=1 runs without this error, an event is not undone as it should be: --synch=6 finds it"

// places are what differs between machines and versions of Go.
var places, frameCounts = regexp.MustCompile(`(?m)\S*/(\w+\.go):\d+$`), regexp.MustCompile(`\(\d+ frames`)

func TestPanicShowsTheFunctionsOfTheModel(t *testing.T) {
	t.Setenv("GOTRACEBACK", "single")
	for _, synch := range []ross.Scheduler{1, 2, 3, 4, 5, 6} {
		t.Run(synch.String(), func(t *testing.T) {
			cfg := rosstest.Small()
			cfg.Synch, cfg.ConsLookahead, cfg.Tuning.GVTInterval = synch, 0.5, 1
			out := rosstest.Try(t, cfg, shelves())
			want := stackText
			if synch == 3 || synch == 5 {
				want += undoneText
			}
			got := frameCounts.ReplaceAllString(places.ReplaceAllString(out.Err.Error(), "$1"), "(N frames")
			require.Equal(t, want, got)
			var me *ross.ModelError
			require.ErrorAs(t, out.Err, &me)
			require.Equal(t, "rosstest.Word", me.Message)
			require.Contains(t, me.Stack, "goroutine ")
			require.Contains(t, me.Stack, "internal/engine/kernel.", "the engine's")
		})
	}
}

func TestPanicShowsAllFunctionsIfAsked(t *testing.T) {
	t.Setenv("GOTRACEBACK", "all")
	err := rosstest.Try(t, rosstest.Small(), shelves()).Err
	require.ErrorContains(t, err, "internal/engine/kernel.")
	require.NotContains(t, err.Error(), "left out")
}

// The innermost function of the model comes first also if it called one of Go or of the engine that panicked.
func TestPanicBelowTheModelShowsTheCall(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	err := rosstest.Try(t, rosstest.Small(), rosstest.Once(func(*ross.LP) { _ = strings.Repeat("x", int(zero)-1) })).Err
	_, stack, _ := strings.Cut(err.Error(), "\n")
	require.Regexp(t,
		`^\tgithub\.com/ross-go/ross_test\.TestPanicBelowTheModelShowsTheCall\.func1\n\t\t\S+errors_run_test\.go:\d+\n`,
		stack)
	require.NotContains(t, stack, "strings.Repeat")
}

var zero int64

// A run stops at its memory limit, whatever it fills the
// memory with, and says how to go on.

const memoryText = `^ross: LP \d \(\w+\) at time [0-9.e+-]+: sent an event, with \d+ pending(, in a chain of \d+ events without delay from LP \d at time [0-9.]+)?: ` +
	`memory limit reached: \d+ of \d+ bytes in use: raise --max-memory, or have fewer events pending$`

// requireMemoryLimit runs a model that never stops growing.
func requireMemoryLimit(t *testing.T, typ ross.LPType) {
	t.Helper()
	cfg := rosstest.Small()
	cfg.Digest = false
	cfg.MaxMemory = 4 << 20
	out := rosstest.Try(t, cfg, typ)
	require.ErrorIs(t, out.Err, ross.ErrMemory)
	require.Regexp(t, memoryText, out.Err.Error())
	st := out.Summary()
	assert.Contains(t, out.Report, "Net Events Processed")
	// The set of pending events is measured now and then and not refused, so
	// that the limit may be passed by what one look misses.
	assert.Less(t, st.MemoryAllocated, 2*cfg.MaxMemory)
}

func TestMemoryLimitStopsAModelThatExplodes(t *testing.T) {
	requireMemoryLimit(t, ross.Type[none]{
		Name: "breeder",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			for range 3 {
				ross.Send(lp, lp.ID(), 0.01, word{})
			}
		}),
	})
}

func TestMemoryLimitStopsAHandlerThatSendsForEver(t *testing.T) {
	sent := 0
	requireMemoryLimit(t, rosstest.Once(func(lp *ross.LP) {
		for range 1 << 17 {
			ross.Send(lp, 0, 1, word{N: 1})
			sent++
		}
	}))
	require.Equal(t, 1<<17, sent, "the handler goes on after the first error")
}

func TestMemoryLimitStopsAnEndlessChainWithoutDelay(t *testing.T) {
	requireMemoryLimit(t, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, lp.ID(), 0, word{}) }))
}

func TestMemoryLimitStopsLargePayloads(t *testing.T) {
	type page struct{ Bytes [5000]byte }
	requireMemoryLimit(t, ross.Type[none]{
		Name: "pages",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, page{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *page) {
			for range 2 {
				ross.NewEvent[page](lp, lp.ID(), 0.5).Bytes[4999] = 1
			}
		}),
	})
}

func TestMemoryLimitRefusesAPayloadThatNeverFits(t *testing.T) {
	type huge struct{ Bytes [8 << 20]byte }
	requireMemoryLimit(t, ross.Type[none]{
		Name: "huge",
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.NewEvent[huge](lp, 0, 1).Bytes[0] = 1
			}
		},
		Event: ross.On(func(*none, *ross.LP, *huge) {}),
	})
}

func TestMoreLPsOrKPsThanMemoryAreRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP = 1 << 31
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --nlp")

	cfg = rosstest.Small()
	cfg.NKP = 1 << 31
	err = defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --nkp")
}

func TestMorePEsThanMemoryAreRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP = 3, 1<<23, 1
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --pes")
}
