// This file pins the model: in every scheduler, against theory, and against the same model by hand, which follows
// the tests.
//
// The model by hand is without package resource: servers are counted, and those who wait are in a heap with their
// timers. It draws the same patients and sends the same messages, and so has to leave the same statistics.

package main

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

var tested = testkit.Program{Name: "hospital", Run: run}

// line has hospitals in which patients leave, drive on, and find wards full.
const line = "--hospitals=3 --wards=2 --nurses=2 --doctors=3 --beds=4 --room=6 --rate=8 --stay=5 --patience=1 --warm-up=5 "

func TestModelIsRightInEveryScheduler(t *testing.T) {
	end := testlevel.Pick([]string{"--end=48"}, []string{"--end=48"}, []string{"--end=24"})
	modeltest.Run(t, modeltest.Model{Program: hospital, Args: line + end[0], Short: testlevel.Is(testlevel.Few)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+"--end=24 ", "", "--hospitals=2", "--wards=3", "--nurses=3", "--doctors=2", "--beds=3", "--room=0", "--rate=9",
		"--swing=0.5", "--nursing=0.3", "--treatment=0.4", "--stay=4", "--admit=0.3", "--patience=0", "--immediate=0.2", "--urgent=0.3")
}

// simulation runs the types of the model, or of the version by hand.
func simulation(t testing.TB, p params, cfg ross.Config, types []ross.LPType) *ross.Simulation {
	require.NoError(t, p.prepare(&cfg))
	cfg.Statistics, cfg.MaxMemory = 0, 256<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.NoError(t, sim.Define(types...))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

func TestTheVersionByHandLeavesTheSameStatistics(t *testing.T) {
	p, cfg := defaults()
	p.hospitals, p.wards, p.nurses, p.doctors, p.beds, p.room, p.rate, p.stay, p.patience = 3, 2, 2, 3, 4, 6, 8, 5, 1
	cfg.End, cfg.WarmUp = 200, 20
	hand := byHand{p}
	tables := [2]*stats.Table{}
	for i, types := range [][]ross.LPType{p.types(), hand.types()} {
		sim := simulation(t, p, cfg, types)
		var err error
		tables[i], err = stats.Collect(sim)
		require.NoError(t, err)
		require.NoError(t, sim.Close())
	}
	for _, group := range []string{"nurses", "doctors", "ward"} {
		row := func(i int, name string) stats.Row {
			r, ok := tables[i].Row(group, name)
			require.True(t, ok, "%s of %s", name, group)
			return r
		}
		same := func(a, b string) {
			got, want := row(0, a), row(1, b)
			digits := func(r *stats.Row) string {
				return fmt.Sprint(r.Count, r.Sum, r.Mean, r.StdDev, r.Min, r.Max, r.NonZero, r.Bins)
			}
			require.True(t, digits(&want) == digits(&got), "%s of %s: count %d, mean %g, by hand %d, %g",
				a, group, got.Count, got.Mean, want.Count, want.Mean)
		}
		for _, name := range []string{"wait", "since the door", "left"} {
			for _, class := range []string{"[0]", "[1]", "[2]"} {
				same(name+class, name+class)
			}
		}
		for _, name := range []string{"no bed free", "went home"} {
			same(name, name)
		}
		same("staff.InQueue", "InQueue")
		same("staff.InService", "InService")
		same("staff.Refused", "Refused")
		same("staff.Reneged", "Reneged")
	}
	for name, of := range map[string]string{"staff.Refused": "nurses", "staff.Reneged": "doctors", "no bed free": "ward", "left[1]": "nurses"} {
		r, ok := tables[0].Row(of, name)
		require.True(t, ok)
		require.Positive(t, r.Sum, "%s of %s", name, of)
	}
}

// TestDoctorsAreAQueueOfTheory has doctors as the only ones for whom patients wait: an M/M/c queue, since what leaves
// nurses without a queue is a Poisson process.
func TestDoctorsAreAQueueOfTheory(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	const doctors, rate, treatment = 6, 10.0, 0.45
	load, wait := doctorsInTheory(doctors, rate, treatment)
	results, err := experiment.Experiment{Name: "doctors", Seed: 1, Replications: 20,
		Run: func(_ context.Context, trial *experiment.Trial) (experiment.Responses, error) {
			p, cfg := defaults()
			p.hospitals, p.nurses, p.doctors, p.room, p.rate, p.swing, p.nursing, p.treatment = 1, 1<<20, doctors, 0, rate, 0, 0.1, treatment
			p.admits, p.patience, p.immediate = 0, 0, 1
			p.urgent = 0
			cfg.End, cfg.WarmUp = 3000, 300
			trial.Configure(&cfg)
			wait, busy, err := doctorsOf(t, p, cfg)
			return experiment.Responses{"wait": wait, "busy": busy}, err
		}}.Do(context.Background())
	require.NoError(t, err)
	for response, exact := range map[string]float64{"wait": wait, "busy": load} {
		i, err := results.Interval(response, 0)
		require.NoError(t, err)
		require.Less(t, math.Abs(i.Mean-exact), 2*i.Half, "%s: %g, not %v", response, exact, i)
	}
}

func TestAStudyVariesTheDoctors(t *testing.T) {
	out := tested.SameWithWorkers(t, line+"--end=24 --replications=3 --vary=doctors=2..3 --vary=room=0,6")
	require.Contains(t, out, "confidence intervals")
}

func TestModelIsShorterThanByHand(t *testing.T) {
	testlevel.Once(t, "lengths of files")
	require.LessOrEqual(t, testkit.Lines(t, "hospital.go"), 120)
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--hospitals=0", "--hospitals=0: must be in [1, 1048576]"},
		{"--wards=0", "--wards=0"},
		{"--nurses=0", "--nurses=0"},
		{"--doctors=-1", "--doctors=-1"},
		{"--beds=0", "--beds=0"},
		{"--room=-1", "--room=-1"},
		{"--rate=0", "--rate=0"},
		{"--swing=2", "--swing=2: must be in [0, 1]"},
		{"--nursing=nan", "--nursing=NaN"},
		{"--treatment=0", "--treatment=0"},
		{"--stay=inf", "--stay=+Inf"},
		{"--admit=1.5", "--admit=1.5"},
		{"--patience=-1", "--patience=-1"},
		{"--immediate=-0.1", "--immediate=-0.1"},
		{"--urgent=0.9", "--urgent=0.9: must be in [0, 0.85]"},
		{"--bogus", "--bogus"},
	})
}

