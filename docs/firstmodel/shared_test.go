// This file owns a mistake that only parallel runs show: a variable that LPs share.

package firstmodel

import (
	"fmt"

	"github.com/ross-go/ross"
)

var rides int64 // wrong: handlers of all LPs change it

// Counted is a Station that counts in a Go variable.
type Counted Station

func (c *Counted) Init(lp *ross.LP) { (*Station)(c).Init(lp) }

func (c *Counted) Customer(lp *ross.LP, _ *ross.None, m *Customer) {
	(*Station)(c).Customer(lp, nil, m)
}

func (c *Counted) Bike(_ *ross.LP, _ *ross.None, _ *Bike) {
	c.Bikes++
	rides++
}

func Example_sharedVariable() {
	rides = 0
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End = stations, 100
	err := try(cfg, ross.Type[Counted, ross.None]{
		Init: (*Counted).Init,
		On:   []ross.Handler[Counted]{ross.On((*Counted).Customer), ross.On((*Counted).Bike)},
	})
	fmt.Println(rides, err)
	// Output: 786 <nil>
}
