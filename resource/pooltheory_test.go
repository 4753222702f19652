// This file owns the comparison of Pool with Markov chains that are solved numerically: intervals of experiments cover
// the exact results as often as the confidence says.

package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	. "github.com/ross-go/ross/resource"
)

// yardOf is a system with a pool of 3 members.
type yardOf struct {
	rules   PoolRules
	kinds   []kind
	fault   float64 // rate of breakdowns of each member in order
	repair  float64 // rate of repairs of a crew; there is one crew
	perHand bool    // the rate of a service is that of one member, times the members
	end     float64
}

// kind is a kind of customer.
type kind struct {
	rate, service float64 // of arrivals, and of services
	need          Need
}

// hauler is a customer.
type hauler struct {
	Kind int32
	Ends ross.Timer
}

// pier is the state of the LP.
type pier struct {
	P      Pool[hauler, [3]Member]
	Broken uint32 // members that wait for the crew, or are repaired
	Crew   ross.Timer
	Faults [3]ross.Timer
}

// The messages of a pier, besides come.
type (
	loaded struct{ T Ticket }
	broken struct{ Member int32 }
	fixed  struct{}
)

func (y *yardOf) init(s *pier, lp *ross.LP) {
	s.P.Open(lp, y.rules)
	for i := range y.kinds {
		y.next(lp, int32(i))
	}
	for i := range s.P.Members() {
		y.age(s, lp, i)
	}
}

func (y *yardOf) next(lp *ross.LP, kind int32) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/y.kinds[kind].rate), come{kind})
}

// age has a member break down some day.
func (y *yardOf) age(s *pier, lp *ross.LP, i int) {
	if y.fault > 0 {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/y.fault), broken{int32(i)})
	}
}

func (y *yardOf) come(s *pier, lp *ross.LP, m *come) {
	y.next(lp, m.Class)
	t, o := s.P.Request(lp, hauler{Kind: m.Class}, y.kinds[m.Class].need)
	if o == Starts {
		y.work(s, lp, t)
	}
}

// work draws the rest of a service anew, which exponential ones allow.
func (y *yardOf) work(s *pier, lp *ross.LP, t Ticket) {
	j := s.P.Edit(lp, t)
	if j.Ends != (ross.Timer{}) {
		j.Ends.Cancel(lp)
	}
	j.Ends = ross.Timer{}
	has, rate := s.P.Has(lp, t), y.kinds[j.Kind].service
	if y.perHand {
		rate *= float64(has)
	}
	if has >= max(y.kinds[j.Kind].need.Least, 1) {
		j.Ends = ross.After(lp, lp.RNG().Exponential(1/rate), loaded{t})
	}
}

func (y *yardOf) goOn(s *pier, lp *ross.LP) {
	for g := s.P.Next(lp); g.Ticket != 0; g = s.P.Next(lp) {
		y.work(s, lp, g.Ticket)
	}
}

func (y *yardOf) loaded(s *pier, lp *ross.LP, m *loaded) {
	s.P.Release(lp, m.T)
	y.goOn(s, lp)
}

func (y *yardOf) broken(s *pier, lp *ross.LP, m *broken) {
	if t := s.P.Break(lp, int(m.Member)); t != 0 {
		y.work(s, lp, t)
	}
	*ross.Write(lp, &s.Broken)++
	y.goOn(s, lp)
	y.fix(s, lp, s.Broken == 1)
}

func (y *yardOf) fix(s *pier, lp *ross.LP, begins bool) {
	if begins {
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/y.repair), fixed{})
	}
}

func (y *yardOf) fixed(s *pier, lp *ross.LP, _ *fixed) {
	for i := range s.P.Members() {
		if s.P.IsDown(i) {
			s.P.Repair(lp, i)
			y.age(s, lp, i)
			break
		}
	}
	*ross.Write(lp, &s.Broken)--
	y.goOn(s, lp)
	y.fix(s, lp, s.Broken > 0)
}

// run runs the system once.
func (y *yardOf) run(configure func(*ross.Config)) (map[string]float64, error) {
	return observe(y.end, configure, ross.Type[pier]{Name: "pier", Saving: ross.SaveByLog, Init: y.init, Event: ross.Events(
		ross.On(y.come), ross.On(y.loaded), ross.On(y.broken), ross.On(y.fixed))})
}

// chainOf is a Markov chain: its states by name, each with the rates to others.
type chainOf struct {
	rates map[string]map[string]float64
}

