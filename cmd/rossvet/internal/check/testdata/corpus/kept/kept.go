// Package kept has handlers that keep pointers, or get at other LPs.
package kept

import "github.com/ross-go/ross"

type state struct {
	N     int64
	Last  *msg
	Ports []int64
	Self  *ross.LP
	All   []*msg
	Id    ross.LPID
	Copy  msg
}

type msg struct{ N int64 }

var (
	sim     *ross.Simulation
	anyone  *state
	letters []*msg
	lps     = map[ross.LPID]*ross.LP{}
	ports   []int64
	thing   any
)

var wrong = ross.Type[state]{
	Saving: ross.SaveNever,
	Init: func(s *state, lp *ross.LP) {
		anyone = s        // want `a handler writes the variable anyone` `a pointer to the state of a handler is kept in the variable anyone: others would use it while its PE changes it: keep the id \(lp.ID\(\)\), and ask by an event`
		lps[lp.ID()] = lp // want `a handler writes the variable lps` `a pointer to the LP of a handler is kept in the variable lps`
	},
	Event: ross.On(event).Commit(func(s *state, lp *ross.LP, m *msg) {
		_ = ross.StateOf[state](lp.PE().LP(2)) // want `ross.StateOf in a handler gets at the state of another LP: another PE may be changing it, and it is of another time: ask by an event`
	}),
}

func event(s *state, lp *ross.LP, m *msg) {
	s.Last = m                            // want `a pointer to a message is kept in the state: its memory serves other events when the handler has returned: keep a copy`
	s.All = append(s.All, m)              // want `a pointer to a message is kept in the state`
	letters = append(letters, m)          // want `a handler writes the variable letters` `a pointer to a message is kept in the variable letters`
	ports = s.Ports                       // want `a handler writes the variable ports` `a pointer to the state of a handler is kept in the variable ports`
	thing = m                             // want `a handler writes the variable thing` `a pointer to a message is kept in the variable thing`
	ross.StateOf[state](sim.LP(0)).N++    // want `sim.LP in a handler gets at another LP`
	other := sim.LP(1)                    // want `sim.LP in a handler gets at another LP`
	theirs := ross.StateOf[state](other)  // want `ross.StateOf in a handler gets at the state of another LP`
	theirs.Self = lp                      // want `a pointer to the LP of a handler is kept in the state of another LP`
	s.Last = ross.NewEvent[msg](lp, 0, 1) // want `a pointer to a message is kept in the state`
	sent := ross.NewEvent[msg](lp, 0, 1)
	s.Last = sent // want `a pointer to a message is kept in the state`
	remember(s, m)
}

func remember(s *state, m *msg) {
	s.Last = m // want `a pointer to a message is kept in the state`
}

type model struct{ first *state }

func (md *model) event(s *state, lp *ross.LP, m *msg) {
	md.first = s // want `a handler writes md.first` `a pointer to the state of a handler is kept in md, which is the same for all LPs`
}

func (md *model) types() []ross.LPType {
	var last *msg
	return []ross.LPType{
		ross.Type[state]{Saving: ross.SaveNever, Event: ross.On(md.event)},
		ross.Type[state]{Saving: ross.SaveNever, Event: ross.On(func(_ *state, _ *ross.LP, m *msg) {
			last = m // want `a handler writes last, a variable around it` `a pointer to a message is kept in last, a variable around the handler`
			_ = last
		})},
	}
}

var right = ross.Type[state]{
	Saving: ross.SaveNever,
	Init: func(s *state, lp *ross.LP) {
		s.Ports = make([]int64, 4)
		s.Id = lp.ID()
		s.Self = lp
	},
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		s.Copy = *m
		port := &s.Ports[1]
		*port += m.N
		sent := ross.NewEvent[msg](lp, 0, 1)
		sent.N = s.N
		mine := ross.StateOf[state](lp)
		mine.N++
		me := lp
		ross.StateOf[state](me).N++
		s.Ports = append(s.Ports, m.N)
		copied := *m
		s.Last = &copied
	}),
	Final: func(s *state, lp *ross.LP) {
		anyone = s
		s.N = ross.StateOf[state](sim.LP(0)).N
	},
}

var _ = []any{wrong, right, (*model).types}
