// This file owns the comparison of Store and Level with Markov chains: intervals of experiments cover the exact results
// as often as the confidence says.

package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	. "github.com/ross-go/ross/resource"
)

// shed is the state of an LP whose customers put and get.
type shed struct {
	Parts Store[int32, int32]
	Fuel  Level[int32]
}

// shedOf is what they do: put one, or get 1, 2 and so on at once, at these rates. One who gets several wants fuel.
type shedOf struct {
	parts *Limits
	fuel  *LevelRules
	put   float64
	load  float64 // fuel of a put
	get   []float64
}

func (y *shedOf) init(s *shed, lp *ross.LP) {
	if y.parts != nil {
		s.Parts.Open(lp, *y.parts)
	} else {
		s.Fuel.Open(lp, *y.fuel)
	}
	for class := range 1 + len(y.get) {
		y.next(lp, int32(class))
	}
}

// next has the next one come: of class 0 to put.
func (y *shedOf) next(lp *ross.LP, class int32) {
	rate := y.put
	if class > 0 {
		rate = y.get[class-1]
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1/rate), come{class})
}

func (y *shedOf) come(s *shed, lp *ross.LP, m *come) {
	y.next(lp, m.Class)
	switch {
	case y.parts != nil && m.Class == 0:
		s.Parts.Put(lp, 0, 0)
	case y.parts != nil:
		s.Parts.Get(lp, 0)
	case m.Class == 0:
		s.Fuel.Put(lp, 0, y.load)
	default:
		s.Fuel.Get(lp, 0, float64(m.Class))
	}
	for ok := y.fuel != nil; ok; {
		_, _, ok = s.Fuel.Next(lp)
	}
}

// fuelled is the chain of a tank of 4, which is filled by twos, with room for one who waits to put, and for three who
// wait to get 1 or 2. A state has what is there, whether one waits to put, and who waits to get, such as "1,0|21".
func fuelled(put float64, get []float64) chainOf {
	settle := func(there, puts int, waits string) string {
		for {
			switch {
			case waits != "" && int(waits[0]-'0') <= there:
				there, waits = there-int(waits[0]-'0'), waits[1:]
			case puts > 0 && there <= 2:
				there, puts = there+2, puts-1
			default:
				return fmt.Sprintf("%d,%d|%s", there, puts, waits)
			}
		}
	}
	return explore("0,0|", func(state string, to func(float64, string)) {
		there, puts, waits := tankOf(state)
		if puts < 1 || there <= 2 {
			to(put, settle(there, puts+1, waits))
		}
		for i, rate := range get {
			if need := i + 1; len(waits) < 3 || waits == "" && need <= there {
				to(rate, settle(there, puts, waits+fmt.Sprint(need)))
			}
		}
	})
}

// tankOf returns the parts of a state of fuelled.
func tankOf(state string) (there, puts int, waits string) {
	numbers, waits, _ := strings.Cut(state, "|")
	if _, err := fmt.Sscanf(numbers, "%d,%d", &there, &puts); err != nil {
		panic(err)
	}
	return there, puts, waits
}

func TestIntervalsOfStoresCoverTheExactResultAtTheNominalRate(t *testing.T) {
	testlevel.Once(t, "what goroutines compute that share nothing")
	// A store for 3, with room for two who put and four who get: the state is who get and wait, from 4 down to 0, and then
	// the items and those who put and wait.
	constant := func(x float64) func(float64) float64 { return func(float64) float64 { return x } }
	store := birthDeath(10, constant(1), constant(1.1))
	get := []float64{0.8, 0.5}
	level := fuelled(0.85, get)
	for name, c := range map[string]struct {
		shedOf
		exact map[string]float64
	}{
		"a store between exponential ones": {shedOf{parts: &Limits{Capacity: 3, RoomGet: 4, RoomPut: 2}, put: 1, get: []float64{1.1}},
			map[string]float64{
				"Parts.Items":   mean(store, func(n float64) float64 { return min(max(n-4, 0), 3) }),
				"Parts.Getters": mean(store, func(n float64) float64 { return max(4-n, 0) }),
				"Parts.Putters": mean(store, func(n float64) float64 { return max(n-7, 0) }),
				"Parts.Refused": store[9] + 1.1*store[0],
				"Parts.WaitGet": mean(store, func(n float64) float64 { return max(4-n, 0) }) / (1.1 * (1 - store[0])),
			}},
		"a level of those who get 1 or 2": {shedOf{fuel: &LevelRules{Capacity: 4, RoomGet: 3, RoomPut: 1}, put: 0.85, load: 2, get: get},
			map[string]float64{
				"Fuel.Amount":  level.mean(t, func(s string) float64 { there, _, _ := tankOf(s); return float64(there) }),
				"Fuel.Getters": level.mean(t, func(s string) float64 { _, _, waits := tankOf(s); return float64(len(waits)) }),
				"Fuel.Putters": level.mean(t, func(s string) float64 { _, puts, _ := tankOf(s); return float64(puts) }),
				"Fuel.Refused": level.mean(t, func(s string) float64 {
					there, puts, waits := tankOf(s)
					refused := 0.0
					if puts == 1 && there > 2 {
						refused += 0.85
					}
					if len(waits) == 3 {
						refused += get[0] + get[1]
					}
					return refused
				}),
			}},
	} {
		t.Run(name, func(t *testing.T) {
			rosstest.Covers(t, 10, name, c.exact, func(configure func(*ross.Config)) (map[string]float64, error) {
				return observe(1500, configure, ross.Type[shed]{Name: "shed", Saving: ross.SaveByLog, Init: c.init,
					Event: ross.On(c.come)})
			})
		})
	}
}
