// The watch as a whole: the same text in every scheduler, and the text that the model itself expects; and the example.

package watch_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/stats"
)

// Shop is a model whose handlers know what the watch has to say about them: each prints what it expects, on lines that
// begin with "expect ", when its event is committed.

type job struct {
	ID   uint32
	Size float64
}

// order is larger than what has room in the slot of an event.
type order struct {
	Op   uint64
	Job  job
	Body [9]int64
	_    int32
}

// alarm is the message of timers.
type alarm struct{ N int32 }

// desk is the state.
type desk struct {
	N       int64
	Uses    int64 // of the slot of the timer
	Deep    [2]struct{ Flag, Other bool }
	Queue   container.Queue[job]
	Map     container.Map[uint32, job]
	Bits    container.Bitset
	Ring    ross.Block[job]
	Timer   ross.Timer
	Handled stats.Counter
	Sizes   stats.Tally
	Line    stats.Level
	cache   int64 `ross:"-"` // scratch is not shown
}

func label(id ross.LPID) string { return fmt.Sprintf(`desk "%d", left`, id) }

// note is what a handler expects.
type note struct {
	lp    *ross.LP
	lines [7][]string // by their place in a block
	draws []float64
	timer string // what follows the name of the sender, if the event is that of a timer
}

// Places of lines in a block.
const (
	inState = iota
	inQueue
	inMap
	inOthers
	calls
	cancelled
	recorded
)

func (n *note) draw() float64 {
	u := n.lp.RNG().Unif()
	n.draws = append(n.draws, u)
	return u
}

func (n *note) pick(most int) int { return int(n.draw() * float64(most)) }

func (n *note) add(in int, kind, format string, args ...any) {
	n.lines[in] = append(n.lines[in], fmt.Sprintf("  %-10s", kind)+fmt.Sprintf(format, args...))
}

// name names an LP as texts do.
func name(id ross.LPID) string { return fmt.Sprintf("LP %d %q", id, label(id)) }

// print prints what the watch has to say.
func (n *note) print(message any) {
	lp := n.lp
	var b strings.Builder
	say := func(kind, text string) { fmt.Fprintf(&b, "expect   %-10s%s\n", kind, text) }
	fmt.Fprintf(&b, "expect Watch: %s (%s) at %v\n", name(lp.ID()), lp.TypeName(), lp.Now())
	sig := lp.Signature()
	say("order", fmt.Sprintf("priority %v, tie-breakers %s", sig.Priority, strings.Trim(fmt.Sprint(sig.Ties), "[]")))
	say("received", strings.ReplaceAll(fmt.Sprintf("%T%+v", message, message), " _:0", ""))
	sender := name(lp.Sender())
	if lp.Sender() == lp.ID() {
		sender = "itself"
	}
	say("from", fmt.Sprintf("%s%s, sent at %v", sender, n.timer, lp.SentAt()))
	for in, lines := range n.lines {
		if in == calls && len(n.draws) > 0 {
			say("drew", fmt.Sprintf("%d from stream 0: %s", len(n.draws), strings.Trim(fmt.Sprint(n.draws), "[]")))
		}
		for _, line := range lines {
			b.WriteString("expect " + line + "\n")
		}
	}
	lp.Printf("%s", b.String())
}

