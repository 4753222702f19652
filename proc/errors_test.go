package proc_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/proc/internal/hook"
	"github.com/ross-go/ross/proc/internal/models"
)

// room is a state whose processes were not generated.
type room struct {
	proc.Processes
	N int
}

func (r *room) waits(p *proc.Self) { p.Sleep(1) }

func (r *room) sleepsTwice(p *proc.Self) {
	p.Sleep(1)
	p.Sleep(1)
}

func (r *room) killsItself(p *proc.Self) { p.Kill(p.PID()) }

func (r *room) joinsItself(p *proc.Self) { p.Join(p.PID()) }

func (r *room) goesOn(p *proc.Self) { proc.Go(p, (*room).goesOn) }

func (r *room) isElsewhere(p *proc.Self) { proc.StateOf[models.Bank](p).Counter.Len() }

func (r *room) asksForParameters(p *proc.Self) { proc.Param[models.Airport](p) }

func (r *room) sleepsForEver(p *proc.Self) { p.Sleep(math.Inf(1)) }

func (r *room) doesWithin(p *proc.Self) { proc.Do(p.LP(), r, func(*proc.Self) {}) }

// rooms runs a room for which f is called in Init.
func rooms(t *testing.T, synch ross.Scheduler, f func(p *proc.Self)) error {
	t.Helper()
	sim, err := ross.Run(context.Background(), ross.Config{End: 10, Synch: synch, PEs: 1},
		proc.Type(ross.Type[room]{LPs: 1, Init: func(r *room, lp *ross.LP) { proc.Do(lp, r, f) }}))
	if err == nil {
		sim.Close()
	}
	return err
}

func TestMistakesNameTheProcessAndTheWayOut(t *testing.T) {
	start := func(f func(*room, *proc.Self)) func(p *proc.Self) {
		return func(p *proc.Self) { proc.Go(p, f) }
	}
	for name, c := range map[string]struct {
		synch ross.Scheduler
		do    func(p *proc.Self)
		is    error
		text  string
	}{
		"not generated":       {ross.Optimistic, start((*room).waits), proc.ErrGenerated, "proc_test.room.waits"},
		"kills itself":        {ross.Sequential, start((*room).killsItself), proc.ErrWait, "return instead"},
		"joins itself":        {ross.Sequential, start((*room).joinsItself), proc.ErrWait, "join another process"},
		"endless":             {ross.Sequential, start((*room).goesOn), proc.ErrEndless, "1048576 times within an event"},
		"elsewhere":           {ross.Sequential, start((*room).isElsewhere), proc.ErrPlace, "asked for a models.Bank"},
		"no parameters":       {ross.Sequential, start((*room).asksForParameters), proc.ErrPlace, "proc.Given"},
		"Do within":           {ross.Sequential, start((*room).doesWithin), proc.ErrWait, "called Do within a process"},
		"waits in Do":         {ross.Sequential, func(p *proc.Self) { p.Sleep(1) }, proc.ErrWait, "Do"},
		"nothing":             {ross.Sequential, start(nil), proc.ErrWait, "method expression"},
		"of another state":    {ross.Sequential, func(p *proc.Self) { proc.Go(p, func(*models.Bank, *proc.Self) {}) }, proc.ErrPlace, "started process"},
		"a negative delay":    {ross.Sequential, start(func(_ *room, p *proc.Self) { p.Sleep(-1) }), ross.ErrDelay, "#1 at errors_test.go:"},
		"a negative time-out": {ross.Sequential, start(func(_ *room, p *proc.Self) { p.Work(-2) }), ross.ErrDelay, "waits for -2: "},
		"a way to another state": {ross.Sequential, start(func(_ *room, p *proc.Self) { proc.At[models.Bank](p, 0, 1) }), proc.ErrPlace,
			"travels to LP 0, whose state is not a models.Bank: wrong place: compute the id"},
		"the line of the way": {ross.Sequential, start(func(_ *room, p *proc.Self) { proc.At[models.Bank](p, 0, 1) }), proc.ErrPlace,
			"#1 at errors_test.go:"},
		"a start at another state": {ross.Sequential, start(func(_ *room, p *proc.Self) {
			proc.GoAt(p, 0, 1, func(*models.Bank, *proc.Self) {})
		}), proc.ErrPlace, "#1 at errors_test.go:"},
		"a start for another state": {ross.Sequential, func(p *proc.Self) {
			proc.GoAt(p, 0, 1, func(*models.Bank, *proc.Self) {})
		}, proc.ErrPlace, "a handler: sends a process to LP 0, whose state is not a models.Bank"},
		"an endless delay":   {ross.Sequential, start((*room).sleepsForEver), ross.ErrDelay, "Inf"},
		"waits twice":        {ross.Sequential, start(func(_ *room, p *proc.Self) { p.BeginSleep(1); p.Sleep(1) }), proc.ErrWait, "second time"},
		"a closed resource":  {ross.Sequential, start(func(_ *room, p *proc.Self) { new(proc.Servers).Request(p) }), nil, "before it was opened"},
		"returns too much":   {ross.Sequential, start(func(_ *room, p *proc.Self) { new(proc.Level).Return(p, 1) }), nil, "more than it has got"},
		"releases a strange": {ross.Sequential, start(func(_ *room, p *proc.Self) { new(proc.Servers).Release(p, 7) }), nil, "opened"},
	} {
		t.Run(name, func(t *testing.T) {
			err := rooms(t, c.synch, c.do)
			require.ErrorContains(t, err, c.text)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
		})
	}
}

