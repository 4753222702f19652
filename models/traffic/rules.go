// This file owns the rules by which cars choose a lane.

package main

// rule lets a car with a way to go in a direction take a lane.
type rule struct{ way, lane int8 }

// The directions in which a car has to go.
const (
	left = iota // x < 0
	right
	down // y < 0
	up
)

// rules has, for each lane on which a car comes, the lanes that it tries, in order.
var rules = [lanes][3]rule{
	el: {{down, ss}, {left, sr}, {right, sl}},
	es: {{left, ws}, {down, wl}, {up, wr}},
	er: {{up, ns}, {right, nr}, {left, nl}},
	wl: {{up, ns}, {right, nr}, {left, nl}},
	ws: {{right, es}, {up, el}, {down, er}},
	nl: {{right, es}, {up, el}, {down, er}},
	sr: {{right, es}, {up, el}, {down, er}},
	wr: {{down, ss}, {right, sl}, {left, sr}},
	ns: {{down, ss}, {right, sl}, {left, sr}},
	nr: {{left, ws}, {down, wl}, {up, wr}},
	sl: {{left, ws}, {down, wl}, {up, wr}},
	ss: {{up, ns}, {left, nl}, {right, nr}},
}

// back has, by the side on which a car comes, and by the lane on which it came to the intersection
// before, the lane that it takes if no rule fits.
var back = map[int8]map[int8]int8{
	east:  {sl: er, es: es, nr: el},
	west:  {sr: wl, ws: ws, nl: wr},
	north: {wr: nl, ns: ns, el: nr},
	south: {wl: sr, ss: ss, er: sl},
}

// backs is the table of back; -1: none.
var backs = func() (table [lanes / 3][lanes]int8) {
	for side := range table {
		for lane := range table[side] {
			table[side][lane] = -1
			if to, ok := back[int8(side*3)][int8(lane)]; ok {
				table[side][lane] = to
			}
		}
	}
	return table
}()

// lane chooses a lane on which a car leaves, and takes one step off its way if a rule fits. If none
// fits, the lanes on which the car came, here and to the intersection before, decide. ok is false if
// they name no lane; the car then stays on the one it is on.
func (c *crossing) lane(v *car) (lane int8, ok bool) {
	for _, r := range &rules[v.Lane] {
		if c.Out[r.lane] < fullLane && v.steps(r.way) {
			return r.lane, true
		}
	}
	lane = backs[v.Lane/3][v.From]
	return lane, lane >= 0
}

// steps takes a step off the way of a car in a direction, if it has to go there.
func (v *car) steps(to int8) bool {
	switch {
	case to == left && v.X < 0:
		v.X++
	case to == right && v.X > 0:
		v.X--
	case to == down && v.Y < 0:
		v.Y++
	case to == up && v.Y > 0:
		v.Y--
	default:
		return false
	}
	return true
}
