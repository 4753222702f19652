package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
)

// Constructs is a state whose processes have each construct of Go that may stand around a wait.
type Constructs struct {
	proc.Processes
	Desks  [3]proc.Servers
	Next   int
	Log    uint64 // a hash of what has happened
	Steps  uint64
	Nested [2]point
}

type point struct {
	X int32
	Y float64
}

// Note mixes a number into the log.
func (c *Constructs) Note(p *proc.Self, x int) int {
	c.Log = (c.Log ^ uint64(x) + uint64(p.Now()*1024)) * 0x9e3779b97f4a7c15
	c.Steps++
	return x
}

func (c *Constructs) init(lp *ross.LP) {
	for i := range c.Desks {
		c.Desks[i].Open(lp, resource.Rules{Servers: 1 + i})
	}
	proc.Do(lp, c, func(p *proc.Self) {
		proc.Go(p, (*Constructs).loops)
		proc.Go(p, (*Constructs).switches)
		proc.Go(p, (*Constructs).expressions)
		proc.Go(p, (*Constructs).calls)
		proc.Go(p, (*Constructs).order)
		proc.Go(p, (*Constructs).killer)
		proc.Go(p, (*Constructs).defers)
		proc.Go(p, (*Constructs).declarations)
		proc.Go4(p, (*Constructs).parameters, 1, int8(2), point{3, 4}, [3]int16{5, 6, 7})
	})
}

func (c *Constructs) loops(p *proc.Self) {
	for range 3 {
		p.Sleep(1)
	}
	for i := range 3 {
		p.Sleep(0.5)
		c.Note(p, i)
	}
	n := 4
	for i := range n {
		n = 0
		if i == 2 {
			continue
		}
		p.Sleep(p.RNG().Unif())
		c.Note(p, i)
	}
	for i, v := range [3]int{7, 8, 9} {
		p.Sleep(0.25)
		c.Note(p, i*v)
	}
	for i := range c.Desks {
		turn := c.Desks[i].Request(p)
		p.Sleep(0.1)
		c.Desks[i].Release(p, turn)
	}
outer:
	for i := 0; ; i++ {
		for j := 0; j < 3; j++ {
			switch {
			case j == 1:
				continue
			case i == 2 && j == 2:
				break outer
			case i == 1 && j == 0:
				continue outer
			}
			for k := range 10 {
				if k == 2 {
					break
				}
				if k == 1 && i+j == 2 && i == 0 {
					continue outer
				}
			}
			p.Sleep(0.125)
			c.Note(p, 10*i+j)
		}
	}
	for left := 2.0; left > 0; {
		left = p.Work(left)
	}
	for p.Work(1) > 0 || c.Note(p, 5) == 5 && c.Steps%3 != 0 {
		c.Note(p, 6)
	}
}

func (c *Constructs) switches(p *proc.Self) {
	for i := 0; i < 6; i++ {
		switch x := c.Note(p, i); x {
		case 0:
			p.Sleep(1)
		case 1, 2:
			p.Sleep(0.5)
			if x == 2 {
				break
			}
			c.Note(p, 100)
			fallthrough
		case 3:
			p.Sleep(0.25)
			c.Note(p, 200)
		default:
			if x == 5 {
				return
			}
			p.Sleep(0.75)
		}
	}
	c.Note(p, 1000) // never
}

func (c *Constructs) expressions(p *proc.Self) {
	x := 1 + int(p.Work(0.5)) + c.Note(p, 3)
	if y := p.Work(0.25); y == 0 && p.Work(0.5) == 0 {
		c.Note(p, x)
	} else if p.Work(1) > 0 {
		c.Note(p, -1)
	} else {
		c.Note(p, -2)
	}
	c.Nested[c.Note(p, 1)].Y = p.Work(0.5)
	a := [2]float64{p.Work(0.125), float64(c.Note(p, 4)) + p.Work(0.25)}
	c.Note(p, int(a[1]))
	x, z := c.Note(p, 8), p.Work(0.5)
	c.Note(p, x+int(z))
	t := c.Desks[c.next()].Request(p)
	c.Desks[0].Release(p, t)
	if !(p.Work(0.5) > 0) {
		c.Note(p, 9)
	}
	func() { c.Note(p, x) }()
	add := func(d int) { x += d }
	add(3)
	p.Sleep(0.5)
	c.Note(p, x)
}

