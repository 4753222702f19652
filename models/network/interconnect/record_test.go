// This file tests what links record: in loaded networks it must agree with the loads, be kept to what links can do, and
// nothing may come out of a router that has not gone in; in a small one times are known.

package interconnect

import (
	"encoding/binary"
	"io"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/models/network/topology"
)

// sampled is what a link said at a time.
type sampled struct {
	sent            uint64
	stalled         float64
	buffer, waiting uint32
}

// recorded is what all links of an LP said, by time and port.
type recorded map[ross.LPID]map[float64][]sampled

// typed is an LP type of hosts that give samples.
func (l *load) typed() ross.Type[host] {
	t := l.host().(ross.Type[host])
	if l.n.Record {
		t.PointLayout = PointLayout
		t.Point = func(h *host, lp *ross.LP, buf []byte) { h.NIC.Point(l.n, lp, buf) }
	}
	return t
}

// record runs a network with samples, and reads them.
func (l *load) record(t *testing.T, end, every float64) (*ross.Simulation, recorded) {
	t.Helper()
	cfg := config(end)
	dir := filepath.Join(t.TempDir(), "stats")
	cfg.Instruments.Path, cfg.Instruments.Model, cfg.Instruments.VirtualInterval = dir, ross.SampleByVirtualTime, every
	l.n.Place(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.NoError(t, sim.Define(l.n.Router(), l.typed()))
	require.Equal(t, dir, sim.StatsDir())
	require.NoError(t, sim.Run(t.Context()))
	t.Cleanup(func() { sim.Close() })
	all := recorded{}
	r, err := instr.Open(instr.FileName(dir, "", "analysis-lps"))
	require.NoError(t, err)
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return sim, all
		}
		require.NoError(t, err)
		v := &rec.VTModel
		of := all[ross.LPID(v.LP)]
		if of == nil {
			of = map[float64][]sampled{}
			all[ross.LPID(v.LP)] = of
		}
		ports := len(v.Payload) / 24
		for p := range ports {
			u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
			of[v.TS] = append(of[v.TS], sampled{u64(v.Payload[8*p:]), math.Float64frombits(u64(v.Payload[8*(ports+p):])),
				u32(v.Payload[16*ports+4*p:]), u32(v.Payload[20*ports+4*p:])})
		}
	}
}

func TestWhatLinksRecordAgreesWithTheirLoadsAndWithOneAnother(t *testing.T) {
	testlevel.Once(t, "what the network does")
	const end, every = 60000, 200.
	for name, shape := range shapes() {
		for _, g := range allGranularities {
			c := tight(topology.NewMinimal(shape), g)
			c.Record = true
			n := network(t, c)
			sim, all := burst(n, 3, 1).record(t, end, every)
			requireEmpty(t, sim, n)
			loads, err := n.Loads(sim, end)
			require.NoError(t, err)
			require.Len(t, all, n.net.Routers()+n.Terminals())
			in, out := make([]uint64, n.net.Routers()), make([]uint64, n.net.Routers())
			stalls, waits := 0.0, uint32(0)
			for lp, times := range all {
				router, ports, links := int(lp), n.ports, 0
				if router >= n.net.Routers() {
					router, ports = n.RouterOf(n.TerminalOf(lp)), 1
				} else {
					links = n.net.Ports(router)
				}
				isRouter := int(lp) < n.net.Routers()
				for port := range ports {
					if isRouter && port >= links+n.net.Terminals(router) {
						continue
					}
					k := &n.kinds[terminal]
					if port < links {
						k = n.across(router, links, uint16(port)).kind
					}
					var before sampled
					for i := range int(end/every) - 1 {
						now := times[float64(i+1)*every][port]
						flits := float64(now.sent-before.sent) / float64(c.FlitBytes)
						stalled := now.stalled - before.stalled
						require.GreaterOrEqual(t, now.sent, before.sent, "%s, %v", name, g)
						require.GreaterOrEqual(t, stalled, 0.)
						require.LessOrEqual(t, flits*k.flit+stalled, every+k.flit*1.01, "%s, %v, LP %d, port %d", name, g, lp, port)
						if g != Messages && port < links {
							require.LessOrEqual(t, int64(now.buffer), int64(n.channels)*int64(k.buffer)*int64(c.FlitBytes))
						}
						stalls += stalled
						waits = max(waits, now.waiting)
						before = now
					}
					require.Zero(t, before.buffer, "%s, %v, LP %d, port %d", name, g, lp, port)
					require.Zero(t, before.waiting)
					flits := before.sent / uint64(c.FlitBytes)
					if !isRouter {
						in[router] += flits
						continue
					}
					require.InDelta(t, loads.Of(router, port), float64(flits)*k.flit/end, 1e-7, "%s, %v: router %d, port %d", name, g,
						router, port)
					out[router] += flits
					if port < links {
						to, _, _ := n.net.Link(router, port)
						in[to] += flits
					}
				}
			}
			require.Equal(t, in, out, "%s, %v: what goes into a router comes out of it", name, g)
			require.Equal(t, g == Messages, stalls == 0, "%s, %v: there are credits, or none", name, g)
			require.Equal(t, g == Messages, waits == 0)
		}
	}
}

