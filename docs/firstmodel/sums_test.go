// This file owns sums of floating-point numbers, which subtracting does not undo, and statistics.

package firstmodel

import (
	"fmt"
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

func Example_subtract() {
	sum := 0.1
	sum += 0.2
	sum -= 0.2
	fmt.Println(sum == 0.1, sum)
	// Output: false 0.10000000000000003
}

// Meter counts the hours of the bikes that come back to its station.
type Meter struct{ Hours float64 }

// Return is the message of a bike that comes back.
type Return struct{ Hours float64 }

func (s *Meter) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1, Return{lp.RNG().Unif()}) }

func (s *Meter) Return(lp *ross.LP, _ *ross.None, m *Return) {
	s.Hours += m.Hours
	ross.Send(lp, lp.ID(), 1, Return{lp.RNG().Unif()})
}

func (s *Meter) UndoReturn(_ *ross.LP, _ *ross.None, m *Return) { s.Hours -= m.Hours } // wrong

func Example_floatSum() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Synch = 1, 100, ross.RollbackCheck
	err := try(cfg, ross.Type[Meter, ross.None]{
		Name: "meter", Init: (*Meter).Init,
		On: []ross.Handler[Meter]{ross.On((*Meter).Return).Reverse((*Meter).UndoReturn)},
	})
	fmt.Println(err)
	// Output: ross: LP 0 (meter) at time 4: Reverse of the event that LP 0 sent at time 3 left Meter.Hours at 1.7471259861581172, it was 1.747125986158117 before: bad rollback: undo in Reverse all that Event did to the state and the message; likely cause: rounding, since x+d-d need not be x: keep the old value, or use ross.Save or SaveByDelta
}

// Hire is a station with statistics.
type Hire struct {
	Bikes int64

	Stock  stats.Level   `ross:"bikes in stock"`
	Lost   stats.Counter `ross:"customers lost"`
	Riding stats.Tally   `ross:"riding time,h"`
}

// Hired is the message of a bike that comes back, with the time at which it was taken.
type Hired struct{ Since float64 }

func (h *Hire) Init(lp *ross.LP) {
	h.Bikes = 2
	h.Stock.Set(lp, 2)
	nextCustomer(lp)
}

func (h *Hire) Customer(lp *ross.LP, _ *ross.None, _ *Customer) {
	nextCustomer(lp)
	if h.Bikes == 0 {
		h.Lost.Inc(lp)
		return
	}
	*ross.Write(lp, &h.Bikes)--
	h.Stock.Add(lp, -1)
	to := ross.LPID(lp.RNG().Integer(0, stations-1))
	ross.Send(lp, to, 0.5+lp.RNG().Exponential(1.5), Hired{Since: lp.Now()})
}

func (h *Hire) Back(lp *ross.LP, _ *ross.None, m *Hired) {
	*ross.Write(lp, &h.Bikes)++
	h.Stock.Add(lp, 1)
	h.Riding.Add(lp, lp.Now()-m.Since)
}

var hire = ross.Type[Hire, ross.None]{
	Name:   "hire",
	Saving: ross.SaveByLog,
	Init:   (*Hire).Init,
	On:     []ross.Handler[Hire]{ross.On((*Hire).Customer), ross.On((*Hire).Back)},
}

func Example_statistics() {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.WarmUp = stations, 1000, 50
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	sim, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	table, err := stats.Collect(sim)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = table.WriteText(os.Stdout)
	// Output:
	// Statistics from time 50 to 1000
	// group  statistic       unit  kind     lps  count      sum      mean  stddev     least  greatest   nonzero
	// hire   bikes in stock        level     16     16  15.8569  0.991058                 0        10  0.501207
	// hire   customers lost        counter   16   7577     7577   473.562
	// hire   riding time     h     tally     16   7562  15338.4   2.02835  1.5245  0.500082   13.8986
}