func BenchmarkHospital(b *testing.B) {
	testkit.Versions(b, func(b *testing.B, hand bool, synch, pes int) float64 {
		p, cfg := defaults()
		p.hospitals = 64
		cfg.Synch, cfg.PEs, cfg.End = ross.Scheduler(synch), pes, 24*7
		types := p.types()
		if hand {
			types = (&byHand{p}).types()
		}
		sim := simulation(b, p, cfg, types)
		st := sim.Summary()
		require.NoError(b, sim.Close())
		return st.EventRate()
	})
}

// The messages of the version by hand that the model does not have.
type (
	handLeave struct {
		H container.Handle
		N uint64
	}
	handDone struct{ patient }
)

// seat is one who waits.
type seat struct {
	patient
	N     uint64 // so that a seat is not taken for one who had it before
	Timer ross.Timer
}

// handUnit is a unit.
type handUnit struct {
	Stage, Busy int
	Seats       uint64
	Line        container.IndexedHeap[uint32, seat]

	InQueue, InService stats.Level
	Refused, Reneged   stats.Counter

	Wait  [classes]stats.Histogram `ross:"wait,h"`
	Since [classes]stats.Histogram `ross:"since the door,h"`
	Left  [classes]stats.Counter   `ross:"left"`
	Full  stats.Counter            `ross:"no bed free"`
	Home  stats.Counter            `ross:"went home"`
}

// byHand is the model by hand.
type byHand struct{ params }

func (p *byHand) init(u *handUnit, lp *ross.LP) {
	if u.Stage = p.stageOf(lp.ID()); u.Stage == withNurse {
		p.next(lp)
	}
}

func (p *byHand) door(u *handUnit, lp *ross.LP, _ *door) {
	p.next(lp)
	p.come(u, lp, &come{p.draw(lp.RNG(), lp.Now())})
}

func (p *byHand) come(u *handUnit, lp *ross.LP, m *come) {
	c, rules := m.patient, p.rules(u.Stage)
	switch {
	case u.Busy < rules.Servers:
		*ross.Write(lp, &u.Busy)++
		u.InService.Add(lp, 1)
		p.begin(u, lp, c)
	case u.Stage == inBed && int(c.Tried) < p.wards:
		u.Full.Inc(lp)
		c.Tried++
		ross.Send(lp, p.ward(lp.ID(), c.Ward+c.Tried), walk, come{c})
	case rules.Room > 0 && u.Line.Len() == rules.Room:
		u.Refused.Inc(lp)
		ross.Send(lp, p.nextHospital(lp.ID()), drive, come{c})
	default:
		key := c.Class
		if rules.Order != resource.ByPriority {
			key = 0
		}
		*ross.Write(lp, &u.Seats)++
		h := u.Line.Push(lp, key, seat{patient: c, N: u.Seats})
		u.InQueue.Add(lp, 1)
		if c.Class > 0 && p.patience > 0 && u.Stage != inBed {
			u.Line.Edit(lp, h).Timer = ross.After(lp, c.Patience[u.Stage], handLeave{h, u.Seats})
		}
	}
}

