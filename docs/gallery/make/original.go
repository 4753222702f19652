// This file owns the entries of the models of ROSS that are not networks.

package main

import (
	"fmt"
	"slices"
	"strings"
)

var modelsOfROSS = []entry{
	{
		name:      "airport",
		alt:       "Heat map of the mean wait for the runway at 32 by 32 airports",
		simulates: "4,096 planes that hop between 1,024 airports on a grid, each with one runway.",
		see:       "All airports are alike, yet mean waits are between 6 and 76, since a crowd at a runway lasts. Airports with long waits have such neighbours somewhat more often than others, because planes hop from neighbour to neighbour.",
		options:   "--states=airports.txt",
		small:     "--end=50",
		draw:      drawAirport,
	},
	{
		name:      "pcs",
		alt:       "Share of calls that are blocked against the load of a cell, and the Erlang B formula",
		simulates: "Mobile telephones that call, and move through 64 by 64 cells with 10 channels each.",
		see:       "Where chance gathers telephones, more than a tenth of the calls are blocked. It is less than Erlang's formula says, which is for an endless stream of calls: here, those who talk do not call.",
		options:   "--states=cells.txt",
		small:     "--end=200",
		draw:      drawPCS,
	},
	{
		name:      "traffic",
		alt:       "Share of the cars that have reached their destination over time",
		simulates: "3,840 cars on a grid of 16 by 16 intersections with three lanes on each side.",
		see:       "A car needs three steps at each intersection: to the front, through, and on to the next one. The cars follow the curve of that formula, so full lanes hardly delay them.",
		options:   "--cells-x=16 --cells-y=16 --end=200",
		small:     "--end=3",
		draw:      drawTraffic,
	},
	{
		name:      "raid",
		alt:       "Disk failures and rebuilds for seven distributions of the life of a disk",
		simulates: "File servers with RAID controllers and disks that fail, are replaced and rebuilt.",
		see:       "The mean life is always 114 years, but the distribution decides about the first days. With a Weibull distribution of shape 0.1 most disks fail at once and all arrays are lost; with shape 5 or 10 no disk fails. Shape 1 is the exponential distribution, and has the same bars.",
		options:   "--nfs=32 --disk-distro=3 --end=1000000",
		small:     "--end=20000",
		draw:      drawRAID,
	},
	{
		name:      "qhold",
		alt:       "Histogram of how far pending events are away, and the straight line of theory",
		simulates: "A hold model with delays of up to 32 bits, which ends with a checksum of all that has happened.",
		see:       "The delays are uniform, but the pending events are not: near ones are the most frequent. Theory has a straight line, 1 minus the distribution of the delays.",
		options:   "--lps=1024 --end=13000000000 --event-trace=3",
		small:     "--end=100000000",
		draw:      drawQHold,
	},
}

func drawAirport(r *runs) *chart {
	run := r.run()
	var waits []heated
	for i, words := range run.lines("airports.txt") {
		wait := run.named(words, "waiting") / run.named(words, "landings")
		waits = append(waits, heated{wait, []point{{float64(i % 32), float64(i / 32)}}})
	}
	return &chart{
		title:  "airport: mean wait for the runway",
		x:      axis{label: "column", lo: 0, hi: 32},
		y:      axis{label: "row", lo: 0, hi: 32},
		square: true,
		layers: byHeat(layer{as: cells}, 45, plain, waits),
		notes:  []string{"units of virtual time;", "1,024 airports, 4,096 planes,", "until virtual time 5,000"},
	}
}

