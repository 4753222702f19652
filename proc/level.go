// This file owns Level: a quantity that processes put and get.

package proc

import (
	"math"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/resource"
)

// Level is a quantity that processes put and get. It is a [resource.Level] in which processes wait: Open, Now and the
// statistics are the same. All that a process needs at once, it gets in one Get, so that no two wait for each other.
type Level struct {
	resource.Level[Ref] `ross:"."`
}

// Put adds an amount, and waits until there is room for it. ok is false if the level refuses (LevelRules.RoomPut).
func (l *Level) Put(p *Self, amount float64) (ok bool) {
	if !l.BeginPut(p, amount) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndPut(p)
}

// BeginPut begins a Put.
func (l *Level) BeginPut(p *Self, amount float64) bool { return l.BeginPutPriority(p, amount, 0) }

// EndPut ends a Put.
func (l *Level) EndPut(p *Self) (ok bool) { return l.got(p) }

// PutPriority is Put for a process with a finite priority: it goes before those that wait to put and have a larger one.
func (l *Level) PutPriority(p *Self, amount, priority float64) (ok bool) {
	if !l.BeginPutPriority(p, amount, priority) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndPutPriority(p)
}

// BeginPutPriority begins a PutPriority.
func (l *Level) BeginPutPriority(p *Self, amount, priority float64) bool {
	t, o := l.Level.PutPriority(p.run.lp, p.ref(), amount, priority)
	return l.asked(p, t, o, forRoom)
}

// EndPutPriority ends a PutPriority.
func (l *Level) EndPutPriority(p *Self) (ok bool) { return l.got(p) }

// PutWithin is Put for at most a time: ok is false if there was no room within it.
func (l *Level) PutWithin(p *Self, amount, patience float64) (ok bool) {
	if !l.BeginPutWithin(p, amount, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndPutWithin(p)
}

// BeginPutWithin begins a PutWithin.
func (l *Level) BeginPutWithin(p *Self, amount, patience float64) bool {
	return p.within(l.BeginPut(p, amount), patience)
}

// EndPutWithin ends a PutWithin.
func (l *Level) EndPutWithin(p *Self) (ok bool) { return l.got(p) }

// Return gives back what the process has got. It does not wait, so it may be deferred; there has to be room for the
// amount (resource.ErrAmount).
func (l *Level) Return(p *Self, amount float64) {
	if amount > l.Capacity()-l.Now()+1e-9*l.Capacity() {
		p.fail(resource.ErrAmount, "returns more than it has got", "return what Get has taken, or Put it")
		return
	}
	l.Level.Return(p.run.lp, amount)
	l.others(p)
}

// Get takes an amount, and waits until it is there. ok is false if the level refuses (LevelRules.RoomGet).
func (l *Level) Get(p *Self, amount float64) (ok bool) {
	if !l.BeginGet(p, amount) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndGet(p)
}

// BeginGet begins a Get.
func (l *Level) BeginGet(p *Self, amount float64) bool { return l.BeginGetPriority(p, amount, 0) }

// EndGet ends a Get.
func (l *Level) EndGet(p *Self) (ok bool) { return l.taken(p) }

// GetPriority is Get for a process with a finite priority: it goes before those that wait to get and have a larger one.
func (l *Level) GetPriority(p *Self, amount, priority float64) (ok bool) {
	if !l.BeginGetPriority(p, amount, priority) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndGetPriority(p)
}

// BeginGetPriority begins a GetPriority.
func (l *Level) BeginGetPriority(p *Self, amount, priority float64) bool {
	t, o := l.Level.GetPriority(p.run.lp, p.ref(), amount, priority)
	return l.asked(p, t, o, forAmount)
}

// EndGetPriority ends a GetPriority.
func (l *Level) EndGetPriority(p *Self) (ok bool) { return l.taken(p) }

// GetWithin is Get for at most a time: ok is false if the amount was not there within it.
func (l *Level) GetWithin(p *Self, amount, patience float64) (ok bool) {
	if !l.BeginGetWithin(p, amount, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndGetWithin(p)
}

// BeginGetWithin begins a GetWithin.
func (l *Level) BeginGetWithin(p *Self, amount, patience float64) bool {
	return p.within(l.BeginGet(p, amount), patience)
}

// EndGetWithin ends a GetWithin.
func (l *Level) EndGetWithin(p *Self) (ok bool) { return l.taken(p) }

// GetPriorityWithin is GetPriority for at most a time: ok is false if the amount was not there within it.
func (l *Level) GetPriorityWithin(p *Self, amount, priority, patience float64) (ok bool) {
	if !l.BeginGetPriorityWithin(p, amount, priority, patience) {
		p.Suspend()
	}
	defer p.Continue()
	return l.EndGetPriorityWithin(p)
}

// BeginGetPriorityWithin begins a GetPriorityWithin.
func (l *Level) BeginGetPriorityWithin(p *Self, amount, priority, patience float64) bool {
	return p.within(l.BeginGetPriority(p, amount, priority), patience)
}

// EndGetPriorityWithin ends a GetPriorityWithin.
func (l *Level) EndGetPriorityWithin(p *Self) (ok bool) { return l.taken(p) }

// asked begins the wait of a request that waits, or lets others go on.
func (l *Level) asked(p *Self, t Turn, o resource.Outcome, w wait) bool {
	switch o {
	case resource.Waits:
		return p.queue(w, t)
	case resource.Refused:
		p.over(0)
		p.pr.why = byTime
		return true
	}
	l.others(p)
	return p.over(0)
}

// got ends a wait: one whose time is over leaves.
func (l *Level) got(p *Self) (ok bool) {
	if p.pr.why == byOther {
		return true
	}
	l.Leave(p.run.lp, Turn(p.pr.value))
	l.others(p)
	return false
}

// taken is got for a Get. One that is killed after it has got the amount, and before it goes on, gives it back.
func (l *Level) taken(p *Self) (ok bool) {
	ok = l.got(p)
	if amount := math.Float64frombits(p.pr.value); ok && p.Killed() && amount <= l.Capacity()-l.Now() {
		l.Return(p, amount)
	}
	return ok
}

// others lets those go on who wait and can. The value of their wait is the amount.
func (l *Level) others(p *Self) {
	for {
		who, amount, ok := l.Next(p.run.lp)
		if !ok {
			return
		}
		if !p.run.wake(who, byOther, math.Float64bits(math.Abs(amount))) && amount < 0 {
			l.Level.Return(p.run.lp, -amount) // the process that got it leaves within this event
		}
	}
}

func (l *Level) each(k *kernel.LP, _ *Processes, f func(Ref, bool)) {
	for ref := range l.Waiters(faceOf(k)) {
		f(ref, false)
	}
}
