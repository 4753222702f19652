// This file owns Pool, for processes.

package proc

import (
	"math"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/resource"
)

// Pool is a number of members that are known one by one, such as cranes or berths: a process may have several. It is a
// [resource.Pool] whose customers are processes: Open, Len, Has, Held and the statistics are the same.
//
//	Cranes proc.Pool[[6]resource.Member]
//
//	turn := q.Cranes.Request(p, resource.Need{Least: 2, Most: 4, Collects: true})
//	q.Cranes.Work(p, turn, ship.Moves*perMove)
//	q.Cranes.Release(p, turn)
type Pool[M any] struct {
	resource.Pool[Claim, M] `ross:"."`
	wearers                 container.Slab[wearer]
}

// Claim is a process at a Pool.
type Claim struct {
	ref   Ref
	left  float64 // of its Work at a time, in time of one member
	at    float64
	hands int64 // that work since then
}

// wearer is a process in Wear.
type wearer struct {
	ref    Ref
	left   float64 // at a time
	at     float64
	member int32
	works  bool // since then
}

// Request waits for members. Rules with a Room may refuse it: the turn is then 0.
func (q *Pool[M]) Request(p *Self, need resource.Need) Turn {
	if !q.BeginRequest(p, need) {
		p.Suspend()
	}
	defer p.Continue()
	return q.EndRequest(p)
}

// BeginRequest begins a Request.
func (q *Pool[M]) BeginRequest(p *Self, need resource.Need) bool {
	t, o := q.Pool.Request(p.run.lp, Claim{ref: p.ref()}, need)
	q.wear(p.run)
	if o == resource.Waits {
		return p.queue(forTurn, t)
	}
	return p.over(uint64(t))
}

// EndRequest ends a Request.
func (q *Pool[M]) EndRequest(p *Self) Turn {
	t, _ := q.got(p)
	return t
}

