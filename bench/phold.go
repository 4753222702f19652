// PHOLD in the sequential scheduler, on a plain heap, and its floor: the cost of the model alone.

package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/rng"
)

// Phold is one cell of the PHOLD table.
type Phold struct {
	Impl   string // c, go: the engine with that event queue; std: container/heap; floor: no queue
	LPs    int
	Events int // pending for each LP
}

func (p Phold) String() string {
	return fmt.Sprintf("impl=%s/pending=%d/lps=%d", p.Impl, p.LPs*p.Events, p.LPs)
}

// Parameters of all cells.
const (
	pholdRemote    = 0.1
	pholdLookahead = 0.1
	pholdMean      = 1.0
)

// Lookahead is the least delay of the events of all models that TimeWarp and Sizes have, whose mean delay is 1.
const Lookahead = pholdLookahead

type pholdState struct{ _ int64 }
type pholdMsg struct{ _ int64 }

func (p Phold) model() ross.Type[pholdState] {
	last := int64(p.LPs) - 1
	return ross.Type[pholdState]{
		Name:       "phold",
		NeverStops: true,
		Init: func(_ *pholdState, lp *ross.LP) {
			for range p.Events {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead, pholdMsg{})
			}
		},
		Event: ross.On(func(_ *pholdState, lp *ross.LP, _ *pholdMsg) {
			dst := lp.ID()
			if lp.RNG().Unif() <= pholdRemote {
				dst = ross.LPID(lp.RNG().Integer(0, last))
			}
			ross.Send(lp, dst, lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead, pholdMsg{})
		}),
	}
}

// Run measures one event, in runs of at least b.N of them.
func (p Phold) Run(b *testing.B) {
	switch p.Impl {
	case "floor":
		p.floor(b)
		return
	case "std":
		p.std(b)
		return
	}
	cfg := ross.DefaultConfig()
	cfg.NLP = int(p.LPs)
	cfg.Tuning.PQ = map[string]ross.Implementation{"c": ross.InC, "go": ross.InGo}[p.Impl]
	run(b, cfg, p.LPs*p.Events, p.model())
}

// floorLP is the part of an LP that a handler of PHOLD touches, the two cache lines of an LP
// in the engine.
type floorLP struct {
	now   float64
	core  rng.CLCG4
	state *pholdState
	count uint64
	_     [2]uint64
	rng   rng.Stream
	_     [2]uint64
}

// It compiles only if the LPs of the floor are as large as those of the engine.
var _ = [1]struct{}{}[unsafe.Sizeof(floorLP{})-unsafe.Sizeof(ross.LP{})]

func (p Phold) floorLPs() []floorLP {
	models, cores := rng.NewSeeder(rng.DefaultSeeds), rng.NewSeeder(rng.DefaultCoreSeeds)
	lps := make([]floorLP, p.LPs)
	states := make([]pholdState, p.LPs)
	for i := range lps {
		lps[i].rng, lps[i].core, lps[i].state = models.Stream(uint64(i)), cores.CLCG4(uint64(p.LPs+i)), &states[i]
	}
	return lps
}

// floor runs PHOLD's handler, with the draws that the handler and its Send make,
// on LPs in random order: no events, no queue, no order.
func (p Phold) floor(b *testing.B) {
	lps := p.floorLPs()
	order := make([]uint32, max(1<<16, 2*p.LPs))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range order {
		order[i] = uint32(r.IntN(p.LPs))
	}
	var sum float64
	i := 0
	for b.Loop() {
		lp := &lps[order[i]]
		if i++; i == len(order) {
			i = 0
		}
		sum += floorHandler(lp, int64(p.LPs)-1)
	}
	if sum == 0 {
		b.Fatal("no draws")
	}
}

//go:noinline
func floorHandler(lp *floorLP, last int64) float64 {
	dst := int64(0)
	if lp.rng.Unif() <= pholdRemote {
		dst = lp.rng.Integer(0, last)
	}
	delay := lp.rng.Exponential(pholdMean-pholdLookahead) + pholdLookahead
	tie := lp.core.Unif()
	lp.now += delay
	lp.count++
	return lp.now + tie + float64(dst)
}

// std runs PHOLD as a small simulator in Go does: the LPs of the floor, and one container/heap of
// keys that hold time, tie-breaker and destination. It has no messages, checks, or statistics.
func (p Phold) std(b *testing.B) {
	lps, last := p.floorLPs(), int64(p.LPs)-1
	q := &stdHeap{}
	send := func(lp *floorLP, dst int64) {
		lp.now += lp.rng.Exponential(pholdMean-pholdLookahead) + pholdLookahead
		tie := uint64(lp.core.Unif() * (1 << 32))
		q.push(event.Key{TS: math.Float64bits(lp.now), Lo: tie<<32 | uint64(dst)})
	}
	for i := range lps {
		for range p.Events {
			lps[i].now = 0
			send(&lps[i], int64(i))
		}
	}
	step := func() {
		k := q.pop()
		dst := int64(uint32(k.Lo))
		lp := &lps[dst]
		lp.now = k.Time()
		lp.count++
		if lp.rng.Unif() <= pholdRemote {
			dst = lp.rng.Integer(0, last)
		}
		send(lp, dst)
	}
	for range 3 * p.LPs * p.Events {
		step()
	}
	for b.Loop() {
		step()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mev/s")
}
