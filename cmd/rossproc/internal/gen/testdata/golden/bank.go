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

var starts = []any{(*bank).customer, (*bank).leaves}
