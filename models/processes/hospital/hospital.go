// Package hospital is hospitals: patients of three classes wait for nurses, doctors and beds, lose patience, and drive
// to the next hospital if a waiting room is full. It is models/hospital, with patients as processes.
package hospital

import (
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// The hours of a way. The lesser one is the lookahead.
const walk, drive = 0.05, 0.25

const (
	classes = 3 // of patients: immediate, urgent, standard
	beds    = 2 // what a ward is at a hospital, after nurses and doctors
)

// params are the parameters of the model. Times are in hours.
type params struct {
	hospitals, wards, nurses, doctors, beds, room int
	rate, swing, nursing, treatment, stay, admits float64
	patience, immediate, urgent                   float64
}

// Unit is the state of an LP: the nurses of a hospital, its doctors, or the beds of a ward.
type Unit struct {
	proc.Processes
	Staff proc.Servers `ross:"staff,h"`

	Wait  [classes]stats.Histogram `ross:"wait,h"`
	Since [classes]stats.Histogram `ross:"since the door,h"`
	Left  [classes]stats.Counter   `ross:"left"`
	Full  stats.Counter            `ross:"no bed free"`
	Home  stats.Counter            `ross:"went home"`
	Drove stats.Counter            `ross:"drove on"`
}

// door has patients come, at a rate that changes with the hour of the day.
func (u *Unit) door(p *proc.Self) {
	for {
		p.Sleep(proc.Param[params](p).arrives(p))
		proc.Go(p, (*Unit).patient)
	}
}

// arrives draws the time to the next patient. Here rate is no variable of a process, for which each turn would
// allocate.
func (m *params) arrives(p *proc.Self) float64 {
	rate := func(t float64) float64 { return m.rate * (1 - m.swing*math.Cos(2*math.Pi*t/24)) }
	return rng.Thinning{Rate: rate, Most: m.rate * (1 + m.swing)}.Next(p.RNG(), p.Now(), math.Inf(1))
}

// patient draws all that he needs when he comes, so that other settings see the same patients.
func (u *Unit) patient(p *proc.Self) {
	m, r, came := proc.Param[params](p), p.RNG(), p.Now()
	nursing, treatment, stay := r.Exponential(m.nursing), r.Exponential(m.treatment), r.Exponential(m.stay)
	patience := [2]float64{m.patience * r.Exponential(1), m.patience * r.Exponential(1)}
	first, class := int(r.Integer(0, int64(m.wards-1))), m.class(r.Unif())
	admitted := r.Unif() < m.admits
	if class == 0 || m.patience == 0 {
		patience = [2]float64{math.Inf(1), math.Inf(1)}
	}
	for u.full(p) {
		u.Drove.Inc(p.LP())
		u = proc.At[Unit](p, m.next(p.LP().ID()), drive)
	}
	if !u.care(p, class, came, came, patience[0], nursing) {
		return
	}
	since := p.Now()
	u = proc.At[Unit](p, p.LP().ID()+1, walk)
	if !u.care(p, class, came, since, patience[1], treatment) {
		return
	}
	if admitted {
		since = p.Now()
		u = proc.At[Unit](p, m.ward(p.LP().ID(), first), walk)
		for i := 1; u.Staff.Free() == 0 && i <= m.wards; i++ {
			u.Full.Inc(p.LP()) // a patient who has tried all wards waits for the first one
			u = proc.At[Unit](p, m.ward(p.LP().ID(), first+i), walk)
		}
		u.care(p, class, came, since, math.Inf(1), stay)
	}
	u.Home.Inc(p.LP())
}

// full reports whether nobody may wait for a nurse any more.
func (u *Unit) full(p *proc.Self) bool {
	room := proc.Param[params](p).room
	return room > 0 && u.Staff.Len() >= room
}

// care has a patient wait for the staff of a unit, and be with them. It is false if he has lost patience.
func (u *Unit) care(p *proc.Self, class int, came, since, patience, work float64) bool {
	turn, ok := u.Staff.RequestPriorityWithin(p, float64(class), patience)
	if !ok {
		u.Left[class].Inc(p.LP())
		return false
	}
	u.Wait[class].Add(p.LP(), p.Now()-since)
	u.Since[class].Add(p.LP(), p.Now()-came)
	p.Sleep(work)
	u.Staff.Release(p, turn)
	return true
}

func (m *params) class(share float64) int {
	switch {
	case share < m.immediate:
		return 0
	case share < m.immediate+m.urgent:
		return 1
	}
	return 2
}

// ward returns a ward of the hospital of an LP. Numbers above the last begin again.
func (m *params) ward(id ross.LPID, n int) ross.LPID {
	return id - id%ross.LPID(beds+m.wards) + beds + ross.LPID(n%m.wards)
}

// next returns the nurses of the next hospital, which after the last is the first.
func (m *params) next(nurses ross.LPID) ross.LPID {
	return (nurses + ross.LPID(beds+m.wards)) % ross.LPID(m.hospitals*(beds+m.wards))
}

// typeOf returns the type of an LP.
func (m *params) typeOf(id ross.LPID) int { return min(int(id)%(beds+m.wards), beds) }

func (m *params) types() (types []ross.LPType) {
	rules := []resource.Rules{
		{Servers: m.nurses, Order: resource.ByPriority}, {Servers: m.doctors, Order: resource.ByPriority}, {Servers: m.beds},
	}
	for i, name := range []string{"nurses", "doctors", "ward"} {
		t := ross.Type[Unit]{Name: name, Saving: ross.SaveByLog, NeverStops: true, Lookahead: walk}
		t.Init = func(u *Unit, lp *ross.LP) {
			if u.Staff.Open(lp, rules[i]); i == 0 {
				proc.Do(lp, u, func(p *proc.Self) { proc.Go(p, (*Unit).door) })
			}
		}
		types = append(types, proc.Type(t, proc.Given(m)))
	}
	return types
}

// Program returns the model: four weeks after one of warm-up.
func Program() program.Program {
	m := params{
		hospitals: 4, wards: 3, nurses: 4, doctors: 7, beds: 40, room: 40, rate: 12, swing: 0.6, nursing: 0.2,
		treatment: 0.45, stay: 44, admits: 0.2, patience: 3, immediate: 0.15, urgent: 0.35,
	}
	cfg := ross.DefaultConfig()
	cfg.End, cfg.WarmUp, cfg.Statistics = 24*35, 24*7, ross.StatisticsInReport
	return program.Program{
		Name: "hospital", Config: cfg, Options: m.options, Prepare: m.prepare,
		Build: func(sim *ross.Simulation) error { return sim.Define(m.types()...) },
	}
}
