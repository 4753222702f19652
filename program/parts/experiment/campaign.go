// This file owns the run of an experiment: which replication comes next, workers, the progress bar, and the end.

package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// campaign is an experiment that runs. Only the goroutine of run uses it.
type campaign struct {
	*Experiment
	series  []*series // of each point
	at      map[string]int
	names   []string // of the responses, once one is known
	race    *race    // of Select; nil without it
	journal *journal
	bar     *bar
}

// task is a replication to run.
type task struct {
	point       int
	replication uint64
}

// outcome is what came of it.
type outcome struct {
	task
	responses Responses
	extras    extras
	err       error
}

func newCampaign(e *Experiment) *campaign {
	c := &campaign{Experiment: e, at: map[string]int{}}
	for i, p := range e.Points {
		c.at[p.String()] = i
		c.series = append(c.series, &series{early: map[uint64]Responses{}})
	}
	if e.Select != nil {
		c.race = newRace(e)
	}
	return c
}

// recorded takes in a replication from the journal. Those of other points are left alone.
func (c *campaign) recorded(r journalRecord) error {
	i, ok := c.at[r.Point]
	if !ok {
		return nil
	}
	c.series[i].keep(r.Replication, r.extras)
	return c.take(task{i, r.Replication}, r.Responses)
}

// take takes in a replication.
func (c *campaign) take(t task, r Responses) error {
	if err := r.check(c.names, c.Partial); err != nil {
		return err
	}
	if c.names == nil && !c.Partial {
		for _, p := range c.Until {
			if _, ok := r[p.Response]; !ok && p.Response != "" {
				return fmt.Errorf("response %q of Until is not among %q: name one of them", p.Response, r.names())
			}
		}
		c.names = r.names()
	}
	if c.race != nil {
		c.series[t.point].early[t.replication] = r
		return c.race.advance(c.series)
	}
	c.series[t.point].add(c.Experiment, t.replication, r)
	return nil
}

// next returns the replication to run next, of the points that need more: one that is certainly needed
// before one that may turn out not to be, and the one with the lowest number.
func (c *campaign) next() (next task, found bool) {
	certain := false
	for i, s := range c.series {
		for !s.decided && s.next < uint64(c.MaxReplications) && (s.has(s.next) || !c.takes(s.next)) {
			s.next++
		}
		if s.decided || s.next >= uint64(c.MaxReplications) {
			continue
		}
		needed := s.next < uint64(s.least(c.Experiment))
		if !found || needed && !certain || needed == certain && s.next < next.replication {
			next, found, certain = task{i, s.next}, true, needed
		}
	}
	return next, found
}

// takes reports whether a replication is one of this experiment's task.
func (c *campaign) takes(replication uint64) bool {
	return c.Tasks == 0 || replication%uint64(c.Tasks) == uint64(c.Task)
}

// decided reports whether all points have enough replications.
func (c *campaign) decided() bool {
	return !slices.ContainsFunc(c.series, func(s *series) bool { return !s.decided })
}

// complete reports whether nothing is left to run: of the task, or of all points.
func (c *campaign) complete() bool {
	if c.Tasks == 0 {
		return c.decided()
	}
	done, total := c.progress()
	return done == total
}

// run runs replications until all points have enough, or one fails, or ctx ends.
func (c *campaign) run(outer context.Context) error {
	inner := outer
	if c.FinishRunning {
		inner = context.WithoutCancel(outer)
	}
	ctx, cancel := context.WithCancel(inner)
	defer cancel()
	c.bar = newBar(c.Progress, c.Name)
	defer func() { c.bar.finish(c.progress()) }()
	c.bar.show(c.progress())

	tasks, outcomes := make(chan task), make(chan outcome)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(tasks)
	for range c.Workers {
		workers.Go(func() {
			for t := range tasks {
				c.attempt(ctx, t, outcomes)
			}
		})
	}
	var failed error
	stopped := outer.Done()
	for running := 0; ; {
		var send chan task
		next, more := c.next()
		if more && failed == nil && outer.Err() == nil {
			send = tasks
		}
		if send == nil && running == 0 {
			if failed == nil && outer.Err() != nil && !c.complete() {
				failed = c.stopped(outer)
			}
			return failed
		}
		if !more && c.decided() {
			cancel() // what still runs is not needed
		}
		select {
		case send <- next:
			c.series[next.point].next++
			running++
		case o := <-outcomes:
			running--
			if err := c.finished(ctx, o); err != nil && failed == nil {
				failed = err
				cancel()
			}
			c.bar.show(c.progress())
		case <-stopped:
			stopped = nil
			if failed == nil && !c.FinishRunning {
				failed = c.stopped(outer)
			}
		}
	}
}

