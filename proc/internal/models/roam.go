package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

// Land is where wanderers come to, and where one process starts more others than the LP has room for.
type Land struct {
	proc.Processes
	Gate proc.Signal
	Notes
}

// Notes are what processes write down at a land.
type Notes struct {
	Seen   [4]uint64 // wanderers that went on at once, waited, ended, and were not known
	Place  uint32    // the highest place that a wanderer has had
	Places int       // for which starters have asked
	Sum    float64
}

// note returns the notes, to be changed.
func (l *Land) note(p *proc.Self) *Notes { return ross.Write(p.LP(), &l.Notes) }

// Lands returns the type of n lands.
func Lands(n int) ross.Type[Land] {
	return proc.Type(ross.Type[Land]{LPs: n, Init: (*Land).init})
}

func (l *Land) init(lp *ross.LP) {
	proc.Do(lp, l, func(p *proc.Self) {
		proc.Go1(p, (*Land).starter, 3)
		proc.Go(p, (*Land).opener)
		for i := range 3 {
			proc.Go1(p, (*Land).wanderer, lp.ID()*8+ross.LPID(i))
			proc.Go1(p, (*Land).pilgrim, lp.ID()*8+ross.LPID(i))
		}
	})
}

// opener lets starters go on, the first time within Init.
func (l *Land) opener(p *proc.Self) {
	for {
		l.Gate.Fire(p)
		p.Sleep(3)
	}
}

// starter starts more and more processes between changes of its variables.
func (l *Land) starter(p *proc.Self, n int) {
	sum := 0.0
	for turn := 0; n < 200; turn++ {
		l.Gate.Wait(p)
		sum += float64(n)
		for i := range n {
			proc.Go1(p, (*Land).brief, float64(i))
		}
		sum += float64(turn)
		n *= 2
		l.note(p).Places += n
	}
	l.note(p).Sum += sum
}

func (l *Land) brief(p *proc.Self, i float64) {
	p.Sleep(1 + i/1000)
	l.note(p).Sum += i
}

// known reports whether a wanderer that has just arrived is known to live, and whether it can be interrupted.
func (l *Land) known(p *proc.Self, seed ross.LPID) {
	if seed%2 > 0 && !(p.Alive(p.PID()) && p.Interrupt(p.PID(), uint64(seed))) {
		l.note(p).Seen[3]++
	}
}

// wanderer goes from land to land, waits at some, and ends somewhere.
func (l *Land) wanderer(p *proc.Self, seed ross.LPID) {
	for {
		l = proc.At[Land](p, ross.LPID(p.RNG().Integer(0, 2)), 0.5+p.RNG().Exponential(1))
		l.note(p).Place = max(l.Place, uint32(p.PID()))
		seed++
		l.known(p, seed)
		switch {
		case seed%32 == 0:
			l.note(p).Seen[2]++
			proc.Go1(p, (*Land).wanderer, seed+1)
			return
		case seed%3 == 0:
			l.note(p).Seen[1]++
			if left := p.Work(1); left > 0 {
				p.Sleep(left / 2)
			}
		default:
			l.note(p).Seen[0]++
		}
	}
}

// pilgrim is a wanderer with more to carry.
func (l *Land) pilgrim(p *proc.Self, seed ross.LPID) {
	var at [12]ross.LPID
	for n := 0; ; n++ {
		l = proc.At[Land](p, ross.LPID(p.RNG().Integer(0, 2)), 0.5+p.RNG().Exponential(1))
		at[n%len(at)] += seed + p.LP().ID()
		l.known(p, ross.LPID(n))
		switch {
		case n%20 == 19:
			for i, id := range at {
				l.note(p).Sum += float64(ross.LPID(i+1) * id)
			}
			proc.Go1(p, (*Land).pilgrim, at[3])
			return
		case n%4 == 3:
			p.Sleep(0.5)
		}
		seed += at[n%len(at)] & 7
	}
}