func TestAProcessThatWasNotGeneratedIsNamedOnce(t *testing.T) {
	var said bytes.Buffer
	for range 2 {
		cfg := ross.Config{End: 10, Log: slog.New(slog.NewTextHandler(&said, nil))}
		sim, err := ross.Run(context.Background(), cfg, proc.Type(ross.Type[room]{LPs: 3, Init: func(r *room, lp *ross.LP) {
			proc.Do(lp, r, func(p *proc.Self) {
				proc.Go(p, (*room).sleepsTwice)
				proc.Go(p, (*room).sleepsTwice)
			})
		}}))
		require.NoError(t, err)
		sim.Close()
	}
	require.Equal(t, 1, strings.Count(said.String(), "process proc_test.room.sleepsTwice was not generated"), "%s", said.String())
}

// TestAPanicOfACoroutineSaysWhere has a process that panics after it has waited: the stack ends with the coroutine.
func TestAPanicOfACoroutineSaysWhere(t *testing.T) {
	err := rooms(t, ross.Sequential, func(p *proc.Self) { proc.Go(p, (*room).panics) })
	require.ErrorContains(t, err, "index out of range [1] with length 0, in a process at errors_test.go:")
}

func (r *room) panics(p *proc.Self) {
	p.Sleep(1)
	var none []int
	_ = none[1]
}

func TestACoroutineDoesNotGoOnFromACheckpoint(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c")
	run := func(direct bool, cfg ross.Config) error {
		hook.Direct.Store(direct)
		defer hook.Direct.Store(false)
		sim, err := ross.Run(context.Background(), cfg, models.Banks(1))
		if err == nil {
			sim.Close()
		}
		return err
	}
	cfg := ross.Config{End: 100}
	cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval = name, 50
	require.NoError(t, run(true, cfg))
	found, err := filepath.Glob(name + "*.rio-md")
	require.NoError(t, err)
	require.NotEmpty(t, found)
	again := ross.Config{End: 100}
	again.Checkpoints.Restart = strings.TrimSuffix(found[0], ".rio-md")
	err = run(false, again)
	require.ErrorIs(t, err, proc.ErrGenerated)
	require.ErrorContains(t, err, "models.Bank")
}
