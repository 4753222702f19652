// The model's log: all schedulers make the same one, and it costs nothing if
// nobody wants it.

package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
)

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
	typ := g.lpType().(ross.Type[plot, seed])
	typ.Label = func(id ross.LPID) string { return string(rune('a' + id)) }
	typ.Commit = func(s *plot, lp *ross.LP, _ *ross.Bits, m *seed) {
		if m.Kind%5 == 0 {
			lp.Log().Info("committed", "kind", m.Kind)
		}
	}
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
		require.Regexp(t, `\nlevel=INFO msg=grown lp=\d+ label=\w at=[0-9.]+ by=\d+ was.last=[0-9.]+ was.state="{Grown:\d+ Water:0 Last:`, want)
		require.Regexp(t, `\nlevel=WARN msg=again lp=\d+ label=\w at=[0-9.]+ second.n=\d+ second.water=0\n`, want)
		all := setups(t, 2, 3, 5, int(ross.Auto))
		all["synch=6"] = func(cfg *ross.Config) { cfg.Synch = 6 }
		all["conservative with a lookahead"] = func(cfg *ross.Config) { cfg.Synch, cfg.ConsLookahead = 2, 0.05 }
		for _, synch := range []ross.Scheduler{ross.Conservative, ross.Optimistic} {
			all[fmt.Sprintf("%v, KPs move", synch)] = func(cfg *ross.Config) {
				cfg.Synch, cfg.PEs, cfg.NLP, cfg.GVTInterval, cfg.Batch, cfg.ConsLookahead = synch, 2, gardenLPs/2, 1, 4, 0
				moving(1)(cfg)
			}
		}
		for how, setup := range all {
			t.Run(name+"/"+how, func(t *testing.T) {
				modeltest.Watch(t)
				require.Equal(t, want, logGarden(t, 1, g, setup))
			})
		}
	}
}

func TestEachRankLogsWhatItsLPsLog(t *testing.T) {
	modeltest.Watch(t)
	want := logGarden(t, 1, garden{}, func(*ross.Config) {})
	got := logGarden(t, 3, garden{}, func(cfg *ross.Config) { cfg.Synch, cfg.NLP = 3, gardenLPs/3 })
	require.ElementsMatch(t, strings.Split(want, "\n"), strings.Split(got, "\n"))
}

// TestLogOfASpeculativeFutureIsDropped has an event log that is then undone by a straggler.
func TestLogOfASpeculativeFutureIsDropped(t *testing.T) {
	modeltest.Watch(t)
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
	return ross.Type[plot, seed]{
		Label:  func(id ross.LPID) string { return "abcd"[id : id+1] },
		Init:   func(_ *plot, lp *ross.LP) { say(lp, "init"); ross.Send(lp, lp.ID(), 1+float64(lp.ID()), seed{}) },
		PreRun: func(_ *plot, lp *ross.LP) { say(lp, "prerun") },
		Event:  func(_ *plot, lp *ross.LP, _ *ross.Bits, _ *seed) { say(lp, "event") },
		Commit: func(_ *plot, lp *ross.LP, _ *ross.Bits, _ *seed) { say(lp, "commit") },
		Final:  func(_ *plot, lp *ross.LP) { say(lp, "final") },
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
			lp.Log().With("with", n).Error("values", "valuer", n, "text", *n, "bytes", b, "list", list, "err", errors.New("before"), "none", nil)
			n.name, b[0], list[0] = "after", 'X', "after"
		})
		require.NoError(t, err)
		require.Equal(t, "level=ERROR msg=values lp=0 label=a at=1 pe=0 with=before valuer=before text=\"text of before\" bytes=before list=[before] err=before none=<nil>\n", log)
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
