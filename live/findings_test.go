// This file tests the findings: each has its figure and its advice, and blames no other cause.

package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

// busy returns a reading of a run of PEs in which nothing is wrong.
func busy(pes int) *reading {
	f := figures{Phase: "running", Elapsed: 20, GVT: 5, Ranks: 1}
	for i := range pes {
		lvt := 5 + float64(i)
		p := peDocument{ID: uint64(i), LVT: &lvt, IdleShare: 5, Counters: ross.Counters{EventsProcessed: 10_000, EventsRolledBack: 100, EventsCommitted: 9_800, PrimaryRollBacks: 50, EventsRemote: 100}}
		f.PEs = append(f.PEs, p)
		f.Counters.Add(&p.Counters)
	}
	f.MemoryUsed, f.MemoryLimit = 1<<30, 4<<30
	return &reading{f: &f, ranks: []knownRank{{MemoryUsed: 1 << 30, MemoryLimit: 4 << 30}}, window: 8, info: &instr.RunInfo{Scheduler: "optimistic", PEs: uint64(pes), Ranks: 1, Host: instr.RunHost{Processors: pes}}, last: map[uint64]int{0: 5, 1: 5}, turns: 30, stillSince: 20}
}

func TestFindingsNameTheFigureAndTheOption(t *testing.T) {
	require.Empty(t, busy(4).judge())
	for rule, c := range map[string]struct {
		spoil        func(r *reading)
		figure, says string
	}{
		"idle": {func(r *reading) { r.f.PEs[2].IdleShare = 61 }, "PE 2 for 61 % of the last 8 s; 1 of 4 PEs", "Config.Mapping"},
		"processors": {func(r *reading) { r.f.PEs[2].IdleShare, r.used, r.wait = 61, 9.6, 10.4 },
			"4 PEs got 1.2 processors in the last 8 s, and waited for 1.3 more", "Other programs"},
		"one": {func(r *reading) {
			r.f.OnePE, r.past.OnePE, r.f.PEs[3].EventsCommitted, r.f.PEs[2].IdleShare, r.last[1] = 9, 3, 30_000, 61, 28
		},
			"for 75 % of the last 8 s", "--pes"},
		"cores": {func(r *reading) { r.info.Host.Processors, r.f.PEs[2].IdleShare = 2, 61 },
			"4 PEs in a process with 2 processors", "--pes=2"},
		"efficiency": {func(r *reading) { r.f.EventsRolledBack = 20_000 }, "20.0k of 40.0k events in the last 8 s were undone (50 %)", "--max-opt-lookahead"},
		"storm": {func(r *reading) { r.f.EventsRolledBack, r.f.SecondaryRollBacks = 9_000, 900 },
			"82 % of 1.10k rollbacks", "--batch"},
		"memory": {func(r *reading) { r.ranks[0].MemoryUsed = 4<<30 - 4<<26 }, "94 %: 3.75 GiB of 4.00 GiB", "--max-memory=8192M"},
		"last":   {func(r *reading) { r.last[1] = 28 }, "PE 1 had the least virtual time in 93 % of the last 30 readings", "Config.TypeMap"},
		"balance": {func(r *reading) { r.f.PEs[3].EventsCommitted = 30_000 },
			"PE 3 committed 2.0 times the mean", "Config.TypeMap"},
		"aborted":    {func(r *reading) { r.f.EventsAborted = 3 }, "3 events in the last 8 s", "--max-memory"},
		"standstill": {func(r *reading) { r.stillSince = 2 }, "for 18 s it has been 5", "/debug/pprof/goroutine"},
		"remote":     {func(r *reading) { r.f.EventsRemote, r.f.EventsRolledBack = 20_000, 9_000 }, "of the events go to another PE", "--pes"},
	} {
		t.Run(rule, func(t *testing.T) {
			r := busy(4)
			c.spoil(r)
			found := r.judge()
			require.Len(t, found, 1)
			require.Equal(t, rule, found[0].Rule)
			require.Contains(t, found[0].Figure, c.figure)
			require.Contains(t, found[0].Advice, c.says)
			r.f.Complete = true
			require.Empty(t, r.judge(), "nothing can be done any more")
		})
	}
}

// What a finding is called must be true of its figure.
func TestFindingsSayNoMoreThanTheirFigures(t *testing.T) {
	r := busy(4)
	r.f.EventsRolledBack = 14_000 // of 40,000
	require.Equal(t, "Much of the work is rolled back", r.judge()[0].What)
	r.f.EventsRolledBack = 21_000
	require.Equal(t, "Most of the work is rolled back", r.judge()[0].What)
	r = busy(4)
	r.ranks[0].MemoryUsed, r.ranks[0].MemoryLimit = 17_511_219, 14<<20
	found := r.judge()[0]
	require.Equal(t, "Memory is beyond its ceiling", found.What)
	require.Contains(t, found.Figure, "16.7 MiB, and the ceiling is 14.0 MiB")
	require.NotContains(t, found.Figure, "%")
	require.Equal(t, "999 B", binary(999))
}

// A rank whose first PE handles the events of all is not one whose model is badly distributed.
func TestOnePEOfAnotherRankIsNotBlamedOnTheModel(t *testing.T) {
	r := busy(4)
	r.f.PEs[3].EventsCommitted = 40_000
	require.Equal(t, "balance", r.judge()[0].Rule)
	r.f.add(&figures{OnePE: 7})
	found := r.judge()
	require.Len(t, found, 1)
	require.Equal(t, "one", found[0].Rule)
}

// Where the engine gives the events to few PEs, because there are few processors or since it has moved KPs, the model is
// not to blame.
func TestPEsThatAreLeftOutAreNotBlamedOnTheModel(t *testing.T) {
	two := func() *reading {
		r := busy(4)
		for i, n := range []uint64{30_000, 25_000, 0, 0} {
			r.f.PEs[i].EventsCommitted = n
		}
		r.handling = 2
		return r
	}
	require.Equal(t, []string{"balance"}, rules(two()))
	r := two()
	r.f.Moved = 3
	require.Empty(t, rules(r), "2 of 4 PEs handle events, and are loaded alike")
	r.f.PEs[0].EventsCommitted = 90_000
	require.Contains(t, r.judge()[0].Figure, "PE 0 committed 1.6 times the mean of the 2 PEs that handle events")
	require.Contains(t, r.judge()[0].Advice, "--nkp")
	r = two()
	r.info.Host.Processors = 2
	require.Equal(t, []string{"cores"}, rules(r))
	r = two()
	r.used, r.wait = 9.6, 10.4
	require.Equal(t, []string{"processors"}, rules(r))
}

func rules(r *reading) (all []string) {
	for _, one := range r.judge() {
		all = append(all, one.Rule)
	}
	return all
}

func TestFindingsHaveABeginningAndAnEnd(t *testing.T) {
	var d diary
	require.Equal(t, []finding{}, d.all())
	d.note(3, []finding{{Rule: "idle", Figure: "first"}})
	d.note(4, []finding{{Rule: "idle", Figure: "second"}, {Rule: "memory"}})
	require.Equal(t, []finding{{Rule: "idle", Figure: "second", Since: 3}, {Rule: "memory", Since: 4}}, d.all())
	d.note(5, []finding{{Rule: "memory"}})
	five := 5.0
	require.Equal(t, []finding{{Rule: "memory", Since: 4}, {Rule: "idle", Figure: "second", Since: 3, Until: &five}}, d.all())
	for i := range 100 {
		d.note(float64(2*i), []finding{{Rule: "a"}})
		d.note(float64(2*i+1), nil)
	}
	require.Len(t, d.all(), mostPast)
}
