// This file owns the run of the tests: a small network with samples or a trace, which are random, and a decoder of its
// own that says what the page has to show.

package network

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/program/parts/places"
)

// The network has three groups of two routers, each with a terminal. Routers of a group are linked, and router 2g of a
// group with router 2g+1 of the one before.
const (
	routers  = 6
	ports    = 4 // of a router, 3 of them used: within the group, to another one, to the terminal
	interval = 10.
)

// link is a link of the network, in the order of the map.
type link struct{ from, to, index int }

func allLinks() (all []link) {
	for r := range routers {
		other := (r + 1) % routers // in the next group
		if r%2 == 0 {
			other = (r + routers - 1) % routers // in the one before
		}
		all = append(all, link{r, r ^ 1, 0}, link{r, other, 1}, link{r, routers + r, 2}, link{routers + r, r, 0})
	}
	return all
}

// mapOf returns the map of the network.
func mapOf() *places.Map {
	m := &places.Map{Version: places.Version, Title: "three <groups>", TimeUnit: "ns", Arrange: places.Groups,
		Values: []places.Value{
			{Name: "load", Title: "Load", Field: "sent", Unit: "B", Counts: true, Per: places.Capacity},
			{Name: "buffer", Title: "Buffer in use", Field: "buffer", Unit: "B", Per: places.Room},
			{Name: "stall", Title: "Standing still", Field: "stalled", Unit: "ns", Counts: true, Per: places.Time},
			{Name: "waiting", Title: "Waiting", Field: "waiting", Unit: "packets"},
		}}
	for n := range 2 * routers {
		node := places.Node{LP: uint64(n), Name: fmt.Sprint("router ", n), Kind: "router", Group: n%routers/2 + 1}
		if n >= routers {
			node.Name, node.Kind, node.At = fmt.Sprint("terminal ", n-routers), "terminal", places.LP(uint64(n-routers))
		}
		m.Nodes = append(m.Nodes, node)
	}
	for _, l := range allLinks() {
		one := places.Link{From: uint64(l.from), To: uint64(l.to), Class: []string{"local", "global", "terminal"}[l.index],
			Capacity: 2, Room: 1000, Index: l.index}
		if l.from >= routers {
			one.Class = "terminal"
		}
		if l.to >= routers {
			one.Room = 0
		}
		m.Links = append(m.Links, one)
	}
	return m
}

// writeMap writes the map and the description of a run.
func writeMap(t testing.TB, dir string, m *places.Map, state string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	text, err := json.Marshal(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats"+places.Suffix), text, 0o644))
	end := 100.
	info := instr.RunInfo{Version: instr.RunVersion, State: state, Model: "net", Command: []string{"net", "--a=<b>"},
		Scheduler: "optimistic", PEs: 2, Ranks: 1, LPs: 2 * routers, EndTime: &end,
		Types: []instr.RunType{
			{Name: "router", Point: fmt.Sprintf("sent:u64[%[1]d],stalled:f64[%[1]d],buffer:u32[%[1]d],waiting:u32[%[1]d]", ports)},
			{Name: "terminal", Point: "sent:u64,stalled:f64,buffer:u32,waiting:u32"}},
		TypeRanges: []instr.RunTypeRange{{First: 0, Count: routers, Type: 0}, {First: routers, Count: routers, Type: 1}}}
	require.NoError(t, info.Write(dir))
}

// sampleBytes returns a file of samples: first those of all LPs with even ids, then those of the others.
func sampleBytes(rows int) (data []byte) {
	dice := rand.New(rand.NewPCG(1, 2))
	payloads := make([][][]byte, 2*routers)
	for lp := range payloads {
		n := 1
		if lp < routers {
			n = ports
		}
		sent, stalled := make([]uint64, n), make([]float64, n)
		for range rows {
			var b []byte
			for p := range n {
				sent[p] += dice.Uint64N(21) // of 20
				b = binary.LittleEndian.AppendUint64(b, sent[p])
			}
			for p := range n {
				stalled[p] += dice.Float64() * interval
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(stalled[p]))
			}
			for range n {
				b = binary.LittleEndian.AppendUint32(b, dice.Uint32N(1001))
			}
			for range n {
				b = binary.LittleEndian.AppendUint32(b, dice.Uint32N(50))
			}
			payloads[lp] = append(payloads[lp], b)
		}
	}
	for half := range 2 {
		for i := range rows {
			for lp := half; lp < 2*routers; lp += 2 {
				v := instr.VTModel{LP: uint64(lp), PE: uint64(half), TS: float64(i+1) * interval, Payload: payloads[lp][i]}
				data = instr.AppendVTModel(data, &v)
			}
		}
	}
	return data
}

