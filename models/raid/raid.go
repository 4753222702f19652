// The model: file servers, their load, and the controllers and disks behind them.

package main

import (
	"fmt"

	"github.com/ross-go/ross"
)

// A file server is a group of LPs: its load, itself, its controllers, and their disks.
const (
	controllers = 4
	disksEach   = 8 // of a controller

	atServer     = 1 // the place in the group; the load is at 0
	atController = 2
	atDisk       = atController + controllers
	group        = atDisk + controllers*disksEach
)

// Times in seconds, and rates.
const (
	meanLife  = 3.6e9
	horizon   = 157680000 // five years: disks that fail later are not simulated
	rebuild   = 3600
	replace   = 600
	idle      = 10
	busy      = 100
	deviation = 0.1     // of normal distributions, as a share of the mean
	diskRate  = 8388608 // bytes a second that a controller serves
	rebuildOf = 0.25    // share of that during a rebuild
	blockSize = 4
)

// kind is what happens in an event. The numbers are those of the original.
type kind uint8

const (
	ioIdle kind = iota
	ioBusy
	rebuildStart
	rebuildFinish
	raidFailure
	diskFailure
	diskReplaced
)

// note is the message of all LPs.
type note struct{ Kind kind }

// load is the state of an LP that makes a server busy and idle in turn.
type load struct {
	Mode       kind
	Idle, Busy float64 // seconds of each, to the end of the last phase
}

// server is the state of a file server.
type server struct {
	Mode                  kind
	Good, Rebuilding, Bad int32 // controllers
	Stamp                 float64
	Blocks                int64 // transferred
}

// controller is the state of a RAID controller.
type controller struct {
	Condition condition
	Rebuilds  int32
}

// condition is that of a controller. The numbers are those of the original.
type condition uint8

const (
	healthy    condition = iota
	waiting              // for a disk to be replaced
	rebuilding           // the contents of a disk
	failed
)

// disk is the state of a disk.
type disk struct{ Failures int32 }

// types returns the LP types in the order of typeOf.
func (p *params) types() []ross.LPType {
	return []ross.LPType{
		lpType("load", p.load, func(s *load, lp *ross.LP) { s.next(lp, ioIdle) }),
		lpType("server", p.server, func(s *server, _ *ross.LP) { s.Good = controllers }),
		lpType("controller", p.controller, nil),
		lpType("disk", p.disk, p.replaced),
	}
}

// lpType returns a type with an S as its state, which is also the undo data of its events.
func lpType[S any](name string, event func(*S, *ross.LP, *S, *note), init func(*S, *ross.LP)) ross.LPType {
	return ross.Type[S]{
		Name: name, Init: init,
		NeverStops: true,
		Label:      func(id ross.LPID) string { return fmt.Sprintf("%s of server %d", name, id/group) },
		Event:      ross.OnUndo(event).Reverse(func(s *S, _ *ross.LP, was *S, _ *note) { *s = *was }),
	}
}

// typeOf returns the index of the type of an LP.
func typeOf(id ross.LPID) int {
	switch at := id % group; {
	case at < atController:
		return int(at)
	case at < atDisk:
		return 2
	}
	return 3
}

func (p *params) load(s *load, lp *ross.LP, was *load, m *note) {
	p.record.Event(lp, int(m.Kind))
	*was = *s
	s.next(lp, m.Kind)
}

// next begins a phase, and determines when it ends.
func (s *load) next(lp *ross.LP, begins kind) {
	s.Mode = begins
	ends, time := ioIdle, 0.0
	if begins == ioBusy {
		time = lp.RNG().NormalSD(busy, busy*deviation)
		s.Busy += time
	} else {
		ends = ioBusy
		time = lp.RNG().NormalSD(idle, idle*deviation)
		s.Idle += time
	}
	ross.Send(lp, lp.ID(), time, note{ends})
	ross.Send(lp, lp.ID()+atServer, time, note{ends})
}

func (p *params) server(s *server, lp *ross.LP, was *server, m *note) {
	p.record.Event(lp, int(m.Kind))
	*was = *s
	switch m.Kind {
	case rebuildStart:
		s.Rebuilding++
		s.Bad--
	case rebuildFinish:
		s.Good++
		s.Rebuilding--
	case raidFailure:
		s.Bad++
		s.Rebuilding--
	case diskFailure:
		s.Bad++
		s.Good--
	default:
		s.Mode = m.Kind
	}
	// As in the original, the new rate counts for the time before the event, and so does the time
	// that the server was idle if something else than the end of that ends it.
	if m.Kind != ioBusy {
		s.Blocks += int64((lp.Now() - s.Stamp) * (s.rate() / blockSize))
	}
	s.Stamp = lp.Now()
}

// rate returns what the controllers serve, in bytes a second.
func (s *server) rate() float64 {
	return diskRate * (float64(s.Good) + float64(float64(s.Rebuilding)*rebuildOf))
}

// bandwidth returns the rate as of the last event: the original computes it there, and has 0 before
// the first one.
func (s *server) bandwidth() float64 {
	if s.Stamp == 0 {
		return 0
	}
	return s.rate()
}

func (p *params) controller(s *controller, lp *ross.LP, was *controller, m *note) {
	p.record.Event(lp, int(m.Kind))
	*was = *s
	server := lp.ID() - lp.ID()%group + atServer
	switch {
	case s.Condition == failed:
	case m.Kind == diskReplaced:
		s.Condition = rebuilding
		s.Rebuilds++
		ross.Send(lp, lp.ID(), lp.RNG().NormalSD(rebuild, rebuild*deviation), note{rebuildFinish})
		ross.Send(lp, server, 0, note{rebuildStart})
	case m.Kind == rebuildFinish:
		s.Condition = healthy
		ross.Send(lp, server, 0, note{rebuildFinish})
	case s.Condition == waiting:
		s.Condition = failed
	case s.Condition == rebuilding:
		s.Condition = failed
		ross.Send(lp, server, 0, note{raidFailure})
	default:
		s.Condition = waiting
		ross.Send(lp, server, 0, note{diskFailure})
	}
}

func (p *params) disk(s *disk, lp *ross.LP, was *disk, m *note) {
	p.record.Event(lp, int(m.Kind))
	*was = *s
	if m.Kind == diskReplaced {
		p.replaced(s, lp)
		return
	}
	both(lp, lp.RNG().NormalSD(replace, replace*deviation), diskReplaced)
}

// replaced begins the life of a disk.
func (p *params) replaced(s *disk, lp *ross.LP) {
	if life := p.life(lp); lp.Now()+life < horizon {
		s.Failures++
		both(lp, life, diskFailure)
	}
}

// both sends to the controller of a disk, and then to the disk, what happens after some time.
func both(lp *ross.LP, after float64, what kind) {
	at := lp.ID() % group
	ross.Send(lp, lp.ID()-at+atController+(at-atDisk)/disksEach, after, note{what})
	ross.Send(lp, lp.ID(), after, note{what})
}

// shapes are those of the Weibull distributions, by --disk-distro less 2.
var shapes = [...]float64{.1, .5, 1, 5, 10}

// life draws how long a disk lives.
func (p *params) life(lp *ross.LP) float64 {
	switch p.distro {
	case 0:
		return float64(lp.RNG().Integer(0, 2*meanLife))
	case 1:
		return lp.RNG().Exponential(meanLife)
	}
	return lp.RNG().Weibull(meanLife, shapes[p.distro-2])
}
