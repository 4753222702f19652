// This file owns the example of a selection.

package experiment_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross/program/parts/experiment"
)

// How many newspapers should a kiosk buy on each day? One costs 0.6 and is sold for 1, and demand varies. All points
// have the same demand in replications of the same number.
func ExampleSelection() {
	e := experiment.Experiment{
		Name:   "kiosk",
		Points: experiment.Grid(experiment.Over("papers", 30, 40, 50, 60, 70)),
		Run: func(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
			demand, bought, profit := streamOf(t), float64(t.Int("papers")), 0.0
			for range 30 {
				profit += min(demand.NormalSD(50, 15), bought) - 0.6*bought
			}
			return experiment.Responses{"profit": profit / 30}, nil
		},
		Seed:   7,
		Select: &experiment.Selection{Response: "profit", Greatest: true, Zone: 0.2},
	}
	r, err := e.Do(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range r.Points {
		fmt.Println(p.Point, p.Replications)
	}
	fmt.Println("selected:", r.Points[r.Choice.Point].Point, r.Choice.Proven)
	// Output:
	// papers=30 10
	// papers=40 40
	// papers=50 40
	// papers=60 10
	// papers=70 10
	// selected: papers=50 true
}
