//go:build cgo && linux

package cmodel_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/csrc/cmodel"
	"github.com/ross-go/ross/csrc/cmodel/testdata/mixed"
)

// Job has the layout of the C struct job. The package mixed has the C file, and the address and size of what is in it:
// unsafe.Pointer(&C.clerk_type) and C.sizeof_job.
func ExampleType() {
	type Job = mixed.Job
	clerk := mixed.Clerk()
	servers := cmodel.Type[Job]{Name: "server", LPs: 3, C: clerk.C, MessageSize: clerk.MessageSize}

	type client struct{ Done int }
	clients := ross.Type[client]{
		LPs: 1,
		Init: func(_ *client, lp *ross.LP) {
			for to := range ross.LPID(3) {
				ross.Send(lp, to, 1, Job{Work: 2, From: uint32(lp.ID()), Kind: mixed.Work, Hops: 3})
			}
		},
		Event: ross.On(func(c *client, _ *ross.LP, _ *Job) { c.Done++ }),
	}
	cfg := ross.Config{End: 100}
	cfg.Streams.PerLP = 2
	sim, err := ross.Run(context.Background(), cfg, servers.LPType(), clients)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	fmt.Println("jobs done:", ross.StateOf[client](sim.LP(3)).Done)
	fmt.Println("LP 0 has a state of C:", cmodel.State(sim.LP(0)) != nil)
	// Output:
	// jobs done: 3
	// LP 0 has a state of C: true
}
