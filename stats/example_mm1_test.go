package stats_test

import (
	"context"
	"log"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

// queue is an M/M/1 queue: arrivals at rate 0.8, service at rate 1, first come, first served.
type queue struct {
	Length  int64           // jobs in the system
	Free    float64         // virtual time at which the server is free
	Waiting stats.Histogram `ross:"waiting time,s"`
	System  stats.Level     `ross:"jobs in system"`
	Served  stats.Counter   `ross:"jobs served"`
}

// arrival is the message of a queue: a job arrives or, if Leaves, has been served.
type arrival struct{ Leaves bool }

func (q *queue) init(lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/0.8), arrival{}) }

func (q *queue) event(lp *ross.LP, m *arrival) {
	if m.Leaves {
		q.Length--
		q.System.Add(lp, -1)
		q.Served.Inc(lp)
		return
	}
	q.Length++
	q.System.Add(lp, 1)
	begin := max(lp.Now(), q.Free)
	q.Waiting.Add(lp, begin-lp.Now())
	q.Free = begin + lp.RNG().Exponential(1)
	ross.Send(lp, lp.ID(), q.Free-lp.Now(), arrival{Leaves: true})
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/0.8), arrival{})
}

// Eight M/M/1 queues, optimistically on two PEs. The engine undoes the events (SaveByDelta). In
// theory the mean waiting time is 4 s, the mean number of jobs in the system is 4, and the
// server is busy for 0.8 of the time.
func Example() {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = ross.Optimistic, 2, 4
	cfg.End, cfg.WarmUp = 20000, 1000
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	err = sim.Define(ross.Type[queue]{Name: "M/M/1", Init: (*queue).init, Event: ross.On((*queue).event)})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
	table, err := stats.Collect(sim)
	if err == nil {
		err = table.WriteText(os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Statistics from time 1000 to 20000
	// group  statistic       unit  kind       lps   count      sum     mean   stddev  min      max   nonzero      p50      p90     p99
	// M/M/1  waiting time    s     histogram    8  121126   468841  3.87069  4.67374    0  37.8624            2.26562  10.1875  20.625
	// M/M/1  jobs in system        level        8       8  31.0403  3.88004             0       42  0.795496
	// M/M/1  jobs served           counter      8  121131   121131  15141.4
}
