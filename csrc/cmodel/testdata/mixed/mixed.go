//go:build cgo && linux

// Package mixed has a simulation of sources in Go and servers in C, and the same one in Go alone.
package mixed

// #cgo CFLAGS: -DROSS_IN_GO -I${SRCDIR}/../.. -I${SRCDIR}/../../mpi -Wall -Wextra -g
// #include "servers.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/csrc/cmodel"
)

// The LPs, in the order of their ids.
const (
	Sources = 6
	Fast    = 4 // servers of the type with a reverse handler
	Clerks  = 2 // and of that without
	Servers = Fast + Clerks
)

// Job is the message in Go.
type Job struct {
	Work, Was float64
	From      uint32
	Hops      uint16
	Kind      uint8
}

// The kinds.
const (
	Tick = C.TICK
	Work = C.WORK
	End  = C.END
	Done = C.DONE
	Note = C.NOTE
)

// Setup is what a run has besides its configuration.
type Setup struct {
	Gap   float64 // the least delay between LPs
	Fault int
	Undo  bool // clerks keep deltas and have a reverse handler, too
}

// What servers do wrong.
const (
	Crash       = C.CRASH
	GiveUp      = C.GIVE_UP
	Forget      = C.FORGET
	Destination = C.DESTINATION
	Deep        = C.DEEP
	Numbered    = C.NUMBERED
	Runs        = C.RUNS
)

// Source is an LP of Go.
type Source struct {
	Sent, Done, Notes int64
	Sum               float64
}

func often0(u float64) float64 {
	if u < 0.25 {
		return 0
	}
	return u
}

func (s Setup) begin(_ *Source, lp *ross.LP) {
	ross.Send(lp, lp.ID(), 0.5, Job{Kind: Tick})
}

func (s Setup) event(of *Source, lp *ross.LP, m *Job) {
	switch m.Kind {
	case Tick:
		of.Sent++
		u := lp.RNG().Unif()
		to := ross.LPID(Sources + lp.RNG().Integer(0, Servers-1))
		ross.Send(lp, to, s.Gap+often0(u), Job{Work: 1 + u, From: uint32(lp.ID()), Kind: Work})
		ross.Send(lp, lp.ID(), 0.5+lp.Stream(1).Unif(), Job{Kind: Tick})
	case Done:
		of.Done++
		of.Sum += m.Work * float64(m.Hops+1)
		ross.Send(lp, lp.ID(), 0, Job{Kind: Note})
	case Note:
		of.Notes++
	default:
		lp.Fail(fmt.Errorf("a source has got a job of kind %d", m.Kind))
	}
}

// server is in Go what servers.c has in C.
type server struct {
	sum          float64
	seen, served uint64
}

func (s Setup) serve(of *server, lp *ross.LP, m *Job) {
	if m.Kind == Work {
		of.seen++
		u := lp.RNG().Unif()
		of.sum += float64(m.Work * u)
		of.sum += lp.Stream(1).Unif()
		ross.Send(lp, lp.ID(), often0(u)*m.Work, Job{Work: m.Work, From: m.From, Hops: m.Hops, Kind: End})
		return
	}
	of.served++
	if lp.Stream(1).Unif() < 0.3 && m.Hops < 3 {
		to := ross.LPID(Sources + lp.RNG().Integer(0, Servers-1))
		ross.Send(lp, to, s.Gap, Job{Work: m.Work, From: m.From, Hops: m.Hops + 1, Kind: Work})
	} else {
		ross.Send(lp, ross.LPID(m.From), s.Gap, Job{Work: m.Work, From: m.From, Hops: m.Hops, Kind: Done})
	}
}

func (s Setup) sources() ross.LPType {
	return ross.Type[Source]{LPs: Sources, Init: s.begin, Event: ross.On(s.event), Lookahead: s.Gap, NeverStops: true}
}

// Mixed returns the types, with servers in C.
func (s Setup) Mixed() []ross.LPType {
	C.shop = C.setup{sources: Sources, servers: Servers, gap: C.double(s.Gap), fault: C.int(s.Fault)}
	server, clerk := Server(Fast, unsafe.Pointer(&C.server_type)), Clerk()
	if s.Undo {
		clerk.C = unsafe.Pointer(&C.delta_type)
	}
	server.Lookahead, clerk.Lookahead = s.Gap, s.Gap
	server.NeverStops, clerk.NeverStops = true, true
	return []ross.LPType{s.sources(), server.LPType(), clerk.LPType()}
}

// Server returns a type of servers.
func Server(lps int, c unsafe.Pointer) cmodel.Type[Job] {
	return cmodel.Type[Job]{C: c, MessageSize: C.sizeof_job, Name: "server", LPs: lps, Label: func(gid ross.LPID) string { return fmt.Sprintf("desk %d", gid-Sources) }}
}

// Clerk returns the type of those whose events nobody undoes.
func Clerk() cmodel.Type[Job] {
	return cmodel.Type[Job]{C: unsafe.Pointer(&C.clerk_type), MessageSize: C.sizeof_job, Name: "clerk", LPs: Clerks}
}

// ByCgo returns the type of servers whose message is cgo's own type.
func ByCgo() ross.LPType {
	return cmodel.Type[C.job]{C: unsafe.Pointer(&C.server_type), MessageSize: C.sizeof_job, LPs: Fast}.LPType()
}

// Old returns the address of a type that is initialised as in former versions of ROSS.
func Old() unsafe.Pointer { return unsafe.Pointer(&C.old_type) }

// Pure returns the types in Go.
func (s Setup) Pure() []ross.LPType {
	of := func(name string, n int) ross.LPType {
		return ross.Type[server]{Name: name, LPs: n, Event: ross.On(s.serve)}
	}
	return []ross.LPType{s.sources(), of("server", Fast), of("clerk", Clerks)}
}

// States returns the final states, of either simulation.
func States(sim *ross.Simulation) (all []string) {
	for gid := range ross.LPID(Sources + Servers) {
		lp := sim.LP(gid)
		if s := ross.StateOf[Source](lp); s != nil {
			all = append(all, fmt.Sprint(*s))
		} else if s := ross.StateOf[server](lp); s != nil {
			all = append(all, fmt.Sprint(s.sum, s.seen, s.served))
		} else {
			s := (*C.server)(cmodel.State(lp))
			all = append(all, fmt.Sprint(float64(s.sum), s.seen, s.served))
		}
	}
	return all
}

// Committed returns how many events the servers have committed.
func Committed(sim *ross.Simulation) (n uint64) {
	for gid := ross.LPID(Sources); gid < Sources+Servers; gid++ {
		n += uint64((*C.server)(cmodel.State(sim.LP(gid))).commits)
	}
	return n
}

// SeesLP reports whether C finds an LP by its id.
func SeesLP(gid ross.LPID) bool { return C.lp_of(C.tw_lpid(gid)) != nil }

// NumberedLPs returns how often init has counted, and begins anew.
func NumberedLPs() int {
	n := int(C.numbered)
	C.numbered = 0
	return n
}

// SetHook sets g_tw_gvt_hook, or takes it away.
func SetHook(on bool) {
	if on {
		C.set_hook(1)
	} else {
		C.set_hook(0)
	}
}
