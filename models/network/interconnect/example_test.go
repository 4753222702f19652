package interconnect_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/models/network/topology"
)

// node is a terminal. It answers each message but answers.
type node struct {
	NIC  interconnect.NIC
	Took float64 // ns from the question to the answer
}

const question, answer = 1, 2

// Terminal 0 of a ring of eight routers asks terminal 3, and gets an answer of 1 MiB.
func Example() {
	ring, err := topology.NewTorus([]int{8}, 1)
	if err != nil {
		log.Fatal(err)
	}
	n, err := interconnect.New(interconnect.Defaults(topology.NewMinimal(ring)))
	if err != nil {
		log.Fatal(err)
	}
	deliver := func(s *node, lp *ross.LP, m interconnect.Message) {
		switch m.Tag {
		case question:
			s.NIC.Send(n, lp, m.From, 1<<20, answer)
		case answer:
			*ross.Write(lp, &s.Took) = lp.Now()
		}
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.Output = ross.Optimistic, 2, io.Discard
	n.Place(&cfg)
	sim, err := ross.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	err = sim.Define(n.Router(), ross.Type[node]{
		Saving: ross.SaveByLog,
		Init: func(s *node, lp *ross.LP) {
			if n.TerminalOf(lp.ID()) == 0 {
				s.NIC.Send(n, lp, 3, 32, question)
			}
		},
		Event: interconnect.Handlers(n, func(s *node) *interconnect.NIC { return &s.NIC }, deliver),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := sim.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the answer came after %.1f ns\n", ross.StateOf[node](sim.LP(n.LP(0))).Took)
	// Output: the answer came after 42454.6 ns
}
