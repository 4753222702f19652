// This file owns the entries of the models of networks.

package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/num/libm"
)

var networks = []entry{
	{
		name:      "torus",
		alt:       "Mean travel time against the rate of messages, for three patterns of traffic",
		simulates: "A torus of 4 by 4 by 4 nodes that route packets, with credits for each link: a model of ROSS.",
		see:       "Messages to neighbours have a link for themselves, so load does not slow them. Those to the opposite node have three hops, as random ones have on average, but use only half of the links, which are sooner full.",
		options:   "--dims=4,4,4 --traffic=uniform --arrive_rate=200 --end=6000",
		small:     "--end=300",
		draw:      drawTorus,
	},
	{
		name:      "dragonfly",
		alt:       "Mean travel time against the rate of messages, for two patterns of traffic and two routings",
		simulates: "A dragonfly of 9 groups of routers (Kim, Dally, Scott and Abts 2008): a model of ROSS.",
		see:       "In the worst case all nodes of a group send to the next group. Minimal routing has one channel for them and is soon full. Routing through a random group spreads them, but makes ways longer, so that under uniform traffic the network fills up sooner.",
		options:   "--routers=4 --channels=2 --terminals=2 --traffic=2 --routing=1 --arrive_rate=200",
		small:     "--end=300",
		draw:      drawDragonfly,
	},
	{
		name:      "fabric",
		alt:       "Distribution of the latencies of packets at four loads",
		simulates: "A torus of 8 by 8 by 4 routers with hosts, buffers, credits, and timers that send packets again.",
		see:       "A load of 0.3 hardly costs time. From 0.5 on buffers are full, and packets wait at every hop and at their host.",
		options:   "--dims=8x8x4 --load=0.3 --end=2500 --warm-up=500 --statistics=3",
		small:     "--end=600",
		draw:      drawFabric,
	},
	{
		name:      "network",
		alt:       "Time of an all-reduce among 64 ranks against the size of its vector, for two algorithms",
		simulates: "Any network of package topology, with jobs: here an all-reduce among 64 ranks on a dragonfly.",
		see:       "Recursive doubling needs 6 rounds and is faster for short vectors. The ring needs 126, but sends only a 64th of the vector in each, and is faster for long ones.",
		options:   "--shape=dragonfly:4,2,2 --jobs=ring:64 --bytes=16384 --end=1000000000",
		small:     "--bytes=1024",
		draw:      drawNetwork,
	},
	{
		name:    "network",
		file:    "network-links",
		alt:     "Two dragonflies, with their links in the colours of their loads: a few full ones, and many half full ones",
		see:     "The same dragonfly under the traffic that is worst for it: all of a group send to the next group. Minimal routing has one link for them, and it is full. Valiant's way through a random router uses all of them, and three times as much arrives.",
		options: "--shape=dragonfly:4,2,2 --jobs=adversarial --load=0.4 --routing=valiant --end=12000 --warm-up=4000 --links=links.csv",
		small:   "--end=6000",
		draw:    drawLinks,
	},
}

// travel returns the mean travel time against messages of a process in 1,000 units of time.
func travel(r *runs, intervals []float64, options ...string) []point {
	points := r.sweep("arrive_rate", intervals, figure("average travel time:", 0), options...)
	for i := range points {
		points[i].x = 1000 / points[i].x
	}
	return points
}

func drawTorus(r *runs) *chart {
	intervals := []float64{1000, 500, 333, 250, 200, 150, 100}
	return &chart{
		title: "torus: travel time under load",
		x:     axis{label: "messages of a process in 1,000 units of time"},
		y:     axis{label: "mean travel time (units of time)", log: true},
		layers: []layer{
			{name: "to the opposite node", as: joined, colour: orange, dash: "6 3",
				points: travel(r, intervals, "--traffic=diagonal")},
			{name: "to any node", as: joined, colour: black, points: travel(r, intervals, "--traffic=uniform")},
			{name: "to neighbours", as: joined, colour: blue, dash: "2 3", points: travel(r, intervals, "--traffic=nearest")},
		},
	}
}

func drawDragonfly(r *runs) *chart {
	intervals := []float64{1000, 500, 333, 200, 150, 100}
	return &chart{
		title: "dragonfly: travel time under load",
		x:     axis{label: "messages of a process in 1,000 units of time"},
		y:     axis{label: "mean travel time (units of time)", log: true},
		layers: []layer{
			{name: "worst case, minimal", as: joined, colour: orange,
				points: travel(r, intervals, "--traffic=2", "--routing=0")},
			{name: "worst case,\nnon-minimal", as: joined, colour: purple, dash: "6 3",
				points: travel(r, intervals, "--traffic=2", "--routing=1")},
			{name: "uniform, minimal", as: joined, colour: blue, points: travel(r, intervals, "--traffic=1", "--routing=0")},
			{name: "uniform, non-minimal", as: joined, colour: green, dash: "6 3",
				points: travel(r, intervals, "--traffic=1", "--routing=1")},
		},
	}
}

