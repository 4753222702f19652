// Jobs that cannot go on differ from those that a longer run would end, and their errors state who waits for what.
// Saturation agrees with closed forms and the loads of channels, and with what is known of dragonflies.

package workload

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/rng"
	"github.com/stretchr/testify/require"
)

// list is a program of lists of operations.
type list [][]Op

func (l list) Ranks() int { return len(l) }

func (l list) Op(rank, index int) (Op, bool) {
	if index >= len(l[rank]) {
		return Op{}, false
	}
	return l[rank][index], true
}

// without is a program in which a rank takes no part.
type without struct {
	Program
	rank int
}

func (w without) Op(rank, index int) (Op, bool) {
	if rank == w.rank {
		return Op{}, false
	}
	return w.Program.Op(rank, index)
}

// narrow is a routing with one virtual channel, so that rings are not free of deadlock.
type narrow struct{ topology.Routing }

func (narrow) Channels() int { return 1 }

func (n narrow) Next(at int, p *topology.Packet) (port, channel int, ok bool) {
	port, _, ok = n.Routing.Next(at, p)
	return port, 0, ok
}

// ringOf returns settings of a ring of routers with a terminal each.
func ringOf(n int) interconnect.Config {
	return interconnect.Defaults(topology.NewMinimal(must(topology.NewTorus([]int{n}, 1))))
}

// jam returns settings of a ring whose packets get into a deadlock when all terminals send to ones far away.
func jam(g interconnect.Granularity) interconnect.Config {
	c := interconnect.Defaults(narrow{topology.NewMinimal(must(topology.NewTorus([]int{8}, 1)))})
	c.Granularity, c.Output = g, 0
	for class := range c.Links {
		c.Links[class].Buffer = c.PacketBytes
	}
	return c
}

// layouts are ways of running that must not matter.
var layouts = []struct {
	synch ross.Scheduler
	pes   int
}{{ross.Sequential, 1}, {ross.Optimistic, 3}, {ross.Conservative, 2}}

// outcome returns results as text, and the text of the error, which must be ErrStuck if there is one. All
// schedulers must agree about them.
func outcome(t *testing.T, c interconnect.Config, end float64, jobs ...Job) (
	results []Result, text string, stuck error) {
	t.Helper()
	for i, l := range testlevel.Pick(layouts, layouts[1:2], layouts[1:2]) {
		cfg := ross.DefaultConfig()
		cfg.End, cfg.Synch, cfg.PEs = end, l.synch, l.pes
		n := must(interconnect.New(c))
		w := must(New(n, jobs, Contiguous, 0))
		sim := simulate(t, n, w, cfg)
		got, err := w.Results(sim)
		require.NoError(t, sim.Close())
		if err != nil {
			require.ErrorIs(t, err, ErrStuck)
		}
		var b strings.Builder
		require.NoError(t, WriteResults(&b, got))
		if i == 0 {
			results, text, stuck = got, b.String(), err
			continue
		}
		require.Equal(t, text, b.String(), "%v", l)
		require.Equal(t, fmt.Sprint(stuck), fmt.Sprint(err), "%v", l)
	}
	return results, text, stuck
}

