// Event traces, samples that models give, and the files that name the LPs. And the model's log: all schedulers make
// the same one, and it costs nothing if nobody wants it.

package run_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/report"
)

// traced runs the spread load with a trace, and returns its records and figures.
func traced(t *testing.T, what int, configure func(*ross.Config)) ([]testkit.Record, report.Summary) {
	t.Helper()
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Instruments.Trace, cfg.Instruments.Path = loadLPs, 3, ross.TraceKind(what), filepath.Join(
		t.TempDir(), "trace")
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(spreadLoad().lpType()))
	require.NoError(t, sim.Run(t.Context()))
	got, err := testkit.ReadBinary(filepath.Join(cfg.Instruments.Path, "ross-stats-evtrace.bin"), nil)
	require.NoError(t, err)
	return got, sim.Summary()
}

func TestTraceOfAParallelRun(t *testing.T) {
	want, _ := traced(t, int(ross.TraceCommitted), func(*ross.Config) {})
	want = testkit.ByDest(want)
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{3}) {
		set := func(c *ross.Config) {
			onPEs(pes)(c)
			c.Synch, knobsOf(c).Disturb = 3, harass(t, pes, 0.3)
		}
		t.Run(fmt.Sprintf("%d PEs/committed events", pes), func(t *testing.T) {
			testkit.Watch(t)
			got, _ := traced(t, int(ross.TraceCommitted), set)
			require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
		})
		t.Run(fmt.Sprintf("%d PEs/all executions", pes), func(t *testing.T) {
			testkit.Watch(t)
			got, st := traced(t, int(ross.TraceAll), set)
			require.Len(t, got, int(st.EventsProcessed))
			require.Greater(t, len(got), len(want))
		})
		t.Run(fmt.Sprintf("%d PEs/stragglers", pes), func(t *testing.T) {
			testkit.Watch(t)
			got, st := traced(t, int(ross.TraceRollbacks), set)
			require.Len(t, got, int(st.PrimaryRollBacks))
		})
	}
	t.Run("conservative", func(t *testing.T) {
		testkit.Watch(t)
		got, _ := traced(t, int(ross.TraceAll), func(c *ross.Config) {
			onPEs(2)(c)
			c.Synch, c.ConsLookahead = 2, 0.1
		})
		require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
	})
}

// The real times of an event trace.

func TestRealTimesOfATraceAreThoseOfTheRun(t *testing.T) {
	testlevel.Once(t, "what files of traces hold")
	for _, synch := range []int{1, 2, 3, 6} {
		for _, what := range []ross.TraceKind{ross.TraceAll, ross.TraceCommitted} {
			t.Run(fmt.Sprintf("synch=%d/trace=%d", synch, what), func(t *testing.T) {
				testkit.Watch(t)
				dir := filepath.Join(t.TempDir(), "stats")
				l := spreadLoad()
				l.end = 3
				const pause = 20 * time.Millisecond
				var once sync.Once
				l.change = func(lp *ross.LP, _ uint64, _ *parcel) {
					if lp.Now() > 1 {
						once.Do(func() { time.Sleep(pause) })
					}
				}
				cfg := ross.DefaultConfig()
				cfg.NLP, cfg.End, cfg.Synch, cfg.ConsLookahead = loadLPs, l.end, ross.Scheduler(synch), 0.1
				cfg.Instruments.Trace, cfg.Instruments.Path = ross.TraceKind(int(what)), dir
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(l.lpType()))
				require.NoError(t, sim.Run(t.Context()))
				last := float32(0)
				all := testkit.Records(t, dir, instr.TraceSuffix)
				for i := range all {
					e := &all[i].Event
					require.GreaterOrEqual(t, e.RealTS, last, "one PE writes in the order of time")
					last = e.RealTS
				}
				require.Positive(t, all[0].Event.RealTS)
				require.LessOrEqual(t, float64(last), sim.Summary().Runtime*1.0001+1e-5)
				require.Greater(t, float64(last), pause.Seconds())
			})
		}
	}
}

// Samples that models give: at virtual times they are those of a sequential run,
// whatever was undone in between; at the end of a run they are its result.

// counted is a state whose point counts anew.
type counted struct {
	handled, since uint64
	at             float64 // time of the last point
}

type countMsg struct{ _ float64 }

