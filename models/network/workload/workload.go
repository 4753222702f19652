// This file owns jobs, and the LP type of terminals.

package workload

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/stats"
)

// Job is what some terminals do. It has either a Pattern or a Program.
type Job struct {
	Name  string // of the rows of its statistics
	Ranks int
	Start float64 // ns

	// Pattern chooses to whom a rank sends messages of the given Bytes, at times that are independent of
	// one another: the rank's share of the time of its link is Load, 0 to 1, on average.
	Pattern Pattern
	Bytes   int64
	Load    float64

	// Program is what the ranks do one after the other.
	Program Program
}

// Workload has the jobs of a network, on its terminals.
type Workload struct {
	net   *interconnect.Network
	jobs  []job
	seats []seat // by terminal
}

type job struct {
	Job
	terminals []int32 // by rank
	interval  float64 // mean time between messages
}

// seat is what a terminal belongs to.
type seat struct{ job, rank int32 } // job -1: none

// New places jobs on the terminals of a network. seed is that of the placement Random.
func New(n *interconnect.Network, jobs []Job, p Placement, seed uint64) (*Workload, error) {
	if int(p) >= len(placements) {
		return nil, fmt.Errorf("%w: placement %v", ErrWorkload, p)
	}
	w := &Workload{net: n, seats: make([]seat, n.Terminals())}
	for i := range w.seats {
		w.seats[i].job = -1
	}
	order, names := p.order(n, seed), map[string]bool{}
	for i, j := range jobs {
		if err := j.check(len(order)); err != nil {
			return nil, err
		}
		if names[j.Name] {
			return nil, fmt.Errorf("%w: two jobs are called %q", ErrWorkload, j.Name)
		}
		names[j.Name] = true
		of := job{Job: j, terminals: order[:j.Ranks:j.Ranks]}
		order = order[j.Ranks:]
		for rank, t := range of.terminals {
			w.seats[t] = seat{int32(i), int32(rank)}
		}
		if j.Pattern != nil {
			of.interval = n.SendingTime(j.Bytes) / j.Load
		}
		w.jobs = append(w.jobs, of)
	}
	return w, nil
}

func (j *Job) check(room int) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: job %q "+format, append([]any{ErrWorkload, j.Name}, args...)...)
	}
	switch {
	case j.Name == "":
		return bad("has no name")
	case j.Ranks < 1 || j.Ranks > room:
		return bad("has %d ranks: there are %d terminals for it", j.Ranks, room)
	case !(j.Start >= 0 && j.Start <= 1e15):
		return bad("starts at %g: must be 0 to 10^15 ns", j.Start)
	case (j.Pattern == nil) == (j.Program == nil):
		return bad("must have either a Pattern or a Program")
	case j.Program != nil && j.Program.Ranks() != j.Ranks:
		return bad("has %d ranks, and its program %d", j.Ranks, j.Program.Ranks())
	case j.Pattern != nil && !(j.Load > 0 && j.Load <= 1):
		return bad("has the load %g: must be above 0 and at most 1", j.Load)
	case j.Pattern != nil && (j.Bytes < 1 || j.Bytes > 1<<32):
		return bad("sends messages of %d bytes: must be 1 to 2^32", j.Bytes)
	}
	return nil
}

// Terminals returns the terminals of a job, by rank. They belong to the workload.
func (w *Workload) Terminals(job int) []int32 { return w.jobs[job].terminals }

// host is the state of a terminal.
type host struct {
	NIC interconnect.NIC
	process
	receipts
	Arrived container.Map[envelope, uint32] // messages that no Receive has waited for yet

	Latency stats.Histogram `ross:"latency,ns"`
	Hops    stats.Tally     `ross:"hops"`
	Bytes   stats.Counter   `ross:"bytes received"`
}

// receipts are the messages that have come to a terminal.
type receipts struct {
	Count uint32  // modulo 2^32, as NIC.Sent
	Last  float64 // when the last one came
}

// generate is the message by which a rank sends the next message of a pattern.
type generate struct{}

// Host returns the LP type of terminals, the second type of Simulation.Define.
func (w *Workload) Host() ross.LPType {
	t := ross.Type[host]{
		Name: "terminal", Label: w.net.Label, Saving: ross.SaveByLog,
		Init: w.init,
		Event: ross.Events(interconnect.Handlers(w.net, func(h *host) *interconnect.NIC { return &h.NIC }, w.deliver),
			ross.On(w.generate), ross.On(w.resume)),
		Lookahead:  w.net.TerminalLookahead(),
		NeverStops: true,
	}
	if w.net.Record {
		t.PointLayout = interconnect.PointLayout
		t.Point = func(h *host, lp *ross.LP, buf []byte) { h.NIC.Point(w.net, lp, buf) }
	}
	return t
}

func (w *Workload) seat(lp *ross.LP) seat { return w.seats[w.net.TerminalOf(lp.ID())] }

func (w *Workload) init(_ *host, lp *ross.LP) {
	at := w.seat(lp)
	switch {
	case at.job < 0:
	case w.jobs[at.job].Pattern != nil:
		j := &w.jobs[at.job]
		ross.Send(lp, lp.ID(), j.Start+lp.RNG().Exponential(j.interval), generate{})
	default:
		ross.Send(lp, lp.ID(), w.jobs[at.job].Start, resume{})
	}
}

func (w *Workload) generate(h *host, lp *ross.LP, _ *generate) {
	at := w.seat(lp)
	j := &w.jobs[at.job]
	to := j.Pattern(int(at.rank), lp.RNG())
	if uint(to) >= uint(j.Ranks) {
		lp.Fail(fmt.Errorf("%w: the pattern of job %q has rank %d send to rank %d: its ranks are 0 to %d", ErrWorkload,
			j.Name, at.rank, to, j.Ranks-1))
		return
	}
	h.NIC.Send(w.net, lp, int(j.terminals[to]), j.Bytes, 0)
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(j.interval), generate{})
}

// deliver takes a message that has come.
func (w *Workload) deliver(h *host, lp *ross.LP, m interconnect.Message) {
	h.Latency.Add(lp, lp.Now()-m.Sent)
	h.Hops.Add(lp, float64(m.Hops))
	h.Bytes.Add(lp, uint64(m.Bytes))
	r := ross.Write(lp, &h.receipts)
	r.Count++
	r.Last = lp.Now()
	if w.jobs[w.seat(lp).job].Program != nil {
		w.come(h, lp, envelope{w.seats[m.From].rank, uint32(m.Tag)})
	}
}
