// This file shows an LP type that receives several messages, with undo data, and timers.

package ross_test

import (
	"fmt"

	"github.com/ross-go/ross"
)

// port is the state of an end of a line: it forwards packets as long as it has credits.
type port struct {
	Credits, Forwarded, Dropped int32
	Highest                     int32 // number of the newest packet
}

type (
	packet struct{ Number int32 }
	credit struct{ Count int32 }
)

// forwarded is the undo data of Packet: what Reverse needs to know.
type forwarded struct {
	highest int32
	dropped bool
}

func (p *port) Init(lp *ross.LP) {
	p.Credits = 3
	for i := range int32(6) {
		ross.Send(lp, lp.ID(), float64(i+1), packet{i})
	}
}

// Packet handles a packet: it is forwarded or dropped, and a credit comes back later.
func (p *port) Packet(lp *ross.LP, undo *forwarded, m *packet) {
	undo.highest, undo.dropped = p.Highest, p.Credits == 0
	p.Highest = max(p.Highest, m.Number)
	if undo.dropped {
		p.Dropped++
		return
	}
	p.Credits--
	p.Forwarded++
	ross.Send(lp, lp.ID(), 3.5, credit{1})
}

// UndoPacket undoes Packet.
func (p *port) UndoPacket(lp *ross.LP, undo *forwarded, m *packet) {
	p.Highest = undo.highest
	if undo.dropped {
		p.Dropped--
		return
	}
	p.Credits++
	p.Forwarded--
}

func (p *port) Credit(lp *ross.LP, _ *ross.None, m *credit)     { p.Credits += m.Count }
func (p *port) UndoCredit(lp *ross.LP, _ *ross.None, m *credit) { p.Credits -= m.Count }

// A type with a handler for each message. The message says nothing but what was sent: what Reverse
// needs is in undo data.
func ExampleOn() {
	err := simulate(1, 100, ross.Type[port, ross.None]{
		Init: (*port).Init,
		On: []ross.Handler[port]{
			ross.On((*port).Packet).Reverse((*port).UndoPacket),
			ross.On((*port).Credit).Reverse((*port).UndoCredit),
		},
		Final: func(p *port, lp *ross.LP) {
			fmt.Printf("%d forwarded, %d dropped, newest %d\n", p.Forwarded, p.Dropped, p.Highest)
		},
	})
	fmt.Println(err)
	// Output:
	// 5 forwarded, 1 dropped, newest 5
	// <nil>
}

// sender sends requests that may be lost, and repeats those that are not answered in time.
type sender struct {
	Timeout         ross.Timer
	Tries, Answered int
}

type (
	request struct{ From ross.LPID }
	answer  struct{}
	timeout struct{}
)

func (s *sender) send(lp *ross.LP) {
	s.Tries++
	ross.Send(lp, 1, 1, request{lp.ID()})
	s.Timeout = ross.After(lp, 4, timeout{})
}

func (s *sender) Init(lp *ross.LP) {
	if lp.ID() == 0 {
		s.send(lp)
	}
}

// Request is handled by LP 1, which answers only each third.
func (s *sender) Request(lp *ross.LP, _ *ross.None, m *request) {
	if s.Tries++; s.Tries%3 == 0 {
		ross.Send(lp, m.From, 1, answer{})
	}
}

func (s *sender) Answer(lp *ross.LP, _ *ross.None, _ *answer) {
	s.Timeout.Cancel(lp)
	s.Answered++
	fmt.Println("answered at time", lp.Now(), "after", s.Tries, "tries")
}

func (s *sender) Repeat(lp *ross.LP, _ *ross.None, _ *timeout) { s.send(lp) }

// A timeout that an answer cancels. The engine undoes it all, since no handler has a Reverse.
func ExampleAfter() {
	err := simulate(2, 100, ross.Type[sender, ross.None]{
		Init: (*sender).Init,
		On:   []ross.Handler[sender]{ross.On((*sender).Request), ross.On((*sender).Answer), ross.On((*sender).Repeat)},
	})
	fmt.Println(err)
	// Output:
	// answered at time 10 after 3 tries
	// <nil>
}
