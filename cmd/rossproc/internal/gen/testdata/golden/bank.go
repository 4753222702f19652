// Package golden is a model that is small enough to read what is generated for it.
package golden

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

type bank struct {
	proc.Processes
	counters [2]proc.Servers
	next     int
}

func (b *bank) customer(p *proc.Self, needs, patience float64) {
	came := p.Now()
	turn, ok := b.counters[b.next].RequestWithin(p, patience)
	if !ok {
		return
	}
	at := b.next
	defer b.counters[at].Release(p, turn)
	for n := 0; n < 2; n++ {
		if left := p.Work(needs); left > 0 && p.Now()-came > 10 {
			continue
		}
		rest := b.sum(p, n)
		needs = rest
	}
}

func (b *bank) sum(p *proc.Self, n int) (total float64) {
	for i := range n {
		p.Sleep(float64(i))
		total += float64(i)
	}
	return total
}

func (b *bank) leaves(p *proc.Self, to ross.LPID) {
	other := proc.At[bank](p, to, 1)
	other.next++
}

type rules struct{ opens, open, way float64 }

func (b *bank) opens(p *proc.Self) {
	m := proc.Param[rules](p)
	for p.Now() < m.opens+m.open {
		p.Sleep(m.open / 8)
		b.next = 1 - b.next
	}
}

func (b *bank) rounds(p *proc.Self) {
	from, m := p.LP().ID(), proc.Param[rules](p)
	there := proc.At[bank](p, from+1, m.way)
	there.next += int(m.open - proc.Param[rules](p).open)
}

var starts = []any{(*bank).customer, (*bank).leaves, (*bank).opens, (*bank).rounds}
