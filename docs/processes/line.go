package processes

//go:generate go run github.com/ross-go/ross/cmd/rossproc

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

const (
	stops = 40
	ride  = 3. // minutes from a stop to the next one, the lookahead of the model
)

// Stop is the state of an LP: a stop of a circular bus line, with shelter for a few.
type Stop struct {
	proc.Processes
	Door proc.Servers `ross:"door,min"`
	Trip stats.Tally  `ross:"trip,min"`
}

func (s *Stop) Init(lp *ross.LP) {
	s.Door.Open(lp, resource.Rules{Servers: 2})
	proc.Do(lp, s, func(p *proc.Self) { proc.Go(p, (*Stop).street) })
}

func (s *Stop) street(p *proc.Self) {
	for {
		p.Sleep(p.RNG().Exponential(4))
		proc.Go1(p, (*Stop).passenger, p.RNG().Integer(1, 5))
	}
}

// passenger rides a number of stops, and waits at the door of each for those before him.
func (s *Stop) passenger(p *proc.Self, rides int64) {
	began, here := p.Now(), s
	for range rides {
		turn := here.Door.Request(p)
		p.Sleep(0.2 + p.RNG().Exponential(0.3))
		here.Door.Release(p, turn)
		here = proc.At[Stop](p, (p.LP().ID()+1)%stops, ride)
	}
	here.Trip.Add(p.LP(), p.Now()-began)
}

var line = proc.Type(ross.Type[Stop]{LPs: stops, Init: (*Stop).Init, Lookahead: ride})