// counterTypes returns a model that says at each point how much it has done since the one
// before. Its LPs with odd ids say nothing.
func counterTypes() []ross.LPType {
	event := func(s *counted, lp *ross.LP, _ *countMsg) {
		s.handled++
		s.since++
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 63)), lp.RNG().Exponential(0.9)+0.1, countMsg{})
	}
	quiet := ross.Type[counted]{
		Name: "quiet",
		Init: func(_ *counted, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), countMsg{}) },
		Event: ross.On(event).Reverse(func(s *counted, _ *ross.LP, _ *countMsg) {
			s.handled--
			s.since--
		}),
	}
	loud := quiet
	loud.Name = "loud"
	loud.PointSize, loud.SampleSize = 24, 8
	loud.Point = func(s *counted, lp *ross.LP, buf []byte) {
		binary.LittleEndian.PutUint64(buf, s.since)
		binary.LittleEndian.PutUint64(buf[8:], uint64(lp.Now()*1000))
		binary.LittleEndian.PutUint64(buf[16:], uint64(s.at*1000))
		s.since, s.at = 0, lp.Now()
	}
	loud.ReversePoint = func(s *counted, _ *ross.LP, buf []byte) {
		s.since = binary.LittleEndian.Uint64(buf)
		s.at = float64(binary.LittleEndian.Uint64(buf[16:])) / 1000
	}
	loud.Sample = func(s *counted, lp *ross.LP, buf []byte) { binary.LittleEndian.PutUint64(buf, s.handled) }
	return []ross.LPType{quiet, loud}
}

// countedRun runs the model, and returns what its LPs said at virtual times, by LP, and what
// they said last otherwise.
func countedRun(t *testing.T, configure func(*ross.Config)) (
	points map[uint64][]string, last map[uint32]uint64, st report.Summary) {
	t.Helper()
	testkit.Watch(t)
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.NKP = 64, 30, 4
	cfg.TypeMap = func(gid ross.LPID) int { return int(1 - gid&1) }
	sampled(filepath.Join(t.TempDir(), "stats"))(&cfg)
	cfg.Instruments.VirtualInterval, cfg.Instruments.VirtualEnd = 1.5, 24
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(counterTypes()...))
	require.NoError(t, sim.Run(t.Context()))
	if cfg.Synch != 4 { // what Init has sent is pending again
		requireNoLeak(t, sim)
	}
	points, last = map[uint64][]string{}, map[uint32]uint64{}
	for _, r := range testkit.Records(t, cfg.Instruments.Path, instr.VTSuffix) {
		if r.Kind == instr.KindVTModel {
			v := &r.VTModel
			points[v.LP] = append(points[v.LP], fmt.Sprintf("%g: %x", v.TS, v.Payload))
			require.Equal(t, uint64(sim.LP(ross.LPID(v.LP)).PE().ID()), v.PE)
			require.Equal(t, uint64(sim.LP(ross.LPID(v.LP)).KP().ID()), v.KP)
		}
	}
	for _, r := range testkit.Records(t, cfg.Instruments.Path, instr.ModelSuffix) {
		last[r.Model.LP] = binary.LittleEndian.Uint64(r.Model.Payload)
	}
	for id := range last {
		require.Equal(t, ross.StateOf[counted](sim.LP(ross.LPID(id))).handled, last[id])
	}
	return points, last, sim.Summary()
}

func TestPointsOfModelsAreThoseOfASequentialRun(t *testing.T) {
	want, wantLast, _ := countedRun(t, func(c *ross.Config) { c.Synch = 1 })
	require.Len(t, want, 32)
	require.Len(t, wantLast, 32)
	for lp, all := range want {
		require.Len(t, all, 16, "LP %d: one each 1.5 up to 24", lp)
		require.Zero(t, lp&1)
	}
	for _, synch := range testlevel.Pick([]int{2, 3, 5, 6}, []int{2, 3, 5, 6}, []int{2, 3, 5}) {
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
			if c := (&ross.Config{Synch: ross.Scheduler(synch)}); settingsOf(*c).Sequential() && pes > 1 {
				continue
			}
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) {
				got, last, st := countedRun(t, func(c *ross.Config) {
					c.Synch, c.PEs, c.NLP, c.ConsLookahead = ross.Scheduler(synch), pes, int(64/pes), 0.1
					if synch == 3 || synch == 5 {
						knobsOf(c).Disturb = harass(t, pes, 0.3)
					}
				})
				require.Equal(t, want, got)
				require.Equal(t, wantLast, last)
				if synch == 3 {
					require.Positive(t, st.EventsRolledBack)
				}
			})
		}
	}
	t.Run("rolled back to the start", func(t *testing.T) { // synch=4 compares all states with those after Init
		got, _, _ := countedRun(t, func(c *ross.Config) { c.Synch = 4 })
		require.Empty(t, got, "nothing is committed")
	})
}