// handle handles an order: one operation, and a send.
func (s *desk) handle(lp *ross.LP, m *order) {
	n := &note{lp: lp}
	was := *m
	s.cache++
	switch op := n.pick(9); op {
	case 0:
		n.add(inState, "changed", "N: %d -> %d", s.N, s.N+int64(m.Op)+1)
		*ross.Write(lp, &s.N) += int64(m.Op) + 1
	case 1:
		p := ross.Write(lp, &s.Deep[m.Op%2].Flag)
		n.add(inState, "changed", "Deep[%d].Flag: %t -> %t", m.Op%2, *p, !*p)
		*p = !*p
	case 2:
		n.add(inQueue, "changed", "Queue: %d -> %d values", s.Queue.Len(), s.Queue.Len()+1)
		n.add(inQueue, "added", "Queue: %+v", m.Job)
		s.Queue.Push(lp, m.Job)
	case 3:
		before := s.Queue.Len()
		if j, ok := s.Queue.Pop(lp); ok {
			n.add(inQueue, "changed", "Queue: %d -> %d values", before, before-1)
			n.add(inQueue, "removed", "Queue: %+v", j)
		}
	case 4:
		key, before := m.Job.ID%5, s.Map.Len()
		old, had := s.Map.Get(lp, key)
		s.Map.Put(lp, key, m.Job)
		if !had {
			n.add(inMap, "changed", "Map: %d -> %d values", before, before+1)
			n.add(inMap, "added", "Map[%d]: %+v", key, m.Job)
			break
		}
		if old.ID != m.Job.ID {
			n.add(inMap, "changed", "Map[%d].ID: %d -> %d", key, old.ID, m.Job.ID)
		}
		if old.Size != m.Job.Size {
			n.add(inMap, "changed", "Map[%d].Size: %v -> %v", key, old.Size, m.Job.Size)
		}
	case 5:
		bit, before := int(m.Job.ID%200), s.Bits.Len()
		if !s.Bits.Has(lp, bit) {
			s.Bits.Set(lp, bit)
			n.add(inOthers, "changed", "Bits: %d -> %d values", before, before+1)
			n.add(inOthers, "added", "Bits[%d]", bit)
		} else {
			s.Bits.Unset(lp, bit)
			n.add(inOthers, "changed", "Bits: %d -> %d values", before, before-1)
			n.add(inOthers, "removed", "Bits[%d]", bit)
		}
	case 6:
		s.ring(lp, n, m)
	case 7:
		s.timers(lp, n)
	case 8:
		*ross.Write(lp, &m.Op) = 99 // undone, and not shown: the message is as it was sent
	}
	s.send(lp, n)
	s.Handled.Inc(lp)
	n.add(recorded, "recorded", "Handled: +1")
	s.Sizes.Add(lp, was.Job.Size)
	n.add(recorded, "recorded", "Sizes: %v", was.Job.Size)
	s.Line.Set(lp, float64(s.Queue.Len()))
	n.add(recorded, "recorded", "Line: set to %d", s.Queue.Len())
	n.print(was)
}

// ring allocates, writes to, doubles or frees the block.
func (s *desk) ring(lp *ross.LP, n *note, m *order) {
	switch b := s.Ring; {
	case b.Len() == 0:
		*ross.Write(lp, &s.Ring) = ross.Alloc[job](lp, 2)
		n.add(inOthers, "changed", "Ring: 0 -> 2 values")
		s.Ring.Of(lp)[1] = m.Job
		n.add(inOthers, "added", "Ring[1]: %+v", m.Job)
	case b.Len() > 4:
		for i, j := range b.Of(lp) {
			if j != (job{}) {
				n.add(inOthers, "removed", "Ring[%d]: %+v", i, j)
			}
		}
		n.lines[inOthers] = slices.Insert(n.lines[inOthers], 0, fmt.Sprintf("  changed   Ring: %d -> 0 values", b.Len()))
		ross.Free(lp, b)
		*ross.Write(lp, &s.Ring) = ross.Block[job]{}
	default:
		b := *ross.Write(lp, &s.Ring)
		s.Ring = ross.Alloc[job](lp, 2*b.Len())
		copy(s.Ring.Of(lp), b.Of(lp))
		n.add(inOthers, "changed", "Ring: %d -> %d values", b.Len(), 2*b.Len())
		if old := s.Ring.Of(lp)[1].ID; old != 77 {
			n.add(inOthers, "changed", "Ring[1].ID: %d -> 77", old)
		}
		s.Ring.Of(lp)[1].ID = 77
		ross.Free(lp, b)
	}
}

// timers sets the timer, or cancels it. The watch names it by its slot, which is 1, and how often that was used.
func (s *desk) timers(lp *ross.LP, n *note) {
	if s.Timer.Cancel(lp) {
		n.add(cancelled, "cancelled", "timer 1.%d", s.Uses+1)
		s.use(lp, n)
		return
	}
	*ross.Write(lp, &s.Timer) = ross.After(lp, 0.75, alarm{N: int32(s.Uses)})
	text := fmt.Sprintf("{N:%d}", s.Uses)
	late := ""
	if lp.Now()+0.75 >= end {
		text, late = "", ", not before the end of the run"
	}
	n.add(calls, "set", "timer 1.%d for %v, delay 0.75%s: watch_test.alarm%s", s.Uses+1, lp.Now()+0.75, late, text)
}

// use counts that the slot of the timer has become free.
func (s *desk) use(lp *ross.LP, n *note) {
	n.add(inState, "changed", "Uses: %d -> %d", s.Uses, s.Uses+1)
	*ross.Write(lp, &s.Uses)++
}

// alarmed handles the end of the timer.
func (s *desk) alarmed(lp *ross.LP, m *alarm) {
	n := &note{lp: lp}
	n.timer = fmt.Sprintf(", timer 1.%d", s.Uses+1)
	s.use(lp, n)
	n.print(*m)
}