func drawFabric(r *runs) *chart {
	c := &chart{
		title: "fabric: latencies of packets",
		x:     axis{label: "latency (ns)", lo: 0, hi: 1500},
		y:     axis{label: "share of packets that have arrived", write: percent},
	}
	for i, load := range []string{"0.1", "0.3", "0.5", "0.7"} {
		latency := r.run("--load="+load).statisticOf("", "latency")
		arrived, points := 0.0, []point{{0, 0}}
		for _, b := range latency.Bins {
			if b.High <= c.x.hi {
				arrived += b.N
				points = append(points, point{b.High, arrived / latency.Count})
			}
		}
		c.layers = append(c.layers, layer{
			name: "load " + load, as: curve, colour: []colour{black, blue, green, orange}[i],
			dash: []string{"", "2 3", "8 4", "8 3 2 3"}[i], points: points,
		})
	}
	return c
}

func drawNetwork(r *runs) *chart {
	times := func(program string) []point {
		return r.sweep("bytes", []float64{64, 256, 1024, 4096, 16384, 65536, 262144}, func(run *result) float64 {
			return run.figure(program+" ", -2) / 1000
		}, "--jobs="+program+":64")
	}
	return &chart{
		title: "network: how long an all-reduce takes",
		x:     axis{label: "vector (bytes)", log: true},
		y:     axis{label: "time (µs)", log: true},
		layers: []layer{
			{name: "recursive doubling", as: joined, colour: orange, dash: "6 3", points: times("doubling")},
			{name: "ring", as: joined, colour: blue, points: times("ring")},
		},
		notes: []string{"64 ranks on a dragonfly of", "72 terminals, links of 25 GB/s"},
	}
}

func drawLinks(r *runs) *chart {
	const groups, each = 9, 4       // routers of a group
	const rim, slope = 0.42, 0.5574 // radius of the circle of routers, and of the axes: a step up, to one aside
	c := &chart{
		title: "network: loads of links, a dragonfly under its worst traffic",
		x:     axis{label: "routing, and the load of terminals: what is offered, and carried", names: make([]string, 2)},
		y:     axis{bare: true, lo: -slope, hi: slope},
	}
	var loads []heated
	var idle, routers []point
	for i, routing := range []string{"minimal", "valiant"} {
		run := r.run("--routing=" + routing)
		c.x.names[i] = fmt.Sprintf("%s: 40 %% and %.0f %%", routing, 100*run.figure("adversarial ", -2))
		at := func(router, radius float64) point { // routers of a group stand closer, and it starts at the top
			group := math.Floor(router / each)
			turn := (group + (router-float64(group*each)+0.9)/(each+0.8)) / groups
			angle := float64(2*math.Pi*turn) - math.Pi/2
			return point{float64(i) + float64(radius*libm.Cos(angle)), -float64(radius * libm.Sin(angle))}
		}
		most := map[[2]int]float64{}
		for _, words := range run.lines("links.csv") { // router,port,class,to,load
			cells := strings.Split(words[0], ",")
			if len(cells) == 5 && (cells[2] == "local" || cells[2] == "global") {
				from, to := int(run.number(cells[0])), int(run.number(cells[3]))
				ends := [2]int{min(from, to), max(from, to)}
				most[ends] = max(most[ends], run.number(cells[4])) // of both directions
			}
		}
		for _, ends := range slices.SortedFunc(maps.Keys(most), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
			from, to := float64(ends[0]), float64(ends[1])
			line := []point{at(from, rim), at(to, rim), lift}
			if ends[0]/each == ends[1]/each { // outside of the circle, the farther the longer
				line = slices.Insert(line, 1, at((from+to)/2, rim+float64(0.013*(to-from))))
			}
			if load := most[ends]; load > 0 {
				loads = append(loads, heated{load, line})
			} else {
				idle = append(idle, line...)
			}
		}
		for router := range groups * each {
			routers = append(routers, at(float64(router), rim))
		}
	}
	whole := func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
	c.layers = slices.Concat([]layer{{name: "no load", colour: grey, stroke: 1.2, points: idle}},
		byHeat(layer{stroke: 2.4}, 1, whole, loads), []layer{{as: markers, colour: black, points: routers}})
	return c
}