// The files that name the LPs: next to the instrumentation and to checkpoints,
// written by rank 0 for the LPs of all ranks.

// routersAndHosts is a model of four LPs: even ones are routers with labels and odd ones hosts
// without. Each LP sends itself events.
func routersAndHosts(label func(ross.LPID) string) (types []ross.LPType, typeOf func(ross.LPID) int) {
	for i, name := range []string{"router", "host"} {
		typ := ross.Type[struct{ N uint64 }]{Name: name}
		typ.Init = func(_ *struct{ N uint64 }, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, struct{ N uint64 }{}) }
		typ.Event = ross.On(func(s *struct{ N uint64 }, lp *ross.LP, m *struct{ N uint64 }) {
			s.N++
			ross.Send(lp, lp.ID(), 1, *m)
		})
		if i == 0 {
			typ.Label = label
		}
		types = append(types, typ)
	}
	return types, func(id ross.LPID) int { return int(id % 2) }
}

// namesIn returns the texts of the files of labels in the folders of a run of four LPs on ranks; ""
// stands for no file.
func namesIn(t *testing.T, ranks int, label func(ross.LPID) string, set func(*ross.Config)) (trace, checkpoint string) {
	dir := t.TempDir()
	types, typeOf := routersAndHosts(label)
	sims, errs := runOnRanks(t, worldtest.New(ranks, 1, 20), ranks, func(_ int, cfg *ross.Config) {
		cfg.Synch, cfg.PEs, cfg.LPs, cfg.End, cfg.MaxMemory = ross.Optimistic, 1, 4, 10, 64<<20
		cfg.TypeMap = typeOf
		cfg.Instruments.Trace, cfg.Instruments.Path, cfg.Instruments.Prefix = ross.TraceCommitted, filepath.Join(dir,
			"stats"), "run"
		cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval = filepath.Join(dir, "run"), 1000
		set(cfg)
	}, types...)
	var over sync.WaitGroup
	for rank, sim := range sims {
		require.NoError(t, errs[rank])
		over.Go(func() { errs[rank] = sim.Store(filepath.Join(dir, "cp")) })
	}
	over.Wait()
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(dir, file))
		require.True(t, err == nil || os.IsNotExist(err), "%v", err)
		return string(text)
	}
	for _, err := range errs {
		require.NoError(t, err)
	}
	return read("stats/run-labels.csv"), read("cp.rio-labels")
}

func TestFilesNameTheLPsOfAllRanks(t *testing.T) {
	const want = "id,label\n0,\"router (0,0)\"\n2,\"router (1,0)\"\n"
	label := func(id ross.LPID) string { return fmt.Sprintf("router (%d,%d)", id/2, id%2) }
	for _, ranks := range []int{1, 2} {
		trace, checkpoint := namesIn(t, ranks, label, func(*ross.Config) {})
		require.Equal(t, want, trace, "%d ranks", ranks)
		require.Equal(t, want, checkpoint, "%d ranks", ranks)
	}
}

func TestFilesOfModelsWithoutLabelsHaveNone(t *testing.T) {
	trace, checkpoint := namesIn(t, 1, nil, func(*ross.Config) {})
	require.Empty(t, trace)
	require.Empty(t, checkpoint)
}

func TestDisabledOutputHasNoLabels(t *testing.T) {
	trace, _ := namesIn(t, 1, func(ross.LPID) string { return "a" },
		func(cfg *ross.Config) { cfg.Instruments.Discard = true })
	require.Empty(t, trace)
}

func TestALabelThatPanicsIsLeftOutOfFiles(t *testing.T) {
	trace, checkpoint := namesIn(t, 1, func(id ross.LPID) string {
		if id == 0 {
			panic("no name")
		}
		return "the other"
	}, func(*ross.Config) {})
	require.Equal(t, "id,label\n2,the other\n", trace)
	require.Equal(t, trace, checkpoint)
}

func TestASimulationThatNeverRanLeavesNoLabels(t *testing.T) {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.MaxMemory, cfg.Instruments.Trace, cfg.Instruments.Path = 4, 10, 64<<20, ross.TraceCommitted,
		filepath.Join(t.TempDir(), "stats")
	types, typeOf := routersAndHosts(func(ross.LPID) string { return "a" })
	cfg.TypeMap = typeOf
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.NoError(t, sim.Define(types...))
	require.NoError(t, sim.Close())
	found, err := os.ReadDir(cfg.Instruments.Path)
	require.NoError(t, err)
	require.Empty(t, found)
}

