// The figures of the printed, each counted a second time by a model, in every
// scheduler and on several PEs, to the end of a run and when it is cut short.

package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/report"
)

const ledgerLPs = 32

// tally is what a ledger counts of an LP, or of a PE.
type tally struct {
	handled, sends, remote, past, blocks uint64
	least, sum, top                      float64 // delays to other PEs
}

func (t *tally) add(o *tally) {
	t.handled += o.handled
	t.sends += o.sends
	t.remote += o.remote
	t.past += o.past
	t.blocks += o.blocks
	t.sum += o.sum
	t.top = max(t.top, o.top)
	if o.remote > 0 && (t.least == 0 || o.least < t.least) {
		t.least = o.least
	}
}

type (
	ledgerState struct {
		handled uint64
		block   ross.Block[uint64]
		_       [64]uint64
	}
	ledgerMsg struct {
		did tally // what handling it did
	}
)

// ledger is a model that counts as well as the engine: what its handlers did,
// whatever became of it, what Reverse was called for, and what Commit saw.
type ledger struct {
	sim                     *ross.Simulation
	first                   [ledgerLPs]tally // of Init
	done, kept              [ledgerLPs]tally
	undone                  [ledgerLPs]uint64
	doing, undoing, keeping [ledgerLPs]float64 // seconds
	saving                  ross.Saving
	work                    time.Duration     // that a handler takes
	stop                    func(lp *ross.LP) // called in each event; may end the run
	inHook                  [ledgerLPs]float64
	hooks                   [ledgerLPs]uint64
}

// spin burns the time and adds what it took.
func spin(d time.Duration, took *float64) {
	begin := time.Now()
	for time.Since(begin) < d {
	}
	*took += meter.Since(begin)
}

func (l *ledger) send(lp *ross.LP, did *tally) {
	dst := ross.LPID(lp.RNG().Integer(0, ledgerLPs-1))
	delay := lp.RNG().Exponential(0.8) + 0.2
	ross.Send(lp, dst, delay, ledgerMsg{})
	switch {
	case lp.Now()+delay >= l.sim.Config().End:
		did.past++
		return
	case l.sim.LP(dst).PE() != lp.PE():
		did.add(&tally{remote: 1, least: delay, sum: delay, top: delay})
	}
	did.sends++
}

func (l *ledger) lpType() ross.LPType {
	t := ross.Type[ledgerState]{
		Name: "ledger", Saving: l.saving,
		Init: func(_ *ledgerState, lp *ross.LP) {
			for range 4 {
				l.send(lp, &l.first[lp.ID()])
			}
		},
		Event: ross.On(func(s *ledgerState, lp *ross.LP, m *ledgerMsg) {
			id := lp.ID()
			begin := time.Now()
			defer func() { l.doing[id] += meter.Since(begin) }()
			did := tally{handled: 1}
			s.handled++
			for n := 1 + s.handled&1 - s.handled>>1&1; n > 0; n-- {
				l.send(lp, &did)
			}
			was := s.block
			if l.saving == ross.SaveByReverse {
				ross.Save(lp, &s.block)
			}
			s.block = ross.Alloc[uint64](lp, 8)
			if ross.Free(lp, was); was.Len() > 0 {
				did.blocks++
			}
			did.blocks++
			m.did = did
			l.done[id].add(&did)
			var took float64
			spin(l.work, &took)
			if l.stop != nil {
				l.stop(lp)
			}
		}).Commit(func(_ *ledgerState, lp *ross.LP, m *ledgerMsg) {
			l.kept[lp.ID()].add(&m.did)
			spin(l.work/4, &l.keeping[lp.ID()])
		}),
	}
	if l.saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[ledgerState, ledgerMsg]).Reverse(
			func(s *ledgerState, lp *ross.LP, m *ledgerMsg) {
				s.handled--
				l.undone[lp.ID()]++
				spin(l.work/2, &l.undoing[lp.ID()])
			})
	}
	return t
}

// sum adds up what the LPs of a PE counted, of all with a nil PE.
func (l *ledger) sum(pe *run.PE, of *[ledgerLPs]tally) (t tally) {
	for id := range of {
		if pe == nil || kernelOf(l.sim.LP(ross.LPID(id))).PE == pe.Kernel() {
			t.add(&of[id])
		}
	}
	return t
}