// send sends an order to a desk.
func (s *desk) send(lp *ross.LP, n *note) {
	to := ross.LPID(n.pick(desks))
	delay := float64(n.pick(4)) / 4 // ties, and chains without delay
	if to == lp.ID() || delay == 0 {
		delay += 0.25
	}
	m := order{Op: uint64(n.pick(7)), Job: job{uint32(n.pick(300)), n.draw()}}
	m.Body[3] = -int64(lp.ID())
	who := name(to)
	if to == lp.ID() {
		who = "itself"
	}
	if n.pick(2) == 0 {
		ross.Send(lp, to, delay, m)
		n.sent(who, delay, "", m)
		return
	}
	ross.SendPriority(lp, to, delay, 0.5, m)
	n.sent(who, delay, ", priority 0.5", m)
}

// end is that of the runs.
const end = 12

// sent notes a send.
func (n *note) sent(to string, delay float64, priority string, m order) {
	at := n.lp.Now() + delay
	text := strings.ReplaceAll(fmt.Sprintf("%+v", m), " _:0", "")
	if at >= end {
		text, priority = "", priority+", not before the end of the run"
	}
	line := fmt.Sprintf("  sent      %s for %v, delay %v%s: %T%s", to, at, delay, priority, m, text)
	n.lines[calls] = append(n.lines[calls], line)
}

const desks = 8

// shop returns the types of LPs, one for each way of undoing.
func shop() (types []ross.LPType) {
	for _, saving := range []ross.Saving{ross.SaveByDelta, ross.SaveByLog, ross.SaveByReverse, ross.SaveNever} {
		on := ross.On(func(s *desk, lp *ross.LP, m *order) { s.handle(lp, m) })
		alarms := ross.On(func(s *desk, lp *ross.LP, m *alarm) { s.alarmed(lp, m) })
		if saving == ross.SaveByReverse { // Write has saved everything
			on = on.Reverse(func(*desk, *ross.LP, *order) {})
			alarms = alarms.Reverse(func(*desk, *ross.LP, *alarm) {})
		}
		types = append(types, ross.Type[desk]{
			Name: "by " + saving.String(), Label: label, Saving: saving, Event: ross.Events[desk](on, alarms),
			Init: func(_ *desk, lp *ross.LP) {
				for i := range 2 {
					ross.Send(lp, lp.ID(), 0.5*float64(i), order{Op: uint64(lp.ID()), Job: job{ID: 7 * uint32(lp.ID()), Size: 0.5}})
				}
			},
		})
	}
	return types
}

// watched runs the shop, and returns what the watch has printed and what the handlers expect.
func watched(t *testing.T, option string, change func(*ross.Config)) (got, want string, sim *ross.Simulation) {
	t.Helper()
	var out bytes.Buffer
	cfg := rosstest.Small()
	cfg.LPs, cfg.End, cfg.Output, cfg.Digest = desks, end, &out, true
	cfg.Watch, cfg.WatchLimit = option, 0
	cfg.TypeMap = func(id ross.LPID) int { return int(id) % 4 }
	change(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(shop()...))
	require.NoError(t, sim.Run(context.Background()))
	got, want = split(out.String())
	return got, want, sim
}

// split returns the blocks of the watch, and those that handlers expect.
func split(report string) (got, want string) {
	var g, w strings.Builder
	in := false
	for line := range strings.Lines(report) {
		if text, ok := strings.CutPrefix(line, "expect "); ok {
			w.WriteString(text)
			continue
		}
		if in = strings.HasPrefix(line, "Watch: ") || in && strings.HasPrefix(line, "  "); in {
			g.WriteString(line)
		}
	}
	return g.String(), w.String()
}

// requireSame requires that two texts are equal, and shows where they are not.
func requireSame(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			require.Equal(t, w[max(i-8, 0):i+1], g[max(i-8, 0):i+1])
		}
	}
	require.Len(t, g, len(w))
}

// everyone is all LPs.
const everyone = "0,1,2,3,4,5,6,7"

// setups are the schedulers, with rollbacks, ties, moving KPs and short memory.
func setups() map[string]func(*ross.Config) {
	parallel := func(synch ross.Scheduler, pes int, nkp uint64) func(*ross.Config) {
		return func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.Tuning.Batch, c.Tuning.GVTInterval, c.ConsLookahead = synch, pes, int(nkp), 2, 4, 0.25
		}
	}
	all := map[string]func(*ross.Config){
		"sequential":   func(*ross.Config) {},
		"check":        func(c *ross.Config) { c.Synch = 6 },
		"conservative": parallel(2, 2, 3),
		"one PE":       parallel(3, 1, 1),
		"optimistic":   parallel(3, 3, 1),
		"many KPs":     parallel(3, 2, 8),
		"balance":      func(c *ross.Config) { parallel(3, 2, 4)(c); c.Tuning.FixedKPs = false },
		"real time":    parallel(5, 2, 2),
		"auto":         parallel(ross.Auto, 2, 2),
	}
	if testlevel.Is(testlevel.Least) {
		delete(all, "real time")
		delete(all, "many KPs")
	}
	return all
}

