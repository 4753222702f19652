// This file owns the entries of the models with which to begin.

package main

import "fmt"

var firstSteps = []entry{
	{
		name:      "phold",
		alt:       "Events of PHOLD as lines from the LP and time of sending to those of receipt",
		simulates: "LPs that send each other events at random: the usual benchmark (Fujimoto 1990).",
		see:       "Eight lines run from left to right without an end, since each event causes one more. A dashed line is an event for another LP; in a parallel run such an event may come too late, and cause a rollback.",
		options:   "--nlp=8 --remote=0.25 --lookahead=0.1 --end=12 --event-trace=3",
		small:     "--end=2",
		draw:      drawPHOLD,
	},
	{
		name:      "queueing",
		alt:       "Mean waiting time against load, with and without customers who give up",
		simulates: "A network of 8 stations with two servers each, between which customers walk (Jackson 1957).",
		see:       "Without impatient customers the waiting times are those of the formula of Erlang (1917), and have no bound as the servers become busy. With them the customers who stay wait less.",
		options:   "--lps=8 --urgent=0 --patience=0 --arrivals=0.8 --end=12000 --warm-up=1000 --statistics=3",
		small:     "--end=1100",
		draw:      drawQueueing,
	},
	{
		name:      "runway",
		alt:       "Mean waits to land and to take off against the number of planes",
		simulates: "Airports with one runway each, and planes that fly between them. A plane in the air has the runway before those on the ground.",
		see:       "More planes delay landings by minutes, but take-offs by far more, because planes on the ground make way. With ten planes for each airport they wait for more than an hour.",
		options:   "--lps=256 --planes=4 --end=2880 --warm-up=720 --statistics=3",
		small:     "--end=800",
		draw:      drawRunway,
	},
	{
		name:      "hospital",
		alt:       "Mean time from the door to a doctor against the number of doctors, for three classes of patients",
		simulates: "Hospitals whose patients wait for nurses, doctors and beds, leave if they lose patience, and drive on if a waiting room is full.",
		see:       "With few doctors it is the standard patients who wait, since others overtake them, and many of them leave. Immediate patients hardly notice.",
		options:   "--hospitals=4 --end=1440 --warm-up=168 --statistics=3",
		small:     "--end=240",
		draw:      drawHospital,
	},
	{
		name:      "epidemic",
		alt:       "Infections per day with and without far ways, and with cells that are closed",
		simulates: "An epidemic among 6,912 people on a grid of 24 by 24 cells, who meet in their cells, walk to others, fall ill and recover (SEIR).",
		see:       "Few far ways make the epidemic faster: it need not spread from cell to cell. Where nobody leaves a cell with three infectious people, fewer are infected in a day, and it lasts longer.",
		options:   "--side=24 --people=12 --closes=3 --end=200 --statistics=3",
		small:     "--side=5 --end=20",
		draw:      drawEpidemic,
	},
	{
		name:      "processes",
		alt:       "Trucks that get a box, and that leave without one, against the number of lanes of a gate",
		simulates: "Nine models whose entities are [processes](processes.md): customers of a [bank](../models/processes/README.md#bank), patients at a [desk](../models/processes/README.md#desk), who is sick in an [epidemic](../models/processes/README.md#epidemic), jobs of [PHOLD](../models/processes/README.md#phold), packets on a [ring](../models/processes/README.md#ring), patients of [hospitals](../models/processes/README.md#hospital), planes of [airports](../models/processes/README.md#airport), jobs of a [central server](../models/processes/README.md#central), and ships, cranes and trucks of container [ports](../models/processes/README.md#port), which the picture shows.",
		see:       "Trucks come when the gate is open, and leave when they lose patience. With one or two lanes they leave the line at the gate. From three lanes on, those who leave have found no box in the yard.",
		options:   "port --ports=2 --end=240 --statistics=3",
		small:     "--end=50",
		draw:      drawPort,
	},
}

func drawPHOLD(r *runs) *chart {
	var local, remote, received []point
	for _, e := range r.run().events() {
		from, to := point{float64(e.SendTS), float64(e.Src)}, point{float64(e.RecvTS), float64(e.Dest)}
		if e.Src == e.Dest {
			local = append(local, from, to, lift)
		} else {
			remote = append(remote, from, to, lift)
		}
		received = append(received, to)
	}
	return &chart{
		title: "PHOLD: every event causes one more",
		x:     axis{label: "virtual time (1 is the mean delay)", lo: 0, hi: 12},
		y:     axis{label: "LP", names: []string{"0", "1", "2", "3", "4", "5", "6", "7"}},
		layers: []layer{
			{name: "to the same LP", stroke: 1.4, colour: blue, points: local},
			{name: "to another LP", stroke: 1.4, colour: orange, dash: "5 3", points: remote},
			{name: "event", as: markers, colour: black, points: received},
		},
		notes: []string{fmt.Sprintf("%d events", len(received))},
	}
}