func TestProgramsThatWaitForEverSayWhoWaitsForWhat(t *testing.T) {
	trace := func(ops string) Program { return must(ReadTrace(strings.NewReader(ops))) }
	recv := func(peer int32, tag uint32) Op { return Op{Kind: Receive, Peer: peer, Tag: tag} }
	for _, x := range []struct {
		program Program
		running int
		want    string
	}{
		{trace("ranks 2\n0 recv 1\n1 recv 0 5\n1 send 0 1\n0 send 1 1 5\n"), 2,
			"2 of 2 ranks of job wait for messages, and no message is on its way: rank 0 waits for rank 1 (tag 0), rank 1 waits for rank 0 (tag 5): they wait for one another"},
		{trace("ranks 6\n1 compute 100\n" + strings.Repeat("0 send 1 9\n1 recv 0\n", 3) +
			"1 recv 2\n2 recv 3\n3 recv 4\n4 recv 5\n5 recv 1\n0 recv 1\n2 send 1 1\n3 send 2 1\n4 send 3 1\n5 send 4 1\n1 send 5 1\n1 send 0 1\n"), 6,
			"6 of 6 ranks of job wait for messages, and no message is on its way: rank 1 waits for rank 2 (tag 0), rank 2 waits for rank 3 (tag 0), rank 3 waits for rank 4 (tag 0), rank 4 waits for rank 5 (tag 0), and so on: they wait for one another"},
		{trace("ranks 2\n0 compute 10\n1 recv 1\n1 send 1 7\n"), 1,
			"1 of 2 ranks of job wait for messages, and no message is on its way: rank 1 waits for rank 1 (tag 0): for itself"},
		{list{{recv(2, 7)}, {recv(0, 3)}, nil}, 2,
			"2 of 3 ranks of job wait for messages, and no message is on its way: rank 0 waits for rank 2 (tag 7), which has ended: a receive without its send"},
		{without{must(Barrier(8, Rounds{Count: 1})), 3}, 7,
			"7 of 8 ranks of job wait for messages, and no message is on its way: rank 4 waits for rank 3 (tag 0), which has ended: a receive without its send"},
		// Rank 2 computes, but those who wait for one another do so in any case.
		{list{{recv(1, 0)}, {recv(0, 0)}, {{Kind: Compute, Time: 1e12}}}, 3,
			"2 of 3 ranks of job wait for messages, and no message is on its way: rank 0 waits for rank 1 (tag 0), rank 1 waits"},
	} {
		for _, end := range []float64{1e6, math.Inf(1)} {
			got, text, stuck := outcome(t, ringOf(8), end, Job{Name: "job", Ranks: x.program.Ranks(), Program: x.program})
			running := x.running
			if running == 3 && math.IsInf(end, 1) {
				running = 2 // the one that computes ends
			}
			require.ErrorContains(t, stuck, x.want)
			require.Equal(t, "workload: stuck: "+got[0].Stuck, stuck.Error())
			require.Equal(t, running, got[0].Running)
			require.True(t, math.IsNaN(got[0].End))
			require.Contains(t, text, fmt.Sprintf("%d stuck", running))
			require.Contains(t, text, "A longer run is of no use: "+got[0].Stuck)
		}
	}
}

func TestProgramsThatALongerRunEndsAreNotStuck(t *testing.T) {
	testlevel.Once(t, "what the jobs do")
	job := Job{Name: "job", Ranks: 8, Program: must(AllToAll(8, 700, Rounds{Count: 3, Compute: 100}))}
	whole, text, stuck := outcome(t, ringOf(8), math.Inf(1), job)
	require.NoError(t, stuck)
	require.NotContains(t, text, "had not ended")
	d := testrand.New(t)
	for range 5 {
		end := 1 + d.Float64()*(whole[0].End-1)
		got, text, stuck := outcome(t, ringOf(8), end, job)
		require.NoError(t, stuck)
		require.Positive(t, got[0].Running)
		require.Contains(t, text,
			fmt.Sprintf(
				"job had not ended at %g ns: %d of its 8 ranks ran, %d of them waited for messages, and %d messages were on their way: give the run a later end (Config.End, --end).", end, got[0].Running, got[0].Waiting, got[0].Coming))
	}
	// A rank that waits for one that computes, or has not begun, is not stuck either.
	late := list{{{Kind: Receive, Peer: 1}}, {{Kind: Compute, Time: 1e9}, {Kind: Send}}}
	got, _, stuck := outcome(t, ringOf(8), 1e6, Job{Name: "late", Ranks: 2, Program: late},
		Job{Name: "later", Ranks: 2, Program: late, Start: 1e7})
	require.NoError(t, stuck)
	require.Equal(t, [4]int{2, 1, 2, 0}, [4]int{got[0].Running, got[0].Waiting, got[1].Running, got[1].Waiting})
}

