package chains

import "github.com/ross-go/ross"

// store is a state that is undone as a whole.
type store struct {
	N, M  int64
	Was   before
	Level float64
}

var rightKinds = ross.Type[store]{
	Event: ross.Events(
		ross.On(func(s *store, _ *ross.LP, m *msg) { s.N += m.N }).Reverse(func(s *store, _ *ross.LP, m *msg) { s.N -= m.N }),
		ross.OnUndo((*store).data).Reverse((*store).undata).Commit((*store).commit),
		ross.OnUndo(func(s *store, _ *ross.LP, bits *ross.Bits, m *third) {
			if m.N > 0 {
				bits.Set(0)
				s.M++
			}
		}).Reverse(func(s *store, _ *ross.LP, bits *ross.Bits, _ *third) {
			if bits.Get(0) {
				s.M--
			}
		}).Trace(func(_ *ross.LP, kind ross.TraceKind, m *third, buf []byte) bool {
			buf[0] = byte(m.N)
			return kind == ross.TraceCommitted
		}),
	),
}

func (s *store) data(lp *ross.LP, was *before, m *other) {
	*was = before{s.N, s.M}
	s.N, s.M = m.N, 0
	ross.Save(lp, &s.Level)
	s.Level += 0.1
}

func (s *store) undata(_ *ross.LP, was *before, _ *other) { s.N, s.M = was.N, was.M }

func (s *store) commit(_ *ross.LP, was *before, _ *other) { s.Was = *was }

// whole keeps the state itself as undo data.
func whole() ross.LPType {
	h := ross.OnUndo(func(s *store, _ *ross.LP, was *store, _ *msg) {
		*was = *s
		s.N, s.M, s.Level = 1, 2, 3
	})
	h = h.Reverse(func(s *store, _ *ross.LP, was *store, _ *msg) { *s = *was })
	return ross.Type[store]{Event: h}
}

// rightVariable has a handler with Reverse and one without, whose type is undone by the engine.
func rightVariable(reverse bool) ross.LPType {
	t := ross.Type[store]{Saving: ross.SaveByDelta}
	h := ross.On(func(s *store, _ *ross.LP, _ *msg) { s.N++ })
	if reverse {
		t.Saving = ross.SaveByReverse
		h = h.Reverse(func(s *store, _ *ross.LP, _ *msg) { s.N-- })
	}
	t.Event = h
	return &t
}

// delta is never undone by Reverse, and has no promise.
func delta(ahead float64) ross.LPType {
	t := ross.Type[store]{Lookahead: 3}
	t.Saving, t.Lookahead = ross.SaveByDelta, ahead
	t.Event = ross.On(func(s *store, lp *ross.LP, _ *msg) {
		s.N++
		ross.Send(lp, 1, 1, msg{})
	}).Reverse(func(*store, *ross.LP, *msg) {})
	return t
}

// rightHelped makes handlers by a function that is called several times, each with a pair that is right.
func rightHelped() ross.LPType {
	undo := func(s *store, _ *ross.LP, _ *third) { s.Level = 0 }
	h := completed(ross.On(func(s *store, _ *ross.LP, _ *third) { s.Level = 1 }), undo)
	return ross.Type[store]{Event: ross.Events(
		pair(func(s *store, _ *ross.LP, _ *msg) { s.N++ }, func(s *store, _ *ross.LP, _ *msg) { s.N-- }),
		pair((*store).up, same((*store).down)),
		completed(ross.On(func(s *store, _ *ross.LP, _ *last) { s.M++ }), func(s *store, _ *ross.LP, _ *last) { s.M-- }),
		h,
	)}
}

func (s *store) up(*ross.LP, *other)   { s.M++ }
func (s *store) down(*ross.LP, *other) { s.M-- }

func pair[M any](event, reverse func(*store, *ross.LP, *M)) ross.Handler[store] {
	return completed(ross.On(same(event)), reverse)
}

func completed[M any](h ross.EventHandler[store, M], f func(*store, *ross.LP, *M)) ross.Handler[store] {
	return h.Reverse(f)
}

// unneeded has a Reverse that is not called.
var unneeded = ross.Type[store]{Saving: ross.SaveByDelta, Event: completed(
	ross.On(func(s *store, _ *ross.LP, _ *msg) { s.N++ }), func(*store, *ross.LP, *msg) {},
)}

// direct has a handler as it is, which is also given to completed.
func direct() []ross.LPType {
	h := ross.On(func(*store, *ross.LP, *msg) {})
	return []ross.LPType{
		ross.Type[store]{Event: h},
		ross.Type[store]{Event: completed(h, func(*store, *ross.LP, *msg) {})},
	}
}

func same[F any](f F) F { return f }

// logged and compared share a function that makes their handlers, and only logged has to save.
var (
	logged   = ross.Type[store]{Saving: ross.SaveByLog, Event: single(func(s *store, lp *ross.LP, _ *msg) { *ross.Write(lp, &s.N)++ })}
	compared = ross.Type[store]{Saving: ross.SaveByDelta, Event: single(func(s *store, _ *ross.LP, _ *msg) { s.N++ })}
)

func single(event func(*store, *ross.LP, *msg)) ross.Handler[store] { return ross.On(event) }

// several are handlers in a list, in a loop, and of a variadic function.
func several(more ...ross.Handler[store]) ross.LPType {
	var all []ross.Handler[store]
	for _, h := range more {
		all = append(all, h)
	}
	return ross.Type[store]{Saving: ross.SaveByLog, Event: ross.Events(all...)}
}

var few = several(
	ross.On(func(s *store, lp *ross.LP, _ *msg) { *ross.Write(lp, &s.N)++ }),
	ross.OnUndo(func(s *store, lp *ross.LP, was *before, _ *other) {
		was.N++
		ross.Save(lp, &s.N)
		s.N = was.N
	}),
)

// copied keeps any state as undo data.
func copied[S any](event func(s *S, lp *ross.LP, was *S, m *msg)) ross.LPType {
	return ross.Type[S]{Event: ross.OnUndo(event).Reverse(func(s *S, _ *ross.LP, was *S, _ *msg) { *s = *was })}
}

var _ = []any{copied[store], direct, unneeded, rightKinds, whole, rightVariable, delta, rightHelped, logged, compared, few}
