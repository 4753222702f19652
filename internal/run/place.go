// This file owns where PEs run: the processors that their threads are bound to (--bind).

package run

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/topology"
	"github.com/ross-go/ross/report"
)

// placing is where the PEs of a rank run.
type placing struct {
	request
	places []topology.Place // of each PE of the rank; nil: none is bound
	why    string           // none is, although the settings ask for that; or ""
}

// request is what places depend on.
type request struct {
	how     string // settings.Tuning.Bind
	machine topology.Machine
	pes     int // of each rank
	threads int // that Go runs at a time
	within  int // ranks in this process
	with    ranks.Sharing
}

// choosePlaces chooses the places of the PEs.
func (s *Engine) choosePlaces() {
	p := &s.placing
	p.how = cmp.Or(s.Set.Tuning.Bind, settings.BindAuto)
	if p.how == settings.BindNone || s.Set.Turn != nil { // threads are not theirs
		return
	}
	if p.how == settings.BindAuto && s.Set.PEs*s.Cluster.Peers == 1 { // which fills no large machine
		return
	}
	p.machine = topology.Here()
	p.pes, p.threads, p.within, p.with = s.Set.PEs, s.Threads, s.Cluster.Within, s.Cluster.Sharing
	if p.places, p.why = p.choose(); p.places != nil {
		s.Near = s.near
	}
}

// choose returns the places of the PEs, nil if they are not bound; and why not, unless nobody has asked for that.
//
// The ranks that may use the same processors choose places for the PEs of all of them, and each takes its own part.
func (r *request) choose() (places []topology.Place, why string) {
	n, processors := r.pes*r.with.Peers, r.machine.Processors().Len()
	if r.how == settings.BindAuto && (!r.isLarge() || n < len(r.machine.Cores) || n > processors ||
		r.threads < processors || r.within > 1 || r.with.Mixed) {
		return nil, ""
	}
	switch {
	case !r.machine.Known:
		return nil, "the system does not say where its processors are"
	case r.within > 1:
		return nil, "several ranks are one process"
	case r.with.Mixed:
		return nil, "some of the processors of this rank may be used by ranks that may use others too"
	case n > processors:
		return nil, fmt.Sprintf("there are more PEs (%d) than processors (%d)", n, processors)
	case r.pes > r.threads:
		return nil, fmt.Sprintf("there are more PEs (%d) than threads that Go runs (%d, GOMAXPROCS)", r.pes, r.threads)
	}
	if places = r.machine.BySocket(n); r.how == settings.BindCores {
		places = r.machine.ByCore(n)
	}
	return places[r.with.Peer*r.pes:][:r.pes], ""
}

// leastCores is the least number of cores of a node to which BindAuto binds: with these the system can still even out
// what else runs there. Virtual machines often have sockets of a single core, and one node for all of them.
const leastCores = 4

// isLarge reports whether the processors are on several nodes of memory, with several cores of each.
func (r *request) isLarge() bool {
	cores := map[int]int{} // by node
	for i := range r.machine.Cores {
		cores[r.machine.Cores[i].Node]++
	}
	return len(cores) > 1 && slices.Min(slices.Collect(maps.Values(cores))) >= leastCores
}

// placed says that a simulation of the process has bound its PEs: another one would choose the same processors.
var placed atomic.Bool

// claimPlaces takes the processors of the PEs for the time until release is called, and notes why PEs are not bound.
func (s *Engine) claimPlaces() (release func()) {
	p, release := &s.placing, func() {}
	if p.places != nil {
		if placed.CompareAndSwap(false, true) {
			release = func() { placed.Store(false) }
		} else if p.places = nil; p.how != settings.BindAuto {
			p.why = "another simulation of this program has bound its PEs"
		}
	}
	if p.why != "" {
		s.Hint("--bind=" + p.how + ": PEs are not bound to processors: " + p.why)
	}
	return release
}

// takeThread gives the goroutine of a PE a thread of its own, which runs where the PE has its place. It returns what
// gives the thread back.
func (pe *PE) takeThread() (giveBack func()) {
	var where topology.Set
	if p := &pe.Engine.placing; p.places != nil {
		where = p.places[pe.ID-pe.Engine.Base].Processors
	}
	giveBack, pe.thread.err = lockThread(where)
	return giveBack
}

// lockThread locks the goroutine to its thread, and binds that to some processors; nil: it stays as it is. giveBack
// takes both back. If the processors from before cannot be had again, it leaves the goroutine locked, so that the
// thread ends with the goroutine, and Go does not use it for others.
func lockThread(where topology.Set) (giveBack func(), err error) {
	runtime.LockOSThread()
	if where == nil {
		return runtime.UnlockOSThread, nil
	}
	before := topology.Own()
	if err := where.Bind(); err != nil {
		return runtime.UnlockOSThread, err
	}
	return func() {
		if before.Bind() == nil {
			runtime.UnlockOSThread()
		}
	}, nil
}

// near calls a function on a thread of the socket where a PE has its place.
func (s *Engine) near(pe uint64, f func()) {
	p := &s.placing
	giveBack, _ := lockThread(p.machine.In(p.places[pe-s.Base].Domain))
	defer giveBack()
	f()
}

// domains returns a number for the socket, or the node, of each PE, nil if they are not bound.
func (s *Engine) domains() (of []int) {
	all := s.placing.machine.Domains()
	for _, place := range s.placing.places {
		of = append(of, slices.Index(all, place.Domain))
	}
	return of
}

// Placement says for the report which processors the PEs of this rank were bound to, or why they were not; "" if nobody
// has asked for that.
func (s *Engine) Placement() string {
	for _, pe := range s.Locals {
		if err := pe.thread.err; err != nil {
			return s.placing.text(fmt.Errorf("PE %d: %w", pe.ID, err))
		}
	}
	return s.placing.text(nil)
}

// text is Placement; err is why a thread could not be bound.
func (p *placing) text(err error) string {
	switch {
	case p.places == nil && p.why == "":
		return ""
	case p.places == nil:
		return "none: " + p.why
	case err != nil:
		return "not of all PEs: " + err.Error()
	}
	to := p.how
	switch all := p.pes * p.with.Peers; {
	case p.how == settings.BindAuto:
		to = settings.BindSockets
	case p.how == settings.BindCores && all > len(p.machine.Cores):
		to = "hardware threads"
	}
	var parts []string
	for i := 0; i < len(p.places); {
		d, first, used := p.places[i].Domain, i, topology.Set(nil)
		for ; i < len(p.places) && p.places[i].Domain == d; i++ {
			used = used.Union(p.places[i].Processors)
		}
		part := fmt.Sprintf("processors %v of socket %d", used, d.Socket)
		if p.splits(d.Socket) {
			part += fmt.Sprintf(", node %d", d.Node)
		}
		if i-first < len(p.places) {
			part = fmt.Sprintf("%d to %s", i-first, part)
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%s bound to %s: %s", report.Count(uint64(len(p.places)), "PE"), to, strings.Join(parts, "; "))
}

// splits reports whether a socket has several nodes.
func (p *placing) splits(socket int) bool {
	n := 0
	for _, d := range p.machine.Domains() {
		if d.Socket == socket {
			n++
		}
	}
	return n > 1
}