// randomTrace returns operations in which each receive has its send, but in an order in which ranks may wait for
// ever.
func randomTrace(d *rand.Rand, ranks int) list {
	ops := make(list, ranks)
	put := func(rank int, op Op) {
		at := len(ops[rank])
		if op.Kind == Receive && d.IntN(3) == 0 { // too early, perhaps
			at = d.IntN(at + 1)
		}
		ops[rank] = append(ops[rank][:at], append([]Op{op}, ops[rank][at:]...)...)
	}
	for range 1 + d.IntN(4*ranks) {
		from, to, tag := d.IntN(ranks), d.IntN(ranks), uint32(d.IntN(2))
		if d.IntN(4) == 0 {
			put(from, Op{Kind: Compute, Time: d.Float64() * 1000})
		}
		put(from, Op{Kind: Send, Peer: int32(to), Tag: tag, Bytes: d.Int64N(3000)})
		if d.IntN(20) > 0 {
			put(to, Op{Kind: Receive, Peer: int32(from), Tag: tag})
		}
	}
	return ops
}

// play does operations in turn as long as any rank can, and returns how many ranks have not ended. What it
// finds does not depend on times, as messages always come.
func play(p Program) (running int) {
	open, next := map[channel]int{}, make([]int, p.Ranks())
	for going := true; going; {
		going, running = false, 0
		for rank := range next {
			op, ok := p.Op(rank, next[rank])
			if !ok {
				continue
			}
			running++
			switch op.Kind {
			case Send:
				open[channel{int32(rank), op.Peer, op.Tag}]++
			case Receive:
				c := channel{op.Peer, int32(rank), op.Tag}
				if open[c] == 0 {
					continue
				}
				open[c]--
			}
			next[rank]++
			going = true
		}
	}
	return running
}

// TestRandomProgramsAreStuckIfTheirOperationsAre compares runs with what the operations alone show, next to other
// traffic and without, and whenever the run is cut off.
func TestRandomProgramsAreStuckIfTheirOperationsAre(t *testing.T) {
	testlevel.Once(t, "what the programs do")
	d := testrand.New(t)
	uniform := Job{Name: "uniform", Ranks: 3, Pattern: must(NewPattern("uniform", PatternOptions{Ranks: 3})), Bytes: 512,
		Load: 0.05}
	ended, stuck := 0, 0
	for i := range 60 {
		p := randomTrace(d, 2+d.IntN(4))
		want := play(p)
		all := []Job{{Name: "job", Ranks: p.Ranks(), Program: p}}
		end := math.Inf(1)
		if i%2 == 0 {
			all, end = append(all, uniform), 60_000
		}
		run := func(end float64) (Result, error) {
			cfg, l := ross.DefaultConfig(), layouts[i%len(layouts)]
			cfg.End, cfg.Synch, cfg.PEs = end, l.synch, l.pes
			n := must(interconnect.New(ringOf(8)))
			w := must(New(n, all, Contiguous, 0))
			sim := simulate(t, n, w, cfg)
			defer sim.Close()
			got, err := w.Results(sim)
			require.Equal(t, err != nil, got[0].Stuck != "")
			return got[0], err
		}
		got, err := run(end)
		require.Equal(t, want, got.Running, "%v", p)
		require.Equal(t, want > 0, err != nil, "%v: %v", p, err)
		if want > 0 {
			stuck++
		} else {
			ended++
		}
		if cut, err := run(d.Float64() * 3000); err != nil {
			require.Positive(t, want, "%v: %v, %+v", p, err, cut)
		}
	}
	require.Greater(t, ended, 5)
	require.Greater(t, stuck, 5)
}

