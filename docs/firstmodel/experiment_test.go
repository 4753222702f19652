// This file owns replications of the model.

package firstmodel

import (
	"context"
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/stats"
)

func replicate(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
	bikes := int64(t.Int("bikes"))
	model := hire
	model.Init = func(h *Hire, lp *ross.LP) {
		h.Bikes = bikes
		h.Stock.Set(lp, float64(bikes))
		nextCustomer(lp)
	}
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.WarmUp = stations, 500, 50
	t.Configure(&cfg) // seeds, and the number of the replication
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	if err = sim.Define(model); err == nil {
		err = sim.Run(ctx)
	}
	if err != nil {
		return nil, err
	}
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	lost, _ := table.Row("hire", "customers lost")
	return experiment.Responses{"lost per hour": lost.Sum / (cfg.End - cfg.WarmUp) / stations}, nil
}

func Example_replications() {
	results, err := experiment.Experiment{
		Name: "bikes", Run: replicate, Seed: 1, Replications: 10,
		Points: experiment.Grid(experiment.Over("bikes", 2, 3, 4)),
	}.Do(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = results.Summary().WriteText(os.Stdout)
	// Output:
	// bikes  response       replications     mean       half      low     high         sd  enough
	//     2  lost per hour            10  0.48615  0.0094864  0.47667  0.49564   0.013261  true
	//     3  lost per hour            10  0.35492  0.0074125   0.3475  0.36233   0.010362  true
	//     4  lost per hour            10   0.2669  0.0061318  0.26077  0.27303  0.0085717  true
}
