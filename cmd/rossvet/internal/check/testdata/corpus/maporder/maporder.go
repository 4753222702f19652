// Package maporder has handlers that go through maps.
package maporder

import (
	"maps"
	"slices"
	"sort"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

type state struct {
	Peers map[ross.LPID]float64
	Total float64
	Count int
	Order []ross.LPID
	Names map[string]int
	All   string
	Line  container.Queue[int64]
	Seen  map[ross.LPID]bool
}

type msg struct{ N int64 }

var wrong = ross.Type[state]{
	Saving: ross.SaveNever,
	Init: func(s *state, lp *ross.LP) {
		for id := range s.Peers {
			ross.Send(lp, id, 1, msg{}) // want `a send \(Send\) in a loop over a map: the order of a map differs from run to run, and so do results: go through sorted keys \(slices.Sorted\(maps.Keys\(m\)\)\) or use container.Map`
		}
	},
	Event: ross.On(event),
}

func event(s *state, lp *ross.LP, m *msg) {
	for range s.Peers {
		m.N += lp.RNG().Integer(0, 3) // want `a draw \(Integer\) in a loop over a map`
	}
	for id := range s.Peers {
		s.Order = append(s.Order, id) // want `append in a loop over a map`
	}
	for _, weight := range s.Peers {
		s.Total += weight // want `a sum of floats in a loop over a map`
	}
	sum := 0.0
	for _, weight := range s.Peers {
		sum = sum + 2*weight // want `a sum of floats in a loop over a map`
	}
	for name := range s.Names {
		s.All += name // want `a text put together in a loop over a map`
	}
	for id := range maps.Keys(s.Peers) {
		notify(lp, id) // want `a send \(NewEvent\) in a loop over a map`
	}
	for _, id := range slices.Collect(maps.Keys(s.Peers)) {
		s.Line.Push(lp, int64(id)) // want `a change of a container.Queue in a loop over a map`
	}
	for id := range s.Peers {
		lp.Printf("%d\n", id) // want `lp.Printf in a loop over a map`
	}
	for range s.Peers {
		ross.After(lp, sum, msg{}) // want `a send \(After\) in a loop over a map`
	}
}

func notify(lp *ross.LP, id ross.LPID) { ross.NewEvent[msg](lp, id, 1).N = 1 }

var right = ross.Type[state]{
	Saving: ross.SaveNever,
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		for _, id := range slices.Sorted(maps.Keys(s.Peers)) {
			ross.Send(lp, id, 1, msg{})
		}
		var ids []ross.LPID
		for id := range s.Peers {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		var names []string
		for name, n := range s.Names {
			s.Count += n
			names = append(names, name)
		}
		sort.Strings(names)
		for id, weight := range s.Peers {
			s.Seen[id] = true
			if weight == 0 {
				delete(s.Peers, id)
			}
			s.Peers[id] *= 2
			s.Count += len(s.Names)
			var local []float64
			local = append(local, weight)
			half := weight
			half *= 0.5
			_, _ = local, half
		}
		most := 0.0
		for _, weight := range s.Peers {
			most = max(most, weight)
		}
		for i := range s.Order { // no map
			ross.Send(lp, s.Order[i], most, msg{})
		}
		for id := range s.Peers {
			ross.Send(lp, id, 1, msg{}) //rossvet:ignore there is never more than one peer
		}
	}),
	Final: func(s *state, _ *ross.LP) {
		for id := range s.Peers {
			s.Order = append(s.Order, id)
		}
	},
}

var _ = []any{wrong, right}
