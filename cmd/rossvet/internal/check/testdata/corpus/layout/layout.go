// Package layout has handlers that ask where they run, undo what the engine has undone, copy containers, and let Commit
// write what events read; and functions that handlers get as values.
package layout

import (
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

type state struct {
	Line, Spare container.Queue[int64]
	Seen        int64
	Done        int64
	Gone        []int64
	Last        int64
}

type msg struct{ N, Hops int64 }

var wrong = ross.Type[state]{
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		if lp.PE().ID() == 0 { // want `lp.PE in a handler: it differs with the numbers of PEs, KPs and ranks, and so do results: use lp.ID\(\), or what the model knows of its LPs`
			s.Seen++
		}
		dst := ross.LPID(lp.KP().ID()) // want `lp.KP in a handler`
		ross.Send(lp, dst, 1, msg{})   // the place is what is wrong
		s.Seen += int64(lp.Local())    // want `lp.Local in a handler`
		m.Hops++                       // want `Reverse does not change back the message, which is changed by what it was here, m.Hops: an event that is handled again gets it changed: undo it in Reverse, or use a variable`
		m.N++                          // undone
		line := s.Line                 // want `s.Line is copied: what happens to the copy does not happen to the state, and both refer to the same memory: take its address, &s.Line`
		var spare = s.Spare            // want `s.Spare is copied`
		s.Last = int64(line.Len()+spare.Len()) + s.Done
	}).Reverse(func(s *state, lp *ross.LP, m *msg) {
		m.N--
		s.Seen -= lp.RNG().Integer(0, 1) // want `a draw \(Integer\) in Reverse: the engine undoes sends and draws of the event by itself, and does not undo those of Reverse: leave it out`
		ross.Send(lp, lp.ID(), 1, msg{}) // want `a send \(Send\) in Reverse`
		s.Last = 0
	}).Commit(func(s *state, _ *ross.LP, _ *msg) {
		s.Done++ // want `Commit writes s.Done, which Event reads: how far commit has come depends on the scheduler, and so do results: let Event write it`
	}),
}

var right = ross.Type[state]{
	Event: ross.On(func(s *state, lp *ross.LP, m *msg) {
		line := &s.Line
		line.Push(lp, m.N)
		s.Gone = append(s.Gone, m.N)
		m.N++
	}).Reverse(func(s *state, _ *ross.LP, m *msg) {
		m.N--
		s.Gone = s.Gone[:len(s.Gone)-1]
	}).Commit(func(s *state, _ *ross.LP, _ *msg) {
		s.Gone = s.Gone[1:]
	}),
	Final: func(_ *state, lp *ross.LP) { lp.Printf("%d of PE %d\n", lp.ID(), lp.PE().ID()) },
}

// A method that is given to another function as a value is a part of the handler that calls it.

type model struct{ weights map[ross.LPID]float64 }

var total float64

func (m *model) types() []ross.LPType {
	return []ross.LPType{station(m.next), station(m.count), station(func(lp *ross.LP) { lp.Fail(nil) })}
}

func station(next func(lp *ross.LP)) ross.LPType {
	return ross.Type[state]{
		Saving: ross.SaveByDelta,
		Event:  ross.On(func(_ *state, lp *ross.LP, _ *msg) { next(lp) }),
	}
}

func (m *model) next(lp *ross.LP) {
	for id := range m.weights {
		ross.Send(lp, id, 1, msg{}) // want `a send \(Send\) in a loop over a map`
	}
	_ = time.Now() // want `time.Now in a handler`
}

func (m *model) count(*ross.LP) { total++ } // want `a handler writes the variable total`

// What is called when the run is over is no handler.

func results(sim *ross.Simulation) ([]float64, error) {
	sum := 0.0
	return ross.Gather(sim, func(lp *ross.LP, s *state) float64 {
		sum += float64(s.Done)
		return sum + float64(lp.PE().ID())
	})
}
