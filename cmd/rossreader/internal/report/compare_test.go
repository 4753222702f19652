// This file tests that the sentence and the figures of a comparison do not contradict each other.

package report

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// A slower run is so for what took more time, also where it did less work and thus took less of all.
func TestTheCauseGoesTheWayOfTheSpeed(t *testing.T) {
	one := func(net uint64, seconds, idle, waited float64) *figures {
		dir := hotRun(t)
		info := &instr.RunInfo{Version: instr.RunVersion, Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32,
			State: instr.RunComplete,
			Host:  instr.RunHost{Processors: 2}, Result: &instr.RunResult{Runtime: seconds, Processed: net, NetEvents: net,
				EventRate: float64(net) / seconds, IdleSeconds: idle, Processors: &instr.RunProcessors{
					RunPEProcessor: instr.RunPEProcessor{Seconds: 2*seconds - waited, Waited: waited}}}}
		require.NoError(t, info.Write(dir))
		return load(t, dir)
	}
	for _, c := range []struct{ run, base *figures }{
		{one(500, 2, 3, 0.5), one(3500, 2, 1, 0)},    // less work in the same time
		{one(3500, 2, 3.5, 0), one(3500, 2, 0.5, 0)}, // as fast
		{one(3500, 2, 0.5, 0), one(500, 2, 3, 1)},
		{one(3500, 1, 1, 0), one(3500, 2, 1, 0)},
		{one(3500, 2, 1, 0), one(3500, 1, 1, 0)},
	} {
		text := c.run.sentence(c.base, nil)
		rate := func(f *figures) float64 { return float64(f.outcome().net) / f.duration() }
		switch ratio := rate(c.run) / rate(c.base); {
		case ratio < 1/1.02:
			require.Contains(t, text, "slower")
			require.NotContains(t, text, "mostly less")
		case ratio > 1.02:
			require.Contains(t, text, "faster")
			require.NotContains(t, text, "mostly more")
		default:
			require.NotContains(t, text, "mostly")
		}
	}
	text := one(500, 2, 3, 0.5).sentence(one(3500, 2, 1, 0), nil)
	require.Contains(t, text, ": mostly more ")
	require.Contains(t, text, " of all PEs for a net event, against ")
}

// Idle time that may be waiting for a processor is compared with both of the other run.
func TestIdleTimeIsComparedWithItsLike(t *testing.T) {
	a, b := load(t, stored("storm-hub-pes")), load(t, stored("storm-hub"))
	require.True(t, a.mayWait())
	require.False(t, b.mayWait())
	percent := func(f *figures, names ...string) float64 {
		sum := 0.0
		for _, p := range f.pays() {
			if slices.Contains(names, p.Name) {
				sum += p.Percent
			}
		}
		return sum
	}
	find := func(rows []difference, name string) difference {
		i := slices.IndexFunc(rows, func(d difference) bool { return d.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		return rows[i]
	}
	row := find(a.figuresBeside(b), "PEs idle or without a processor")
	require.Equal(t, short(percent(a, onIdle, onNothing))+" %", row.Run)
	require.Equal(t, short(percent(b, onIdle, onNothing))+" %", row.Base)
	row = find(b.figuresBeside(b), "Idle time of the PEs")
	require.Equal(t, short(percent(b, onIdle))+" %", row.Run, "as in the bar")
	columns := a.waterfall(b).Columns
	require.Contains(t, columns, idleOrNot)
	require.NotContains(t, columns, onNothing)
	require.NotContains(t, columns, onIdle)
}

// Runs with as many events as each other may have the same ones; others cannot.
func TestNumbersOfEventsTellThatEventsDiffer(t *testing.T) {
	f := load(t, stored("good-local"))
	with := func(net uint64) *figures {
		copied, info, result := *f.run, *f.run.Info, *f.run.Info.Result
		result.NetEvents, result.Digest = net, ""
		info.Result, copied.Info = &result, &info
		other := *f
		other.run = &copied
		return &other
	}
	require.Contains(t, with(1000).compare(with(1000)).Digest, "is not known")
	require.Contains(t, with(1000).compare(with(1001)).Digest, "different events: their numbers differ")
}
