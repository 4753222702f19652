// This file owns Servers, for processes.

package proc

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/resource"
)

// Turn names a process at Servers, from its request until it releases them. It is a value of the model's, which may be
// kept in states and sent in messages. 0 is the turn of nobody.
type Turn = resource.Ticket

// Servers are identical servers, and the queue of processes in front of them. They are [resource.Servers] whose
// customers are processes: Open, Len, Busy, SetServers and the statistics are the same.
//
//	turn := b.Counter.Request(p)
//	p.Sleep(needs)
//	b.Counter.Release(p, turn)
//
// With Rules.Batch a server takes several processes at once. Each of them goes on with a turn of its own, and the
// server is free when the last of them has released it.
type Servers struct {
	resource.Servers[Ref] `ross:"."`
	patience              float64 // of those who wait for others, 0: for ever
}

// OpenBatches is Open for rules with a BatchMin: a server starts with fewer processes if one of them has waited as long
// as the patience, which is positive and may be infinite.
func (s *Servers) OpenBatches(lp *ross.LP, r resource.Rules, patience float64) {
	if s.Open(lp, r); patience > 0 && !math.IsInf(patience, 1) {
		*ross.Write(lp, &s.patience) = patience
	}
}

// Request waits for a server, with priority 0. Rules with a Room may refuse it: the turn is then 0.
func (s *Servers) Request(p *Self) Turn {
	if !s.BeginRequest(p) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndRequest(p)
}

// BeginRequest begins a Request.
func (s *Servers) BeginRequest(p *Self) bool { return s.request(p, 0) }

// EndRequest ends a Request.
func (s *Servers) EndRequest(p *Self) Turn {
	t, _ := s.got(p)
	return t
}

// RequestPriority is Request for a process with a finite priority: the least is the first to start.
func (s *Servers) RequestPriority(p *Self, priority float64) Turn {
	if !s.BeginRequestPriority(p, priority) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndRequestPriority(p)
}

// BeginRequestPriority begins a RequestPriority.
func (s *Servers) BeginRequestPriority(p *Self, priority float64) bool { return s.request(p, priority) }

// EndRequestPriority ends a RequestPriority.
func (s *Servers) EndRequestPriority(p *Self) Turn { return s.EndRequest(p) }

