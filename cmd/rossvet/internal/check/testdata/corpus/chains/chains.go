// Package chains says in all ways which functions handle events, and gets some of them wrong.
package chains

import "github.com/ross-go/ross"

type state struct {
	N, M, K int64
	Last    *before
	Level   float64
	Place   *int64
}

type (
	msg   struct{ N int64 }
	other struct{ N int64 }
	third struct{ N int64 }
	last  struct{ N int64 }
	// before is undo data.
	before struct{ N, M int64 }
)

// kinds has handlers with undo data, with bits, and with neither.
var kinds = ross.Type[state]{
	Event: ross.Events(
		ross.On((*state).plain).Reverse((*state).unplain),
		ross.OnUndo((*state).data).Reverse((*state).undata).Commit((*state).commit).Trace(trace),
		ross.OnUndo((*state).bits).Commit(func(s *state, _ *ross.LP, _ *ross.Bits, _ *third) { total++ }).Reverse((*state).unbits), // want `a handler writes the variable total`
	),
}

var total, traced int64

func (s *state) plain(_ *ross.LP, m *msg) {
	s.N += m.N
	s.M++ // want `state.unplain undoes nothing of s.M`
}

func (s *state) unplain(_ *ross.LP, m *msg) { s.N -= m.N }

func (s *state) data(_ *ross.LP, was *before, m *other) {
	was.N = s.N
	s.N = m.N
	s.K++        // want `state.undata undoes nothing of s.K`
	s.Last = was // want `a pointer to undo data is kept in the state: its memory serves other events` `state.undata undoes nothing of s.Last`
	s.keep(was)
}

func (s *state) keep(was *before) {
	s.Last = was // want `a pointer to undo data is kept in the state` `state.undata undoes nothing of s.Last`
}

func (s *state) undata(_ *ross.LP, was *before, _ *other) {
	s.N = was.N
	total-- // want `a handler writes the variable total`
}

func (s *state) commit(_ *ross.LP, was *before, _ *other) {
	s.Last = was // want `a pointer to undo data is kept in the state`
}

func trace(lp *ross.LP, _ ross.TraceKind, m *other, buf []byte) bool {
	traced++ // want `a handler writes the variable traced`
	return m.N > 0
}

func (s *state) bits(_ *ross.LP, bits *ross.Bits, m *third) {
	if m.N > 0 {
		bits.Set(0)
		s.N++
		s.M++ // want `state.unbits undoes nothing of s.M`
	}
}

func (s *state) unbits(_ *ross.LP, bits *ross.Bits, _ *third) {
	if bits.Get(0) {
		s.N--
	}
}

// inVariable completes a handler later, as an option says.
func inVariable(reverse, commit bool) ross.LPType {
	h := ross.On(func(s *state, _ *ross.LP, _ *msg) {
		s.N++
		s.M++ // want `Reverse undoes nothing of s.M`
	})
	if reverse {
		h = h.Reverse(func(s *state, _ *ross.LP, _ *msg) { s.N-- })
	}
	if commit {
		h = h.Commit(func(*state, *ross.LP, *msg) { total++ }) // want `a handler writes the variable total`
	}
	again := ross.On(func(s *state, _ *ross.LP, _ *other) {
		s.K++ // want `Reverse undoes nothing of s.K`
	})
	also := again.Reverse(func(*state, *ross.LP, *other) {})
	return ross.Type[state]{Event: ross.Events(h, also)}
}

// dropped calls Reverse and Commit for nothing.
func dropped() ross.LPType {
	h := ross.On(func(s *state, _ *ross.LP, _ *msg) { s.N++ })
	h.Reverse(func(s *state, _ *ross.LP, _ *msg) { s.N-- }) // want `what Reverse returns is not used: it returns a handler that has the function, and does not change the one that it is called on: h = h.Reverse\(f\)`
	u := ross.OnUndo(func(s *state, _ *ross.LP, _ *before, _ *other) { s.N++ })
	u.Commit(nil) // want `what Commit returns is not used`
	return ross.Type[state]{Event: ross.Events(h, u)}
}

