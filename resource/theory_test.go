// This file owns the comparison of Servers with queueing theory: intervals of experiments cover the exact results as
// often as the confidence says; and that of docs/resources.md with the examples.

package resource_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	. "github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

// system is a queueing system of theory.
type system struct {
	rules    Rules
	arrivals []float64 // rates by class; class 0 has priority
	machines int       // if there are no arrivals: customers, who come back at rate back
	back     float64
	work     func(class int32, r *rng.Stream) float64
	patience float64    // mean; 0: for ever; with Rules.BatchMin until one waits for no others
	faults   [2]float64 // rates of breakdowns of the only server, and of repairs; 0: none
	repeats  bool       // an interrupted service begins anew
	end      float64
}

// guest is a customer of a system.
type guest struct {
	Class int32
	Work  float64
}

// desk is the state of the LP of a system.
type desk struct {
	S       Servers[guest]
	Waiting [2]stats.Tally
	Staying [2]stats.Tally
}

// The messages of a desk, besides done and leave.
type (
	come  struct{ Class int32 }
	fault struct{ Servers int }
)

func (p *system) init(s *desk, lp *ross.LP) {
	s.S.Open(lp, p.rules)
	for class := range p.arrivals {
		p.next(lp, int32(class))
	}
	for range p.machines {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.back), come{})
	}
	if p.faults[0] > 0 {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.faults[0]), fault{0})
	}
}

func (p *system) next(lp *ross.LP, class int32) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.arrivals[class]), come{class})
}

func (p *system) come(s *desk, lp *ross.LP, m *come) {
	if len(p.arrivals) > 0 {
		p.next(lp, m.Class)
	}
	t, o := s.S.RequestPriority(lp, guest{m.Class, p.work(m.Class, lp.RNG())}, float64(m.Class))
	if o == Starts {
		p.start(s, lp, t)
	}
	if p.rules.BatchMin > 1 {
		if next := s.S.Next(lp); next != 0 {
			p.start(s, lp, next)
		}
		Patience(lp, &s.S, t, lp.RNG().Exponential(p.patience), late{t})
		return
	}
	if p.patience > 0 {
		Patience(lp, &s.S, t, lp.RNG().Exponential(p.patience), leave{t})
	}
}

func (p *system) start(s *desk, lp *ross.LP, t Ticket) {
	g := s.S.Get(lp, t)
	work, again := s.S.Left(lp, t)
	if !again {
		s.Waiting[g.Class].Add(lp, lp.Now()-s.S.Came(lp, t))
	}
	if !again || p.repeats {
		work = g.Work
	}
	Serve(lp, &s.S, t, work, done{t})
}

func (p *system) done(s *desk, lp *ross.LP, m *done) {
	came := s.S.Came(lp, m.T)
	g, next := s.S.Release(lp, m.T)
	s.Staying[g.Class].Add(lp, lp.Now()-came)
	if next != 0 {
		p.start(s, lp, next)
	}
	if p.machines > 0 {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.back), come{})
	}
}

func (p *system) leave(s *desk, lp *ross.LP, m *leave) { s.S.Renege(lp, m.T) }

func (p *system) late(s *desk, lp *ross.LP, m *late) {
	if next := s.S.Overdue(lp, m.T); next != 0 {
		p.start(s, lp, next)
	}
}

func (p *system) fault(s *desk, lp *ross.LP, m *fault) {
	s.S.SetServers(lp, m.Servers)
	s.S.Evict(lp)
	if t := s.S.Next(lp); t != 0 {
		p.start(s, lp, t)
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/p.faults[1-m.Servers]), fault{1 - m.Servers})
}

// run runs the system once. Its responses are statistics, by name.
func (p *system) run(configure func(*ross.Config)) (map[string]float64, error) {
	return observe(p.end, configure, ross.Type[desk]{Name: "desk", Saving: ross.SaveByLog, Init: p.init, Event: ross.Events(
		ross.On(p.come), ross.On(p.done), ross.On(p.leave), ross.On(p.late), ross.On(p.fault))})
}

// observe runs one LP once, and returns its means and rates after a tenth of the time.
func observe(end float64, configure func(*ross.Config), lp ross.LPType) (map[string]float64, error) {
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.NKP, cfg.End, cfg.WarmUp, cfg.MaxMemory = 1, 1, end, end/10, 16<<20
	configure(&cfg)
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close()
	if err = sim.Define(lp); err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		return nil, err
	}
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	r := map[string]float64{}
	for _, row := range table.Rows() {
		if row.Count == 0 && row.Kind == "tally" {
			continue
		}
		if r[row.Name] = row.Mean; row.Kind == "counter" {
			r[row.Name] = row.Sum / (end * 0.9)
		}
	}
	return r, nil
}

