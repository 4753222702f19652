// This file owns an epidemic in places on a ring.

package sidebyside

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
)

const (
	places = 32
	people = 500 // in each place
)

// Place is the state of an LP. Time is in days.
type Place struct{ Well, Sick, Over int64 }

// The messages of a place.
type (
	Contact  struct{} // with somebody who is sick
	Recovery struct{}
)

func (p *Place) Init(lp *ross.LP) {
	p.Well = people
	if lp.ID() == 0 {
		for range 5 {
			p.infect(lp)
		}
	}
}

func (p *Place) Contact(lp *ross.LP, _ *Contact) {
	if lp.RNG().Unif() < float64(p.Well)/people {
		p.infect(lp)
	}
}

// infect has a person fall ill, who meets others until the recovery.
func (p *Place) infect(lp *ross.LP) {
	p.Well--
	p.Sick++
	r := lp.RNG()
	end := r.Exponential(5)
	for t := r.Exponential(2); t < end; t += r.Exponential(2) {
		place := int64(lp.ID())
		if r.Unif() < 0.1 {
			place = (place + places + 2*r.Integer(0, 1) - 1) % places
		}
		ross.Send(lp, ross.LPID(place), t, Contact{})
	}
	ross.Send(lp, lp.ID(), end, Recovery{})
}

func (p *Place) Recovery(_ *ross.LP, _ *Recovery) {
	p.Sick--
	p.Over++
}

var epidemic = ross.Type[Place]{
	LPs:   places,
	Init:  (*Place).Init,
	Event: ross.Events(ross.On((*Place).Contact), ross.On((*Place).Recovery)),
}

func Example_epidemic() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 365}, epidemic)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	over := int64(0)
	for id := range ross.LPID(places) {
		over += ross.StateOf[Place](sim.LP(id)).Over
	}
	fmt.Printf("%d of %d people were sick in a year\n", over, places*people)
	// Output: 14405 of 16000 people were sick in a year
}
