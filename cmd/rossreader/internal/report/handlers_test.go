// This file tests the flame graph.

package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

func TestTimeByHandlerAddsUp(t *testing.T) {
	dir := hotRun(t)
	require.NotEmpty(t, load(t, dir).handlers().Absent, "a run whose description has none")
	info := &instr.RunInfo{Version: instr.RunVersion, Model: "hot", Synch: 3, PEs: 2, Ranks: 1, KPs: 8, LPs: 32,
		State: instr.RunComplete, Result: &instr.RunResult{Runtime: 2, Processed: 4000, RolledBack: 500, NetEvents: 3500,
			IdleSeconds: 1, Handlers: []instr.RunHandler{
				{Type: "desk", Message: "main.arrive", Timed: 30, Seconds: 3e-6},
				{Type: "door", Message: "main.open", Timed: 60, Seconds: 9e-6},
				{Type: "desk", Message: "main.leave", Timed: 10, Seconds: 8e-6}}}}
	require.NoError(t, info.Write(dir))
	f := load(t, dir)
	c := f.handlers()
	require.Empty(t, c.Absent)
	var onEventsOf frame
	sums := map[int]float64{}
	byName := map[string]frame{}
	for _, one := range c.Frames {
		sums[one.Level] += float64(one.Seconds)
		byName[one.Name] = one
		require.LessOrEqual(t, one.From, one.To)
		if one.Name == onEvents {
			onEventsOf = one
		}
		for _, other := range c.Frames { // parts are within what is above them, and do not overlap
			if other.Level == one.Level && other.From > one.From {
				require.GreaterOrEqual(t, float64(other.From), float64(one.To)-1e-9)
			}
		}
	}
	require.InEpsilon(t, sums[0], sums[1], 1e-9)
	require.InEpsilon(t, float64(onEventsOf.Seconds), sums[2], 1e-9)
	require.InEpsilon(t, sums[2], sums[3], 1e-9)
	for name, want := range map[string]float64{"desk": 11. / 20, "door": 9. / 20, "main.open": 9. / 20, "main.leave": 8. / 20,
		"main.arrive": 3. / 20} {
		require.InEpsilon(t, want*float64(onEventsOf.Seconds), float64(byName[name].Seconds), 1e-9, name)
	}
	require.Equal(t, onEventsOf.From, byName["desk"].From, "what took most comes first")
	require.Less(t, byName["main.leave"].From, byName["main.arrive"].From)
	require.Equal(t, "10 % of the events, 0.8 µs each, of 10 that were timed", byName["main.leave"].Text)
	for _, p := range f.pays() {
		require.InDelta(t, p.Percent, float64(byName[p.Label].To-byName[p.Label].From), 1e-6, "as in the bar")
	}
	require.False(t, math.IsNaN(float64(c.Frames[0].To)))
}
