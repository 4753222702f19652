// The parameters: what they mean for the LPs, and the patients who are drawn with them.

package main

import (
	"cmp"
	"math"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/rng"
)

// params are the parameters of the model. Times are in hours.
type params struct {
	hospitals, wards, nurses, doctors, beds, room int
	rate, swing, nursing, treatment, stay, admits float64
	patience, immediate, urgent                   float64
}

// defaults returns the parameters and settings of a command line without options: four weeks after one of warm-up.
func defaults() (params, ross.Config) {
	p := params{
		hospitals: 4, wards: 3, nurses: 4, doctors: 7, beds: 40, room: 40, rate: 12, swing: 0.6, nursing: 0.2,
		treatment: 0.45,
		stay:      44, admits: 0.2, patience: 3, immediate: 0.15, urgent: 0.35,
	}
	cfg := ross.DefaultConfig()
	cfg.End, cfg.WarmUp, cfg.Statistics = 24*35, 24*7, ross.StatisticsInReport
	return p, cfg
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Hospital Model")
	g.Int(&p.hospitals, "hospitals", "hospitals")
	g.Int(&p.wards, "wards", "wards of each hospital")
	g.Int(&p.nurses, "nurses", "nurses of each hospital")
	g.Int(&p.doctors, "doctors", "doctors of each hospital")
	g.Int(&p.beds, "beds", "beds of each ward")
	g.Int(&p.room, "room", "patients who may wait for a nurse; others drive to the next hospital; 0: any number")
	g.Float64(&p.rate, "rate", "mean number of patients who come to a hospital in an hour")
	g.Float64(&p.swing, "swing", "how much this number changes over the day: 0 to 1")
	g.Float64(&p.nursing, "nursing", "mean time with a nurse, in hours")
	g.Float64(&p.treatment, "treatment", "mean time with a doctor, in hours")
	g.Float64(&p.stay, "stay", "mean time in a bed, in hours")
	g.Float64(&p.admits, "admit", "share of patients who need a bed")
	g.Float64(&p.patience, "patience",
		"mean time after which those who wait for a nurse or a doctor leave, in hours; 0: nobody leaves")
	g.Float64(&p.immediate, "immediate", "share of patients who are served first, and do not leave")
	g.Float64(&p.urgent, "urgent", "share of patients who are served before the rest")
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if err := cmp.Or(
		cmdline.InRange("hospitals", p.hospitals, 1, 1<<20),
		cmdline.InRange("wards", p.wards, 1, 1<<10),
		cmdline.InRange("nurses", p.nurses, 1, 1<<30),
		cmdline.InRange("doctors", p.doctors, 1, 1<<30),
		cmdline.InRange("beds", p.beds, 1, 1<<30),
		cmdline.InRange("room", p.room, 0, 1<<30),
		cmdline.InRange("rate", p.rate, 1e-9, 1e9),
		cmdline.InRange("swing", p.swing, 0, 1),
		cmdline.InRange("nursing", p.nursing, 1e-9, 1e9),
		cmdline.InRange("treatment", p.treatment, 1e-9, 1e9),
		cmdline.InRange("stay", p.stay, 1e-9, 1e9),
		cmdline.InRange("admit", p.admits, 0, 1),
		cmdline.InRange("patience", p.patience, 0, 1e9),
		cmdline.InRange("immediate", p.immediate, 0, 1),
		cmdline.InRange("urgent", p.urgent, 0, 1-p.immediate),
	); err != nil {
		return err
	}
	cfg.LPs, cfg.TypeMap, cfg.ConsLookahead = p.hospitals*p.units(), p.stageOf, walk
	return nil
}

// rules returns those of a stage.
func (p *params) rules(stage int) resource.Rules {
	return [stages]resource.Rules{
		withNurse:  {Servers: p.nurses, Order: resource.ByPriority, Room: p.room},
		withDoctor: {Servers: p.doctors, Order: resource.ByPriority},
		inBed:      {Servers: p.beds},
	}[stage]
}

// units returns the number of LPs of a hospital: nurses, doctors, and each ward.
func (p *params) units() int { return inBed + p.wards }

// stageOf returns the stage of an LP, which is its type, too.
func (p *params) stageOf(id ross.LPID) int { return min(int(id)%p.units(), inBed) }

// ward returns a ward of the hospital of an LP. Numbers above the last begin again.
func (p *params) ward(id ross.LPID, n uint32) ross.LPID {
	return id - id%ross.LPID(p.units()) + inBed + ross.LPID(n)%ross.LPID(p.wards)
}

// nextHospital returns the nurses of the next hospital, which after the last is the first.
func (p *params) nextHospital(nurses ross.LPID) ross.LPID {
	return (nurses + ross.LPID(p.units())) % ross.LPID(p.hospitals*p.units())
}

// draw draws a patient who comes now.
func (p *params) draw(r *rng.Stream, now float64) patient {
	c := patient{
		Came: now, Since: now, Work: [stages]float64{r.Exponential(p.nursing), r.Exponential(p.treatment),
			r.Exponential(p.stay)},
		Patience: [stages]float64{p.patience * r.Exponential(1), p.patience * r.Exponential(1), math.Inf(1)},
		Class:    classes - 1, Ward: uint32(r.Integer(0, int64(p.wards-1))),
	}
	switch class := r.Unif(); {
	case class < p.immediate:
		c.Class = 0
	case class < p.immediate+p.urgent:
		c.Class = 1
	}
	if r.Unif() < p.admits {
		c.NeedBed = 1
	}
	if c.Class == 0 || p.patience == 0 {
		c.Patience[withNurse], c.Patience[withDoctor] = math.Inf(1), math.Inf(1)
	}
	return c
}