// stopped returns the error of an experiment whose context has ended.
func (c *campaign) stopped(outer context.Context) error {
	done, total := c.progress()
	return c.errorf("stopped after %d of %d replications%s: %w", done, total, c.advice(), context.Cause(outer))
}

// advice returns how to go on after the end of the context.
func (c *campaign) advice() string {
	if c.Journal == "" {
		return ""
	}
	return ", run it again with the same journal to go on"
}

// finished takes in an outcome and writes it to the journal. An outcome that comes after the end of the
// context may be that of a run that was cut short, and does not count.
func (c *campaign) finished(ctx context.Context, o outcome) error {
	if ctx.Err() != nil {
		return nil
	}
	err := o.err
	if err == nil {
		c.series[o.point].keep(o.replication, o.extras)
		err = c.take(o.task, o.responses)
	}
	if err != nil {
		return c.errorf("point %s, replication %d: %w", c.Points[o.point], o.replication, err)
	}
	if c.journal != nil {
		record := journalRecord{c.Points[o.point].String(), o.replication, o.responses, o.extras}
		if err := c.journal.write(record); err != nil {
			return c.errorf("%w", err)
		}
	}
	return nil
}

var errNoReturn = errors.New("the function Run ended its goroutine: it must return")

// attempt runs a replication and sends its outcome, even if Run panics or ends the goroutine.
func (c *campaign) attempt(ctx context.Context, t task, outcomes chan<- outcome) {
	o := outcome{task: t, err: errNoReturn}
	defer func() {
		if p := recover(); p != nil {
			o.err = fmt.Errorf("the function Run panicked: %v\n%s", p, debug.Stack())
		}
		outcomes <- o
	}()
	trial := &Trial{Point: c.Points[t.point], Replication: t.replication, Seed: c.Seed, SideBySide: c.Workers > 1,
		Comm: c.comm, alone: c.Ranks > 1}
	r, err := c.Run(ctx, trial)
	o.responses, o.extras, o.err = r, trial.extras, trial.failure(err)
}

// progress returns how many replications are finished, and how many are known to be needed.
func (c *campaign) progress() (done, total int) {
	for _, s := range c.series {
		if c.Tasks > 0 {
			for i := range uint64(c.Replications) {
				if c.takes(i) {
					total++
					if s.has(i) {
						done++
					}
				}
			}
			continue
		}
		done += len(s.prefix)
		if s.decided {
			total += len(s.prefix)
			continue
		}
		done += len(s.early)
		total += max(s.least(c.Experiment), len(s.prefix)+len(s.early))
	}
	return done, total
}

// bar shows how many replications are finished. A nil bar shows nothing.
type bar struct {
	out io.Writer
	lib *progressbar.ProgressBar
}

func newBar(out io.Writer, name string) *bar {
	if out == nil {
		return nil
	}
	return &bar{out, progressbar.NewOptions64(1,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(time.Second/4),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[",
			BarEnd: "]"}),
	)}
}

// show sets the numbers, and draws them if they are new and the last drawing is a while ago. Errors of the output do
// not affect the experiment.
func (b *bar) show(done, total int) {
	if b == nil {
		return
	}
	b.lib.ChangeMax(max(total, 1))
	// The library takes the last number as the end, after which it draws no more.
	_ = b.lib.Set(min(done, max(total, 1)-1))
}

// finish draws the last numbers and ends the line.
func (b *bar) finish(done, total int) {
	if b == nil {
		return
	}
	b.lib.ChangeMax(max(total, 1))
	if done == total {
		_ = b.lib.Finish()
	} else {
		_ = b.lib.RenderBlank()
	}
	_, _ = io.WriteString(b.out, "\n")
}
