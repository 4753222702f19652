// This file owns the entries of the models that try the engine.

package main

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
)

var trials = []entry{
	{
		name:      "pholdio",
		alt:       "Events of each unit of time in a whole run, and in two that a checkpoint joins",
		simulates: "PHOLD with checkpoints: one run stores its state at the end, and another goes on from it.",
		see:       "The events of the two runs are those of one run that never stopped.",
		options:   "--nlp=64 --lookahead=0.05 --end=20 --io-store=1 --event-trace=3",
		small:     "--end=3",
		draw:      drawPHOLDIO,
	},
	{
		name:      "market",
		alt:       "Orders in the books of exchanges over time",
		simulates: "Traders, and exchanges that keep books of orders in Go slices.",
		see:       "A book grows until the session of its exchange ends, and is then emptied. So states grow and shrink, which an engine that copies or stores them has to bear.",
		options:   "--lps=64 --end=48",
		small:     "--end=4",
		draw:      drawMarket,
	},
	{
		name:      "stress",
		alt:       "Number of events in each 64th of a unit of time",
		simulates: "LPs of every kind that can be undone, which send events at equal times, without delay, and in bursts.",
		see:       "Many events have the same time, a multiple of a quarter: the model makes ties on purpose, since their order is what a rollback gets wrong most easily. Other peaks are bursts of eight.",
		options:   "--lps=64 --end=20 --event-trace=3",
		small:     "--end=4",
		draw:      drawStress,
	},
	{
		name:      "zerotie",
		alt:       "Number of events by place in a chain, and powers of the probability of going on",
		simulates: "Events that all occur at whole numbers of virtual time, some of them in chains without delay.",
		see:       "An event has a successor at the same time with probability p. So the places in the chains have the share p, p², p³ ... of those at the beginning. The model tests the order of such events.",
		options:   "--nlp=8 --end=1000 --maxhop=8 --p=0.6 --event-trace=1",
		small:     "--end=10",
		draw:      drawZeroTie,
	},
}

func drawPHOLDIO(r *runs) *chart {
	both := filepath.Join(r.dir, "both")
	count := func(run *result, from, until int) (points []point) {
		events := make([]float64, until)
		for _, e := range run.events() {
			if i := int(e.RecvTS); i >= from && i < until {
				events[i]++
			}
		}
		for i := from; i < until; i++ {
			points = append(points, point{float64(i) + 0.5, events[i]})
		}
		return points
	}
	whole := count(r.run("--io-store=2", "--end=40"), 0, 40)
	first := count(r.runIn(both), 0, 20)
	second := count(r.runIn(both, "--io-store=0", "--io-as-ross=0", "--end=40"), 20, 40)
	return &chart{
		title: "pholdio: a run in two parts",
		x:     axis{label: "virtual time (1 is the mean delay)"},
		y:     axis{label: "events in a unit of time"},
		layers: []layer{
			{name: "one run", as: curve, colour: black, points: whole},
			{name: "the run that stores", as: markers, colour: blue, points: first},
			{name: "the run that goes on", as: markers, colour: orange, points: second},
		},
	}
}

func drawMarket(r *runs) *chart {
	orders := func(kind int) []point { // of sessions: each has a quarter of the exchanges
		return r.sweep("end", every(1, 48, 1), func(run *result) (mean float64) {
			for exchange := 4 * kind; exchange < 64; exchange += 16 {
				label := fmt.Sprintf("EXCHANGE %d ", exchange)
				mean += (run.figure(label, 4) + run.figure(label, 6)) / 4
			}
			return mean
		})
	}
	return &chart{
		title: "market: books that grow, and are emptied",
		x:     axis{label: "virtual time", lo: 0, hi: 48},
		y:     axis{label: "orders in the book of an exchange (mean of four)"},
		layers: []layer{
			{name: "sessions of 32", as: curve, colour: orange, points: orders(3)},
			{name: "sessions of 16", as: curve, colour: black, dash: "8 3", points: orders(2)},
			{name: "sessions of 8", as: curve, colour: blue, dash: "2 3", points: orders(1)},
		},
	}
}

func drawStress(r *runs) *chart {
	const from, until, parts = 10, 13, 64
	var local [(until - from) * parts]float64
	for _, e := range r.run().events() {
		if at := float64(e.RecvTS); at >= from && at < until {
			local[int((at-from)*parts)]++
		}
	}
	var points []point
	for i, n := range local {
		points = append(points, point{from + (float64(i)+0.5)/parts, n})
	}
	return &chart{
		title:  "stress: many events at one time",
		x:      axis{label: "virtual time", lo: from, hi: until},
		y:      axis{label: "events in a 64th of a unit of time"},
		layers: []layer{{name: "events", as: bars, colour: blue, width: 0.8 / parts, points: points}},
	}
}

func drawZeroTie(r *runs) *chart {
	const hops = 8
	c := &chart{
		title: "zerotie: chains of events without delay",
		x:     axis{label: "place in the chain (0: with a delay)"},
		y:     axis{label: "share of the events at place 0", log: true},
	}
	for i, p := range []string{"0.8", "0.6", "0.4"} {
		run := r.run("--p=" + p)
		var events [hops + 1]float64
		for _, e := range run.events() {
			if len(e.Payload) >= 4 {
				events[min(binary.LittleEndian.Uint32(e.Payload), hops)]++
			}
		}
		var measured, powers []point
		power := 1.0
		for hop, n := range events {
			measured = append(measured, point{float64(hop), n / events[0]})
			powers = append(powers, point{float64(hop), power})
			power *= run.number(p)
		}
		c.layers = append(c.layers,
			layer{as: curve, colour: black, dash: "2 3", points: powers},
			layer{name: "p = " + p, as: markers, colour: []colour{orange, black, blue}[i], points: measured})
	}
	c.layers[0].name = "powers of p"
	return c
}
