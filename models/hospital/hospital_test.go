// This file pins the model: in every scheduler, and against theory.

package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/stats"
)

var tested = testkit.Program{Name: "hospital", Run: run}

// line has hospitals in which patients leave, drive on, and find wards full.
const line = "--hospitals=3 --wards=2 --nurses=2 --doctors=3 --beds=4 --room=6 --rate=8 --stay=5 --patience=1 --warm-up=5 "

func TestModelIsRightInEveryScheduler(t *testing.T) {
	end := testlevel.Pick([]string{"--end=48"}, []string{"--end=48"}, []string{"--end=24"})
	modeltest.Run(t, modeltest.Model{Program: hospital, Args: line + end[0], Ranks: 2,
		Short: testlevel.Is(testlevel.Some)})
	t.Chdir(t.TempDir())
	table := tested.Play(t, line+end[0]).Table
	for _, count := range []string{`nurses +staff\.Refused`, `doctors +staff\.Reneged`, `ward +no bed free`,
		`nurses +left\[1\]`} {
		require.Regexp(t, "(?m)^"+count+" .*counter +[36] +[1-9]", table)
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+"--end=24 ", "", "--hospitals=2", "--wards=3", "--nurses=3", "--doctors=2", "--beds=3",
		"--room=0", "--rate=9",
		"--swing=0.5", "--nursing=0.3", "--treatment=0.4", "--stay=4", "--admit=0.3", "--patience=0", "--immediate=0.2",
		"--urgent=0.3")
}

func TestAStudyVariesTheDoctors(t *testing.T) {
	out := tested.SameWithWorkers(t, line+"--end=24 --replications=3 --vary=doctors=2..3 --vary=room=0,6")
	require.Contains(t, out, "confidence intervals")
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
	})
}

// doctorsInTheory returns the mean number of busy doctors and the mean wait for one, if patients come at a rate and
// wait for nothing else (Erlang C).
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

// Theory: intervals of experiments with doctors cover what Erlang's formula says at the nominal rate.

// TestIntervalsOfDoctorsCoverTheExactMeans has doctors as the only ones for whom patients wait: an M/M/c queue, since
// what leaves nurses without a queue is a Poisson process.
func TestIntervalsOfDoctorsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const doctors, rate, treatment = 3, 5.0, 0.45
	load, wait := doctorsInTheory(doctors, rate, treatment)
	rosstest.Covers(t, 20, "hospital, doctors, M/M/3", map[string]float64{"wait for a doctor": wait, "doctors busy": load},
		func(configure func(*ross.Config)) (map[string]float64, error) {
			p, cfg := defaults()
			p.hospitals, p.nurses, p.doctors, p.room, p.rate, p.swing, p.nursing, p.treatment = 2, 1<<20, doctors, 0, rate, 0,
				0.1, treatment
			p.wards, p.admits, p.patience, p.immediate, p.urgent = 1, 0, 0, 1, 0
			cfg.End, cfg.WarmUp, cfg.Statistics, cfg.MaxMemory = 600, 50, 0, 256<<20
			configure(&cfg)
			if err := p.prepare(&cfg); err != nil {
				return nil, err
			}
			sim, err := ross.Run(context.Background(), cfg, p.types()...)
			if err != nil {
				return nil, err
			}
			defer sim.Close()
			table, err := stats.Collect(sim)
			wait, _ := table.Row("doctors", "staff.Wait")
			busy, _ := table.Row("doctors", "staff.InService")
			return map[string]float64{"wait for a doctor": wait.Mean, "doctors busy": busy.Mean}, err
		})
}
