// The bar: its text, where it is drawn, and that it is removed; and the options on a command line.

package live

import (
	"bytes"
	"context"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ross-go/ross"
	"github.com/stretchr/testify/require"
)

// drawn returns what a bar on a buffer looks like in the middle of a run and after it.
func drawn(t *testing.T, cfg ross.Config, fails bool) (middle, whole string, err error) {
	t.Helper()
	var out bytes.Buffer
	h := hold(t, cfg, fails)
	b := newBar(h.Simulation, &out)
	b.giveBack = h.TakeProgress(b.wrap)
	b.draw(h.Snapshot())
	ticks := make(chan time.Time)
	b.gone.Go(func() { b.drawAt(ticks) })
	h.start()
	for range 2 { // the second is taken when the first was drawn
		ticks <- time.Time{}
	}
	b.lock.Lock()
	middle = out.String()
	b.lock.Unlock()
	err = h.finish()
	b.stop()
	requireGone(t)
	return middle, out.String(), err
}

func TestBarSaysHowTheRunStands(t *testing.T) {
	for _, synch := range []int{1, 2, 3} {
		cfg := config(synch, 1)
		middle, whole, err := drawn(t, cfg, false)
		require.NoError(t, err)
		require.Contains(t, middle, "   0% [")
		require.Contains(t, middle, "made  mem ")
		require.Regexp(t, `\d+% \[=+>? +\]  GVT [0-9.]+/100  [0-9.]+[kM]? ev/s  eff 100.0%  \d+s left  0 rollbacks  mem [0-9.]+[KM]/256M `, middle)
		require.NotContains(t, middle, " 100% ")
		require.Contains(t, whole, " 100% [==============================]  GVT 100/100  ")
		require.True(t, len(whole) > 0 && whole[len(whole)-1] == '\n')
	}
}

// TestBarOfARunThatEndsEarlyIsFull has runs that end long before their time, because no event
// is left or because an LP stops them.
func TestBarOfARunThatEndsEarlyIsFull(t *testing.T) {
	for _, stops := range []bool{true, false} {
		for _, synch := range []ross.Scheduler{1, 2, 3, 4, 6} {
			var out bytes.Buffer
			cfg := config(int(synch), 1)
			cfg.End, cfg.ConsLookahead = 1e9, 0
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			atFinal := ""
			b := newBar(sim, &out)
			require.NoError(t, sim.Define(ross.Type[state]{
				Init: func(_ *state, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, struct{}{}) },
				Event: ross.On(func(s *state, lp *ross.LP, _ *struct{}) {
					if stops && lp.Now() == 3 {
						lp.Stop()
					}
					if lp.Now() < 5 || stops {
						ross.Send(lp, lp.ID(), 1, struct{}{})
					}
				}),
				Final: func(_ *state, lp *ross.LP) {
					s := sim.Snapshot()
					b.draw(s)
					atFinal = timeLeft(&s)
				},
				Saving: ross.SaveByDelta,
			}))
			b.giveBack = sim.TakeProgress(b.wrap)
			require.NoError(t, sim.Run(context.Background()))
			b.stop()
			require.Equal(t, "0s", atFinal)
			require.True(t, sim.Snapshot().Complete)
			require.Contains(t, out.String(), " 100% [==============================]  GVT ", "synch %d", synch)
			require.NotContains(t, out.String(), "h left")
		}
	}
}

func TestBarOfARunWithoutEndTurns(t *testing.T) {
	middle, whole, err := drawn(t, endless(), true)
	require.ErrorContains(t, err, "no more")
	require.Regexp(t, `\r[|/\\-]  GVT [0-9.]+  [0-9.]+[kM]? ev/s  eff 100.0%  0 rollbacks  mem `, middle)
	require.NotContains(t, whole, "]")
	require.NotContains(t, whole, " left")
}

func TestBarOfARunThatFailsEndsItsLine(t *testing.T) {
	_, whole, err := drawn(t, config(3, 2), true)
	require.ErrorContains(t, err, "no more")
	require.NotContains(t, whole, " 100% ")
	require.Equal(t, byte('\n'), whole[len(whole)-1])
}

// progressLine is of the lines that a bar replaces.
const progressLine = "complete, max event queue size"

func TestNothingIsShownWhereThereIsNoTerminal(t *testing.T) {
	for _, o := range []Options{{}, {Progress: "auto"}, {Progress: "off"}} {
		var errs bytes.Buffer
		h := hold(t, config(1, 1), false)
		close(h.proceed)
		require.NoError(t, o.Run(context.Background(), h.Simulation, &errs))
		require.Empty(t, errs.String())
		require.Contains(t, h.report.String(), progressLine)
	}
}

func TestBarReplacesTheProgressLines(t *testing.T) {
	for _, synch := range []int{1, 3} {
		var errs bytes.Buffer
		h := hold(t, config(synch, 1), false)
		close(h.proceed)
		require.NoError(t, Options{Progress: "on"}.Run(context.Background(), h.Simulation, &errs))
		require.Contains(t, errs.String(), "GVT 100/100")
		require.NotContains(t, h.report.String(), progressLine)
		require.Contains(t, h.report.String(), "Net Events Processed")
	}
}

func TestLineHoldsWhatFits(t *testing.T) {
	fields := []string{"GVT 1", "2 ev/s", "eff 3%"}
	for room, want := range map[int]string{-5: "", 4: "", 5: "GVT 1", 12: "GVT 1", 13: "GVT 1  2 ev/s", 100: "GVT 1  2 ev/s  eff 3%"} {
		require.Equal(t, want, fit(fields, room), "%d", room)
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999: "999", 999.6: "1.00k", 1234: "1.23k", 12345: "12.3k", 123456: "123k", 999999: "1.00M", 5e15: "5000T"} {
		require.Equal(t, want, count(x))
	}
	require.Equal(t, "1.50K", size(1536))
	require.Equal(t, "256M", size(256<<20))
}

func TestTimeLeftIsThatOfGVTAsSoFar(t *testing.T) {
	for _, c := range []struct {
		elapsed, gvt, end float64
		want              string
	}{
		{10, 50, 100, "10s"}, {10, 0, 100, ""}, {10, 1, 100, "16m30s"}, {100, 1, 100, "2h45m"}, {10000, 1, 100, "11d"},
		{10, 100, 100, "0s"}, {10, 1e-300, 100, ""}, {0, 0, 0, ""}, {10, 50, math.Inf(1), ""},
	} {
		require.Equal(t, c.want, timeLeft(&ross.Snapshot{Elapsed: c.elapsed, GVT: c.gvt, End: c.end}), "%v", c)
	}
}

func TestRateIsThatOfTheLastReadings(t *testing.T) {
	var r recent
	require.Zero(t, r.rate())
	r.add(0, 0)
	require.Zero(t, r.rate())
	r.add(1, 100)
	require.Equal(t, 100.0, r.rate())
	for i := range 2 * readings {
		r.add(float64(2+i), 100+uint64(i)*10)
	}
	require.Equal(t, 10.0, r.rate())
}

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