// TestDeadlocksOfTheNetworkAreErrors has jobs on a network that jams: a program, a pattern that goes on for
// ever, and one that is not concerned.
func TestDeadlocksOfTheNetworkAreErrors(t *testing.T) {
	testlevel.Once(t, "what the jobs do")
	all := Job{Name: "all", Ranks: 8, Program: must(AllToAll(8, 1<<13, Rounds{Count: 1}))}
	uniform := Job{Name: "uniform", Ranks: 8, Pattern: must(NewPattern("uniform", PatternOptions{Ranks: 8})), Bytes: 4096,
		Load: 1}
	for _, g := range []interconnect.Granularity{interconnect.Packets, interconnect.Flits} {
		for _, end := range []float64{1e6, math.Inf(1)} {
			got, text, stuck := outcome(t, jam(g), end, all)
			require.ErrorIs(t, stuck, interconnect.ErrDeadlock)
			require.Regexp(t,
				`^workload: stuck: 8 of 8 ranks of all wait for messages, and \d+ of its packets are in a deadlock of the network: rank 0 waits for rank \d \(tag \d+\): `+
					`interconnect: deadlock of the network: \d+ packets never go on, in the routers 0, 1, 2, 3, 4, 5, 6, 7, `+
					`because some of them wait for one another in a circle of virtual channels: router 0, port 1, channel 0; router 1, port 1, channel 0; .*; router 7, port 1, channel 0: give the routing other channels`, stuck.Error())
			require.Contains(t, text, "8 stuck")
			require.Positive(t, got[0].Coming)
		}
		got, text, stuck := outcome(t, jam(g), 3e4, uniform)
		require.ErrorIs(t, stuck, interconnect.ErrDeadlock)
		require.Regexp(t, `^\d+ packets of uniform are in a deadlock of the network$`, got[0].Stuck)
		require.Regexp(t, `(?m)^ *uniform .* stuck$`, text)

		free := jam(g)
		free.Routing = free.Routing.(narrow).Routing
		_, text, stuck = outcome(t, free, 1e6, all)
		require.NoError(t, stuck)
		require.NotContains(t, text, "had not ended")
	}
}

// TestAcceptedLoadIsOverTheTimeOfTheJob has several jobs that end, or begin, at times of their own.
func TestAcceptedLoadIsOverTheTimeOfTheJob(t *testing.T) {
	testlevel.Once(t, "what the jobs do")
	c := ringOf(8)
	alone := func(links, flits float64) float64 { return links*(10+1.28) + (links-1)*50 + (flits-1)*1.28 }
	ring := Job{Name: "ring", Ranks: 2, Start: 5000,
		Program: must(RingAllReduce(2, 2*320, Rounds{Count: 3, Compute: 1000}))}
	last := list{{{Kind: Send, Peer: 1, Bytes: 320}}, nil} // its message comes when both have ended
	wait := list{{{Kind: Receive, Peer: 1}}, {{Kind: Compute, Time: 700}, {Kind: Receive}}}
	short := list{{{Kind: Send, Peer: 1, Bytes: 320}, {Kind: Receive, Peer: 1}}, {{Kind: Receive}}}
	flow := Job{Name: "flow", Ranks: 2, Start: 4000, Pattern: must(NewPattern("uniform", PatternOptions{Ranks: 2})),
		Bytes: 512, Load: 0.3}
	jobs := []Job{ring, {Name: "last", Ranks: 2, Start: 100, Program: last},
		{Name: "wait", Ranks: 2, Start: 50, Program: wait}, flow}
	for _, end := range []float64{2e4, 1e5, 1e6} {
		got, _, stuck := outcome(t, c, end, jobs...)
		require.ErrorIs(t, stuck, ErrStuck)
		for i, want := range [][3]float64{
			{5000, 5000 + 3*(2*alone(3, 10)+1000), 3 * 2 * 2 * 320},
			{100, 100 + alone(3, 10), 320},
			{50, 50 + 700, 0},
			{4000, end, float64(got[3].Bytes)},
		} {
			require.InEpsilonSlice(t, want[:2], []float64{got[i].From, got[i].Until}, 1e-12, got[i].Job)
			require.EqualValues(t, want[2], got[i].Bytes, got[i].Job)
			require.InDelta(t, want[2]/((want[1]-want[0])*2*25), got[i].Accepted, 1e-12, got[i].Job)
		}
		require.InEpsilon(t, 0.3, got[3].Accepted, 0.2)
	}
	// A job that is stuck after a message, and one that is over before the statistics begin.
	got, _, _ := outcome(t, c, 1e6, Job{Name: "short", Ranks: 2, Program: short})
	require.InEpsilon(t, alone(3, 10), got[0].Until, 1e-12)
	require.InEpsilon(t, 320/(alone(3, 10)*2*25), got[0].Accepted, 1e-12)
	cfg := ross.DefaultConfig()
	cfg.End, cfg.WarmUp = 1e5, 5e4
	over := run(t, c, cfg, Job{Name: "over", Ranks: 2, Program: must(Barrier(2, Rounds{Count: 1}))})[0]
	require.Equal(t, [3]float64{5e4, 0, 0}, [3]float64{over.From, over.Accepted, float64(over.Messages)})
	require.InEpsilon(t, alone(3, 1), over.Until, 1e-12)
}

