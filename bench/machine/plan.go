// This file owns the planner: which cells are measured, and how often, within a time.

package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Turns through all cells: at least leastTurns, and more while there is time.
const (
	leastTurns = 3
	mostTurns  = 11
)

// task is what the planner knows of a cell.
type task struct {
	of        *cell
	reference *task // the sequential run of the same model, nil for that itself
	once      bool  // it is only a reference: its first run suffices
	// expected is how long a run may take, as a part of the time that the reference takes.
	expected float64

	took    time.Duration // the last run
	left    string        // why it is not measured, or ""
	tried   bool
	already int // turns
}

// planner measures cells within a time.
type planner struct {
	now    func() time.Duration
	budget time.Duration
	most   int           // turns, at least leastTurns
	first  time.Duration // how long a run may take if nothing is known of its model
	run    func(ctx context.Context, c *cell, trial bool) error
	failed func(c *cell, err error)
}

// plan measures the tasks, which are in the order of importance and after their references, and returns how many
// turns all have had that are not left out. It ends early if the context is done.
func (p *planner) plan(ctx context.Context, all []*task) (turns int) {
	var taken []*task // those that get turns
	for _, t := range all {
		switch need := p.expect(t) * time.Duration(1+t.turns()); {
		case ctx.Err() != nil:
			t.left = stopped
		case t.reference != nil && (t.reference.left != "" || !t.reference.tried):
			t.left = "its sequential run was left out"
		case p.now()+reserved(taken)+need > p.budget:
			t.left = noTime
		case !p.do(ctx, t, true):
		default:
			if t.tried = true; !t.once {
				taken = append(taken, t)
			}
		}
	}
	for turns = 0; turns < p.most; turns++ {
		taken = slices.DeleteFunc(taken, func(t *task) bool { return t.left != "" })
		if len(taken) == 0 || turns >= leastTurns && p.now()+oneTurn(taken) > p.budget {
			break
		}
		for _, t := range taken {
			for turns < leastTurns && p.now()+reserved(taken) > p.budget {
				if !leaveOutLast(taken) {
					break
				}
			}
			if t.left != "" {
				continue
			}
			if ctx.Err() != nil {
				return turns
			}
			if p.do(ctx, t, false) {
				t.already++
			} else if ctx.Err() != nil {
				return turns
			}
		}
	}
	return turns
}

// Reasons for which cells are left out.
const (
	noTime  = "no time"
	stopped = "stopped before"
)

// turns returns how many turns the task needs.
func (t *task) turns() int {
	if t.once {
		return 0
	}
	return leastTurns
}

// expect returns how long a run will take, more or less.
func (p *planner) expect(t *task) time.Duration {
	if t.reference == nil || t.reference.took == 0 {
		return time.Duration(float64(p.first) * max(t.expected, 1))
	}
	return time.Duration(float64(t.reference.took) * t.expected)
}

// do runs a cell, and returns whether that went well.
func (p *planner) do(ctx context.Context, t *task, trial bool) bool {
	begin := p.now()
	err := p.run(ctx, t.of, trial)
	t.took = p.now() - begin
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		if trial {
			t.left = stopped
		}
	default:
		t.left = fmt.Sprintf("failed: %v", err)
		p.failed(t.of, err)
	}
	return false
}

// reserved returns how long the turns take that tasks still need.
func reserved(all []*task) (sum time.Duration) {
	for _, t := range all {
		if t.left == "" {
			sum += t.took * time.Duration(max(leastTurns-t.already, 0))
		}
	}
	return sum
}

func oneTurn(all []*task) (sum time.Duration) {
	for _, t := range all {
		sum += t.took
	}
	return sum
}

// leaveOutLast leaves out the least important task that needs more turns, unless it is the only one.
func leaveOutLast(all []*task) bool {
	last, n := -1, 0
	for i, t := range all {
		if t.left == "" && t.already < leastTurns {
			last = i
			n++
		}
	}
	if n < 2 {
		return false
	}
	all[last].left = noTime
	return true
}
