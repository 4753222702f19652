// This file tests the findings: each has its figure and its advice, and blames no other cause.

package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

// busy returns a reading of a run of PEs in which nothing is wrong.
func busy(pes int) *reading {
	f := figures{Phase: "running", Elapsed: 20, GVT: 5, Ranks: 1, NumGVT: 40}
	for i := range pes {
		p := peDocument{ID: uint64(i), IdleShare: 5, Counters: ross.Counters{EventsProcessed: 10_000, EventsRolledBack: 100,
			EventsCommitted: 9_800, PrimaryRollBacks: 50, EventsRemote: 100}}
		f.PEs = append(f.PEs, p)
		f.Counters.Add(&p.Counters)
	}
	f.MemoryUsed, f.MemoryLimit = 1<<30, 4<<30
	return &reading{f: &f, ranks: []knownRank{{MemoryUsed: 1 << 30, MemoryLimit: 4 << 30}}, window: 8, stillSince: 20,
		handling: pes,
		info: &instr.RunInfo{Synch: 3, Scheduler: "optimistic", PEs: uint64(pes), Ranks: 1,
			Host: instr.RunHost{Processors: pes}, Options: map[string]string{}}}
}

// all changes every PE.
func (r *reading) all(change func(p *peDocument)) {
	for i := range r.f.PEs {
		change(&r.f.PEs[i])
	}
}