func TestOperationsAndPatternsThatAreNotPossibleAreErrors(t *testing.T) {
	op := func(o Op) Job { return Job{Name: "job", Ranks: 2, Program: list{nil, {{Kind: Compute}, o}}} }
	flow := func(to int) Job {
		return Job{Name: "job", Ranks: 2, Pattern: func(int, *rng.Stream) int { return to }, Bytes: 1, Load: 1}
	}
	for want, job := range map[string]Job{
		"rank 1, operation 1: has the kind 3: must be Compute, Send or Receive":    op(Op{Kind: 3}),
		"rank 1, operation 1: computes for NaN ns":                                 op(Op{Kind: Compute, Time: math.NaN()}),
		"rank 1, operation 1: computes for -1 ns":                                  op(Op{Kind: Compute, Time: -1}),
		"rank 1, operation 1: computes for +Inf ns: must be 0 or more, and finite": op(Op{Kind: Compute, Time: math.Inf(1)}),
		"rank 1, operation 1: send with rank 2: there are ranks 0 to 1":            op(Op{Kind: Send, Peer: 2}),
		"rank 1, operation 1: recv with rank -1: there are ranks 0 to 1":           op(Op{Kind: Receive, Peer: -1}),
		"rank 1, operation 1: sends -5 bytes: must be 0 or more":                   op(Op{Kind: Send, Bytes: -5}),
		"send to rank 2: its ranks are 0 to 1":                                     flow(2),
		"send to rank -1: its ranks are 0 to 1":                                    flow(-1),
	} {
		texts := map[string]bool{}
		for _, l := range testlevel.Pick(layouts, layouts[1:2], layouts[1:2]) {
			n := must(interconnect.New(ringOf(8)))
			w := must(New(n, []Job{job}, Contiguous, 0))
			cfg := ross.DefaultConfig()
			cfg.End, cfg.Synch, cfg.PEs, cfg.Output = 1e6, l.synch, l.pes, io.Discard
			n.Place(&cfg)
			sim := must(ross.New(cfg))
			require.NoError(t, sim.Define(n.Router(), w.Host()))
			err := sim.Run(context.Background())
			require.ErrorIs(t, err, ErrWorkload, want)
			var mistake *ross.ModelError
			require.ErrorAs(t, err, &mistake)
			require.Empty(t, mistake.Stack, "no panic")
			require.ErrorContains(t, err, want)
			texts[err.Error()] = true
			_ = sim.Close()
		}
		require.Len(t, texts, 1)
	}
}

// shifting is a ring whose links lead elsewhere once it has been checked.
type shifting struct {
	*topology.Torus
	shifted *bool
}

func (s shifting) Link(router, port int) (int, int, topology.Class) {
	other, otherPort, class := s.Torus.Link(router, port)
	if *s.shifted {
		other = (other + 2) % s.Routers()
	}
	return other, otherPort, class
}

