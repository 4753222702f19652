// This file owns the repetition of single replications, for whoever checks a journal.

package experiment

import (
	"context"
	"sync"
)

// Replication is one replication at one point.
type Replication struct {
	Point  string // Point.String of it
	Number uint64 // from 0
}

// Repeat runs these replications, whatever the others are, and writes them to the journal, which must be a new one. The
// precisions of Until, Select and the number of replications do not count, and it is the work of one process.
func (e Experiment) Repeat(ctx context.Context, which []Replication) error {
	if ctx == nil {
		ctx = context.Background()
	}
	e.Ranks, e.OverRanks, e.Task, e.Tasks = 0, false, 0, 0
	set, err := e.withDefaults()
	if err != nil {
		return err
	}
	c := newCampaign(set)
	var tasks []task
	for _, r := range which {
		i, known := c.at[r.Point]
		if !known {
			return c.errorf("there is no point %s: give one of the %d points", r.Point, len(c.Points))
		}
		tasks = append(tasks, task{i, r.Number})
	}
	if set.Journal == "" {
		return c.errorf("Journal is empty: name a new file for the replications")
	}
	used := false
	if c.journal, err = openJournal(set, func(journalRecord) error { used = true; return nil }); err != nil {
		return err
	}
	defer c.journal.close()
	if used {
		return c.errorf("journal %s: it has replications already: name a new file", set.Journal)
	}
	return c.repeat(ctx, tasks)
}

// repeat runs tasks with the workers of the experiment.
func (c *campaign) repeat(outer context.Context, tasks []task) error {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	next, outcomes := make(chan task), make(chan outcome)
	var workers sync.WaitGroup
	for range c.Workers {
		workers.Go(func() {
			for t := range next {
				c.attempt(ctx, t, outcomes)
			}
		})
	}
	go func() {
		for _, t := range tasks {
			next <- t
		}
		close(next)
	}()
	var failed error
	for range tasks {
		o := <-outcomes
		if o.err == nil {
			o.err = o.responses.check(nil, c.Partial)
		}
		point := c.Points[o.point].String()
		if o.err == nil {
			o.err = c.journal.write(journalRecord{point, o.replication, o.responses, o.extras})
		}
		if o.err != nil && failed == nil {
			if failed = c.errorf("point %s, replication %d: %w", point, o.replication,
				o.err); outer.Err() != nil {
				failed = c.errorf("stopped: %w", context.Cause(outer))
			}
			cancel()
		}
	}
	workers.Wait()
	return failed
}
