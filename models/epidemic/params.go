// The parameters: what they are called, and which values are of use.

package main

import (
	"cmp"
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/cmdline"
)

// params are the parameters of the model. Times are in days.
type params struct {
	side, people, seeds, closes     int
	latent, sick, contacts, infects float64
	stay, way, far                  float64
}

// defaults returns the parameters and settings of a command line without options: 20,480 people, each of whom would
// infect three others if all were susceptible.
func defaults() (params, ross.Config) {
	p := params{
		side: 32, people: 20, seeds: 10, latent: 3, sick: 5, contacts: 4, infects: 0.15, stay: 3, way: 0.05, far: 0.01,
	}
	cfg := ross.DefaultConfig()
	cfg.End, cfg.Statistics = 120, ross.StatisticsInReport
	return p, cfg
}

func (p *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Epidemic Model")
	g.Int(&p.side, "side", "cells on each side of the grid, which is a torus")
	g.Int(&p.people, "people", "people in each cell at the beginning")
	g.Int(&p.seeds, "seeds", "people in the middle who are infected at the beginning")
	g.Float64(&p.latent, "latent", "mean time from infection until somebody is infectious, in days")
	g.Float64(&p.sick, "sick", "mean time for which somebody is infectious, in days")
	g.Float64(&p.contacts, "contacts", "mean number of people of the cell whom an infectious person meets in a day")
	g.Float64(&p.infects, "infects", "probability that a susceptible person whom an infectious one meets is infected")
	g.Float64(&p.stay, "stay", "mean time that somebody stays in a cell, in days")
	g.Float64(&p.way, "way", "time on the way to another cell, in days, the lookahead of --synch=2")
	g.Float64(&p.far, "far", "share of the ways that lead to any cell, the others lead to a neighbour")
	g.Int(&p.closes, "closes", "infectious people in a cell from which on nobody leaves it; 0: people may always leave")
}

// prepare checks the parameters and sets what follows from them.
func (p *params) prepare(cfg *ross.Config) error {
	if err := cmp.Or(
		cmdline.InRange("side", p.side, 1, 1<<12),
		cmdline.InRange("people", p.people, 1, 1<<24),
		cmdline.InRange("seeds", p.seeds, 0, p.people),
		cmdline.InRange("closes", p.closes, 0, 1<<30),
		cmdline.InRange("latent", p.latent, 1e-9, 1e9),
		cmdline.InRange("sick", p.sick, 1e-9, 1e9),
		cmdline.InRange("contacts", p.contacts, 1e-9, 1e9),
		cmdline.InRange("infects", p.infects, 0, 1),
		cmdline.InRange("stay", p.stay, 1e-9, 1e9),
		cmdline.InRange("way", p.way, 1e-9, 1e9),
		cmdline.InRange("far", p.far, 0, 1),
	); err != nil {
		return err
	}
	cfg.LPs, cfg.ConsLookahead = p.side*p.side, p.way
	return nil
}

// next draws the cell to which somebody walks.
func (p *params) next(lp *ross.LP) ross.LPID {
	r, n := lp.RNG(), int64(p.side)
	if r.Unif() < p.far {
		return ross.LPID(r.Integer(0, n*n-1))
	}
	step := [4][2]int64{{1, 0}, {n - 1, 0}, {0, 1}, {0, n - 1}}[r.Integer(0, 3)]
	x, y := int64(lp.ID())%n, int64(lp.ID())/n
	return ross.LPID((y+step[1])%n*n + (x+step[0])%n)
}

// middle returns the cell in which the epidemic begins.
func (p *params) middle() ross.LPID { return ross.LPID(p.side/2*p.side + p.side/2) }

func (p *params) label(id ross.LPID) string {
	return fmt.Sprintf("cell (%d,%d)", int(id)%p.side, int(id)/p.side)
}