func TestTheTextIsWhatTheModelExpectsInEveryScheduler(t *testing.T) {
	first, want, sim := watched(t, everyone, func(*ross.Config) {})
	requireSame(t, want, first) // events of timers that were cancelled are not in it
	require.Greater(t, strings.Count(first, "Watch: "), 200)
	for _, kind := range []string{"changed", "added", "removed", "sent", "set", "cancelled", "recorded"} {
		require.Contains(t, first, "\n  "+kind)
	}
	digest := *sim.Summary().Digest
	for name, setup := range setups() {
		t.Run(name, func(t *testing.T) {
			got, _, sim := watched(t, everyone, setup)
			requireSame(t, first, got)
			require.Equal(t, digest, *sim.Summary().Digest)
			_, _, sim = watched(t, "", setup)
			require.Equal(t, digest, *sim.Summary().Digest, "the watch has changed what happens")
		})
	}
}

// Customer arrives at a desk.
type Customer struct {
	Number int64
	Since  float64
}

// Done ends a service.
type Done struct{}

// Desk serves one customer after the other.
type Desk struct {
	Busy    bool
	Queue   container.Queue[Customer]
	Waiting stats.Tally
}

func (d *Desk) Init(lp *ross.LP) {
	for i := range 3 {
		ross.Send(lp, lp.ID(), 1+0.5*float64(i), Customer{Number: int64(i)})
	}
}

func (d *Desk) Arrive(lp *ross.LP, c *Customer) {
	if d.Busy {
		d.Queue.Push(lp, Customer{c.Number, lp.Now()})
		return
	}
	d.serve(lp, lp.Now())
}

func (d *Desk) serve(lp *ross.LP, since float64) {
	d.Busy = true
	d.Waiting.Add(lp, lp.Now()-since)
	ross.After(lp, 0.75, Done{})
}

func (d *Desk) Done(lp *ross.LP, _ *Done) {
	d.Busy = false
	if c, ok := d.Queue.Pop(lp); ok {
		d.serve(lp, c.Since)
	}
}

// The desks of a bank. One of them is watched for a while.
func Example() {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = ross.Optimistic, 2, 2, 10
	cfg.Watch = "desk 2@1.5..2"
	var report strings.Builder
	cfg.Output = &report
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	err = sim.Define(ross.Type[Desk]{
		Name: "desk", Init: (*Desk).Init, Saving: ross.SaveByDelta,
		Label: func(id ross.LPID) string { return fmt.Sprintf("desk %d", id) },
		Event: ross.Events(ross.On((*Desk).Arrive), ross.On((*Desk).Done)),
	})
	if err == nil {
		err = sim.Run(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	blocks := false
	for line := range strings.Lines(report.String()) {
		if blocks = strings.HasPrefix(line, "Watch: ") || blocks && strings.HasPrefix(line, "  "); blocks {
			_, _ = os.Stdout.WriteString(line)
		}
	}
	// Output:
	// Watch: only "desk 2"@1.5..2
	// Watch: LP 2 "desk 2" (desk) at 1.5
	//   order     priority 1, tie-breakers 0.13334852111074197
	//   received  watch_test.Customer{Number:1 Since:0}
	//   from      itself, sent at 0
	//   changed   Queue: 0 -> 1 values
	//   added     Queue: {Number:1 Since:1.5}
	// Watch: LP 2 "desk 2" (desk) at 1.75
	//   order     priority 1, tie-breakers 0.6853359118103843
	//   received  watch_test.Done{}
	//   from      itself, timer 1.1, sent at 1
	//   changed   Queue: 1 -> 0 values
	//   removed   Queue: {Number:1 Since:1.5}
	//   set       timer 1.2 for 2.5, delay 0.75: watch_test.Done{}
	//   recorded  Waiting: 0.25
	// Watch: LP 2 "desk 2" (desk) at 2
	//   order     priority 1, tie-breakers 0.9902525955351287
	//   received  watch_test.Customer{Number:2 Since:0}
	//   from      itself, sent at 0
	//   changed   Queue: 0 -> 1 values
	//   added     Queue: {Number:2 Since:2}
}
