package modeltest_test

import (
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/modeltest"
)

type Station struct{ Bikes, Lost int64 }
type Customer struct{}
type Bike struct{ From int64 }

func (s *Station) Init(lp *ross.LP) { s.Bikes = 2; next(lp) }
func next(lp *ross.LP)              { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), Customer{}) }
func (s *Station) Customer(lp *ross.LP, _ *Customer) {
	next(lp)
	if s.Bikes == 0 {
		s.Lost++
		return
	}
	s.Bikes--
	ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 15)), 0.5+lp.RNG().Exponential(1.5), Bike{})
}
func (s *Station) Bike(_ *ross.LP, _ *Bike) { s.Bikes++ }

func TestX(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Config: ross.Config{End: 100}, Types: func() []ross.LPType {
		return []ross.LPType{ross.Type[Station]{LPs: 16, Init: (*Station).Init, Event: ross.Events(ross.On((*Station).Customer), ross.On((*Station).Bike))}}
	}})
}
