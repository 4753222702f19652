// This file owns the comparison with theory: intervals of experiments cover the exact means at the nominal rate.

package central

import (
	"context"
	"fmt"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/stats"
)

// exact returns the means of the model by mean value analysis (Reiser and Lavenberg, "Mean-value analysis of closed
// multichain queuing networks", JACM 27(2), 1980): a job that comes to a station finds the mean number of jobs that the
// station has if there is one terminal less. Nobody waits for a way, so it is like thinking.
func (m *params) exact() map[string]float64 {
	type station struct{ visits, service, stay, jobs float64 }
	visits := 1 / m.leave
	stations := []station{{visits: visits, service: m.cpu}}
	for range m.disks {
		stations = append(stations, station{visits: (visits - 1) / float64(m.disks), service: m.disk})
	}
	var response, throughput float64
	for n := 1; n <= m.terminals; n++ {
		response = 2 * visits * m.wire // to each station, and the last time to the terminal
		for i := range stations {
			s := &stations[i]
			s.stay = s.service * (1 + s.jobs)
			response += s.visits * s.stay
		}
		throughput = float64(n) / (m.think + response)
		for i := range stations {
			s := &stations[i]
			s.jobs = throughput * s.visits * s.stay
		}
	}
	means := map[string]float64{"response time": response, "throughput": throughput}
	for i, name := range []string{"CPU", "disk"} { // all disks are alike
		s := stations[i]
		busy := throughput * s.visits * s.service
		means[name+" utilization"], means[name+" queue"] = busy, s.jobs-busy
	}
	return means
}

func TestIntervalsCoverTheExactMeans(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	for _, terminals := range []int{5, 20} {
		m := defaults()
		m.terminals = terminals
		rosstest.Covers(t, 10, fmt.Sprintf("central, %d terminals", terminals), m.exact(), m.means)
	}
}

// means makes a run and returns its means.
func (m *params) means(configure func(*ross.Config)) (map[string]float64, error) {
	const end, warmUp = 400, 50
	cfg := ross.DefaultConfig()
	cfg.End, cfg.WarmUp, cfg.MaxMemory = end, warmUp, 64<<20
	configure(&cfg)
	sim, err := ross.Run(context.Background(), cfg, m.types()...)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	response, _ := table.Row("terminal", "response time")
	done, _ := table.Row("terminal", "jobs done")
	means := map[string]float64{"response time": response.Mean, "throughput": done.Sum / (end - warmUp)}
	for _, name := range []string{"CPU", "disk"} {
		busy, _ := table.Row(name, "server.Utilization")
		queue, _ := table.Row(name, "server.InQueue")
		means[name+" utilization"], means[name+" queue"] = busy.Mean, queue.Mean
	}
	return means, nil
}
