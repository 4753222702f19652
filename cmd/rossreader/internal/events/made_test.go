// This file makes traces, and knows all of them: events with their causes, and executions that were undone.

package events

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/rng"
)

// fact is what is true of an event.
type fact struct {
	lp, src    uint32
	recv, send float64
	tie        float64
	kind       int
	cause      int // place in made.facts, none for events of Init
	undone     int
	stayed     bool
	a          uint32
	b          float64
	real       float32
	offset     int64 // of its last execution in the file
	order      int   // in which it is handled
}

// made is a trace.
type made struct {
	path  string
	facts []fact // in the order of the index
}

// making is a trace while it is made.
type making struct {
	facts   []fact
	pending []int // events that wait, as a heap
	streams []rng.CLCG4
	out     *bufio.Writer
	at      int64 // bytes written
	real    float32
	exact   bool
	dice    *rand.Rand
	delays  []float64
}

func (m *making) Len() int { return len(m.pending) }
func (m *making) Less(i, j int) bool {
	a, b := &m.facts[m.pending[i]], &m.facts[m.pending[j]]
	return cmp.Or(cmp.Compare(a.recv, b.recv), cmp.Compare(a.order, b.order)) < 0
}
func (m *making) Swap(i, j int) { m.pending[i], m.pending[j] = m.pending[j], m.pending[i] }
func (m *making) Push(x any)    { m.pending = append(m.pending, x.(int)) }
func (m *making) Pop() any {
	last := m.pending[len(m.pending)-1]
	m.pending = m.pending[:len(m.pending)-1]
	return last
}

// plan says what trace is made.
type plan struct {
	lps, events int
	exact       bool
	undone      bool // some executions are undone, and some events are not handled again
	delays      []float64
	names       bool
}

func makeTrace(t testing.TB, p plan) *made {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "ross-stats-evtrace.bin")
	file, err := os.Create(path)
	require.NoError(t, err)
	m := &making{out: bufio.NewWriterSize(file, 1<<20), exact: p.exact, delays: p.delays}
	m.dice = rand.New(rand.NewPCG(1, 2))
	if m.delays == nil {
		m.delays = []float64{0, 1, 1, 0.5, math.Pi}
	}
	seeder := rng.NewSeeder(rng.DefaultCoreSeeds)
	for lp := range p.lps {
		m.streams = append(m.streams, seeder.CLCG4(uint64(lp)))
	}
	for lp := range p.lps {
		m.send(uint32(lp), 0, none, p.lps)
	}
	for handled := 0; len(m.pending) > 0 && handled < p.events; handled++ {
		i := heap.Pop(m).(int)
		if p.undone {
			m.disturb(i, p.lps)
		}
		m.handle(i, p, p.events-handled-len(m.pending))
	}
	require.NoError(t, m.out.Flush())
	require.NoError(t, file.Close())
	kept := map[int]int{}
	result := &made{path: path}
	var order []int
	for i := range m.facts {
		if m.facts[i].offset >= 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &m.facts[a], &m.facts[b]
		return cmp.Or(cmp.Compare(x.lp, y.lp), cmp.Compare(x.recv, y.recv), cmp.Compare(x.offset, y.offset))
	})
	for at, i := range order {
		kept[i] = at
		result.facts = append(result.facts, m.facts[i])
	}
	for i := range result.facts {
		if f := &result.facts[i]; f.cause != none {
			f.cause = kept[f.cause]
		}
	}
	describeMade(t, dir, p)
	return result
}

// send makes an event that an LP sends, and returns its place.
func (m *making) send(src uint32, now float64, cause, lps int) int {
	f := fact{src: src, send: now, tie: m.streams[src].Unif(), cause: cause, offset: -1, order: len(m.facts)}
	f.kind, f.a, f.b = m.dice.IntN(2), m.dice.Uint32(), m.dice.NormFloat64()
	delay := m.delays[m.dice.IntN(len(m.delays))]
	if f.lp = src; delay > 0 {
		f.lp = uint32(m.dice.IntN(lps))
	}
	f.recv = now + delay
	m.facts = append(m.facts, f)
	heap.Push(m, len(m.facts)-1)
	return len(m.facts) - 1
}