func (p *byHand) begin(u *handUnit, lp *ross.LP, c patient) {
	u.Wait[c.Class].Add(lp, lp.Now()-c.Since)
	u.Since[c.Class].Add(lp, lp.Now()-c.Came)
	ross.Send(lp, lp.ID(), c.Work[u.Stage], handDone{c})
}

func (p *byHand) done(u *handUnit, lp *ross.LP, m *handDone) {
	c := m.patient
	if _, s, ok := u.Line.Pop(lp); ok {
		s.Timer.Cancel(lp)
		u.InQueue.Add(lp, -1)
		p.begin(u, lp, s.patient)
	} else {
		*ross.Write(lp, &u.Busy)--
		u.InService.Add(lp, -1)
	}
	c.Since = lp.Now()
	switch {
	case u.Stage == withNurse:
		ross.Send(lp, lp.ID()+1, walk, come{c})
	case u.Stage == withDoctor && c.NeedBed == 1:
		ross.Send(lp, p.ward(lp.ID(), c.Ward), walk, come{c})
	default:
		u.Home.Inc(lp)
	}
}

func (p *byHand) leave(u *handUnit, lp *ross.LP, m *handLeave) {
	if s := u.Line.Get(lp, m.H); s == nil || s.N != m.N {
		return
	}
	_, s, _ := u.Line.Remove(lp, m.H)
	u.InQueue.Add(lp, -1)
	u.Reneged.Inc(lp)
	u.Left[s.Class].Inc(lp)
}

func (p *byHand) types() (types []ross.LPType) {
	for _, name := range [stages]string{"nurses", "doctors", "ward"} {
		types = append(types, ross.Type[handUnit]{
			Name: name, Init: p.init, Saving: ross.SaveByLog, NeverStops: true, Lookahead: walk,
			Event: ross.Events(ross.On(p.door), ross.On(p.come), ross.On(p.done), ross.On(p.leave)),
		})
	}
	return types
}

// doctorsInTheory returns the mean number of busy doctors and the mean wait for one, if patients come at a rate and wait for
// nothing else (Erlang C).
func doctorsInTheory(doctors int, rate, treatment float64) (busy, wait float64) {
	term, sum := 1.0, 0.0
	busy = rate * treatment
	for k := range doctors {
		sum += term
		term *= busy / float64(k+1)
	}
	free := float64(doctors) - busy
	term *= float64(doctors) / free
	return busy, term / (sum + term) * treatment / free
}

// doctorsOf runs hospitals and returns the mean wait for a doctor and the mean number of busy ones.
func doctorsOf(t *testing.T, p params, cfg ross.Config) (wait, busy float64, err error) {
	t.Helper()
	sim := simulation(t, p, cfg, p.types())
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		return 0, 0, err
	}
	row, _ := table.Row("doctors", "staff.Wait")
	inService, _ := table.Row("doctors", "staff.InService")
	return row.Mean, inService.Mean, nil
}

// Theory: intervals of experiments with doctors cover what Erlang's formula says at the nominal rate.

// TestIntervalsOfDoctorsCoverTheExactMeans has doctors as the only ones for whom patients wait, as
// TestDoctorsAreAQueueOfTheory does.
func TestIntervalsOfDoctorsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const doctors, rate, treatment = 3, 5.0, 0.45
	load, wait := doctorsInTheory(doctors, rate, treatment)
	rosstest.Covers(t, 20, "hospital, doctors, M/M/3", map[string]float64{"wait for a doctor": wait, "doctors busy": load},
		func(configure func(*ross.Config)) (map[string]float64, error) {
			p, cfg := defaults()
			p.hospitals, p.nurses, p.doctors, p.room, p.rate, p.swing, p.nursing, p.treatment = 2, 1<<20, doctors, 0, rate, 0, 0.1, treatment
			p.wards, p.admits, p.patience, p.immediate, p.urgent = 1, 0, 0, 1, 0
			cfg.End, cfg.WarmUp = 600, 50
			configure(&cfg)
			wait, busy, err := doctorsOf(t, p, cfg)
			return map[string]float64{"wait for a doctor": wait, "doctors busy": busy}, err
		})
}
