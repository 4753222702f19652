// The model: what nurses, doctors and wards do with patients.

package main

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

// The stages of a patient. Each is an LP of a hospital; of wards there are several.
const (
	withNurse = iota
	withDoctor
	inBed
	stages
)

// The hours of a way. The lesser one is the lookahead.
const (
	walk  = 0.05
	drive = 0.25
)

const classes = 3 // of patients: immediate, urgent, standard

// patient has all that is drawn for him when he comes, so that other settings see the same patients.
type patient struct {
	Came, Since                 float64         // to the hospital; since when he waits for this stage
	Work, Patience              [stages]float64 // how long the stage takes, and how long he waits for it
	Class, Ward, Tried, NeedBed uint32          // Tried counts wards that were full
}

// The messages.
type (
	door  struct{}                    // somebody comes
	come  struct{ patient }           // he is there
	leave struct{ T resource.Ticket } // his patience is over
	done  struct{ T resource.Ticket } // his stage is over
)

// unit is the state of an LP: all nurses, all doctors, or the beds of a ward.
type unit struct {
	Stage int
	Staff resource.Servers[patient] `ross:"staff,h"`

	Wait  [classes]stats.Histogram `ross:"wait,h"`
	Since [classes]stats.Histogram `ross:"since the door,h"`
	Left  [classes]stats.Counter   `ross:"left"`
	Full  stats.Counter            `ross:"no bed free"`
	Home  stats.Counter            `ross:"went home"`
}

func (p *params) init(u *unit, lp *ross.LP) {
	u.Stage = p.stageOf(lp.ID())
	u.Staff.Open(lp, p.rules(u.Stage))
	if u.Stage == withNurse {
		p.next(lp)
	}
}

// next has the next patient come, at a rate that changes with the hour of the day.
func (p *params) next(lp *ross.LP) {
	rate := func(t float64) float64 { return p.rate * (1 - p.swing*math.Cos(2*math.Pi*t/24)) }
	ross.Send(lp, lp.ID(), rng.Thinning{Rate: rate, Most: p.rate * (1 + p.swing)}.Next(lp.RNG(), lp.Now(), math.Inf(1)),
		door{})
}

func (p *params) door(u *unit, lp *ross.LP, _ *door) {
	p.next(lp)
	p.come(u, lp, &come{p.draw(lp.RNG(), lp.Now())})
}

func (p *params) come(u *unit, lp *ross.LP, m *come) {
	c := m.patient
	if u.Stage == inBed && u.Staff.Busy() == u.Staff.Servers() && int(c.Tried) < p.wards {
		u.Full.Inc(lp)
		c.Tried++ // when he has tried all, he waits for the first
		ross.Send(lp, p.ward(lp.ID(), c.Ward+c.Tried), walk, come{c})
		return
	}
	t, o := u.Staff.RequestPriority(lp, c, float64(c.Class))
	if o == resource.Refused { // by the nurses, whose waiting room is full
		ross.Send(lp, p.nextHospital(lp.ID()), drive, come{c})
	}
	p.begin(u, lp, t)
	resource.Patience(lp, &u.Staff, t, c.Patience[u.Stage], leave{t})
}

// begin begins the stage of a patient if it is his turn.
func (p *params) begin(u *unit, lp *ross.LP, t resource.Ticket) {
	if c := u.Staff.Served(lp, t); c != nil {
		u.Wait[c.Class].Add(lp, lp.Now()-c.Since)
		u.Since[c.Class].Add(lp, lp.Now()-c.Came)
		ross.Send(lp, lp.ID(), c.Work[u.Stage], done{t})
	}
}

func (p *params) done(u *unit, lp *ross.LP, m *done) {
	c, next := u.Staff.Release(lp, m.T)
	p.begin(u, lp, next)
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

func (p *params) leave(u *unit, lp *ross.LP, m *leave) {
	if c, ok := u.Staff.Renege(lp, m.T); ok {
		u.Left[c.Class].Inc(lp)
	}
}

func (p *params) types() (types []ross.LPType) {
	for _, name := range [stages]string{"nurses", "doctors", "ward"} {
		types = append(types, ross.Type[unit]{
			Name: name, Init: p.init, Saving: ross.SaveByLog, NeverStops: true, Lookahead: walk,
			Event: ross.Events(ross.On(p.door), ross.On(p.come), ross.On(p.done), ross.On(p.leave)),
		})
	}
	return types
}