// handle handles an event, which sends one or two others while there may be more.
func (m *making) handle(i int, p plan, left int) {
	before, effects := m.streams[m.facts[i].lp].State(), 1
	if left > 0 {
		effects += m.dice.IntN(2)
	}
	if left < -p.lps {
		effects = 0
	}
	for range effects {
		m.send(m.facts[i].lp, m.facts[i].recv, i, p.lps)
	}
	m.record(i, before, uint32(effects), instr.ExactHandled)
	m.facts[i].stayed = true
}

// disturb has executions undone before an event is handled: its own, or one of an event that is not handled again, and
// of what that has sent.
func (m *making) disturb(i, lps int) {
	lp := m.facts[i].lp
	before := m.streams[lp].State()
	if m.dice.IntN(10) == 0 {
		for range 1 + m.dice.IntN(3) {
			m.record(i, before, 2, instr.ExactHandled)
			m.record(i, before, 2, instr.ExactUndone)
			m.facts[i].undone++
		}
	}
	if m.dice.IntN(30) > 0 {
		return
	}
	// A ghost is sent by the cause of the event, to the same LP and time, with another number than all that stay.
	ghost := m.facts[i]
	ghost.tie, ghost.cause, ghost.undone, ghost.offset = m.dice.Float64(), none, 0, -1
	ghost.src, ghost.send = lp, ghost.recv-0.25
	m.facts = append(m.facts, ghost)
	g := len(m.facts) - 1
	m.record(g, before, 1, instr.ExactHandled)
	effect := m.send(lp, ghost.recv, g, lps)
	m.pending = slices.DeleteFunc(m.pending, func(k int) bool { return k == effect })
	heap.Init(m)
	other := &m.facts[effect]
	other.recv = ghost.recv + 0.125 + 1e-6*float64(g) // no other event has this time
	m.record(effect, m.streams[other.lp].State(), 0, instr.ExactHandled)
	m.record(effect, m.streams[other.lp].State(), 0, instr.ExactUndone)
	m.record(g, before, 1, instr.ExactUndone)
	m.facts[effect].undone, m.facts[g].undone = 1, 1
	m.streams[lp].SetState(before)
}

// record writes a record.
func (m *making) record(i int, before rng.State, draws uint32, what instr.ExactWhat) {
	f := &m.facts[i]
	m.real += 0.001
	payload := binary.LittleEndian.AppendUint32(nil, f.a)
	payload = binary.LittleEndian.AppendUint64(payload, math.Float64bits(f.b))
	if m.exact {
		payload = append(payload, make([]byte, instr.ExactSize)...)
		instr.PutExact(payload[12:], &instr.Exact{SendTS: f.send, RecvTS: f.recv, Tie: f.tie, Stream: before.C, Draws: draws,
			Message: uint16(f.kind), What: what})
	}
	b := instr.AppendEvent(nil, &instr.Event{Src: f.src, Dest: f.lp, SendTS: float32(f.send), RecvTS: float32(f.recv),
		RealTS: m.real, Payload: payload})
	if what != instr.ExactUndone {
		f.offset, f.real = m.at, m.real
	}
	_, _ = m.out.Write(b) // Flush returns the error
	m.at += int64(len(b))
}

// describeMade writes run.json, and the names of LPs.
func describeMade(t testing.TB, dir string, p plan) {
	t.Helper()
	layout := "a:u32,b:f64"
	info := instr.RunInfo{Version: 1, LPs: uint64(p.lps), Scheduler: "optimistic", Options: map[string]string{"event-trace": "3"}}
	if p.undone {
		info.Options["event-trace"] = "1"
	}
	if p.exact {
		info.Exact, info.Messages = instr.ExactLayout, []string{"main.ping", "main.pong"}
		layout += "," + instr.ExactLayout
	}
	half := uint64(p.lps / 2)
	info.Types = []instr.RunType{{Name: "Left", Trace: layout}, {Name: "Right", Trace: layout}}
	info.TypeRanges = []instr.RunTypeRange{{Count: half}, {First: half, Count: uint64(p.lps) - half, Type: 1}}
	require.NoError(t, info.Write(dir))
	if !p.names {
		return
	}
	text := "id,label\n"
	for lp := range p.lps {
		text += nameLine(lp)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ross-stats-labels.csv"), []byte(text), 0o600))
}