// logGarden runs the garden, whose LPs log, on some ranks, and returns the log without PEs.
func logGarden(t testing.TB, ranks int, g garden, set func(*ross.Config)) string {
	t.Helper()
	cluster := (*worldtest.Cluster)(nil)
	if ranks > 1 {
		cluster = worldtest.New(ranks, testrand.Seed(t), 10)
	}
	logs := make([]bytes.Buffer, ranks)
	g.notes = func(lp *ross.LP, s *plot) {
		if s.Grown%3 == 0 {
			lp.Log().Info("grown", "by", s.Grown, slog.Group("was", "last", s.Last, "state", *s))
			lp.Log().WithGroup("second").With("n", s.Nth).Warn("again", "water", s.Water)
		}
		lp.Log().Debug("not wanted")
	}
	typ := g.lpType().(ross.Type[plot])
	typ.Label = func(id ross.LPID) string { return string(rune('a' + id)) }
	typ.Event = typ.Event.(ross.EventHandler[plot, seed]).Commit(func(s *plot, lp *ross.LP, m *seed) {
		if m.Kind%5 == 0 {
			lp.Log().Info("committed", "kind", m.Kind)
		}
	})
	_, errs := runOnRanks(t, cluster, ranks, func(rank int, cfg *ross.Config) {
		cfg.NLP, cfg.End, cfg.NKP, cfg.MaxMemory, cfg.Output = gardenLPs, gardenEnd, 4, 64<<20, io.Discard
		cfg.ModelLog = slog.NewTextHandler(&logs[rank], nil)
		set(cfg)
	}, typ)
	for _, err := range errs {
		require.NoError(t, err)
	}
	all := ""
	for i := range logs {
		all += logs[i].String()
	}
	return regexp.MustCompile(` pe=\d+`).ReplaceAllString(all, "")
}

func TestAllSchedulersMakeTheSameLog(t *testing.T) {
	for name, g := range map[string]garden{
		"spread":  {},
		"ties":    {whole: true},
		"stopped": {whole: true, stops: stopsAfter(9), saving: ross.SaveByLog},
	} {
		if testlevel.Few.LeavesOut(name, "ties") {
			continue
		}
		want := logGarden(t, 1, g, func(*ross.Config) {})
		require.Greater(t, strings.Count(want, "msg=grown"), 20)
		require.Equal(t, strings.Count(want, "msg=grown"), strings.Count(want, "msg=again"))
		require.Greater(t, strings.Count(want, "msg=committed"), 20)
		require.Regexp(t, `^level=INFO msg=\w+ lp=\d+ label=\w at=[0-9.e-]+ `, want)
		require.Regexp(t,
			`\nlevel=INFO msg=grown lp=\d+ label=\w at=[0-9.]+ by=\d+ was.last=[0-9.]+ was.state="{Grown:\d+ Water:0 Last:`,
			want)
		require.Regexp(t, `\nlevel=WARN msg=again lp=\d+ label=\w at=[0-9.]+ second.n=\d+ second.water=0\n`, want)
		all := setups(t, 2, 3, 5, int(ross.Auto))
		all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
		all["conservative with a lookahead"] = func(cfg *ross.Config) { cfg.Synch, cfg.ConsLookahead = 2, 0.05 }
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
			all[fmt.Sprintf("%v, KPs move", synch)] = func(cfg *ross.Config) {
				cfg.Synch, cfg.PEs, cfg.NLP, cfg.Tuning.GVTInterval, cfg.Tuning.Batch, cfg.ConsLookahead = synch, 2, gardenLPs/2, 1,
					4, 0
				moving(1)(cfg)
			}
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				testkit.Watch(t)
				require.Equal(t, want, logGarden(t, 1, g, setup))
			})
		}
	}
}

func TestEachRankLogsWhatItsLPsLog(t *testing.T) {
	testkit.Watch(t)
	want := logGarden(t, 1, garden{}, func(*ross.Config) {})
	got := logGarden(t, 3, garden{}, func(cfg *ross.Config) { cfg.Synch, cfg.NLP = 3, gardenLPs/3 })
	require.ElementsMatch(t, strings.Split(want, "\n"), strings.Split(got, "\n"))
}

// TestLogOfASpeculativeFutureIsDropped has an event log that is then undone by a straggler.
func TestLogOfASpeculativeFutureIsDropped(t *testing.T) {
	testkit.Watch(t)
	var log bytes.Buffer
	f := newFuture()
	_, err := f.run(t, ross.SaveByDelta, func(c *ross.Config) { c.ModelLog = slog.NewTextHandler(&log, nil) },
		func(lp *ross.LP, open bool) { lp.Log().Info("visit", "open", open) })
	require.NoError(t, err)
	require.Positive(t, f.early.Load())
	require.Equal(t, 5, strings.Count(log.String(), "open=true"))
	require.NotContains(t, log.String(), "open=false")
}

