// This file owns the order of turns.

package turns

import (
	"math/rand/v2"
	"slices"
	"time"
)

// chooser chooses the next goroutine, and lets time pass.
type chooser struct {
	dice  *rand.Rand
	way   int // how it chooses now
	left  int // turns until it changes
	whom  int // goroutine that is preferred or left out
	quick int // of 16 turns, how many take no time
	last  int
	pause time.Duration // most that a turn takes
}

// The ways to choose.
const (
	alike   = iota // each of those that stand
	starved        // any but one, unless that is the only one
	favours        // one whenever it stands
	keeps          // mostly the one that had the last turn
	inTurn         // round robin
	ways
)

func (c *chooser) choose(all []int) (chosen int) {
	if c.left--; c.left < 0 {
		c.way, c.left = c.dice.IntN(ways), 1<<c.dice.IntN(11)
		c.whom = all[c.dice.IntN(len(all))]
		c.quick, c.pause = c.dice.IntN(17), time.Microsecond<<c.dice.IntN(12)
	}
	defer func() { c.last = chosen }()
	any := all[c.dice.IntN(len(all))]
	switch c.way {
	case starved:
		if any == c.whom && len(all) > 1 {
			others := slices.DeleteFunc(slices.Clone(all), func(g int) bool { return g == c.whom })
			return others[c.dice.IntN(len(others))]
		}
	case favours:
		if slices.Contains(all, c.whom) && c.dice.IntN(64) != 0 {
			return c.whom
		}
	case keeps:
		if slices.Contains(all, c.last) && c.dice.IntN(16) != 0 {
			return c.last
		}
	case inTurn:
		for _, g := range all {
			if g > c.last {
				return g
			}
		}
		return all[0]
	}
	return any
}

// passes returns the time until the next turn.
func (c *chooser) passes() time.Duration {
	if c.pause == 0 || c.dice.IntN(16) < c.quick {
		return 0
	}
	return time.Duration(c.dice.Int64N(int64(c.pause)))
}