func drawPCS(r *runs) *chart {
	const (
		channels      = 10
		talk, seconds = 180, 20000
		widthOfGroup  = 0.25
	)
	run := r.run()
	type group struct{ load, calls, blocked float64 }
	groups := make([]group, 60)
	cells := make([]int, len(groups))
	for _, words := range run.lines("cells.txt") {
		calls := run.named(words, "attempts") - run.named(words, "busy")
		load := calls * talk / seconds
		i := min(int(load/widthOfGroup), len(groups)-1)
		groups[i].load += load
		groups[i].calls += calls
		groups[i].blocked += run.named(words, "blocks")
		cells[i]++
	}
	var shares, formula []point
	for i, g := range groups {
		if cells[i] >= 3 {
			shares = append(shares, point{g.load / float64(cells[i]), g.blocked / g.calls})
		}
	}
	for i := 10; i <= 90; i++ {
		load, b := float64(i)/10, 1.0
		for n := 1; n <= channels; n++ {
			b = load * b / (float64(n) + float64(load*b))
		}
		formula = append(formula, point{load, b})
	}
	return &chart{
		title: "pcs: calls that find no channel",
		x:     axis{label: "load of a cell (Erlang: calls that would be talking)"},
		y:     axis{label: "share of calls blocked", write: percent},
		layers: []layer{
			{name: "Erlang B, formula", as: curve, colour: black, points: formula},
			{name: "cells with that load", as: markers, colour: blue, points: shares},
		},
		notes: []string{"4,096 cells in groups of a", "quarter Erlang, 10 channels"},
	}
}

func drawTraffic(r *runs) *chart {
	const cars = 15 * 16 * 16
	arrived := r.sweep("end", every(75, 600, 75), func(run *result) float64 {
		return run.figure("Number of Cars reached their dest:", 0) / cars
	})
	// The intersections to go are uniform from -99 to 100 in each direction.
	var farther [200]float64
	for x := -99; x <= 100; x++ {
		for y := -99; y <= 100; y++ {
			farther[min(max(x, -x)+max(y, -y), 199)]++
		}
	}
	var formula []point
	near := 0.0
	for n, pairs := range farther {
		near += pairs
		formula = append(formula, point{3 * float64(n), near / (200 * 200)})
	}
	return &chart{
		title: "traffic: cars on a grid of streets",
		x:     axis{label: "virtual time (1 is the mean time of a step)", lo: 0, hi: 600},
		y:     axis{label: "share of the cars at their destination", write: percent},
		layers: []layer{
			{name: "three steps for each\nintersection, formula", as: curve, colour: black, points: formula},
			{name: "cars", as: markers, colour: orange, points: slices.Concat([]point{{0, 0}}, arrived)},
		},
		notes: []string{"3,840 cars"},
	}
}

func drawRAID(r *runs) *chart {
	number := func(label string) []point { return r.sweep("disk-distro", every(0, 6, 1), figure(label, 0)) }
	names := strings.Fields("uniform exp. 0.1 0.5 1 5 10")
	return &chart{
		title: "raid: how disks fail",
		x:     axis{label: "life of a disk: uniform, exponential, or Weibull by shape", names: names},
		y:     axis{label: "number", log: true, lo: 1, hi: 10000},
		layers: []layer{
			{name: "disks that fail\nwithin five years", as: bars, colour: orange, width: 0.25, shift: -0.25,
				points: number("Total disk failures:")},
			{name: "rebuilds", as: bars, colour: blue, width: 0.25, points: number("Total RAID rebuilds:")},
			{name: "arrays lost", as: bars, colour: black, width: 0.25, shift: 0.25,
				points: number("Total RAID failures:")},
		},
		notes: []string{"1,024 disks in 128 arrays,", "12 days simulated", "mean life: 114 years"},
	}
}

func drawQHold(r *runs) *chart {
	const (
		longest = 1 << 32
		when    = 2 * longest
		groups  = 32
	)
	var ahead [groups]float64
	pending := 0.0
	for _, e := range r.run().events() {
		if e.SendTS <= when && e.RecvTS > when {
			ahead[min(int((float64(e.RecvTS)-when)/longest*groups), groups-1)]++
			pending++
		}
	}
	var shares []point
	for i, n := range ahead {
		shares = append(shares, point{(float64(i) + 0.5) / groups, n / pending})
	}
	return &chart{
		title: "qhold: how far pending events are away",
		x:     axis{label: "until they are due (of the longest delay)", lo: 0, hi: 1, write: percent},
		y:     axis{label: "share of the pending events", write: percent},
		layers: []layer{
			{name: "events", as: bars, colour: blue, width: 0.8 / groups, points: shares},
			{name: "theory", as: curve, colour: black, points: []point{{0, 2.0 / groups}, {1, 0}}},
		},
		notes: []string{fmt.Sprintf("%s events", plain(pending))},
	}
}