// RequestWithin is Request for a process that waits at most as long as its patience: ok is false if it has left then.
func (s *Servers) RequestWithin(p *Self, patience float64) (t Turn, ok bool) {
	if !s.BeginRequestWithin(p, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndRequestWithin(p)
}

// BeginRequestWithin begins a RequestWithin.
func (s *Servers) BeginRequestWithin(p *Self, patience float64) bool {
	return p.within(s.request(p, 0), patience)
}

// EndRequestWithin ends a RequestWithin.
func (s *Servers) EndRequestWithin(p *Self) (t Turn, ok bool) { return s.got(p) }

// RequestPriorityWithin is RequestPriority for a process that waits at most as long as its patience: ok is false if it
// has left then.
func (s *Servers) RequestPriorityWithin(p *Self, priority, patience float64) (t Turn, ok bool) {
	if !s.BeginRequestPriorityWithin(p, priority, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return s.EndRequestPriorityWithin(p)
}

// BeginRequestPriorityWithin begins a RequestPriorityWithin.
func (s *Servers) BeginRequestPriorityWithin(p *Self, priority, patience float64) bool {
	return p.within(s.request(p, priority), patience)
}

// EndRequestPriorityWithin ends a RequestPriorityWithin.
func (s *Servers) EndRequestPriorityWithin(p *Self) (t Turn, ok bool) { return s.got(p) }

// request asks for a server. It reports whether there is nothing to wait for: a server is free, or refuses.
func (s *Servers) request(p *Self, priority float64) bool {
	t, o := s.Servers.RequestPriority(p.run.lp, p.ref(), priority)
	if o != resource.Waits {
		return p.over(uint64(t))
	}
	p.queue(forTurn, t)
	if s.gathers() {
		s.limit(p, t)
		s.gather(p)
	}
	return false
}

// gathers reports whether servers wait for several processes.
func (s *Servers) gathers() bool {
	least, _ := s.Batches()
	return least > 1
}

// limit limits the time for which a process waits for others.
func (s *Servers) limit(p *Self, t Turn) {
	if s.patience == 0 || !s.gathers() {
		return
	}
	if at, ok := p.offset(s); ok {
		resource.Patience(p.run.lp, &s.Servers, t, s.patience, wake{PID(t), at, overdue})
	}
}

// gather has free servers take processes.
func (s *Servers) gather(p *Self) {
	for t := s.Next(p.run.lp); t != 0; t = s.Next(p.run.lp) {
		s.begins(p, t)
	}
}

// startOverdue starts a batch in which a process has waited long enough for others, if a server is free.
func (s *Servers) startOverdue(p *Self, t Turn) { s.begins(p, s.Overdue(p.run.lp, t)) }

// got returns the turn of a request that is over: a process that was not served leaves the queue.
func (s *Servers) got(p *Self) (t Turn, ok bool) {
	t = Turn(p.pr.value)
	switch {
	case p.pr.why != byOther:
		if _, waits := s.Renege(p.run.lp, t); !waits && s.Get(p.run.lp, t) != nil {
			s.Release(p, t) // a server has taken it within this event
		}
		return 0, false
	case p.Killed() && t != 0:
		s.Release(p, t)
		return 0, false
	}
	return t, t != 0
}

// Free returns how many servers are free.
func (s *Servers) Free() int { return max(s.Servers.Servers()-s.Busy(), 0) }

// TryRequest is Request that does not wait: ok is false if no server is free.
func (s *Servers) TryRequest(p *Self) (t Turn, ok bool) {
	if s.Free() == 0 || s.gathers() {
		return 0, false
	}
	ref := p.ref()
	ref.Epoch = math.MaxUint32 // it names no wait
	t, o := s.Servers.Request(p.run.lp, ref)
	return t, o == resource.Starts
}

// Serve is Sleep for a process that is served, and whose service others with a smaller priority may interrupt
// (resource.Preemptive): the process waits until it has been served for the whole delay, however often that was
// interrupted. Servers that are preemptive want it for each service.
func (s *Servers) Serve(p *Self, t Turn, delay float64) {
	if !s.BeginServe(p, t, delay) {
		p.Suspend()
	}
	defer p.Continue()
	s.EndServe(p)
}

// BeginServe begins a Serve.
func (s *Servers) BeginServe(p *Self, t Turn, delay float64) bool {
	lp, ref := p.run.lp, p.ref()
	at := s.Edit(lp, t)
	if at != nil {
		*at = ref
	}
	if left, _ := s.Left(lp, t); at == nil || s.Serves(lp, t) || !math.IsInf(left, 1) {
		resource.Serve(lp, &s.Servers, t, delay, wake{ref.PID, ref.Epoch, uint32(byTime)})
	} // otherwise another one has taken its server since it was woken, and begins does it
	p.begin(forService, 0)
	p.pr.value = math.Float64bits(delay)
	return false
}

// EndServe ends a Serve.
func (s *Servers) EndServe(p *Self) {}

// Release gives the server of a process back, and the first of those who wait goes on within this event.
func (s *Servers) Release(p *Self, t Turn) {
	lp := p.run.lp
	if !s.Serves(lp, t) {
		if _, ok := s.Renege(lp, t); ok {
			return // it was killed while another one had its server
		}
	}
	_, next := s.ReleaseOne(lp, t)
	s.begins(p, next)
}

// SetServers changes the number of servers, as that of resource.Servers does, and those who are free take processes.
func (s *Servers) SetServers(p *Self, n int) {
	s.Servers.SetServers(p.run.lp, n)
	s.gather(p)
}

// begins lets the processes go on that a server has taken.
func (s *Servers) begins(p *Self, t Turn) {
	r := p.run
	if _, most := s.Batches(); most == 1 {
		for t != 0 && !s.goesOn(p, t) {
			_, t = s.Servers.Release(r.lp, t) // it is gone
		}
		return
	}
	for t != 0 {
		r.batch = r.batch[:0]
		for mate := range s.Batch(r.lp, t) {
			r.batch = append(r.batch, mate)
		}
		t = 0
		for _, mate := range r.batch {
			if !s.goesOn(p, mate) {
				_, t = s.ReleaseOne(r.lp, mate) // it is gone; only the last of a batch has a next one
			}
		}
	}
}

// goesOn lets a process go on that a server has taken. It reports false if the process is gone.
func (s *Servers) goesOn(p *Self, t Turn) bool {
	at := s.Get(p.run.lp, t)
	if at == nil {
		return true
	}
	ref := *at
	left, again := s.Left(p.run.lp, t)
	switch pr := p.run.waits(ref); {
	case pr != nil && pr.wait == forService:
		if math.IsInf(left, 1) {
			left = math.Float64frombits(pr.value)
		}
		resource.Serve(p.run.lp, &s.Servers, t, left, wake{ref.PID, ref.Epoch, uint32(byTime)})
	case pr != nil && pr.wait == forTurn:
		p.run.wake(ref, byOther, uint64(t))
	case pr != nil && pr.wait == forSeveral:
		p.run.wake(ref, byOther, p.run.requested(pr, s, t))
	case p.run.find(ref.PID) == nil:
		return false
	case again: // it leaves within this event, or has been served and keeps the server
		resource.Serve(p.run.lp, &s.Servers, t, 0, wake{PID: ref.PID, Epoch: math.MaxUint32})
	}
	return true
}

// Find returns the process that waits or is served with a turn, or 0.
func (s *Servers) Find(lp *ross.LP, t Turn) PID {
	if at := s.Get(lp, t); at != nil {
		return at.PID
	}
	return 0
}

func (s *Servers) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	lp := faceOf(k)
	for t, ref := range s.All(lp) {
		has := false
		for range s.Batch(lp, t) { // none if it waits
			has = true
			break
		}
		f(*ref, has)
	}
}
