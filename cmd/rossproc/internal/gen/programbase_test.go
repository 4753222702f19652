package gen

// This file owns what all random programs share.

import "fmt"

// The numbers of LPs of both types.
const (
	lpsA = 3
	lpsB = 2
)

// base is the source of what all random programs share.
var base = fmt.Sprintf(`
// Base is the state of each type of LP, without its processes.
type Base struct {
	Desks     [5]proc.Servers
	Bench     proc.Servers
	Bell      proc.Signal
	Door      proc.Signal
	Shelf     proc.Store[Item]
	Tank      proc.Level
	Tools     proc.Level
	Box       proc.Mailbox[Letter]
	Seed, Log uint64
	Steps, N  int
	Pids      [4]proc.PID
	Last      proc.PID
	Napping   proc.Ref
}

type (
	Item struct {
		N     int
		Small int8
	}
	Letter struct{ N, From int }
	Order  struct{ N, Fuel int }
	pair   struct {
		A int8
		B int
	}
	both struct {
		Fuel int8
		A    int
	}
)

const (
	lpsA = %d
	lpsB = %d
	lps  = lpsA + lpsB
)
`, lpsA, lpsB) + `
func (w *Base) open(lp *ross.LP) {
	w.N, w.Seed = int(lp.ID()), uint64(lp.ID())*77+5
	w.Desks[0].Open(lp, resource.Rules{Servers: 1})
	w.Desks[1].Open(lp, resource.Rules{Servers: 2})
	w.Desks[2].Open(lp, resource.Rules{Servers: 1, Order: resource.ByPriority})
	w.Desks[3].Open(lp, resource.Rules{Servers: 1, Order: resource.LIFO, Room: 2})
	w.Desks[4].OpenBatches(lp, resource.Rules{Servers: 1, Batch: 3, BatchMin: 2}, 1.5)
	w.Bench.Open(lp, resource.Rules{Servers: 2, Order: resource.Preemptive})
	w.Shelf.Open(lp, resource.Limits{Capacity: 2})
	w.Tank.Open(lp, resource.LevelRules{Capacity: 10, Amount: 5})
	w.Tools.Open(lp, resource.LevelRules{Capacity: 4, Amount: 4})
}

// Draw returns a number below n.
func (w *Base) Draw(n int) int {
	w.Seed = w.Seed*6364136223846793005 + 1442695040888963407
	return int(w.Seed>>33) % n
}

// Desk returns the number of a desk that any process may ask.
func (w *Base) Desk() int { return open[w.Draw(len(open))] }

var open = [...]int{0, 1, 4}

// Delay returns a virtual time that no other is equal to.
func (w *Base) Delay(a int) float64 {
	return 0.05 + float64(mod(a, 2)) + float64(w.Draw(1<<30))/(1<<30)
}

func mod(a, b int) int {
	b = 1 + b&7
	return (a%b + b) % b
}

func third(a int) int { return (a%3 + 3) % 3 }

func small(a int) int8 { return int8(a) }

func amount(a int) float64 { return float64(1 + mod(a, 3)) }

func step(int) int { return 1 }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func set(at *int, n int) int {
	*at = n
	return n
}

// Note mixes a number into the log.
func (w *Base) Note(p *proc.Self, x int) {
	w.Log = (w.Log ^ uint64(x) ^ math.Float64bits(p.Now())) * 0x9e3779b97f4a7c15
	w.Steps++
	if tracing {
		println(w.N, math.Float64bits(p.Now()), x)
	}
}

// Say returns what it notes.
func (w *Base) Say(p *proc.Self, x int) int {
	w.Note(p, x)
	return x
}

// Nap waits until somebody resumes it, or a time is over, and is what a model adds to what processes wait for.
func (w *Base) Nap(p *proc.Self, d float64) int {
	if !w.BeginNap(p, d) {
		p.Suspend()
	}
	defer p.Continue()
	return w.EndNap(p)
}

func (w *Base) BeginNap(p *proc.Self, d float64) bool {
	w.Napping = p.WaitTill(d)
	return false
}

func (w *Base) EndNap(p *proc.Self) int {
	if v, ok := p.Value(); ok {
		return int(v)
	}
	return -1
}
`
