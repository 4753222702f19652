// This file owns the model that the tests of the network use, the shapes, and the tests of right networks: a message
// alone takes the time that a formula gives; in loaded networks every message arrives, and all buffers are empty
// afterwards; and the loads of links. models/network has all schedulers.

package interconnect

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/stretchr/testify/require"
)

// host is a terminal that sends what its test asks for.
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
	return ross.Type[host]{
		Name: "host", Label: l.n.Label, Saving: ross.SaveByLog,
		Init: func(h *host, lp *ross.LP) { l.init(l.n, h, lp) },
		Event: ross.Events(Handlers(l.n, func(h *host) *NIC { return &h.NIC }, deliver),
			ross.On(func(h *host, lp *ross.LP, m *start) { h.Send(l.n, lp, int(m.To), int64(m.Bytes), 7) }),
			ross.On(func(h *host, lp *ross.LP, _ *tick) { l.tick(l.n, h, lp) })),
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

// uneven returns settings in which links of each class differ.
func uneven(r topology.Routing, g Granularity) Config {
	c := Defaults(r)
	c.Granularity = g
	c.Terminal = Link{Latency: 7, Bandwidth: 16, Buffer: 1 << 20}
	c.Links = [4]Link{
		topology.Local:  {Latency: 11, Bandwidth: 10, Buffer: 1 << 20},
		topology.Global: {Latency: 130, Bandwidth: 25, Buffer: 1 << 20},
		topology.Up:     {Latency: 17, Bandwidth: 8, Buffer: 1 << 20},
		topology.Down:   {Latency: 19, Bandwidth: 32, Buffer: 1 << 20},
	}
	return c
}

// formula returns the time of a message of that number of flits: each link takes its latency and the time of
// a flit, each router its delay, and the slowest link the time of the other flits.
func formula(n *Network, from, to int, flits float64) (time float64, links int) {
	slowest := 0.0
	add := func(l Link) {
		flit := float64(n.FlitBytes) / l.Bandwidth
		time += l.Latency + flit
		slowest = max(slowest, flit)
		links++
	}
	add(n.Terminal)
	at, end := n.RouterOf(from), n.RouterOf(to)
	p := n.Routing.Start(at, end, 0)
	for {
		time += n.Delay
		port, _, ok := n.Routing.Next(at, &p)
		if !ok {
			break
		}
		next, _, class := n.net.Link(at, port)
		add(n.Links[class])
		at = next
	}
	add(n.Terminal)
	return time + (flits-1)*slowest, links
}

func TestAMessageAloneTakesTheTimeOfTheFormula(t *testing.T) {
	testlevel.Once(t, "what the network does")
	for name, shape := range shapes() {
		for _, g := range allGranularities {
			n := network(t, uneven(topology.NewMinimal(shape), g))
			const each = 1e5 // ns between messages: they never meet
			ends := n.Terminals()
			sizes := []int32{0, 1, 32, 33, 512}
			if g == Messages {
				sizes = append(sizes, 100_000)
			}
			var want []float64
			var hops uint64
			l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
				from := n.TerminalOf(lp.ID())
				for i, size := range sizes {
					to := (from*7 + i*5) % ends
					ross.Send(lp, lp.ID(), float64(1+i*ends+from)*each, start{int32(to), size})
				}
			}}
			var times []float64
			l.deliver = func(h *host, _ *ross.LP, m Message) { times = append(times, h.Time) }
			sim := l.play(t, config(float64(len(sizes)*ends+2)*each))
			for i, size := range sizes {
				for from := range ends {
					w, links := formula(n, from, (from*7+i*5)%ends, max(1, float64((size+31)/32)))
					want = append(want, w)
					hops += uint64(links)
				}
			}
			require.InEpsilonSlice(t, want, times, 1e-9, "%s, %v", name, g)
			total, err := ross.Reduce(sim, func(_ *ross.LP, h *host) uint64 { return h.Hops },
				func(a, b uint64) uint64 { return a + b })
			require.NoError(t, err)
			require.Equal(t, hops, total)
			require.NoError(t, sim.Close())
		}
	}
}