// birthDeath returns the stationary distribution of a process with rates up and down of each state.
func birthDeath(states int, up, down func(n float64) float64) []float64 {
	p, sum := make([]float64, states), 1.0
	p[0] = 1
	for n := 1; n < states; n++ {
		p[n] = p[n-1] * up(float64(n-1)) / down(float64(n))
		sum += p[n]
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

// mean returns the mean of a function of the state.
func mean(p []float64, f func(n float64) float64) (sum float64) {
	for n := range p {
		sum += p[n] * f(float64(n))
	}
	return sum
}

func exponential(mean float64) func(int32, *rng.Stream) float64 {
	return func(_ int32, r *rng.Stream) float64 { return r.Exponential(mean) }
}

// repeated returns the mean stay of class 1 if its services, of a fixed length, begin anew after each interruption by
// class 0. Customers of class 0 come at a rate, and have the given first two moments of services.
//
// An interruption lasts as long as class 0 is there: a busy period of an M/G/1 queue. A service of class 1 with all its
// attempts is a service of an M/G/1 queue; who comes when nobody of his class is there may find class 0, and waits for
// the rest of its busy period.
func repeated(length, rate0, rate1, first, second float64) float64 {
	load := rate0 * first
	busy, busy2 := first/(1-load), second/math.Pow(1-load, 3)
	whole := math.Exp(-rate0 * length)                                 // probability that an attempt is the last
	fails := (1 - whole) / whole                                       // mean number of others
	lost := 1/rate0 - length*whole/(1-whole)                           // mean length of one
	lost2 := 2/(rate0*rate0) - length*(length+2/rate0)*whole/(1-whole) // and of its square
	once, once2 := lost+busy, lost2+2*lost*busy+busy2                  // with the interruption after it
	all := length + fails*once                                         // mean of a service with all attempts
	all2 := length*length + 2*length*fails*once + fails*once2 + 2*fails*fails*once*once
	return all + rate1*all2/(2*(1-rate1*all)) + load*busy2/(2*busy)
}

// queueOf returns the number of customers who wait before servers.
func queueOf(servers float64) func(n float64) float64 {
	return func(n float64) float64 { return max(n-servers, 0) }
}

// gathered is the chain of batches of 3 or 4 customers, and of fewer if one of them waits for no others: who waits, for
// whom there is room for 4, whether one of them waits for no others, and who is served.
func gathered(rate, patience float64) chainOf {
	start := func(waits, late, served int) string {
		if served == 0 && (waits >= 3 || late > 0) {
			waits, late, served = 0, 0, waits
		}
		return fmt.Sprintf("%d,%d,%d", waits, late, served)
	}
	return explore("0,0,0", func(state string, to func(float64, string)) {
		waits, late, served := levels(state)
		if waits < 4 {
			to(rate, start(waits+1, late, served))
		}
		if waits > 0 && late == 0 {
			to(float64(waits)/patience, start(waits, 1, served))
		}
		if served > 0 {
			to(1, start(waits, late, 0))
		}
	})
}

func TestIntervalsOfServersCoverTheExactResultAtTheNominalRate(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	constant := func(x float64) func(float64) float64 { return func(float64) float64 { return x } }

	mmc := birthDeath(500, constant(2), func(n float64) float64 { return min(n, 3) })
	erlangA := birthDeath(200, constant(2.5), func(n float64) float64 { return min(n, 2) + 0.5*max(n-2, 0) })
	repair := birthDeath(9, func(n float64) float64 { return 0.3 * (8 - n) }, func(n float64) float64 { return min(n, 2) })
	loss := birthDeath(6, constant(3), func(n float64) float64 { return min(n, 4) })
	require.InDelta(t, 8./9, mean(mmc, queueOf(3)), 1e-9)

	// Two classes: class 0 with services of 0.6 exactly, class 1 with exponential ones of 1.
	cobham0 := (0.3*0.36 + 0.4*2) / 2
	mixed := func(class int32, r *rng.Stream) float64 {
		if class == 0 {
			return 0.6
		}
		return r.Exponential(1)
	}
	rate, breaks, repairs := 0.4, 0.1, 0.5
	batches := gathered(2, 3)
	available := repairs / (breaks + repairs)
	for name, c := range map[string]struct {
		system
		exact map[string]float64
	}{
		"M/M/c": {system{rules: Rules{Servers: 3}, arrivals: []float64{2}, work: exponential(1), end: 1500},
			map[string]float64{"S.InQueue": 8. / 9, "S.Wait": 4. / 9, "S.Stay": 13. / 9, "S.InService": 2,
				"S.Utilization": 2. / 3}},
		"M/M/c, last come, first served": {system{rules: Rules{Servers: 3, Order: LIFO}, arrivals: []float64{2},
			work: exponential(1), end: 1500},
			map[string]float64{"S.InQueue": 8. / 9}},
		"M/M/c/K": {system{rules: Rules{Servers: 4, Room: 1}, arrivals: []float64{3}, work: exponential(1), end: 500},
			map[string]float64{"S.Refused": 3 * loss[5], "S.InQueue": loss[5]}},
		"M/G/1 with priorities (Cobham)": {system{rules: Rules{Servers: 1, Order: ByPriority}, arrivals: []float64{0.3, 0.4},
			work: mixed, end: 3000},
			map[string]float64{"Waiting[0]": cobham0 / (1 - 0.18), "Waiting[1]": cobham0 / ((1 - 0.18) * (1 - 0.58)),
				"S.Utilization": 0.58}},
		"M/G/1 with preemption": {system{rules: Rules{Servers: 1, Order: Preemptive}, arrivals: []float64{0.3, 0.4},
			work: mixed, end: 3000},
			map[string]float64{"Staying[0]": 0.6 + 0.3*0.36/2/(1-0.18), "Staying[1]": 1/(1-0.18) + cobham0/((1-0.18)*(1-0.58))}},
		"M/D/1 with preemption and repetition": {system{rules: Rules{Servers: 1, Order: Preemptive},
			arrivals: []float64{0.4, 0.2}, repeats: true, end: 3000,
			work: func(class int32, r *rng.Stream) float64 { return [2]float64{r.Exponential(0.5), 1.2}[class] }},
			map[string]float64{"Staying[0]": 0.5 / (1 - 0.2), "Staying[1]": repeated(1.2, 0.4, 0.2, 0.5, 0.5)}},
		"M/M/c+M (Erlang A)": {system{rules: Rules{Servers: 2}, arrivals: []float64{2.5}, work: exponential(1), patience: 2,
			end: 800},
			map[string]float64{"S.InQueue": mean(erlangA, queueOf(2)), "S.Reneged": 0.5 * mean(erlangA, queueOf(2)),
				"S.Utilization": mean(erlangA, func(n float64) float64 { return min(n, 2) / 2 })}},
		"M/M[3,4]/1/4 with batches that start early": {system{rules: Rules{Servers: 1, Batch: 4, BatchMin: 3, Room: 4},
			arrivals: []float64{2}, work: exponential(1), patience: 3, end: 1500},
			map[string]float64{
				"S.InQueue":   batches.mean(t, func(s string) float64 { waits, _, _ := levels(s); return float64(waits) }),
				"S.InService": batches.mean(t, func(s string) float64 { _, _, served := levels(s); return float64(served) }),
				"S.Refused":   batches.mean(t, func(s string) float64 { waits, _, _ := levels(s); return 2 * float64(waits/4) }),
				"S.Utilization": batches.mean(t, func(s string) float64 {
					_, _, served := levels(s)
					return float64(min(served, 1))
				}),
			}},
		"machine repair": {system{rules: Rules{Servers: 2}, machines: 8, back: 0.3, work: exponential(1), end: 600},
			map[string]float64{"S.InQueue": mean(repair, queueOf(2)),
				"S.InService": mean(repair, func(n float64) float64 { return min(n, 2) })}},
		"M/M/1 with breakdowns": {system{rules: Rules{Servers: 1}, arrivals: []float64{rate}, work: exponential(1),
			faults: [2]float64{breaks, repairs}, end: 5000},
			// White and Christie (1958): customers at the server, over their rate by Little's law.
			map[string]float64{"S.Stay": ((breaks+repairs)*(breaks+repairs) + breaks) / (breaks + repairs) /
				(repairs - rate*(breaks+repairs))}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Less(t, rate, available)
			rosstest.Covers(t, 10, name, c.exact, c.run)
		})
	}
}

func TestPageShowsTheExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/resources.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	calendars, err := os.ReadFile("../program/parts/calendar/example_test.go")
	require.NoError(t, err)
	require.Equal(t, 15, testkit.RequireShown(t, string(page), string(source)+string(calendars)))
	require.Equal(t, strings.Count(string(page), "\n```"), 2*len(testkit.Blocks(string(page), "go")), "blocks are Go")
}