// explore returns the chain of all states that can be reached from one. step adds the rates out of a state.
func explore(from string, step func(state string, to func(rate float64, state string))) chainOf {
	c := chainOf{map[string]map[string]float64{}}
	for todo := []string{from}; len(todo) > 0; {
		state := todo[0]
		todo = todo[1:]
		if c.rates[state] != nil {
			continue
		}
		out := map[string]float64{}
		c.rates[state] = out
		step(state, func(rate float64, to string) {
			if out[to] += rate; c.rates[to] == nil {
				todo = append(todo, to)
			}
		})
	}
	return c
}

// mean returns the mean of a function of the state in the long run.
func (c chainOf) mean(t *testing.T, f func(state string) float64) (m float64) {
	t.Helper()
	most := 0.0
	for _, out := range c.rates {
		sum := 0.0
		for _, r := range out {
			sum += r
		}
		most = max(most, sum)
	}
	p := map[string]float64{}
	for state := range c.rates {
		p[state] = 1 / float64(len(c.rates))
	}
	for range 20_000 { // the power method, on the chain at the jumps of a Poisson process
		next, change := map[string]float64{}, 0.0
		for state, x := range p {
			stays := 1.0
			for to, r := range c.rates[state] {
				next[to] += x * r / (1.1 * most)
				stays -= r / (1.1 * most)
			}
			next[state] += x * stays
		}
		for state, x := range next {
			change += max(x-p[state], p[state]-x)
		}
		if p = next; change < 1e-13 {
			break
		}
	}
	for state, x := range p {
		m += x * f(state)
	}
	return m
}

// sized is the chain of customers who need 1 or 2 of 3 members, with room for 4 who wait: the state has those who are
// served, and then those who wait, such as "12|21".
func sized(rate [2]float64, service float64) chainOf {
	start := func(served, waits string) string {
		need := func(s string) int { return strings.Count(s, "1") + 2*strings.Count(s, "2") }
		for len(waits) > 0 && need(served+waits[:1]) <= 3 {
			served, waits = served+waits[:1], waits[1:]
		}
		return strings.Repeat("1", strings.Count(served, "1")) + strings.Repeat("2", strings.Count(served, "2")) + "|" + waits
	}
	return explore("|", func(state string, to func(float64, string)) {
		served, waits, _ := strings.Cut(state, "|")
		for i, r := range rate {
			if next := start(served, waits+fmt.Sprint(i+1)); len(next)-strings.Index(next, "|")-1 <= 4 {
				to(r, next)
			}
		}
		for i := range served {
			to(service, start(served[:i]+served[i+1:], waits))
		}
	})
}

// waiting returns the number of customers after the bar of a state.
func waiting(state string) float64 {
	_, waits, _ := strings.Cut(state, "|")
	return float64(len(waits))
}

// levels is a state of numbers.
func levels(state string) (a, b, c int) {
	_, err := fmt.Sscanf(state, "%d,%d,%d", &a, &b, &c)
	if err != nil {
		panic(err)
	}
	return a, b, c
}

// faulty is the chain of 3 members that break down, with one crew: customers who wait, for whom there is room for
// 5, customers who are served, and members out of order. A customer who has lost a member is still served, and
// does not wait.
func faulty(rate, fault, repair float64) chainOf {
	return explore("0,0,0", func(state string, to func(float64, string)) {
		waits, served, down := levels(state)
		next := func(waits, served, down int) string {
			for waits > 0 && served < 3-down {
				waits, served = waits-1, served+1
			}
			return fmt.Sprintf("%d,%d,%d", waits, served, down)
		}
		if waits < 5 || served < 3-down {
			to(rate, next(waits+1, served, down))
		}
		if has := min(served, 3-down); has > 0 {
			to(float64(has), next(waits, served-1, down))
		}
		if down < 3 {
			to(fault*float64(3-down), next(waits, served, down+1))
		}
		if down > 0 {
			to(repair, next(waits, served, down-1))
		}
	})
}

// growing is the chain of customers who start with one of 3 members, and take up to 2 as they come: how many have one,
// how many have two, and how many wait, for whom there is room for 3.
func growing(rate float64) chainOf {
	settle := func(a, b, w int) string {
		for free := 3 - a - 2*b; free > 0; free = 3 - a - 2*b {
			switch {
			case w > 0 && free > 1:
				b, w = b+1, w-1
			case w > 0:
				a, w = a+1, w-1
			case a > 0:
				a, b = a-1, b+1
			default:
				return fmt.Sprintf("%d,%d,%d", a, b, w)
			}
		}
		return fmt.Sprintf("%d,%d,%d", a, b, w)
	}
	return explore("0,0,0", func(state string, to func(float64, string)) {
		a, b, w := levels(state)
		if next := settle(a, b, w+1); w < 3 {
			to(rate, next)
		}
		if a > 0 {
			to(float64(a), settle(a-1, b, w))
		}
		if b > 0 {
			to(2*float64(b), settle(a, b-1, w))
		}
	})
}

