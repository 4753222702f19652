package proc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Workshop is the state of an LP: machines that one repairer looks after.
type Workshop struct {
	proc.Processes
	Repairer proc.Servers `ross:"repairer,h"`
	Machines [2]proc.PID
	Parts    int
}

func (w *Workshop) Init(lp *ross.LP) {
	w.Repairer.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, w, func(p *proc.Self) {
		for i := range w.Machines {
			w.Machines[i] = proc.Go(p, (*Workshop).machine)
		}
		proc.Go(p, (*Workshop).trouble)
	})
}

// machine makes a part in two hours. When it is interrupted, it waits for the repairer, and goes on with the part.
func (w *Workshop) machine(p *proc.Self) {
	for {
		for left := 2.0; left > 0; {
			if left = p.Work(left); left > 0 {
				turn := w.Repairer.Request(p)
				p.Sleep(1)
				w.Repairer.Release(p, turn)
			}
		}
		w.Parts++
	}
}

// trouble stops a machine every 4.3 hours.
func (w *Workshop) trouble(p *proc.Self) {
	for i := 0; ; i++ {
		p.Sleep(4.3)
		p.Interrupt(w.Machines[i%len(w.Machines)], 0)
	}
}

func Example() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 100},
		proc.Type(ross.Type[Workshop]{LPs: 1, Init: (*Workshop).Init}))
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	w := ross.StateOf[Workshop](sim.LP(0))
	fmt.Printf("%d parts, %d repairs\n", w.Parts, w.Repairer.Stay.Count())
	// Output: 87 parts, 23 repairs
}

// Port is the state of a port, from which ships sail to another one.
type Port struct {
	proc.Processes
	Berths proc.Servers
	Gone   int
}

func (h *Port) Init(lp *ross.LP) {
	h.Berths.Open(lp, resource.Rules{Servers: 1})
	proc.Do(lp, h, func(p *proc.Self) { proc.Go1(p, (*Port).ship, 3) })
}

// ship sails from port to port, and keeps how many journeys are left.
func (h *Port) ship(p *proc.Self, journeys int) {
	for ; journeys > 0; journeys-- {
		berth := h.Berths.Request(p)
		p.Sleep(1)
		h.Berths.Release(p, berth)
		h.Gone++
		h = proc.At[Port](p, 1-p.LP().ID(), 10)
	}
}

func ExampleAt() {
	sim, err := ross.Run(context.Background(), ross.Config{End: 100},
		proc.Type(ross.Type[Port]{LPs: 2, Init: (*Port).Init}))
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	fmt.Println(ross.StateOf[Port](sim.LP(0)).Gone, "ships left port 0")
	// Output: 3 ships left port 0
}
