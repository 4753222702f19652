package proc_test

// This file owns the comparison of queues of processes with queueing theory, as package resource has it for handlers.

import (
	"context"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// lengths returns the probabilities of 0, 1, ... customers, who come at a rate and go at rates that depend on how many
// there are.
func lengths(states int, rate float64, goes func(n float64) float64) []float64 {
	p, sum := make([]float64, states), 1.0
	p[0] = 1
	for n := 1; n < states; n++ {
		p[n] = p[n-1] * rate / goes(float64(n))
		sum += p[n]
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

// waiting returns the mean number of those who wait before servers.
func waiting(p []float64, servers int) (mean float64) {
	for n := servers; n < len(p); n++ {
		mean += float64(n-servers) * p[n]
	}
	return mean
}

func TestQueuesOfProcessesAreThoseOfTheory(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	ones := [2]float64{1, 1}
	mmc := lengths(500, 2, func(n float64) float64 { return min(n, 3) })
	loss := lengths(4, 0.8, func(float64) float64 { return 1 })
	erlangA := lengths(200, 2.5, func(n float64) float64 { return min(n, 2) + 0.5*max(n-2, 0) })
	cobham := (0.3*0.36 + 0.4*2) / 2               // services of 0.6 exactly in class 0, exponential ones of 1 in class 1
	service := 1 + 0.25*1.5                        // with the repairs in it: mean,
	square := 2*service*service + 0.25*2*1.5*1.5   // and mean of the square
	worn := 0.4 * square / (2 * (1 - 0.4*service)) // mean wait
	for name, c := range map[string]struct {
		system interface{ Type() ross.LPType }
		end    float64
		exact  map[string]float64
	}{
		"M/M/1": {&models.System{Rules: resource.Rules{Servers: 1}, Rates: [2]float64{0.5}, Mean: ones}, 3000,
			map[string]float64{"S.InQueue": 0.5, "S.Wait": 1, "Staying[0]": 2, "S.Utilization": 0.5}},
		"M/M/c": {&models.System{Rules: resource.Rules{Servers: 3}, Rates: [2]float64{2}, Mean: ones}, 1500,
			map[string]float64{"S.InQueue": waiting(mmc, 3), "Waiting[0]": 4. / 9, "S.Utilization": 2. / 3}},
		"M/D/1": {&models.System{Rules: resource.Rules{Servers: 1}, Rates: [2]float64{0.5}, Fixed: ones}, 3000,
			map[string]float64{"S.Wait": 0.5, "S.InQueue": 0.25}},
		"M/M/1/K": {&models.System{Rules: resource.Rules{Servers: 1, Room: 2}, Rates: [2]float64{0.8}, Mean: ones}, 2000,
			map[string]float64{"S.Refused": 0.8 * loss[3], "S.InQueue": waiting(loss, 1)}},
		"M/G/1 with priorities (Cobham)": {&models.System{Rules: resource.Rules{Servers: 1, Order: resource.ByPriority},
			Rates: [2]float64{0.3, 0.4}, Fixed: [2]float64{0.6}, Mean: ones}, 3000,
			map[string]float64{"Waiting[0]": cobham / (1 - 0.18), "Waiting[1]": cobham / ((1 - 0.18) * (1 - 0.58))}},
		"M/G/1 with preemption": {&models.System{Rules: resource.Rules{Servers: 1, Order: resource.Preemptive},
			Rates: [2]float64{0.3, 0.4}, Fixed: [2]float64{0.6}, Mean: ones}, 3000,
			map[string]float64{"Staying[0]": 0.6 + 0.3*0.36/2/(1-0.18), "Staying[1]": 1/(1-0.18) + cobham/((1-0.18)*(1-0.58))}},
		"M/M/c+M (Erlang A)": {&models.System{Rules: resource.Rules{Servers: 2}, Rates: [2]float64{2.5}, Mean: ones, Patience: 2},
			800, map[string]float64{"S.InQueue": waiting(erlangA, 2), "S.Reneged": 0.5 * waiting(erlangA, 2)}},
		// What package resource finds for the same system, as a Markov chain that it solves numerically.
		"1 to 2 members as they come": {&models.PoolSystem{Rules: resource.PoolRules{Room: 3}, Rate: 1.5, Mean: 1,
			Need: resource.Need{Most: 2, Collects: true}}, 1500,
			map[string]float64{"P.InQueue": 0.21019, "P.InService": 0.87898, "P.InUse": 1.4713}},
		// An M/G/1 queue whose services contain the repairs (Avi-Itzhak and Naor 1963): Pollaczek and Khinchine's formula.
		"M/M/1 that breaks down in use": {&models.PoolSystem{Rules: resource.PoolRules{Groups: []int{1}, Keep: true}, Rate: 0.4,
			Mean: 1, Wear: 4, Repair: 1.5}, 4000,
			map[string]float64{"P.InQueue": 0.4 * worn, "P.Wait": worn, "P.OutOfOrder": 0.4 * 0.25 * 1.5}},
	} {
		t.Run(name, func(t *testing.T) {
			rosstest.Covers(t, 10, name, c.exact, func(configure func(*ross.Config)) (map[string]float64, error) {
				cfg := ross.DefaultConfig()
				cfg.NKP, cfg.End, cfg.WarmUp, cfg.MaxMemory = 1, c.end, c.end/10, 16<<20
				configure(&cfg)
				sim, err := ross.Run(context.Background(), cfg, c.system.Type())
				if err != nil {
					return nil, err
				}
				defer sim.Close()
				table, err := stats.Collect(sim)
				if err != nil {
					return nil, err
				}
				found := map[string]float64{}
				for _, row := range table.Rows() {
					if found[row.Name] = row.Mean; row.Kind == "counter" {
						found[row.Name] = row.Sum / (0.9 * c.end)
					}
				}
				return found, nil
			})
		})
	}
}