// RequestWithin is Request for a process that waits at most as long as its patience: ok is false if it has left then.
func (q *Pool[M]) RequestWithin(p *Self, need resource.Need, patience float64) (t Turn, ok bool) {
	if !q.BeginRequestWithin(p, need, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return q.EndRequestWithin(p)
}

// BeginRequestWithin begins a RequestWithin.
func (q *Pool[M]) BeginRequestWithin(p *Self, need resource.Need, patience float64) bool {
	return p.within(q.BeginRequest(p, need), patience)
}

// EndRequestWithin ends a RequestWithin.
func (q *Pool[M]) EndRequestWithin(p *Self) (t Turn, ok bool) { return q.got(p) }

// got returns the turn of a request that is over: a process that got nothing leaves the queue.
func (q *Pool[M]) got(p *Self) (t Turn, ok bool) {
	t = Turn(p.pr.value)
	if p.pr.why != byOther || p.Killed() {
		if t != 0 {
			q.Release(p, t)
		}
		return 0, false
	}
	return t, t != 0
}

// Release gives the members of a process back, and those who wait for them go on within this event.
func (q *Pool[M]) Release(p *Self, t Turn) {
	lp := p.run.lp
	if _, waits := q.Renege(lp, t); !waits {
		q.Pool.Release(lp, t)
	}
	q.goOn(p.run)
}

// Give gives one of the members of a process back before the others.
func (q *Pool[M]) Give(p *Self, t Turn, member int) {
	q.Pool.Give(p.run.lp, t, member)
	q.goOn(p.run)
}

// Break puts a member out of order. The process that has it loses it, or keeps it (PoolRules.Keep); its Work goes on
// with the others.
func (q *Pool[M]) Break(p *Self, member int) {
	q.retime(p.run, q.Pool.Break(p.run.lp, member))
	q.goOn(p.run)
}

// Repair puts a member in order again.
func (q *Pool[M]) Repair(p *Self, member int) {
	q.retime(p.run, q.Pool.Repair(p.run.lp, member))
	q.goOn(p.run)
}

// SetThere says whether a member is there, such as a nurse whose shift begins or ends. One that a process has
// leaves when it is given back.
func (q *Pool[M]) SetThere(p *Self, member int, there bool) {
	q.Pool.SetThere(p.run.lp, member, there)
	q.goOn(p.run)
}

// Work waits until the members of a process have done work, in time that one member takes for it: two take half of
// that. Members may come and go meanwhile (Need.Collects, Break); without any, the work stands still. An interruption
// ends it before, and Work returns what is left.
func (q *Pool[M]) Work(p *Self, t Turn, work float64) (left float64) {
	if !q.BeginWork(p, t, work) {
		p.Suspend()
	}
	defer p.Continue()
	return q.EndWork(p)
}

// BeginWork begins a Work.
func (q *Pool[M]) BeginWork(p *Self, t Turn, work float64) bool {
	lp := p.run.lp
	switch {
	case !q.Serves(lp, t):
		p.fail(resource.ErrTicket, "works without members", "use the turn that Request has returned, before Release")
		return p.over(0)
	case !(work >= 0) || math.IsInf(work, 1):
		p.refuses(work, "works")
		return p.over(0)
	}
	c := q.Edit(lp, t)
	if c == nil {
		return p.over(0) // the engine reports why
	}
	c.left, c.at, c.hands = work, p.run.k.Now, int64(q.Has(lp, t))
	if p.pending() {
		p.pr.value = uint64(t)
		return true
	}
	c.ref = p.begin(forService, interruptible)
	p.pr.value = uint64(t)
	if c.hands > 0 {
		p.timeout(c.ref, work/float64(c.hands))
	}
	return false
}

// EndWork ends a Work.
func (q *Pool[M]) EndWork(p *Self) (left float64) {
	if p.pr.why == byTime {
		return 0
	}
	if c := q.Get(p.run.lp, Turn(p.pr.value)); c != nil {
		return c.leftAt(p.run.k.Now)
	}
	return 0
}

// leftAt returns what is left of a work at a time.
func (c *Claim) leftAt(now float64) float64 {
	return max(c.left-float64((now-c.at)*float64(c.hands)), 0)
}

// retime has the work of a process go on with as many members as it has now.
func (q *Pool[M]) retime(r *runner, t Turn) {
	c := q.Get(r.lp, t)
	if c == nil {
		return
	}
	pr := r.waits(c.ref)
	if pr == nil || pr.wait != forService {
		return
	}
	if c = q.Edit(r.lp, t); c == nil {
		return
	}
	c.left, c.at, c.hands = c.leftAt(r.k.Now), r.k.Now, int64(q.Has(r.lp, t))
	delay := math.Inf(1)
	if c.hands > 0 {
		delay = c.left / float64(c.hands)
	}
	r.retime(c.ref, pr, delay)
}

// retime has a wait end after a delay from now on, unless that is +Inf.
func (r *runner) retime(ref Ref, pr *process, delay float64) {
	r.save(pr)
	if pr.timer != 0 {
		r.k.Disarm(pr.timer)
	}
	if pr.timer = 0; !math.IsInf(delay, 1) {
		t := ross.After(r.lp, delay, wake{ref.PID, ref.Epoch, uint32(byTime)})
		pr.timer = (*[2]uint64)(unsafe.Pointer(&t))[1]
	}
}

// goOn lets those go on who have got members.
func (q *Pool[M]) goOn(r *runner) {
	for g := q.Next(r.lp); g.Ticket != 0; g = q.Next(r.lp) {
		c := q.Get(r.lp, g.Ticket)
		switch {
		case c == nil:
		case !g.Starts:
			q.retime(r, g.Ticket)
		case r.wake(c.ref, byOther, uint64(g.Ticket)):
		case r.find(c.ref.PID) == nil: // it is gone; otherwise it leaves within this event
			q.Pool.Release(r.lp, g.Ticket)
		}
	}
	q.wear(r)
}

// Wear waits until processes have had a member in order for a time: a crane that breaks down after hours of work.
func (q *Pool[M]) Wear(p *Self, member int, worked float64) {
	if !q.BeginWear(p, member, worked) {
		p.Suspend()
	}
	defer p.Continue()
	q.EndWear(p)
}

// BeginWear begins a Wear.
func (q *Pool[M]) BeginWear(p *Self, member int, worked float64) bool {
	switch {
	case member < 0 || member >= q.Members():
		p.fail(resource.ErrRules, "waits for the wear of a member that is not there", "give one of 0 to Members() - 1")
		return p.over(0)
	case !(worked >= 0):
		p.refuses(worked, "waits")
		return p.over(0)
	}
	w := wearer{ref: p.begin(forOther, 0), left: worked, at: p.run.k.Now, member: int32(member),
		works: q.works(p.run.lp, member)}
	p.pr.value = uint64(q.wearers.Add(p.run.lp, w))
	if w.works {
		p.timeout(w.ref, worked)
	}
	return false
}

// EndWear ends a Wear.
func (q *Pool[M]) EndWear(p *Self) { q.wearers.Remove(p.run.lp, container.Handle(p.pr.value)) }

// works reports whether somebody has a member, and it is in order.
func (q *Pool[M]) works(lp *ross.LP, member int) bool {
	return q.With(lp, member) != 0 && !q.IsDown(member)
}

// wear has those who wait for the wear of a member go on waiting as it is now.
func (q *Pool[M]) wear(r *runner) {
	for h, w := range q.wearers.All(r.lp) {
		works := q.works(r.lp, int(w.member))
		pr := r.waits(w.ref)
		if pr == nil || works == w.works {
			continue
		}
		if w = q.wearers.Edit(r.lp, h); w == nil {
			return
		}
		delay := math.Inf(1)
		if w.works {
			w.left = max(w.left-(r.k.Now-w.at), 0)
		} else {
			delay = w.left
		}
		w.at, w.works = r.k.Now, works
		r.retime(w.ref, pr, delay)
	}
}

// Find returns the process that waits or has members with a turn, or 0.
func (q *Pool[M]) Find(lp *ross.LP, t Turn) PID {
	if c := q.Get(lp, t); c != nil {
		return c.ref.PID
	}
	return 0
}

func (q *Pool[M]) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	lp := faceOf(k)
	for t, c := range q.All(lp) {
		f(c.ref, q.Serves(lp, t))
	}
}