// burst has each terminal send many messages of random sizes to random terminals at once, in each
// of several rounds.
func burst(n *Network, messages, rounds int) *load {
	send := func(n *Network, h *host, lp *ross.LP) {
		for range messages {
			to := lp.RNG().Integer(0, int64(n.Terminals())-1)
			h.Send(n, lp, int(to), lp.RNG().Integer(0, 1500), uint64(to))
		}
	}
	return &load{
		n: n,
		init: func(_ *Network, _ *host, lp *ross.LP) {
			for i := range rounds {
				ross.Send(lp, lp.ID(), 1+float64(i)*lp.RNG().Exponential(300), tick{})
			}
		},
		tick: send,
		deliver: func(_ *host, lp *ross.LP, m Message) {
			if int(m.Tag) != m.To || n.LP(m.To) != lp.ID() {
				lp.Fail(fmt.Errorf("message for %d at %v: %w", m.To, lp.ID(), ross.ErrModel))
			}
		},
	}
}

// tight returns settings with the least buffers.
func tight(r topology.Routing, g Granularity) Config {
	c := Defaults(r)
	c.Granularity, c.PacketBytes, c.Output = g, 128, 0
	least := 128
	if g == Flits {
		least = 32
	}
	c.Terminal.Buffer = least
	for class := range c.Links {
		c.Links[class].Buffer = least
	}
	return c
}

// routings returns the routings of a shape, and whether they are adaptive.
func routings(t *testing.T, shape topology.Network) map[string]Config {
	all := map[string]Config{"minimal": {Routing: topology.NewMinimal(shape)}}
	if v, err := topology.NewValiant(shape); err == nil {
		all["Valiant"] = Config{Routing: v}
		all["adaptive"] = Config{Routing: v, Adaptive: true}
	}
	return all
}

// TestEveryMessageArrives loads each network with each routing far beyond what it carries, with the least
// buffers: a deadlock would keep messages in the network, and a lost credit a buffer.
func TestEveryMessageArrives(t *testing.T) {
	testlevel.Once(t, "what the network does")
	for name, shape := range shapes() {
		for routing, r := range routings(t, shape) {
			for _, g := range allGranularities {
				c := tight(r.Routing, g)
				c.Adaptive = r.Adaptive
				n := network(t, c)
				sim := burst(n, 12, 1).play(t, config(math.Inf(1)))
				got, err := ross.Reduce(sim, func(_ *ross.LP, h *host) uint64 { return h.Got },
					func(a, b uint64) uint64 { return a + b })
				require.NoError(t, err)
				require.EqualValues(t, 12*n.Terminals(), got, "%s, %s, %v", name, routing, g)
				requireEmpty(t, sim, n)
				require.NoError(t, sim.Close())
			}
		}
	}
}

// requireEmpty requires that nothing is left in the network.
func requireEmpty(t *testing.T, sim *ross.Simulation, n *Network) {
	t.Helper()
	left, err := ross.Gather(sim, func(lp *ross.LP, r *router) string {
		text := ""
		if r.Held.Len() > 0 {
			text = fmt.Sprint(r.Held.Len(), " packets;")
		}
		for i, x := range r.Inputs.Of(lp) {
			if x != (input{}) {
				text += fmt.Sprintf(" input %d %+v", i, x)
			}
		}
		links := n.net.Ports(int(lp.ID()))
		for i, o := range r.Outputs.Of(lp) {
			room := int32(math.MaxInt32)
			if port := i / int(n.channels); port < links {
				_, _, class := n.net.Link(int(lp.ID()), port)
				room = n.kinds[class].buffer
			}
			if o != (output{Room: room}) {
				text += fmt.Sprintf(" output %d %+v", i, o)
			}
		}
		return text
	})
	require.NoError(t, err)
	for at, text := range left {
		require.Empty(t, text, "router %d", at)
	}
	ends, err := ross.Gather(sim, func(_ *ross.LP, h *host) [2]int32 {
		return [2]int32{h.Used + h.Gone, int32(h.Waiting() + h.parts.Len())}
	})
	require.NoError(t, err)
	for at, end := range ends {
		require.Zero(t, end, "terminal %d", at)
	}
}