// truth decodes a file of samples on its own, and returns the value of each link by interval and value.
func truth(t testing.TB, data []byte) (all [][][]float64) {
	t.Helper()
	payloads := map[[2]int][]byte{} // by LP and sample
	most := 0
	for len(data) > 0 {
		lp, at := int(binary.LittleEndian.Uint64(data)), math.Float64frombits(binary.LittleEndian.Uint64(data[24:]))
		size := int(binary.LittleEndian.Uint32(data[40:]))
		i := int(math.Round(at/interval)) - 1
		payloads[[2]int{lp, i}] = data[48 : 48+size]
		most = max(most, i+1)
		data = data[48+size:]
	}
	for i := range most {
		values := make([][]float64, 4)
		for _, l := range allLinks() {
			n := ports
			if l.from >= routers {
				n = 1
			}
			now, before := payloads[[2]int{l.from, i}], payloads[[2]int{l.from, i - 1}]
			if before == nil {
				before = make([]byte, len(now))
			}
			u64 := func(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
			u32 := func(at int) float64 { return float64(binary.LittleEndian.Uint32(now[at:])) }
			sent := float64(u64(now, 8*l.index) - u64(before, 8*l.index))
			stalled := math.Float64frombits(u64(now, 8*n+8*l.index)) - math.Float64frombits(u64(before, 8*n+8*l.index))
			full := u32(16*n+4*l.index) / 1000
			if l.to >= routers {
				full = math.NaN()
			}
			for v, x := range []float64{sent / (2 * interval), full, stalled / interval, u32(20*n + 4*l.index)} {
				values[v] = append(values[v], x)
			}
		}
		all = append(all, values)
	}
	return all
}

// folder makes a run with samples.
func folder(t testing.TB, rows int) (dir string, data []byte) {
	t.Helper()
	dir, data = t.TempDir(), sampleBytes(rows)
	writeMap(t, dir, mapOf(), instr.RunComplete)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-analysis-lps.bin"), data, 0o644))
	return dir, data
}

// load opens and reads a run.
func load(t testing.TB, dir string) *source {
	t.Helper()
	s, err := open(dir, 10)
	require.NoError(t, err)
	_, err = s.read()
	require.NoError(t, err)
	return s
}

// requireTruth requires that frames are what the decoder says.
func requireTruth(t testing.TB, want [][][]float64, s *source) {
	t.Helper()
	require.Len(t, s.all, len(want))
	for i, f := range s.all {
		require.Equal(t, []float64{float64(i) * interval, float64(i+1) * interval}, []float64{f.from, f.to})
		for v := range want[i] {
			for l, x := range want[i][v] {
				got := float64(f.values[v*len(s.links)+l])
				if math.IsNaN(x) {
					require.True(t, math.IsNaN(got), "interval %d, value %d, link %d", i, v, l)
					continue
				}
				require.InDelta(t, x, got, 1e-6*math.Max(1, x), "interval %d, value %d, link %d", i, v, l)
			}
		}
	}
}

// growing begins a run that goes on: its folder, its file of samples, which is empty, and what reads them.
func growing(t testing.TB) (dir, part string, s *source) {
	t.Helper()
	dir = t.TempDir()
	writeMap(t, dir, mapOf(), instr.RunRunning)
	part = filepath.Join(dir, "ross-stats-analysis-lps.bin.part")
	require.NoError(t, os.WriteFile(part, nil, 0o644))
	s, err := open(dir, 10)
	require.NoError(t, err)
	return dir, part, s
}
