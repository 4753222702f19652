// This file owns the graphs and the model.

package partition

import (
	"math/rand/v2"
	"slices"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/mapping/partition"
	"github.com/ross-go/ross/models/network/topology"
)

// mean is that of the delays of events, which are exponential apart from the lookahead, a part of it.
const mean = 1.0

// phold is PHOLD on a graph: of each event, the LP sends one to one of its neighbours.
type phold struct {
	first  []uint32 // by LP: where its neighbours begin in to
	to     []uint32
	ahead  []float64 // like to: the lookahead
	events int       // pending for each LP
}

// newPHOLD returns the model on the routers of a network, whose local and global links have the given
// lookaheads. With a seed other than 0 the ids of the LPs are a random permutation of the numbers of the
// routers.
func newPHOLD(net topology.Network, events int, local, global float64, seed uint64) *phold {
	n := net.Routers()
	id := make([]int, n)
	for r := range id {
		id[r] = r
	}
	if seed != 0 {
		id = rand.New(rand.NewPCG(seed, 0)).Perm(n)
	}
	router := make([]int, n)
	for r, lp := range id {
		router[lp] = r
	}
	p := &phold{first: make([]uint32, 1, n+1), events: events}
	for _, r := range router {
		for port := range net.Ports(r) {
			other, _, class := net.Link(r, port)
			p.to = append(p.to, uint32(id[other]))
			p.ahead = append(p.ahead, map[topology.Class]float64{topology.Local: local, topology.Global: global}[class])
		}
		p.first = append(p.first, uint32(len(p.to)))
	}
	return p
}

// graph returns the graph of the model, with an event for each link: as all LPs have the same number
// of neighbours, all links carry the same number of events.
func (p *phold) graph() (*partition.Graph, error) {
	return partition.FromLinks(p.lps(), nil, func(yield func(partition.Link) bool) {
		for lp := range p.lps() {
			for i := p.first[lp]; i < p.first[lp+1]; i++ {
				if !yield(partition.Link{A: lp, B: uint64(p.to[i]), Events: 1, Lookahead: p.ahead[i]}) {
					return
				}
			}
		}
	})
}

func (p *phold) lps() uint64 { return uint64(len(p.first) - 1) }

type (
	state   struct{ _ int64 }
	message struct{ _ int64 }
)

// model returns the LP type. There is nothing to undo.
func (p *phold) model() ross.Type[state] {
	send := func(lp *ross.LP) {
		first, end := int64(p.first[lp.ID()]), int64(p.first[lp.ID()+1])
		i := lp.RNG().Integer(first, end-1)
		ross.Send(lp, ross.LPID(p.to[i]), lp.RNG().Exponential(mean-p.ahead[i])+p.ahead[i], message{})
	}
	return ross.Type[state]{
		Name:       "phold",
		NeverStops: true,
		Init: func(_ *state, lp *ross.LP) {
			for range p.events {
				send(lp)
			}
		},
		Event: ross.On(func(_ *state, lp *ross.LP, _ *message) { send(lp) }).Reverse(func(*state, *ross.LP, *message) {}),
	}
}

// config returns the configuration of a run of about that number of events with a mapping: linear, round,
// partition, or kept, which is partition with all global links, and no others, between the PEs. A
// conservative run has the lookahead that the mapping allows.
func (p *phold) config(how string, synch ross.Scheduler, pes uint64, events int) (ross.Config, error) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.LPs = synch, int(pes), int(p.lps())
	cfg.Tuning.FixedKPs = true // mappings are compared as they are
	cfg.End = mean * float64(events) / float64(int(p.lps())*p.events)
	g, err := p.graph()
	if err != nil {
		return cfg, err
	}
	switch how {
	case "linear", "round":
		cfg.Mapping = map[string]mapping.Kind{"linear": mapping.Linear, "round": mapping.RoundRobin}[how]
	default:
		o := partition.Options{}
		if how == "kept" {
			o.KeepBelow = slices.Max(p.ahead)
		}
		cfg.Mapping = g.Mapping(o)
	}
	m, err := cfg.Mapping.Map(mapping.Shape{PEs: pes, LPs: p.lps(), KPs: uint64(cfg.NKP)})
	if err != nil {
		return cfg, err
	}
	q, err := g.Quality(m)
	cfg.ConsLookahead = q.Lookahead
	return cfg, err
}