// TestMessagesThatTheNetworkLosesAreToldOfWhenNoEventIsLeft has credits go to other routers than those that wait
// for them.
func TestMessagesThatTheNetworkLosesAreToldOfWhenNoEventIsLeft(t *testing.T) {
	testlevel.Once(t, "what the jobs do")
	shape := shifting{must(topology.NewTorus([]int{8}, 1)), new(bool)}
	c := interconnect.Defaults(topology.NewMinimal(shape))
	n := must(interconnect.New(c))
	w := must(
		New(n, []Job{{Name: "job", Ranks: 2, Program: list{{{Kind: Receive, Peer: 1}}, {{Kind: Send, Bytes: 1 << 16}}}}},
			RoundRobin, 0))
	*shape.shifted = true
	cfg := ross.DefaultConfig()
	cfg.End = math.Inf(1)
	sim := simulate(t, n, w, cfg)
	got, err := w.Results(sim)
	require.ErrorIs(t, err, ErrStuck)
	require.NotErrorIs(t, err, interconnect.ErrDeadlock)
	require.Equal(t,
		"1 of 2 ranks of job wait for messages, no event is left, and the network has lost 1: rank 0 waits for rank 1 (tag 0)", got[0].Stuck)
}

func must[N any](n N, err error) N {
	if err != nil {
		panic(err)
	}
	return n
}

// run runs jobs on a network and returns the results.
func run(t testing.TB, c interconnect.Config, cfg ross.Config, jobs ...Job) []Result {
	t.Helper()
	n := must(interconnect.New(c))
	w := must(New(n, jobs, Contiguous, 0))
	sim := simulate(t, n, w, cfg)
	defer sim.Close()
	results, err := w.Results(sim)
	require.NoError(t, err)
	return results
}

func simulate(t testing.TB, n *interconnect.Network, w *Workload, cfg ross.Config) *ross.Simulation {
	t.Helper()
	n.Place(&cfg)
	cfg.Output = io.Discard
	sim := must(ross.New(cfg))
	t.Cleanup(func() { sim.Close() })
	require.NoError(t, sim.Define(n.Router(), w.Host()))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// pattern returns a job of all terminals with a pattern.
func pattern(n topology.Network, name string, load float64) Job {
	ranks := topology.TotalTerminals(n)
	o := PatternOptions{Ranks: ranks, Group: ranks}
	if d, ok := n.(*topology.Dragonfly); ok {
		o.Group = ranks / d.Groups()
	}
	return Job{Name: name, Ranks: ranks, Pattern: must(NewPattern(name, o)), Bytes: 512, Load: load}
}

// steady returns the configuration of a run that measures the second half of some ns.
func steady(end float64) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.End, cfg.WarmUp = end, end/2
	return cfg
}

// channelBound returns the throughput, as a share of the terminals' bandwidth, at which the busiest channel
// is always in use when each terminal sends to all others alike: the reciprocal of the greatest channel
// load (Dally and Towles 2004, chapter 3).
func channelBound(n topology.Network) float64 {
	r := topology.NewMinimal(n)
	loads := map[[2]int]float64{}
	total := topology.TotalTerminals(n)
	for from := range n.Routers() {
		for to := range n.Routers() {
			pairs := float64(n.Terminals(from) * n.Terminals(to))
			at, p := from, r.Start(from, to, 0)
			for {
				port, _, ok := r.Next(at, &p)
				if !ok {
					break
				}
				loads[[2]int{at, port}] += pairs / float64(total-1)
				at, _, _ = n.Link(at, port)
			}
		}
	}
	greatest := 1.0 // that of the terminals
	for _, load := range loads {
		greatest = max(greatest, load)
	}
	return 1 / greatest
}

