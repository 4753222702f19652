package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Ferry is a landing with two ferries that take three or four cars, and fewer when one has waited for 4. Some cars do
// not wait so long, some also take the bridge, some are taken away while they wait or are at sea.
type Ferry struct {
	proc.Processes
	Ferries proc.Servers `ross:"ferries,min"`
	Bridge  proc.Servers
	Count   [8]uint64
}

// Ferries returns the type of n landings.
func Ferries(n int) ross.Type[Ferry] {
	return proc.Type(ross.Type[Ferry]{LPs: n, Init: (*Ferry).init})
}

func (f *Ferry) init(lp *ross.LP) {
	f.Ferries.OpenBatches(lp, resource.Rules{Servers: 2, Batch: 4, BatchMin: 3, Room: 8}, 4)
	f.Bridge.Open(lp, resource.Rules{Servers: 1, Order: resource.ByPriority, Batch: 2})
	proc.Do(lp, f, func(p *proc.Self) {
		proc.Go(p, (*Ferry).source)
		proc.Go(p, (*Ferry).police)
	})
}

func (f *Ferry) source(p *proc.Self) {
	for i := 0; ; i++ {
		p.Sleep(p.RNG().Exponential(1))
		switch i % 4 {
		case 0:
			proc.Go1(p, (*Ferry).car, 2+p.RNG().Unif())
		case 1:
			proc.Go1(p, (*Ferry).hasty, p.RNG().Exponential(3))
		case 2:
			proc.Go1(p, (*Ferry).either, 1+p.RNG().Unif())
		case 3:
			proc.Go1(p, (*Ferry).patient, float64(i%3))
		}
	}
}

// car takes a ferry, and leaves it after the passage.
func (f *Ferry) car(p *proc.Self, passage float64) {
	turn := f.Ferries.Request(p)
	if turn == 0 {
		f.Count[0]++
		return
	}
	defer f.Ferries.Release(p, turn)
	p.Sleep(passage)
	f.Count[1]++
}

// hasty gives up.
func (f *Ferry) hasty(p *proc.Self, patience float64) {
	turn, ok := f.Ferries.RequestWithin(p, patience)
	if !ok {
		f.Count[2]++
		return
	}
	p.Sleep(2)
	f.Ferries.Release(p, turn)
	f.Count[3]++
}

// either takes what comes first.
func (f *Ferry) either(p *proc.Self, passage float64) {
	switch p.Any(f.Ferries.Turn(0), f.Bridge.Turn(1), proc.Timeout(6)) {
	case 0:
		turn := p.Turn()
		p.Sleep(passage)
		f.Ferries.Release(p, turn)
		f.Count[4]++
	case 1:
		turn := p.Turn()
		p.Sleep(2 * passage)
		f.Bridge.Release(p, turn)
	}
}

// patient takes the bridge.
func (f *Ferry) patient(p *proc.Self, priority float64) {
	turn := f.Bridge.RequestPriority(p, priority)
	defer f.Bridge.Release(p, turn)
	p.Sleep(3)
	f.Count[5]++
}

// police takes cars away, and closes a ferry for a while.
func (f *Ferry) police(p *proc.Self) {
	for i := 0; ; i++ {
		p.Sleep(3 + p.RNG().Unif())
		n := p.RNG().Integer(0, 5)
		for t := range f.Ferries.All(p.LP()) {
			if n--; n < 0 {
				if p.Kill(f.Ferries.Find(p.LP(), t)) {
					f.Count[6]++
				}
				break
			}
		}
		if f.Ferries.SetServers(p, 1+i%2); f.Ferries.Busy() == 2 {
			f.Count[7]++
		}
	}
}