// quiet is a model of four LPs that log in every function.
func quiet(say func(lp *ross.LP, where string)) ross.LPType {
	return ross.Type[plot]{
		Label:  func(id ross.LPID) string { return "abcd"[id : id+1] },
		Init:   func(_ *plot, lp *ross.LP) { say(lp, "init"); ross.Send(lp, lp.ID(), 1+float64(lp.ID()), seed{}) },
		PreRun: func(_ *plot, lp *ross.LP) { say(lp, "prerun") },
		Event: ross.On(func(_ *plot, lp *ross.LP, _ *seed) { say(lp, "event") }).Commit(
			func(_ *plot, lp *ross.LP, _ *seed) { say(lp, "commit") }),
		Final: func(_ *plot, lp *ross.LP) { say(lp, "final") },
	}
}

// sayAll runs quiet and returns its log.
func sayAll(t *testing.T, set func(*ross.Config), say func(lp *ross.LP, where string)) (string, error) {
	t.Helper()
	var log bytes.Buffer
	_, errs := runOnRanks(t, nil, 1, func(_ int, cfg *ross.Config) {
		cfg.NLP, cfg.Output, cfg.MaxMemory = 4, io.Discard, 64<<20
		cfg.ModelLog = slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})
		set(cfg)
	}, quiet(say))
	return log.String(), errs[0]
}

func TestLogIsFilteredByLPLabelAndLevel(t *testing.T) {
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		log, err := sayAll(t, func(cfg *ross.Config) {
			cfg.Synch = synch
			cfg.ModelLogOnly = func(id ross.LPID, label string) bool { return id == 1 || label == "d" }
		}, func(lp *ross.LP, where string) {
			lp.Log().Info(where)
			lp.Log().Warn(where)
		})
		require.NoError(t, err)
		want := ""
		for _, where := range []string{"init", "prerun"} {
			want += "level=WARN msg=" + where + " lp=1 label=b at=0 pe=0\nlevel=WARN msg=" + where + " lp=3 label=d at=0 pe=0\n"
		}
		for _, lp := range []string{"lp=1 label=b at=2 pe=0\n", "lp=3 label=d at=4 pe=0\n"} {
			want += "level=WARN msg=event " + lp + "level=WARN msg=commit " + lp
		}
		want += "level=WARN msg=final lp=1 label=b at=2 pe=0\nlevel=WARN msg=final lp=3 label=d at=4 pe=0\n"
		require.Equal(t, want, log)
	}
}

type named struct{ name string }

func (n *named) LogValue() slog.Value        { return slog.StringValue(n.name) }
func (n *named) String() string              { return n.name }
func (n named) MarshalText() ([]byte, error) { return []byte("text of " + n.name), nil }

// TestLoggedValuesAreThoseOfTheEvent has values change after they are logged.
func TestLoggedValuesAreThoseOfTheEvent(t *testing.T) {
	for _, synch := range []ross.Scheduler{1, 3} {
		log, err := sayAll(t, func(cfg *ross.Config) { cfg.Synch = synch }, func(lp *ross.LP, where string) {
			if where != "event" || lp.ID() != 0 {
				return
			}
			n, b, list := &named{"before"}, []byte("before"), []string{"before"}
			lp.Log().With("with", n).Error("values", "valuer", n, "text", *n, "bytes", b, "list", list, "err",
				errors.New("before"), "none", nil)
			n.name, b[0], list[0] = "after", 'X', "after"
		})
		require.NoError(t, err)
		require.Equal(t,
			"level=ERROR msg=values lp=0 label=a at=1 pe=0 with=before valuer=before text=\"text of before\" bytes=before list=[before] err=before none=<nil>\n", log)
	}
}

// bomb is a handler that panics.
type bomb struct{ slog.Handler }

func (bomb) Handle(context.Context, slog.Record) error { panic("no disk") }

func TestPanicOfTheLogHandlerIsAnError(t *testing.T) {
	for _, synch := range []ross.Scheduler{1, 2, 3, 6} {
		_, err := sayAll(t, func(cfg *ross.Config) {
			cfg.Synch, cfg.ModelLog = synch, bomb{cfg.ModelLog}
		}, func(lp *ross.LP, where string) { lp.Log().Warn(where) })
		require.ErrorIs(t, err, ross.ErrPanic)
		require.ErrorContains(t, err, "ross: Config.ModelLog: panic: no disk: handler panicked: correct the handler")
	}
}
