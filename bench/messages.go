// This file owns Messages: the cost of several messages for one LP type.

package bench

import (
	"fmt"
	"testing"

	"github.com/ross-go/ross"
)

// Messages is one cell of the table of several messages: PHOLD with three kinds of
// events. Each kind has a handler of its own.
type Messages struct {
	On  bool // by ross.On, with undo data; otherwise a message with a field for its kind
	LPs int
	PEs int // 0: sequential
}

func (m Messages) String() string {
	how := "kind field"
	if m.On {
		how = "On"
	}
	return fmt.Sprintf("%s/lps=%d/pes=%d", how, m.LPs, m.PEs)
}

type (
	messagesState struct {
		count [3]uint64
		last  float64
	}
	firstMsg  struct{ n uint32 }
	secondMsg struct{ n, _ uint32 }
	thirdMsg  struct{ n uint64 }
	anyMsg    struct {
		kind, n uint32
		last    float64 // for Reverse
	}
	messagesUndo struct{ last float64 }
)

func (m Messages) next(lp *ross.LP) (dst ross.LPID, delay float64, kind int) {
	dst = lp.ID()
	if lp.RNG().Unif() < 0.1 {
		dst = ross.LPID(lp.RNG().Integer(0, int64(m.LPs)-1))
	}
	return dst, lp.RNG().Exponential(pholdMean-pholdLookahead) + pholdLookahead, int(lp.ID()) % 3
}

func (m Messages) send(lp *ross.LP, n uint32) {
	dst, delay, kind := m.next(lp)
	switch {
	case !m.On:
		ross.Send(lp, dst, delay, anyMsg{kind: uint32(kind), n: n})
	case kind == 0:
		ross.Send(lp, dst, delay, firstMsg{n})
	case kind == 1:
		ross.Send(lp, dst, delay, secondMsg{n: n})
	default:
		ross.Send(lp, dst, delay, thirdMsg{uint64(n)})
	}
}

func (m Messages) model() ross.LPType {
	start := func(_ *messagesState, lp *ross.LP) {
		for range 16 {
			m.send(lp, 0)
		}
	}
	if m.On {
		return ross.Type[messagesState]{Name: "messages", Init: start, Event: ross.Events(
			ross.OnUndo(func(s *messagesState, lp *ross.LP, u *messagesUndo, msg *firstMsg) {
				u.last = m.handle(0, s, lp, msg.n)
			}).Reverse(func(s *messagesState, _ *ross.LP, u *messagesUndo, _ *firstMsg) { s.undo(0, u.last) }),
			ross.OnUndo(func(s *messagesState, lp *ross.LP, u *messagesUndo, msg *secondMsg) {
				u.last = m.handle(1, s, lp, msg.n)
			}).Reverse(func(s *messagesState, _ *ross.LP, u *messagesUndo, _ *secondMsg) { s.undo(1, u.last) }),
			ross.OnUndo(func(s *messagesState, lp *ross.LP, u *messagesUndo, msg *thirdMsg) {
				u.last = m.handle(2, s, lp, uint32(msg.n))
			}).Reverse(func(s *messagesState, _ *ross.LP, u *messagesUndo, _ *thirdMsg) { s.undo(2, u.last) }),
		)}
	}
	return ross.Type[messagesState]{
		Name: "messages", Init: start,
		Event: ross.On(func(s *messagesState, lp *ross.LP, msg *anyMsg) {
			switch msg.kind {
			case 0:
				msg.last = m.handle(0, s, lp, msg.n)
			case 1:
				msg.last = m.handle(1, s, lp, msg.n)
			default:
				msg.last = m.handle(2, s, lp, msg.n)
			}
		}).Reverse(func(s *messagesState, _ *ross.LP, msg *anyMsg) { s.undo(int(msg.kind), msg.last) }),
	}
}

// handle does what all kinds of messages cause. It returns what undo needs.
func (m Messages) handle(kind int, s *messagesState, lp *ross.LP, n uint32) (last float64) {
	last = s.last
	s.count[kind]++
	s.last = lp.Now()
	m.send(lp, n+1)
	return last
}

func (s *messagesState) undo(kind int, last float64) {
	s.count[kind]--
	s.last = last
}

// Run measures one committed event.
func (m Messages) Run(b *testing.B) {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP = ross.Optimistic, max(m.PEs, 1), int(m.LPs/max(m.PEs, 1))
	if m.PEs == 0 {
		cfg.Synch = ross.Sequential
	}
	run(b, cfg, m.LPs*16, m.model())
}