// made has handlers that functions of the package make.
var made = ross.Type[state]{Event: ross.Events(madeHere(), finished(ross.On((*state).first), (*state).unfirst))}

func madeHere() ross.Handler[state] {
	return ross.OnUndo(func(s *state, _ *ross.LP, was *before, _ *msg) {
		was.M = s.M
		s.M, s.N = 1, 1 // want `Reverse undoes nothing of s.N`
	}).Reverse(func(s *state, _ *ross.LP, was *before, _ *msg) { s.M = was.M })
}

func finished(h ross.EventHandler[state, other], reverse func(*state, *ross.LP, *other)) ross.EventHandler[state, other] {
	return h.Reverse(reverse)
}

func (s *state) first(*ross.LP, *other) {
	s.N++
	s.M++ // want `state.unfirst undoes nothing of s.M`
}

func (s *state) unfirst(*ross.LP, *other) { s.N-- }

// nested has Events in Events, and a list of handlers.
func nested() ross.LPType {
	list := []ross.Handler[state]{ross.On(func(s *state, _ *ross.LP, m *msg) {
		s.N = 1 // want `s.N is changed without ross.Save or ross.Write`
	})}
	list = append(list, ross.Events(ross.On((*state).inner)))
	return ross.Type[state]{Saving: ross.SaveByLog, Event: ross.Events(ross.Events(list...), two())}
}

func (s *state) inner(lp *ross.LP, m *other) {
	s.M++ // want `s.M is changed without ross.Save or ross.Write`
	m.N++ // want `the message is changed by what it was, m.N`
}

func two() ross.Handler[state] {
	first := ross.On(func(s *state, _ *ross.LP, _ *third) {
		s.K++ // want `s.K is changed without ross.Save or ross.Write`
	})
	return ross.Events(first, ross.OnUndo(func(s *state, lp *ross.LP, was *before, m *last) {
		s.K-- // want `s.K is changed without ross.Save or ross.Write`
		m.N++ // want `the message is changed by what it was, m.N`
		was.N++
	}))
}

// later sets the fields of a type one after the other.
func later() ross.LPType {
	var t ross.Type[state]
	t.Lookahead = 2
	t.Event = ross.On(func(s *state, lp *ross.LP, _ *msg) {
		s.Level = 1                // want `Reverse undoes nothing of s.Level`
		ross.Send(lp, 1, 1, msg{}) // want `a delay that may be 1, below the Lookahead 2`
	})
	t.Event = t.Event.(ross.EventHandler[state, msg]).Reverse(func(*state, *ross.LP, *msg) {})
	t.Point = func(s *state, _ *ross.LP, _ []byte) {
		s.N = 0 // want `Reverse undoes nothing of s.N`
	}
	t.ReversePoint = func(*state, *ross.LP, []byte) {}
	return t
}

// helped has a function that makes handlers of two functions; one pair is wrong.
var helped = ross.Type[state]{Event: ross.Events(
	of(func(s *state, _ *ross.LP, _ *msg) { s.N++ }, func(s *state, _ *ross.LP, _ *msg) { s.N-- }),
	of(func(s *state, _ *ross.LP, _ *other) {
		s.M++ // want `Reverse undoes nothing of s.M`
		s.K++
	}, func(s *state, _ *ross.LP, _ *other) { s.K-- }),
)}

var passedOn = ross.Type[state]{Event: ross.Events(
	ross.On(same((*state).on)).Reverse(same(func(s *state, _ *ross.LP, _ *msg) { s.N-- })),
	ross.OnUndo(func(s *state, _ *ross.LP, was *int64, _ *other) {
		s.Place = was // want `a pointer to undo data is kept in the state`
	}),
)}

func (s *state) on(*ross.LP, *msg) {
	s.N++
	s.M++ // want `Reverse undoes nothing of s.M`
}

func of[M any](event, reverse func(*state, *ross.LP, *M)) ross.Handler[state] {
	return ross.On(event).Reverse(reverse)
}

var _ = []any{kinds, inVariable, dropped, made, nested, later, helped, passedOn}