func drawQueueing(r *runs) *chart {
	waits := func(patience string) []point {
		loads := []float64{0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9}
		return r.sweep("arrivals", loads, mean("", "waiting time"), "--patience="+patience)
	}
	var formula []point
	for i := range 94 {
		busy := float64(i) / 100
		// M/M/2 with a mean service time of 1: Erlang C, divided by what the servers have left.
		chance := 2 * busy * busy / (1 + busy)
		formula = append(formula, point{busy, chance / (2 - 2*busy)})
	}
	return &chart{
		title: "queueing: how long customers wait",
		x:     axis{label: "load (share of the time for which servers would be busy)", lo: 0, hi: 1, write: percent},
		y:     axis{label: "mean waiting time (mean services)"},
		layers: []layer{
			{name: "M/M/2, formula", as: curve, colour: black, points: formula},
			{name: "all wait", as: markers, colour: blue, points: waits("0")},
			{name: "they give up after\na mean of 10 services", as: joined, colour: orange, dash: "6 3", points: waits("10")},
		},
		notes: []string{"8 stations, 2 servers each"},
	}
}

func drawRunway(r *runs) *chart {
	waits := func(name string) []point { return r.sweep("planes", every(1, 10, 1), mean("", name)) }
	return &chart{
		title: "runway: planes in the air go first",
		x:     axis{label: "planes for each airport"},
		y:     axis{label: "mean wait for the runway (minutes)"},
		layers: []layer{
			{name: "to take off", as: joined, colour: orange, dash: "6 3", points: waits("wait to take off")},
			{name: "to land", as: joined, colour: blue, points: waits("wait to land")},
		},
		notes: []string{"256 airports, 36 hours", "landing: 10 minutes", "take-off: 5 minutes"},
	}
}

func drawHospital(r *runs) *chart {
	waits := func(class int) []point {
		return r.sweep("doctors", every(5, 11, 1), mean("doctors", fmt.Sprintf("since the door[%d]", class)))
	}
	return &chart{
		title: "hospital: who waits for a doctor",
		x:     axis{label: "doctors of each hospital"},
		y:     axis{label: "mean time from the door to a doctor (hours)"},
		layers: []layer{
			{name: "standard", as: joined, colour: orange, dash: "6 3", points: waits(2)},
			{name: "urgent", as: joined, colour: green, dash: "2 3", points: waits(1)},
			{name: "immediate", as: joined, colour: blue, points: waits(0)},
		},
		notes: []string{"4 hospitals, 60 days", "12 patients an hour, +-60 %", "0.45 hours with a doctor"},
	}
}

func drawEpidemic(r *runs) *chart {
	const days, group = 200, 5
	perDay := func(options ...string) (points []point) {
		var sums [days / group]float64
		for _, day := range r.run(options...).statisticOf("", "infections per day").Course {
			sums[min(int(day.Begin)/group, len(sums)-1)] += day.Sum
		}
		for i, sum := range sums {
			points = append(points, point{(float64(i) + 0.5) * group, sum / group})
		}
		return points
	}
	return &chart{
		title: "epidemic: closed cells make it lower, and longer",
		x:     axis{label: "day", lo: 0, hi: days},
		y:     axis{label: "infections in a day (means of five days)"},
		layers: []layer{
			{name: "far ways", as: curve, colour: orange, points: perDay("--closes=0")},
			{name: "no far ways", as: curve, colour: black, dash: "8 3", points: perDay("--closes=0", "--far=0")},
			{name: "and closed cells", as: curve, colour: blue, dash: "2 3", points: perDay()},
		},
		notes: []string{"24 by 24 cells, 12 people each", "1 % of the ways are far", "closed: 3 are infectious"},
	}
}

func drawPort(r *runs) *chart {
	trucks := func(group, name string) []point {
		hourly := func(run *result) float64 { return float64(run.statisticOf(group, name).Count) / portHours }
		return r.sweep("lanes", every(1, 6, 1), hourly)
	}
	return &chart{
		title: "processes: trucks that come to ports for boxes",
		x:     axis{label: "lanes of each gate"},
		y:     axis{label: "trucks in an hour, both ports", lo: 0, hi: 160},
		layers: []layer{
			{name: "get a box", as: joined, colour: blue, points: trucks("Block", "Dwell")},
			{name: "leave the line\nat the gate", as: joined, colour: orange, dash: "6 3", points: trucks("Port", "Left")},
			{name: "leave the yard\nwithout a box", as: joined, colour: green, dash: "2 3", points: trucks("Block", "Left")},
		},
		notes: []string{"2 ports, ten days", "open from 6 to 22", "patience: 2 hours"},
	}
}

// portHours is the length of the runs of the picture of ports.
const portHours = 240