// sides is the chain of members 0 and 1 of group 0 and member 2 of group 1. Customers "a" take any of group 0, and "b"
// any member, of group 1 if they can. A state has who is served in group 0 and in group 1, and who waits, for whom
// there is room for 3.
func sides(rate [2]float64) chainOf {
	settle := func(zero, one, waits string) string {
		for i, kept0, kept1 := 0, false, false; i < len(waits); {
			c := waits[i : i+1]
			switch {
			case c == "b" && one == "" && !kept1:
				one = c
			case len(zero) < 2 && !kept0:
				zero += c
			default:
				kept0, kept1 = true, kept1 || c == "b"
				i++
				continue
			}
			waits = waits[:i] + waits[i+1:]
		}
		a, b := strings.Count(zero, "a"), strings.Count(zero, "b")
		return strings.Repeat("a", a) + strings.Repeat("b", b) + "," + one + "|" + waits
	}
	return explore(",|", func(state string, to func(float64, string)) {
		served, waits, _ := strings.Cut(state, "|")
		zero, one, _ := strings.Cut(served, ",")
		for i, c := range []string{"a", "b"} {
			if next := settle(zero, one, waits+c); waiting(next) <= 3 {
				to(rate[i], next)
			}
		}
		for i := range zero {
			to(1, settle(zero[:i]+zero[i+1:], one, waits))
		}
		if one != "" {
			to(1, settle(zero, "", waits))
		}
	})
}

func TestIntervalsOfPoolsCoverTheExactResultAtTheNominalRate(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	mmk := sized([2]float64{0.8, 0.5}, 1)
	breaks := faulty(1.2, 0.2, 0.5)
	grows := growing(1.5)
	two := sides([2]float64{1, 1})
	served := func(state string) float64 { return float64(strings.Index(state, "|")) }
	for name, c := range map[string]struct {
		yardOf
		exact map[string]float64
	}{
		"M/M/3/4 with 1 or 2 servers a customer": {yardOf{rules: PoolRules{Room: 4}, end: 1500,
			kinds: []kind{{0.8, 1, Need{Least: 1}}, {0.5, 1, Need{Least: 2}}}},
			map[string]float64{
				"P.InQueue":   mmk.mean(t, waiting),
				"P.InService": mmk.mean(t, served),
				"P.InUse": mmk.mean(t, func(s string) float64 {
					now, _, _ := strings.Cut(s, "|")
					return served(s) + float64(strings.Count(now, "2"))
				}),
			}},
		"M/M/3 with breakdowns and one crew": {yardOf{rules: PoolRules{Room: 5}, end: 2500, fault: 0.2, repair: 0.5,
			kinds: []kind{{1.2, 1, Need{}}}},
			map[string]float64{
				"P.InQueue":    breaks.mean(t, func(s string) float64 { waits, _, _ := levels(s); return float64(waits) }),
				"P.InService":  breaks.mean(t, func(s string) float64 { _, served, _ := levels(s); return float64(served) }),
				"P.OutOfOrder": breaks.mean(t, func(s string) float64 { _, _, down := levels(s); return float64(down) }),
				"P.InUse": breaks.mean(t, func(s string) float64 {
					_, served, down := levels(s)
					return float64(min(served, 3-down))
				}),
			}},
		"1 to 2 members as they come": {yardOf{rules: PoolRules{Room: 3}, end: 1500, perHand: true,
			kinds: []kind{{1.5, 1, Need{Most: 2, Collects: true}}}},
			map[string]float64{
				"P.InQueue":   grows.mean(t, func(s string) float64 { _, _, w := levels(s); return float64(w) }),
				"P.InService": grows.mean(t, func(s string) float64 { a, b, _ := levels(s); return float64(a + b) }),
				"P.InUse":     grows.mean(t, func(s string) float64 { a, b, _ := levels(s); return float64(a + 2*b) }),
			}},
		"two groups": {yardOf{rules: PoolRules{Groups: []int{2, 1}, Room: 3}, end: 1500,
			kinds: []kind{{1, 1, Need{Groups: GroupsOf(0)}}, {1, 1, Need{Prefer: GroupsOf(1)}}}},
			map[string]float64{
				"P.InQueue":        two.mean(t, waiting),
				"P.InService":      two.mean(t, func(s string) float64 { return served(s) - 1 }),
				"P.Member[2].Busy": two.mean(t, func(s string) float64 { return float64(strings.Count(s, ",b|")) }),
			}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, c.kinds)
			rosstest.Covers(t, 10, name, c.exact, c.run)
		})
	}
}
