// The same model without package resource: servers are counted, and those who wait are in a heap with their timers. It
// draws the same patients and sends the same messages, and so has to leave the same statistics.

package main

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// The messages of the version by hand that the model does not have.
type (
	handLeave struct {
		H container.Handle
		N uint64
	}
	handDone struct{ patient }
)

// seat is one who waits.
type seat struct {
	patient
	N     uint64 // so that a seat is not taken for one who had it before
	Timer ross.Timer
}

// handUnit is a unit.
type handUnit struct {
	Stage, Busy int
	Seats       uint64
	Line        container.IndexedHeap[uint32, seat]

	InQueue, InService stats.Level
	Refused, Reneged   stats.Counter

	Wait  [classes]stats.Histogram `ross:"wait,h"`
	Since [classes]stats.Histogram `ross:"since the door,h"`
	Left  [classes]stats.Counter   `ross:"left"`
	Full  stats.Counter            `ross:"no bed free"`
	Home  stats.Counter            `ross:"went home"`
}

// byHand is the model by hand.
type byHand struct{ params }

func (p *byHand) init(u *handUnit, lp *ross.LP) {
	if u.Stage = p.stageOf(lp.ID()); u.Stage == withNurse {
		p.next(lp)
	}
}

func (p *byHand) door(u *handUnit, lp *ross.LP, _ *door) {
	p.next(lp)
	p.come(u, lp, &come{p.draw(lp.RNG(), lp.Now())})
}

func (p *byHand) come(u *handUnit, lp *ross.LP, m *come) {
	c, rules := m.patient, p.rules(u.Stage)
	switch {
	case u.Busy < rules.Servers:
		*ross.Write(lp, &u.Busy)++
		u.InService.Add(lp, 1)
		p.begin(u, lp, c)
	case u.Stage == inBed && int(c.Tried) < p.wards:
		u.Full.Inc(lp)
		c.Tried++
		ross.Send(lp, p.ward(lp.ID(), c.Ward+c.Tried), walk, come{c})
	case rules.Room > 0 && u.Line.Len() == rules.Room:
		u.Refused.Inc(lp)
		ross.Send(lp, p.nextHospital(lp.ID()), drive, come{c})
	default:
		key := c.Class
		if rules.Order != resource.ByPriority {
			key = 0
		}
		*ross.Write(lp, &u.Seats)++
		h := u.Line.Push(lp, key, seat{patient: c, N: u.Seats})
		u.InQueue.Add(lp, 1)
		if c.Class > 0 && p.patience > 0 && u.Stage != inBed {
			u.Line.Edit(lp, h).Timer = ross.After(lp, c.Patience[u.Stage], handLeave{h, u.Seats})
		}
	}
}

func (p *byHand) begin(u *handUnit, lp *ross.LP, c patient) {
	u.Wait[c.Class].Add(lp, lp.Now()-c.Since)
	u.Since[c.Class].Add(lp, lp.Now()-c.Came)
	ross.Send(lp, lp.ID(), c.Work[u.Stage], handDone{c})
}

func (p *byHand) done(u *handUnit, lp *ross.LP, m *handDone) {
	c := m.patient
	if _, s, ok := u.Line.Pop(lp); ok {
		s.Timer.Cancel(lp)
		u.InQueue.Add(lp, -1)
		p.begin(u, lp, s.patient)
	} else {
		*ross.Write(lp, &u.Busy)--
		u.InService.Add(lp, -1)
	}
	c.Since = lp.Now()
	switch {
	case u.Stage == withNurse:
		ross.Send(lp, lp.ID()+1, walk, come{c})
	case u.Stage == withDoctor && c.NeedBed == 1:
		ross.Send(lp, p.ward(lp.ID(), c.Ward), walk, come{c})
	default:
		u.Home.Inc(lp)
	}
}

func (p *byHand) leave(u *handUnit, lp *ross.LP, m *handLeave) {
	if s := u.Line.Get(lp, m.H); s == nil || s.N != m.N {
		return
	}
	_, s, _ := u.Line.Remove(lp, m.H)
	u.InQueue.Add(lp, -1)
	u.Reneged.Inc(lp)
	u.Left[s.Class].Inc(lp)
}

func (p *byHand) types() (types []ross.LPType) {
	for _, name := range [stages]string{"nurses", "doctors", "ward"} {
		types = append(types, ross.Type[handUnit]{
			Name: name, Init: p.init, Saving: ross.SaveByLog, NeverStops: true, Lookahead: walk,
			Event: ross.Events(ross.On(p.door), ross.On(p.come), ross.On(p.done), ross.On(p.leave)),
		})
	}
	return types
}
