// This file shows a model that tells what it does: in samples and in an event trace.

package ross_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

// desk serves customers, each of whom goes on to the next desk.
type desk struct {
	Total uint32 // customers served
	Since uint32 // ... since the last sample at a virtual time
}
type customer struct{ Ticket uint32 }

const desks = 4

func (d *desk) Init(lp *ross.LP) {
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), customer{Ticket: uint32(lp.ID())})
}

func (d *desk) Event(lp *ross.LP, c *customer) {
	d.Total++
	d.Since++
	ross.Send(lp, (lp.ID()+1)%desks, 0.5+lp.RNG().Exponential(1), *c)
}

func (d *desk) Reverse(lp *ross.LP, c *customer) {
	d.Total--
	d.Since--
}

// Sample is called by GVT and by real time, with whatever state the desk is in.
func (d *desk) Sample(lp *ross.LP, buf []byte) { binary.LittleEndian.PutUint32(buf, d.Total) }

// Point is called at a virtual time. It changes the state, so there is a ReversePoint.
func (d *desk) Point(lp *ross.LP, buf []byte) {
	binary.LittleEndian.PutUint32(buf, d.Since)
	d.Since = 0
}

func (d *desk) ReversePoint(lp *ross.LP, buf []byte) {
	d.Since = binary.LittleEndian.Uint32(buf)
}

// traceCustomer adds the ticket to the trace, and leaves out all but that of customer 0.
func traceCustomer(lp *ross.LP, kind ross.TraceKind, c *customer, buf []byte) bool {
	binary.LittleEndian.PutUint32(buf, c.Ticket)
	return c.Ticket == 0
}

// A model gives samples by Type.Sample and Type.Point, and adds to event traces by
// the Trace of its handler. Flags of the run say which of these are collected; here the settings do.
func Example_instrumentation() {
	tmp, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End = 3, 2, desks/2, 30
	// --model-stats=3 --vt-interval=10
	cfg.Instruments.Model, cfg.Instruments.VirtualInterval = ross.SampleByVirtualTime, 10
	cfg.Instruments.Trace = ross.TraceCommitted // --event-trace=3
	cfg.Instruments.Path = filepath.Join(tmp, "desks")
	if err := serve(cfg); err != nil {
		log.Fatal(err)
	}

	name := instr.FileName(cfg.Instruments.Path, "", instr.VTSuffix)
	r, err := instr.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for rec, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		s := &rec.VTModel
		fmt.Printf("at %v desk %d had served %d since the point before\n", s.TS, s.LP, binary.LittleEndian.Uint32(s.Payload))
	}
	// run.json says what the payloads hold, so that rossreader dump shows them under these names.
	run, err := instr.ReadRunInfo(cfg.Instruments.Path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: trace %s, points %s\n", run.Types[0].Name, run.Types[0].Trace, run.Types[0].Point)
	events, err := instr.ReadTrace(instr.FileName(cfg.Instruments.Path, "", instr.TraceSuffix))
	if err != nil {
		log.Fatal(err)
	}
	served := 0
	for _, e := range events {
		if e.Dest < desks { // those of analysis LPs, which take the points, have ids from there on
			served++
		}
	}
	fmt.Println("customer 0 was served", served, "times")
	// Unordered output:
	// desk: trace customer:u32, points served:u32
	// at 10 desk 0 had served 8 since the point before
	// at 10 desk 1 had served 8 since the point before
	// at 20 desk 0 had served 7 since the point before
	// at 20 desk 1 had served 7 since the point before
	// at 10 desk 2 had served 8 since the point before
	// at 10 desk 3 had served 7 since the point before
	// at 20 desk 2 had served 6 since the point before
	// at 20 desk 3 had served 8 since the point before
	// customer 0 was served 20 times
}

func serve(cfg ross.Config) error {
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	err = sim.Define(ross.Type[desk]{
		Name: "desk", Init: (*desk).Init, Event: ross.On((*desk).Event).Reverse((*desk).Reverse).Trace(traceCustomer),
		SampleLayout: "served:u32", Sample: (*desk).Sample,
		PointLayout: "served:u32", Point: (*desk).Point, ReversePoint: (*desk).ReversePoint,
		TraceLayout: "customer:u32",
	})
	if err != nil {
		return err
	}
	return sim.Run(context.Background())
}