func TestMessagesForNobodyAreErrors(t *testing.T) {
	n := network(t, Defaults(topology.NewMinimal(shapes()["mesh"])))
	for _, bad := range []start{{-1, 1}, {12, 1}, {3, -1}} {
		l := load{n: n, init: func(_ *Network, _ *host, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, bad) }}
		cfg := config(100)
		n.Place(&cfg)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(n.Router(), l.host()))
		err = sim.Run(context.Background())
		require.ErrorIs(t, err, ross.ErrModel)
		require.ErrorContains(t, err, fmt.Sprintf("%d bytes to terminal %d: there are 12", bad.Bytes, bad.To))
		require.NoError(t, sim.Close())
	}
}

func TestLoadsAreThoseOfTheLinksThatWereUsed(t *testing.T) {
	ring := must(topology.NewTorus([]int{5}, 1))
	for _, g := range allGranularities {
		n := network(t, uneven(topology.NewMinimal(ring), g))
		l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
			if n.TerminalOf(lp.ID()) == 0 {
				ross.Send(lp, lp.ID(), 1, start{2, 320}) // 10 flits, by way of router 1
			}
		}}
		sim := l.play(t, config(1e4))
		loads, err := n.Loads(sim, 1000)
		require.NoError(t, err)
		for router := range 5 {
			for port := range 3 {
				want := 0.0
				switch [2]int{router, port} {
				case [2]int{0, 1}, [2]int{1, 1}:
					want = 10 * 32 / 10. / 1000
				case [2]int{2, 2}: // to the terminal
					want = 10 * 32 / 16. / 1000
				}
				require.InDelta(t, want, loads.Of(router, port), 1e-7, "%v: router %d, port %d", g, router, port)
			}
		}
		var text, csv strings.Builder
		require.NoError(t, loads.WriteText(&text))
		require.Regexp(t, `(?m)^local +10 +0\.0064 +0\.0320  router 0, port 1$`, text.String())
		require.Regexp(t, `(?m)^terminal +5 +0\.0040 +0\.0200  router 2, port 2$`, text.String())
		require.NotContains(t, text.String(), "global")
		require.NoError(t, loads.WriteCSV(&csv))
		require.Equal(t, 1+5*3, strings.Count(csv.String(), "\n"))
		require.Contains(t, csv.String(), "\n1,1,local,2,0.032\n")
		require.Contains(t, csv.String(), "\n2,2,terminal,2,0.02\n")
		for _, until := range []float64{0, -1, math.Inf(1), math.NaN()} {
			_, err := n.Loads(sim, until)
			require.ErrorIs(t, err, ErrConfig)
		}
		require.NoError(t, sim.Close())
	}
}

// TestHeatMapShowsTheGreatestLoads has more routers and ports than the map has lines and columns.
func TestHeatMapShowsTheGreatestLoads(t *testing.T) {
	l := Loads{ports: make([][]float32, 70)}
	for r := range l.ports {
		l.ports[r] = make([]float32, 100)
	}
	l.ports[4][7], l.ports[69][99], l.ports[69][0] = 0.55, 1, 0.1
	var text strings.Builder
	l.heatMap(&text)
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	require.Contains(t, lines[0], "a line for every 3 routers, a column for every 2 ports")
	require.Len(t, lines, 3+24)
	for i, line := range lines[3:] {
		want := strings.Repeat(" ", 50)
		switch i {
		case 1:
			want = want[:3] + "+" + want[4:]
		case 23:
			want = "." + want[1:49] + "@"
		}
		require.Equal(t, fmt.Sprintf("%7d |%s|", 3*i, want), line)
	}
}
