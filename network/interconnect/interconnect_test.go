// This file owns the model that the tests of the network use, and the shapes.

package interconnect

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/network/topology"
)

// host is a terminal that sends what its test says.
type host struct {
	NIC
	Got   uint64
	Bytes uint64
	Hops  uint64
	Time  float64 // of the last message, from Send to now
	Sum   float64
}

// start is the message by which a host sends.
type start struct {
	To    int32
	Bytes int32
}

type load struct {
	n       *Network
	init    func(n *Network, h *host, lp *ross.LP)
	deliver func(h *host, lp *ross.LP, m Message)
	tick    func(n *Network, h *host, lp *ross.LP)
}

type tick struct{}

func (l *load) host() ross.LPType {
	deliver := func(h *host, lp *ross.LP, m Message) {
		ross.Write(lp, &h.Got)
		ross.Write(lp, &h.Bytes)
		ross.Write(lp, &h.Time)
		ross.Write(lp, &h.Sum)
		ross.Write(lp, &h.Hops)
		h.Got++
		h.Bytes += uint64(m.Bytes)
		h.Hops += uint64(m.Hops)
		h.Time = lp.Now() - m.Sent
		h.Sum += h.Time
		if l.deliver != nil {
			l.deliver(h, lp, m)
		}
	}
	return ross.Type[host, ross.None]{
		Name: "host", Label: l.n.Label, Saving: ross.SaveByLog,
		Init: func(h *host, lp *ross.LP) { l.init(l.n, h, lp) },
		On: append(Handlers(l.n, func(h *host) *NIC { return &h.NIC }, deliver),
			ross.On(func(h *host, lp *ross.LP, _ *ross.None, m *start) { h.Send(l.n, lp, int(m.To), int64(m.Bytes), 7) }),
			ross.On(func(h *host, lp *ross.LP, _ *ross.None, _ *tick) { l.tick(l.n, h, lp) })),
	}
}

// config returns settings of a run that prints nothing.
func config(end float64) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.End, cfg.Output = end, discard{}
	cfg.Digest = true
	return cfg
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// play runs a network and returns the simulation.
func (l *load) play(t testing.TB, cfg ross.Config) *ross.Simulation {
	t.Helper()
	l.n.Place(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { sim.Close() })
	require.NoError(t, sim.Define(l.n.Router(), l.host()))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

func network(t testing.TB, c Config) *Network {
	t.Helper()
	n, err := New(c)
	require.NoError(t, err)
	return n
}

func must[N any](n N, err error) N {
	if err != nil {
		panic(err)
	}
	return n
}

// shapes are networks of all kinds.
func shapes() map[string]topology.Network {
	return map[string]topology.Network{
		"torus":     must(topology.NewTorus([]int{4, 3, 2}, 2)),
		"mesh":      must(topology.NewMesh([]int{3, 4}, 1)),
		"hypercube": must(topology.NewHypercube(4, 1)),
		"dragonfly": must(topology.NewDragonfly(4, 2, 2)),
		"plus":      must(topology.NewDragonflyPlus(3, 2, 2, 2, 5)),
		"tree":      must(topology.NewTree(3, 3)),
		"fat tree":  must(topology.NewFatTree(4, 3)),
		"slim fly":  must(topology.NewSlimFly(5, 2)),
	}
}

// allGranularities are all of them.
var allGranularities = []Granularity{Messages, Packets, Flits}