// TestALinkStandsStillUntilItsCreditsComeBack has two packets, and room for one behind the link.
func TestALinkStandsStillUntilItsCreditsComeBack(t *testing.T) {
	c := uneven(topology.NewMinimal(must(topology.NewTorus([]int{5}, 1))), Packets)
	c.Record, c.PacketBytes = true, 128
	c.Links[topology.Local].Buffer = 128
	n := network(t, c)
	l := load{n: n, init: func(n *Network, h *host, lp *ross.LP) {
		if n.TerminalOf(lp.ID()) == 0 {
			ross.Send(lp, lp.ID(), 1, start{1, 256})
		}
	}}
	_, all := l.record(t, 400, 2)
	// The first packet goes at 60, when its head has come and been delayed: 1 + 2 + 7 + 50. Its tail comes at 66 and has
	// left at 69.2; the link is free at 72.8. Its head is in the next router at 124.2 and its tail at 133.8, and the
	// credit is back at 144.8. The second packet waits from 68 on.
	at := func(time float64) sampled { return all[0][time][1] }
	require.Equal(t, sampled{0, 0, 0, 0}, at(58))
	require.Equal(t, sampled{64, 0, 128, 0}, at(64), "the other two flits have not begun to leave")
	require.Equal(t, sampled{128, 0, 128, 1}, at(70))
	require.InDelta(t, 7.2, at(80).stalled, 1e-9)
	require.InDelta(t, 67.2, at(140).stalled, 1e-9)
	require.InDelta(t, 72, at(150).stalled, 1e-9)
	require.Equal(t, []uint32{1, 0}, []uint32{at(140).waiting, at(150).waiting})
	require.Equal(t, []uint32{128, 128, 0}, []uint32{at(140).buffer, at(150).buffer, at(390).buffer})
	require.Equal(t, []uint64{128, 256}, []uint64{at(140).sent, at(390).sent})
	require.InDelta(t, 72, at(390).stalled, 1e-9)
	nic := all[n.LP(0)]
	require.Equal(t, sampled{160, 0, 256, 0}, nic[10.][0], "both packets have begun to leave")
	require.Equal(t, sampled{256, 0, 0, 0}, nic[390.][0])
}

func TestRecordingChangesNoEvent(t *testing.T) {
	for _, g := range allGranularities {
		digests := map[uint64]bool{}
		for _, on := range []bool{false, true} {
			c := tight(topology.NewMinimal(shapes()["dragonfly"]), g)
			c.Record = on
			sim, all := burst(network(t, c), 6, 1).record(t, 5000, 1000)
			require.Equal(t, on, len(all) > 0, "without it, there are no samples")
			digests[*sim.Summary().Digest] = true
		}
		require.Len(t, digests, 1, "%v", g)
	}
}
