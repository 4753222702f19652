// This file owns why a job cannot go on: ranks that wait for what never comes.

package workload

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ross-go/ross"
)

// ErrStuck is wrapped by the error of Results about jobs that cannot go on. If their network is in a deadlock, so
// is [interconnect.ErrDeadlock].
var ErrStuck = errors.New("workload: stuck")

// rank is what a rank does when the run is over.
type rank struct {
	doing doing
	peer  int32 // for whose message it waits
	tag   uint32
}

type doing uint8

const (
	runs doing = iota
	waits
	ended
)

// stuck fills in which jobs cannot go on, and why. It returns an error if there are any, or if the network is in
// a deadlock.
//
// A rank without a message that is on its way to it waits for ever if that for which it waits has ended, or waits
// for ever. Messages on their way come, unless a deadlock holds them up. If no event is left, nothing comes.
func (w *Workload) stuck(sim *ross.Simulation, all []Result) error {
	deadlock, err := w.net.Deadlock(sim)
	if err != nil {
		return err
	}
	held := make([]int, len(all)) // packets that never go on
	if deadlock != nil {
		for _, p := range deadlock.Packets {
			if job := w.seats[p.From].job; job >= 0 {
				held[job]++
			}
		}
	}
	_, _, stopped := sim.Stopped()
	over := math.IsInf(sim.Config().End, 1) && !stopped // no event is left
	waiting := deadlock != nil
	for i := range all {
		waiting = waiting || all[i].Waiting > 0 && (all[i].Coming == 0 || over)
	}
	if !waiting {
		return nil
	}
	ranks, err := ross.Gather(sim, w.rank)
	if err != nil {
		return err
	}
	var texts []string
	for i := range all {
		r := &all[i]
		of := func(k int32) rank { return ranks[w.jobs[i].terminals[k]] }
		switch {
		case r.Waiting > 0 && held[i] > 0:
			r.Stuck = fmt.Sprintf("%s, and %d of its packets are in a deadlock of the network: %s", r.waitings(), held[i],
				first(r.Ranks, of))
		case held[i] > 0 && w.jobs[i].Pattern != nil:
			r.Stuck = fmt.Sprintf("%d packets of %s are in a deadlock of the network", held[i], r.Job)
		case r.Waiting > 0 && r.Coming == 0:
			if why := forEver(r.Ranks, of); why != "" {
				r.Stuck = fmt.Sprintf("%s, and no message is on its way: %s", r.waitings(), why)
			}
		case r.Waiting > 0 && over:
			r.Stuck = fmt.Sprintf("%s, no event is left, and the network has lost %d: %s", r.waitings(), r.Coming,
				first(r.Ranks, of))
		}
		if r.Stuck != "" {
			texts = append(texts, r.Stuck)
		}
	}
	text := strings.Join(texts, "; ")
	switch {
	case deadlock != nil && text == "":
		return fmt.Errorf("%w: %w", ErrStuck, deadlock)
	case deadlock != nil:
		return fmt.Errorf("%w: %s: %w", ErrStuck, text, deadlock)
	case text != "":
		return fmt.Errorf("%w: %s", ErrStuck, text)
	}
	return nil
}

// waitings returns how many ranks wait, in words.
func (r *Result) waitings() string {
	return fmt.Sprintf("%d of %d ranks of %s wait for messages", r.Waiting, r.Ranks, r.Job)
}

// rank returns what a terminal does.
func (w *Workload) rank(lp *ross.LP, h *host) rank {
	at := w.seat(lp)
	switch {
	case at.job < 0 || w.jobs[at.job].Program == nil:
	case h.Ended:
		return rank{doing: ended}
	case h.Waits:
		op, _ := w.jobs[at.job].Program.Op(int(at.rank), int(h.Next))
		return rank{waits, op.Peer, op.Tag}
	}
	return rank{}
}

// first returns what the first waiting rank waits for.
func first(ranks int, of func(k int32) rank) string {
	for k := range int32(ranks) {
		if r := of(k); r.doing == waits {
			return fmt.Sprintf("rank %d waits for rank %d (tag %d)", k, r.peer, r.tag)
		}
	}
	return ""
}

// forEver returns which ranks wait for what can never come, if no message is on its way, or "". Each rank
// waits for one at most: so that leads to one that has ended or still runs, or into a circle.
func forEver(ranks int, of func(k int32) rank) string {
	seen := make([]int32, ranks) // by which search, from 1 on
	for start := range int32(ranks) {
		k := start
		for of(k).doing == waits && seen[k] == 0 {
			seen[k] = start + 1
			k = of(k).peer
		}
		if of(k).doing == waits && seen[k] == start+1 {
			return circle(k, of)
		}
		if k != start && of(k).doing == ended {
			for k = start; of(of(k).peer).doing != ended; k = of(k).peer {
			}
			r := of(k)
			return fmt.Sprintf("rank %d waits for rank %d (tag %d), which has ended: a receive without its send", k, r.peer,
				r.tag)
		}
	}
	return ""
}

// listed is the number of ranks of a circle that a text lists.
const listed = 4

// circle returns which ranks wait for one another.
func circle(k int32, of func(k int32) rank) string {
	var all []string
	for at := k; ; {
		r := of(at)
		if len(all) == listed {
			all = append(all, "and so on")
		} else if len(all) < listed {
			all = append(all, fmt.Sprintf("rank %d waits for rank %d (tag %d)", at, r.peer, r.tag))
		}
		if at = r.peer; at == k {
			break
		}
	}
	if len(all) == 1 {
		return all[0] + ": for itself"
	}
	return strings.Join(all, ", ") + ": they wait for one another"
}