// order has calls whose results Go keeps while what stands behind them waits.
func (c *Constructs) order(p *proc.Self) {
	c.Note(p, add(c.Note(p, 1+int(p.Work(0.5))), int(p.Work(0.25))))
	c.Note(p, pick(c.Steps == 0 && c.Note(p, 1000) > 0 || c.Note(p, 2) > 0, p.Work(0.5)))
	c.Nested[c.Note(p, int(p.Work(0.25)))].Y = p.Work(0.5)
	defer c.Nested[c.Note(p, 1)].move(c.Note(p, 3))
	p.Sleep(0.5)
	c.Note(p, int(c.Nested[1].X))
}

// killer ends others whose waits have results, which nothing sees.
func (c *Constructs) killer(p *proc.Self) {
	for i := range 4 {
		c.Nested[0].Y = -3
		id := proc.Go1(p, (*Constructs).victim, i)
		p.Sleep(0.7)
		p.Kill(id)
		p.Join(id)
		c.Note(p, int(c.Nested[0].Y))
	}
}

func (c *Constructs) victim(p *proc.Self, i int) {
	x := 40 + i
	defer func() { c.Note(p, x) }()
	switch i {
	case 0:
		x = c.slow(p, 3)
	case 1:
		x = int(p.Work(5))
	case 2:
		c.Nested[0].Y = p.Work(5)
	default:
		p.Sleep(c.Nested[0].Y + float64(c.slow(p, 3)))
	}
}

func (pt *point) move(x int) { pt.X += int32(x) }

func add(a, b int) int { return a + b }

func pick(b bool, _ float64) int {
	if b {
		return 1
	}
	return 2
}

func (c *Constructs) next() int {
	c.Next++
	return c.Next - 1
}

func (c *Constructs) calls(p *proc.Self) {
	a, b := c.twice(p, 3)
	c.Note(p, a+b)
	if c.slow(p, 2) > 3 || c.slow(p, 3) > 3 {
		c.Note(p, 77)
	}
	pause(p, 0.5)
	for i := range 2 {
		c.Note(p, c.slow(p, i)+c.slow(p, i+1))
	}
}

func pause(p *proc.Self, d float64) { p.Sleep(d) }

func (c *Constructs) slow(p *proc.Self, n int) (sum int) {
	for i := range n {
		p.Sleep(0.5)
		sum += i + 1
	}
	return
}

func (c *Constructs) twice(p *proc.Self, n int) (int, int) {
	x := c.slow(p, n)
	if x == 0 {
		return 1, 2
	}
	return c.slow(p, n-1), x
}

func (c *Constructs) defers(p *proc.Self) {
	turn := c.Desks[2].Request(p)
	defer c.Desks[2].Release(p, turn)
	n := 1
	defer c.Note(p, n)
	if c.Steps > 0 {
		defer func() { c.Note(p, 50+n) }()
	}
	turn = 0
	n = 2
	p.Sleep(1)
	n = 3
	if p.Work(1) > 0 {
		return
	}
	p.Sleep(1)
}

func (c *Constructs) declarations(p *proc.Self) {
	x := 1
	for i := 0; i < 2; i++ {
		var x, y int
		c.Note(p, x+y)
		x = i + 5
		p.Sleep(0.5)
		{
			x := x + 1
			p.Sleep(0.5)
			c.Note(p, x)
			var pt point
			c.Note(p, int(pt.X))
			pt.X = int32(x)
			p.Sleep(0.125)
			pt.Y, y = 2.5, 3
			c.Note(p, int(pt.X)+y)
		}
		c.Note(p, x)
		var z float64 = p.Work(0.25)
		c.Note(p, int(z))
	}
	c.Note(p, x)
	var len = 3 // hides what a later statement uses
	p.Sleep(0.5)
	c.Note(p, len)
	turn, ok := c.Desks[0].RequestWithin(p, 0.5)
	if ok {
		c.Note(p, 11)
		c.Desks[0].Release(p, turn)
	}
}

func (c *Constructs) parameters(p *proc.Self, a int, b int8, pt point, all [3]int16) {
	p.Sleep(1)
	for i := range len(all) {
		p.Sleep(0.5)
		c.Note(p, a+int(b)+int(pt.X)+int(pt.Y)+int(all[i]))
		a, b = int(b), int8(a)
		pt.X++
	}
}

// ManyConstructs returns the type of n LPs.
func ManyConstructs(n int) ross.Type[Constructs] {
	return proc.Type(ross.Type[Constructs]{LPs: n, Init: (*Constructs).init})
}