func (l *ledger) sumOf(pe *run.PE, of *[ledgerLPs]float64) (sum float64) {
	for id, v := range of {
		if pe == nil || kernelOf(l.sim.LP(ross.LPID(id))).PE == pe.Kernel() {
			sum += v
		}
	}
	return sum
}

// run runs the model. It returns the printed and the error.
func (l *ledger) run(t *testing.T, ctx context.Context, synch, pes int, set func(*ross.Config)) (string, error) {
	t.Helper()
	testkit.Watch(t)
	var printed bytes.Buffer
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP, cfg.End = ross.Scheduler(synch), pes, int(ledgerLPs/pes), 4, 40
	cfg.ConsLookahead, cfg.MaxMemory, cfg.Output = 0.2, 64<<20, &printed
	if synch == 5 {
		cfg.Tuning.GVTInterval = 1
	}
	if set != nil {
		set(&cfg)
	}
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	l.sim = sim
	require.NoError(t, sim.Define(l.lpType()))
	err = sim.Run(ctx)
	return printed.String(), err
}

// figure returns the numbers in a line of the report.
func figure(t *testing.T, printed, label string) []float64 {
	t.Helper()
	for line := range strings.Lines(printed) {
		if rest, found := strings.CutPrefix(line, "\t"+label+" "); found {
			var all []float64
			for _, text := range regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`).FindAllString(rest, -1) {
				v, err := strconv.ParseFloat(text, 64)
				require.NoError(t, err)
				all = append(all, v)
			}
			return all
		}
	}
	require.Fail(t, "no line "+label, printed)
	return nil
}

// eachRun calls do for each scheduler with the numbers of PEs that it can have.
func eachRun(t *testing.T, do func(t *testing.T, synch, pes int)) {
	for _, synch := range testlevel.Pick([]int{1, 2, 3, 4, 5, 6}, []int{1, 2, 3, 4, 5, 6}, []int{2, 3, 5}) {
		for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
			if c := (&ross.Config{Synch: ross.Scheduler(synch)}); settingsOf(*c).Sequential() && pes > 1 {
				continue
			}
			t.Run(fmt.Sprintf("synch=%d/pes=%d", synch, pes), func(t *testing.T) { do(t, synch, pes) })
		}
	}
}

// rollingBack has rollbacks where there are any to have.
func rollingBack(t *testing.T, pes int) func(*ross.Config) {
	return func(c *ross.Config) {
		if settingsOf(*c).Mode() == settings.Optimistic {
			knobsOf(c).Disturb = harass(t, pes, 0.3)
		}
	}
}

func TestCountersAreThoseOfTheModel(t *testing.T) {
	for _, saving := range testlevel.Pick([]ross.Saving{ross.SaveByReverse, ross.SaveByDelta},
		[]ross.Saving{ross.SaveByReverse, ross.SaveByDelta}, []ross.Saving{ross.SaveByReverse}) {
		t.Run(saving.String(), func(t *testing.T) {
			eachRun(t, func(t *testing.T, synch, pes int) {
				l := &ledger{saving: saving}
				printed, err := l.run(t, context.Background(), synch, pes, rollingBack(t, pes))
				require.NoError(t, err)
				l.requireCounts(t, printed)
				l.requireParallelCounts(t, printed)
			})
		})
	}
}

// requireCounts compares the counters of ROSS.
func (l *ledger) requireCounts(t *testing.T, printed string) {
	t.Helper()
	st := l.sim.Summary()
	first, done, kept := l.sum(nil, &l.first), l.sum(nil, &l.done), l.sum(nil, &l.kept)
	require.Equal(t, done.handled, st.EventsProcessed)
	require.Equal(t, kept.handled, st.NetEvents())
	require.Equal(t, done.handled-kept.handled, st.EventsRolledBack)
	if l.saving == ross.SaveByReverse {
		reversed := uint64(0)
		for _, n := range l.undone {
			reversed += n
		}
		require.Equal(t, reversed, st.EventsRolledBack)
	}
	require.Equal(t, first.remote+kept.remote, st.SendLocRemote)
	require.Equal(t, first.past+kept.past, st.EventsPastEnd)
	require.LessOrEqual(t, st.PercentLocRemote(), 200.0)
	require.Zero(t, st.SendNetRemote+st.RemoteSends+st.RemoteRecvs+st.AllReduceCalls)
	require.LessOrEqual(t, st.PEEventTies, st.EventsRolledBack, "no two events tie but those that are sent again")
	require.LessOrEqual(t, st.ForcedGVT, st.NumGVT)
	fossils := uint64(0)
	if st.Synch == 3 || st.Synch == 5 {
		fossils = st.NumGVT * st.TotalPEs
	}
	require.Equal(t, fossils, st.FossilCollects)
	if st.Synch != 4 { // it has to end with nothing committed
		require.Equal(t, first.sends+kept.sends, kept.handled, "each event that was sent was handled")
	}
	least := first
	least.add(&done)
	if least.remote > 0 {
		require.Equal(t, least.least, st.MinOffset)
	} else {
		require.Equal(t, math.MaxFloat64, st.MinOffset)
	}
	require.Equal(t, st.Synch == 2, strings.Contains(printed, "Minimum TS Offset"))
	require.GreaterOrEqual(t, st.EventsAllocated, uint64(4*ledgerLPs)-first.past)
	require.LessOrEqual(t, st.MemoryWasted, st.MemoryAllocated)
	require.LessOrEqual(t, st.MemoryAllocated, runOf(l.sim).PeakBytes())
	require.GreaterOrEqual(t, st.MemoryAllocated, st.EventsAllocated*st.Sizes.EventWithModel+st.TotalLPs*st.Sizes.TotalLP)
}

// requireParallelCounts compares those that ROSS does not have.
func (l *ledger) requireParallelCounts(t *testing.T, printed string) {
	t.Helper()
	if settingsOf(l.sim.Config()).Sequential() {
		return
	}
	st := l.sim.Summary()
	first, done, kept := l.sum(nil, &l.first), l.sum(nil, &l.done), l.sum(nil, &l.kept)
	rolled, lengths, shortest, longest, antis := uint64(0), uint64(0), uint64(0), uint64(0), uint64(0)
	for _, pe := range runOf(l.sim).Locals {
		done, kept := l.sum(pe, &l.done), l.sum(pe, &l.kept)
		line := figure(t, printed, fmt.Sprintf("PE %d: Committed, Rolled Back, Efficiency", pe.ID))
		undone := done.handled - kept.handled
		require.Equal(t, []float64{float64(kept.handled), float64(undone)}, line[:2])
		require.InDelta(t, report.Efficiency(done.handled, undone), line[2], 0.006)
		c := &pe.Counts
		require.Equal(t, done.handled, c.Processed)
		require.LessOrEqual(t, c.Rolled+c.Aborted, c.Undone)
		require.Zero(t, c.Ignored)
		rolled += c.Rolled
		antis += c.Antis
		for i, n := range c.Lengths {
			lengths += n
			shortest += n << max(i-1, 0) * uint64(min(i, 1))
			longest += n * (1<<i - 1)
		}
	}
	require.Equal(t, st.RollBacks(), lengths)
	require.GreaterOrEqual(t, rolled, shortest)
	require.LessOrEqual(t, rolled, longest)
	all := first
	all.add(&done)
	if st.SendLocRemote > 0 {
		offsets := figure(t, printed, "Offsets between PEs: Least, Mean, Largest")
		for i, want := range []float64{all.least, all.sum / float64(all.remote), all.top} {
			require.InEpsilon(t, want, offsets[i], 1e-5)
		}
	}
	if st.Synch != 2 {
		cancelled := figure(t, printed, "Events Cancelled, by Anti-Messages")
		require.Equal(t, float64(done.sends-kept.sends), cancelled[0])
		require.Equal(t, float64(antis), cancelled[1])
		require.LessOrEqual(t, antis, done.remote-kept.remote)
	}
}

// errQuit is how a ledger gives up.
var errQuit = errors.New("the ledger quits")

func TestReportOfARunCutShortIsConsistent(t *testing.T) {
	for name, how := range map[string]func(lp *ross.LP, cancel func()){
		"cancelled": func(_ *ross.LP, cancel func()) { cancel() },
		"mistake":   func(lp *ross.LP, _ func()) { lp.Fail(errQuit) },
		"panic":     func(*ross.LP, func()) { panic(errQuit) },
	} {
		for _, saving := range testlevel.Pick([]ross.Saving{ross.SaveByReverse, ross.SaveByDelta, ross.SaveNever},
			[]ross.Saving{ross.SaveByReverse, ross.SaveByDelta, ross.SaveNever}, []ross.Saving{ross.SaveByDelta}) {
			t.Run(name+"/"+saving.String(), func(t *testing.T) {
				eachRun(t, func(t *testing.T, synch, pes int) {
					if synch == 4 || synch == 6 {
						return
					}
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					dir := t.TempDir()
					l := &ledger{saving: saving}
					l.stop = func(lp *ross.LP) {
						if lp.Now() > 5 && lp.ID()%3 == 0 {
							how(lp, cancel)
						}
					}
					printed, err := l.run(t, ctx, synch, pes, func(c *ross.Config) {
						rollingBack(t, pes)(c)
						c.Dir, c.End = dir, 1e6
					})
					require.Error(t, err)
					l.requireCutShort(t, printed, name == "cancelled" || name == "panic" && saving != ross.SaveByDelta)
					if name == "cancelled" {
						l.requireCommittedStates(t)
					}
					require.NoFileExists(t, filepath.Join(dir, report.CSVName), "a row is a result")
					files, err := os.ReadDir(dir)
					require.NoError(t, err)
					require.Empty(t, files)
				})
			})
		}
	}
}

// requireCutShort compares what a run that was cut short says. An error that is reported
// when its event is committed comes when later ones have been committed, too.
func (l *ledger) requireCutShort(t *testing.T, printed string, exact bool) {
	t.Helper()
	st := l.sim.Summary()
	first, done, kept := l.sum(nil, &l.first), l.sum(nil, &l.done), l.sum(nil, &l.kept)
	require.Equal(t, kept.handled, st.NetEvents())
	require.Equal(t, float64(kept.handled), figure(t, printed, "Net Events Processed")[0])
	require.GreaterOrEqual(t, st.EventsProcessed, done.handled)
	require.LessOrEqual(t, st.SendLocRemote, first.remote+done.remote)
	require.LessOrEqual(t, st.EventsPastEnd, first.past+done.past)
	if exact && settingsOf(l.sim.Config()).Mode() == settings.Optimistic {
		require.Equal(t, first.remote+kept.remote, st.SendLocRemote)
		require.Equal(t, first.past+kept.past, st.EventsPastEnd)
	}
	require.False(t, math.IsNaN(st.Efficiency()))
	if settingsOf(l.sim.Config()).Sequential() {
		return
	}
	sum := 0.0
	for _, pe := range runOf(l.sim).Locals {
		sum += figure(t, printed, fmt.Sprintf("PE %d: Committed, Rolled Back, Efficiency", pe.ID))[0]
		require.InDelta(t, pe.Phases.Seconds, pe.Counts.Timed+max(pe.Phases.Seconds-pe.Counts.Timed, 0), 1e-6)
	}
	require.Equal(t, float64(kept.handled), sum)
}

// requireCommittedStates compares the states with what was committed.
func (l *ledger) requireCommittedStates(t *testing.T) {
	t.Helper()
	for id := range l.kept {
		require.Equal(t, l.kept[id].handled, ross.StateOf[ledgerState](l.sim.LP(ross.LPID(id))).handled, "LP %d", id)
	}
}

func TestEfficiencyOfAPEIsThatOfTheRun(t *testing.T) {
	l := &ledger{saving: ross.SaveByReverse}
	printed, err := l.run(t, context.Background(), 3, 1, rollingBack(t, 1))
	require.NoError(t, err)
	require.Less(t, l.sim.Summary().Efficiency(), 100.0)
	require.Equal(t, figure(t, printed, "Efficiency")[0],
		figure(t, printed, "PE 0: Committed, Rolled Back, Efficiency")[2])
}

// TestRunThatUndidEverythingHasNoEfficiency: what --synch=4 and 6 show are models, and nothing stays.
func TestRunThatUndidEverythingHasNoEfficiency(t *testing.T) {
	l := &ledger{saving: ross.SaveByReverse}
	printed, err := l.run(t, context.Background(), 4, 1, nil)
	require.NoError(t, err)
	require.Equal(t, []float64{0}, figure(t, printed, "Net Events Processed"))
	require.Regexp(t, `Efficiency +-nan %`, printed)
	require.Zero(t, l.sim.Summary().EventRate())
}

func TestRunWithoutEventsIsAtAHundred(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		l := &ledger{}
		printed, err := l.run(t, context.Background(), synch, pes, func(c *ross.Config) { c.End = 0.1 })
		require.NoError(t, err)
		if synch == 4 || synch == 6 {
			require.Regexp(t, `Efficiency +-nan %`, printed)
		} else {
			require.Equal(t, []float64{100}, figure(t, printed, "Efficiency"))
		}
		st := l.sim.Summary()
		require.Zero(t, st.EventsProcessed)
		require.EqualValues(t, 4*ledgerLPs, st.EventsPastEnd)
		require.Equal(t, synch != 1 && synch != 4 && synch != 6, st.NumGVT > 0)
	})
}

func TestIntervalOfRealTimeIsInMilliseconds(t *testing.T) {
	l := &ledger{}
	printed, err := l.run(t, context.Background(), 5, 2, func(c *ross.Config) { c.Tuning.GVTInterval = 3 })
	require.NoError(t, err)
	require.Equal(t, []float64{3_000_000}, figure(t, printed, "GVT Real Time Interval (cycles)"))
	require.Equal(t, []float64{0.003}, figure(t, printed, "GVT Real Time Interval (sec)"))
	require.NotContains(t, printed, "Adapted (events)")
}

func TestWindowOfOptimismIsNeverBelowItsLeast(t *testing.T) {
	for _, pes := range testlevel.Pick([]int{1, 2, 4}, []int{1, 2, 4}, []int{2}) {
		l := &ledger{saving: ross.SaveByReverse}
		printed, err := l.run(t, context.Background(), 3, pes, func(c *ross.Config) { c.End = 300 })
		require.NoError(t, err)
		if window := figure(t, printed, "Optimism Window: Last, Least (events)"); pes > 1 {
			require.GreaterOrEqual(t, window[0], window[1])
			require.GreaterOrEqual(t, window[1], float64(run.LeastWindow))
		}
	}
}

func TestFilesOfResultsHoldTheSameFigures(t *testing.T) {
	eachRun(t, func(t *testing.T, synch, pes int) {
		dir := t.TempDir()
		l := &ledger{saving: ross.SaveByReverse}
		_, err := l.run(t, context.Background(), synch, pes, func(c *ross.Config) {
			rollingBack(t, pes)(c)
			c.Dir = dir
		})
		require.NoError(t, err)
		lines := strings.Split(testkit.Content(t, dir, report.CSVName), "\n")
		names, values := strings.Split(lines[0], ","), strings.Split(lines[1], ",")
		require.Len(t, values, len(names))
		row := map[string]string{}
		for i, name := range names {
			row[name] = values[i]
		}
		first, done, kept := l.sum(nil, &l.first), l.sum(nil, &l.done), l.sum(nil, &l.kept)
		for name, want := range map[string]uint64{
			"events_processed": done.handled, "events_rb": done.handled - kept.handled, "net_events": kept.handled,
			"send_loc_remote": first.remote + kept.remote, "events_past_end": first.past + kept.past,
			"total_pe": uint64(pes), "total_lp": ledgerLPs, "synch": uint64(synch),
		} {
			require.Equal(t, strconv.FormatUint(want, 10), row[name], name)
		}
		handled := uint64(0)
		for id := range pes {
			text := testkit.Content(t, dir, report.LPStatsDir, fmt.Sprintf("pe_%d.txt", id))
			for _, found := range regexp.MustCompile(`Events processed: (\d+)`).FindAllStringSubmatch(text, -1) {
				n, err := strconv.ParseUint(found[1], 10, 64)
				require.NoError(t, err)
				handled += n
			}
		}
		require.Equal(t, done.handled, handled)
	})
}
