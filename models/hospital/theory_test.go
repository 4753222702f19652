// This file pins that intervals of experiments with doctors cover what Erlang's formula says at the nominal rate.

package main

import (
	"context"
	"testing"

	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/stats"
)

// TestIntervalsOfDoctorsCoverTheExactMeans has doctors as the only ones for whom patients wait, as
// TestDoctorsAreAQueueOfTheory does.
func TestIntervalsOfDoctorsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const doctors, rate, treatment = 3, 5.0, 0.45
	load, term, sum := rate*treatment, 1.0, 0.0
	for k := range doctors {
		sum += term
		term *= load / float64(k+1)
	}
	term *= doctors / (doctors - load)
	wait := term / (sum + term) * treatment / (doctors - load) // Erlang C
	rosstest.Covers(t, "hospital, doctors, M/M/3", map[string]float64{"wait for a doctor": wait, "doctors busy": load},
		func(_ context.Context, trial *experiment.Trial) (experiment.Responses, error) {
			p, cfg := defaults()
			p.hospitals, p.nurses, p.doctors, p.room, p.rate, p.swing, p.nursing, p.treatment = 2, 1<<20, doctors, 0, rate, 0, 0.1, treatment
			p.wards, p.admits, p.patience, p.immediate, p.urgent = 1, 0, 0, 1, 0
			cfg.End, cfg.WarmUp = 600, 50
			trial.Configure(&cfg)
			sim := simulation(t, p, cfg, p.types())
			defer sim.Close()
			table, err := stats.Collect(sim)
			if err != nil {
				return nil, err
			}
			row, _ := table.Row("doctors", "staff.Wait")
			busy, _ := table.Row("doctors", "staff.InService")
			return experiment.Responses{"wait for a doctor": row.Mean, "doctors busy": busy.Mean}, nil
		})
}