// TestThroughputOfUniformTrafficIsThatOfTheBusiestChannel offers more than networks can carry. What they
// carry is the closed form within 5 %.
func TestThroughputOfUniformTrafficIsThatOfTheBusiestChannel(t *testing.T) {
	testlevel.Once(t, "what the network does")
	others := func(n int) float64 { return float64(n) / float64(n-1) } // of n terminals, none sends to itself
	for _, c := range []struct {
		name   string
		net    topology.Network
		closed float64
	}{
		// A dimension of an odd length L has loads of (L^2-1)/8L for each terminal of a router.
		{"torus 9x9", must(topology.NewTorus([]int{9, 9}, 1)), 8 * 9 / 80. / others(81)},
		{"torus 5x5x5", must(topology.NewTorus([]int{5, 5, 5}, 2)), 8 * 5 / 24. / 2 / others(250)},
		// Of an even length, all packets that go half way round go up: (L+2)/8.
		{"torus 8x8", must(topology.NewTorus([]int{8, 8}, 1)), 8 / 10. / others(64)},
		// A link between two of a routers with p terminals and h global links carries what goes from the ones
		// to the others, to the groups of the second, and from the groups of the first: p*p*(1 + 2*a*h).
		{"dragonfly", must(topology.NewDragonfly(4, 2, 4)), 143 / (4 * 4 * (1 + 2*4*2.))},
	} {
		require.InDelta(t, c.closed, channelBound(c.net), 0.001, c.name)
		settings := interconnect.Defaults(topology.NewMinimal(c.net))
		settings.Output = 64 << 10
		for class := range settings.Links {
			settings.Links[class].Buffer = 64 << 10
		}
		got := run(t, settings, steady(24000), pattern(c.net, "uniform", min(1, 1.15*c.closed)))[0].Accepted
		t.Logf("%s: %.4f of %.4f", c.name, got, c.closed)
		require.Greater(t, got, 0.95*c.closed, c.name)
		require.Less(t, got, 1.02*c.closed, c.name)
	}
}

// TestDragonflyUnderAdversarialTraffic has each group send to the next one. Minimal routing is then limited
// by one link for all terminals of a group; random routing carries half of the bandwidth, and adaptive
// routing has the latency of the one at low load, and a throughput above the other's (Kim, Dally, Scott
// and Abts 2008).
func TestDragonflyUnderAdversarialTraffic(t *testing.T) {
	testlevel.Once(t, "what the network does")
	n := must(topology.NewDragonfly(4, 2, 2))
	v := must(topology.NewValiant(n))
	measure := func(r topology.Routing, adaptive bool, traffic string, load float64) Result {
		c := interconnect.Defaults(r)
		c.Adaptive = adaptive
		return run(t, c, steady(30000), pattern(n, traffic, load))[0]
	}
	minimal := topology.NewMinimal(n)
	const limit = 1 / (4 * 2.) // terminals of a group
	require.InEpsilon(t, limit, measure(minimal, false, "adversarial", 0.3).Accepted, 0.02)
	require.InEpsilon(t, 0.3, measure(v, false, "adversarial", 0.3).Accepted, 0.02)
	require.InEpsilon(t, 0.45, measure(v, false, "adversarial", 0.45).Accepted, 0.02)
	require.InDelta(t, 0.5, measure(v, false, "adversarial", 0.8).Accepted, 0.08)
	require.Greater(t, measure(v, true, "adversarial", 0.3).Accepted, 2*limit)

	mean := func(r topology.Routing, adaptive bool, traffic string, load float64) float64 {
		return measure(r, adaptive, traffic, load).Latency.Mean
	}
	// Below the limit the minimal way is the shortest, beyond it the random one.
	require.Less(t, 1.3*mean(minimal, false, "adversarial", 0.05), mean(v, false, "adversarial", 0.05))
	require.Less(t, 5*mean(v, false, "adversarial", 0.2), mean(minimal, false, "adversarial", 0.2))
	require.Less(t, mean(v, true, "adversarial", 0.05), mean(v, false, "adversarial", 0.05))
	require.Less(t, mean(v, true, "adversarial", 0.2), mean(v, false, "adversarial", 0.2))
	// Uniform traffic takes the minimal way; random routing doubles it.
	require.InEpsilon(t, 0.8, measure(v, true, "uniform", 0.8).Accepted, 0.02)
	require.Less(t, measure(v, false, "uniform", 0.8).Accepted, 0.6)
}
