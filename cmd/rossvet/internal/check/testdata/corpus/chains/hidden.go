package chains

import "github.com/ross-go/ross"

// A handler that is kept where it is not followed belongs to the types with its state, if they all agree.
type hidden struct{ N, M int64 }

type program struct {
	handler ross.Handler[hidden]
	loose   ross.EventHandler[loose, msg]
}

func (p *program) types() []ross.LPType {
	p.handler = ross.On(func(s *hidden, _ *ross.LP, _ *msg) {
		s.N++ // want `s.N is changed without ross.Save or ross.Write`
	})
	p.loose = ross.On(func(s *loose, _ *ross.LP, _ *msg) {
		s.N++
		s.M++ // nothing is known of its types that would make this wrong
	}).Reverse(func(s *loose, _ *ross.LP, _ *msg) { s.N-- })
	return []ross.LPType{
		ross.Type[hidden]{Saving: ross.SaveByLog, Event: p.handler},
		ross.Type[hidden]{Saving: ross.SaveByLog, Event: ross.On(func(*hidden, *ross.LP, *other) {})},
		ross.Type[loose]{Saving: ross.SaveByDelta, Event: p.loose},
		ross.Type[loose]{Event: ross.On(func(*loose, *ross.LP, *other) {})},
	}
}

type loose struct{ N, M int64 }

// place is the state of types whose handlers are made on the spot, or are one of several results.
type place struct{ N, M int64 }

func spot() []ross.LPType {
	h, err := results(1)
	if err != nil {
		return nil
	}
	asserted, ok := h.(ross.EventHandler[place, msg])
	if ok {
		asserted = asserted.Reverse(func(s *place, _ *ross.LP, _ *msg) { s.N-- })
	}
	converted := ross.Handler[place](ross.On(func(s *place, _ *ross.LP, _ *other) {
		s.M++ // want `s.M is changed without ross.Save or ross.Write`
	}))
	return []ross.LPType{
		ross.Type[place]{Saving: ross.SaveByLog, Event: converted},
		ross.Type[place]{Saving: ross.SaveByLog, Event: func() ross.Handler[place] {
			return ross.On(func(s *place, _ *ross.LP, _ *msg) {
				s.N++ // want `s.N is changed without ross.Save or ross.Write`
			})
		}()},
		ross.Type[place]{Event: asserted},
		ross.Type[place]{Saving: ross.SaveByDelta, Event: ross.On(func(s *place, _ *ross.LP, _ *other) { s.M++ })},
	}
}

func results(by int64) (ross.Handler[place], error) {
	return ross.On(func(s *place, _ *ross.LP, _ *msg) {
		s.N += by
		s.M++ // want `Reverse undoes nothing of s.M`
	}), nil
}

// looped and joined get their handlers from a list, in a loop, and as further arguments.
type looped struct{ N int64 }

func loop() ross.LPType {
	return join(ross.SaveByLog, ross.On(func(s *looped, lp *ross.LP, _ *msg) { *ross.Write(lp, &s.N)++ }), ross.On((*looped).add))
}

func (s *looped) add(*ross.LP, *other) {
	s.N++ // want `s.N is changed without ross.Save or ross.Write`
}

func join(_ ross.Saving, more ...ross.Handler[looped]) ross.LPType {
	var all []ross.Handler[looped]
	for _, h := range more {
		all = append(all, h)
	}
	all = append(all, ross.On(func(*looped, *ross.LP, *third) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *last) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *float64) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *state) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *place) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *loose) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *hidden) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *store) {}))
	all = append(all, ross.On(func(*looped, *ross.LP, *looped) {}))
	all = append(all, ross.On(func(s *looped, _ *ross.LP, _ *ross.None) {
		s.N++ // want `s.N is changed without ross.Save or ross.Write`
	}))
	_ = ross.Type[looped]{Saving: ross.SaveByDelta, Event: ross.On(func(s *looped, _ *ross.LP, _ *msg) { s.N++ })}
	return ross.Type[looped]{Saving: ross.SaveByLog, Event: ross.Events(all...)}
}

var _ = []any{(*program).types, spot, loop}
