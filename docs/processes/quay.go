package processes

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
	"github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// Quay is the state of an LP. Time is in hours.
type Quay struct {
	proc.Processes
	Berths proc.Pool[[5]resource.Member] `ross:"berths,h"` // two short, two long, one for the largest ships
	Cranes proc.Pool[[8]resource.Member] `ross:"cranes,h"`
	Crew   proc.Servers                  `ross:"crew,h"`
	Stay   [3]stats.Histogram            `ross:"stay,h,names=feeder;panamax;mega,total=all stays"`
}

func (q *Quay) opens(p *proc.Self) {
	q.Berths.Open(p.LP(), resource.PoolRules{Groups: []int{2, 2, 1}})
	q.Cranes.Open(p.LP(), resource.PoolRules{Choice: resource.LeastUsed})
	q.Crew.Open(p.LP(), resource.Rules{Servers: 1})
	for i := range q.Cranes.Members() {
		proc.Go1(p, (*Quay).crane, i)
	}
	for {
		p.Sleep(p.RNG().Exponential(7))
		proc.Go(p, (*Quay).ship)
	}
}

// ship takes the shortest berth that is long enough, and 2 to 4 cranes as they come.
func (q *Quay) ship(p *proc.Self) {
	came, kind := p.Now(), int(p.RNG().Integer(0, 2))
	berth := q.Berths.Request(p, resource.Need{Groups: resource.GroupsFrom(kind)})
	cranes := q.Cranes.Request(p, resource.Need{Least: 2, Most: 4, Collects: true})
	q.Cranes.Work(p, cranes, p.RNG().Erlang(4, float64(10+15*kind)))
	q.Cranes.Release(p, cranes)
	q.Berths.Release(p, berth)
	q.Stay[kind].Add(p.LP(), p.Now()-came)
}

// crane breaks down after hours of work, and waits for the crew.
func (q *Quay) crane(p *proc.Self, i int) {
	for {
		q.Cranes.Wear(p, i, p.RNG().Exponential(40))
		q.Cranes.Break(p, i)
		turn := q.Crew.Request(p)
		p.Sleep(p.RNG().Exponential(3))
		q.Crew.Release(p, turn)
		q.Cranes.Repair(p, i)
	}
}

var quay = proc.Type(ross.Type[Quay]{LPs: 1, Init: proc.Start((*Quay).opens)})