func TestFindingsNameTheFigureAndTheOption(t *testing.T) {
	for _, pes := range []int{1, 2, 4} {
		for synch := 1; synch <= 5; synch++ {
			r := busy(pes)
			r.info.Synch = synch
			require.Empty(t, r.judge())
		}
	}
	idle := func(p *peDocument) { p.IdleShare = 61 }
	for rule, c := range map[string]struct {
		spoil        func(r *reading)
		figure, says string
	}{
		"idle": {func(r *reading) { r.all(idle) }, "the PEs were idle 61 % of their time (in the last 8 s)", "--pes=2"},
		"processors": {func(r *reading) { r.f.PEs[2].IdleShare, r.used, r.wait = 61, 9.6, 10.4 },
			"4 PEs got 1.2 processors and waited for 1.3 more (in the last 8 s)", "Other programs"},
		"one": {func(r *reading) {
			r.f.OnePE, r.onePE, r.f.PEs[3].EventsProcessed = 9, 6, 30_000
			r.all(idle)
		}, "for 75 % of the last 8 s", "--pes"},
		"cores": {func(r *reading) {
			r.info.Host.Processors = 2
			r.all(idle)
		}, "4 PEs in a process that may use 2 processors", "--pes=2"},
		"efficiency": {func(r *reading) { r.all(func(p *peDocument) { p.EventsRolledBack = 5_000 }) },
			"0 %: of 40,000 events handled, 20,000 were rolled back (in the last 8 s)", "--max-opt-lookahead"},
		"secondary": {
			func(r *reading) { r.all(func(p *peDocument) { p.EventsRolledBack, p.SecondaryRollBacks = 2_000, 450 }) },
			"90 % of 2,000 rollbacks", "--batch"},
		"memory": {func(r *reading) { r.f.Shortages, r.ranks[0].MemoryUsed = 3, 4<<30-4<<26 },
			"3 shortages of memory; 3.75 GiB of 4 GiB (in the last 8 s)", "--max-memory=16384M"},
		"ceiling": {func(r *reading) { r.ranks[0].MemoryUsed = 4<<30 - 4<<26 }, "94 %: 3.75 GiB of 4.00 GiB",
			"--max-memory=8192M"},
		"uneven": {func(r *reading) { r.f.PEs[3].EventsProcessed = 30_000 },
			"29,900 net events, against 14,900 on average (in the last 8 s)", "custom mapping"},
		"lookahead": {func(r *reading) { r.info.Synch, r.f.NumGVT = 2, 5_000 },
			"1.98 net events of a PE for each computation of GVT", "--cons-lookahead"},
		"gvt": {func(r *reading) { r.f.NumGVT = 5_000 }, "1.98 net events of a PE for each computation of GVT",
			"--gvt-interval"},
		"window": {func(r *reading) {
			r.info.Options["max-opt-lookahead"] = "2"
			r.all(idle)
		}, "may not run further than 2 ahead of GVT", "--max-opt-lookahead=8"},
		"standstill": {func(r *reading) { r.stillSince = 2 }, "for 18 s it has been 5", "/debug/pprof/goroutine"},
		"remote": {func(r *reading) { r.all(func(p *peDocument) { p.EventsRemote = 5_000 }) },
			"50 % sent to other PEs for each event handled", "mapping"},
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
	r := busy(4)
	r.f.EventsAborted, r.f.PEs[0].EventsAborted = 3, 3
	require.Contains(t, r.judge()[0].Figure, "3 executions found no memory for an event")
	r = busy(4)
	r.all(idle)
	r.window = 1
	require.Empty(t, r.judge(), "too short to judge")
}

// The page of another rank than 0 knows only its own PEs.
func TestARankIsNotTheRun(t *testing.T) {
	r := busy(1)
	r.used, r.wait = 2.4, 4
	require.Equal(t, "The run lacked a processor", r.judge()[0].What)
	r.info.PEs, r.info.Ranks = 2, 2
	require.Equal(t, "The PE lacked a processor", r.judge()[0].What)
	r = busy(4)
	r.info.PEs, r.info.Ranks, r.info.Host.Processors = 8, 2, 3
	require.Contains(t, r.judge()[0].Figure, "4 PEs in a process that may use 3 processors")
}

// A run that looks for its scheduler may try one that is slow.
func TestWhatARunOnlyTriesIsNotFound(t *testing.T) {
	r := busy(4)
	r.info.Synch = findings.SynchAuto
	r.all(func(p *peDocument) { p.IdleShare, p.EventsRolledBack, p.EventsRemote = 80, 5_000, 5_000 })
	r.f.NumGVT = 5_000
	require.Empty(t, r.judge())
	r.used, r.wait = 9.6, 10.4
	require.Equal(t, []string{"processors"}, rules(r))
	r = busy(2)
	r.f.PEs[1].EventsProcessed, r.f.PEs[1].EventsRolledBack = 100, 0
	require.Equal(t, []string{"uneven"}, rules(r))
	r.old = true // its rank has not answered
	require.Empty(t, rules(r))
}

// What a finding is called must be true of its figure.
func TestFindingsSayNoMoreThanTheirFigures(t *testing.T) {
	r := busy(4)
	r.ranks[0].MemoryUsed, r.ranks[0].MemoryLimit = 17_511_219, 14<<20
	found := r.judge()[0]
	require.Equal(t, "Memory is beyond its ceiling", found.What)
	require.Contains(t, found.Figure, "16.7 MiB, and the ceiling is 14.0 MiB")
	require.NotContains(t, found.Figure, "%")
	require.Equal(t, "999 B", binary(999))
}

// A stretch in which one PE handles the events of all, also of another rank, or shortly before, is not blamed on the
// model.
func TestOnePEIsNotBlamedOnTheModel(t *testing.T) {
	tilted := func() *reading {
		r := busy(4)
		r.f.PEs[3].EventsProcessed = 40_000
		r.all(func(p *peDocument) { p.IdleShare = 45 })
		return r
	}
	require.Equal(t, []string{"uneven"}, rules(tilted()))
	for name, c := range map[string]struct {
		onePE, serial float64
		want          []string
	}{
		"now":    {1, 0, nil},
		"before": {0, 1, nil},
		"mostly": {5, 0, []string{"one"}},
	} {
		r := tilted()
		r.onePE, r.serial = c.onePE, c.serial
		require.Equal(t, c.want, rules(r), name)
	}
	var f figures
	f.add(&figures{OnePE: 7})
	require.Equal(t, 7.0, f.OnePE, "of another rank")
}

// Where the engine gives the events to few PEs, because there are few processors or since it has moved KPs, the model
// is not to blame.
func TestPEsThatAreLeftOutAreNotBlamedOnTheModel(t *testing.T) {
	two := func() *reading {
		r := busy(4)
		for i, n := range []uint64{30_100, 25_100, 0, 0} {
			r.f.PEs[i].EventsProcessed = n
			if n == 0 {
				r.f.PEs[i].Counters = ross.Counters{}
			}
		}
		r.handling = 2
		return r
	}
	require.Equal(t, []string{"uneven"}, rules(two()))
	r := two()
	r.f.Moved = 3
	require.Empty(t, rules(r), "2 of 4 PEs handle events, and are loaded alike")
	r.f.PEs[0].EventsProcessed = 90_100
	require.Contains(t, r.judge()[0].Figure, "90,000 net events, against 57,500 on average")
	require.Contains(t, r.judge()[0].Advice, "--nkp")
	r = two()
	r.f.Moved, r.info.Host.Processors = 3, 2
	require.Equal(t, []string{"cores"}, rules(r))
	r = two()
	r.f.Moved, r.used, r.wait = 3, 9.6, 10.4
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
	require.Equal(t, []finding{{Rule: "memory", Since: 4}, {Rule: "idle", Figure: "second", Since: 3, Until: &five}},
		d.all())
	for i := range 100 {
		d.note(float64(2*i), []finding{{Rule: "a"}})
		d.note(float64(2*i+1), nil)
	}
	require.Len(t, d.all(), mostPast)
}
