// This file owns experiments over ranks: processes that mpirun, or the first of them, has started. All ranks know all
// finished replications and choose the next ones from that, each by itself, in rounds: a rank runs its part of a round,
// and all get the responses of all. So no rank waits for orders, and a round takes as long as its longest part.

package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
)

// connection is what an experiment needs of the other ranks.
type connection interface {
	ranks.World
	Close() error
}

// splitter makes a communicator for a part of the ranks.
type splitter interface {
	Split(color, key int) (int32, error)
}

// team is a campaign on one of several ranks.
type team struct {
	*campaign
	w       connection
	workers []int // of each rank
}

// doOverRanks is Do on one of several ranks. It reports each error on one of them: see ross.ShouldPrint.
func (e Experiment) doOverRanks(ctx context.Context) (r *Results, err error) {
	w := e.world
	switch {
	case w != nil:
	case e.Ranks > 1:
		w, err = ranks.Connect(e.Ranks, nil)
	default:
		w, err = world.MPI(mpi.Multiple, nil)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, w.Close())
		if err != nil {
			ranks.YieldToReporter(err)
		}
	}()
	set, err := e.withDefaults()
	if err = ranks.Agree(w, err, ross.ExitCode(err)); err != nil {
		return nil, err
	}
	t := &team{campaign: newCampaign(set), w: w}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if set.Journal != "" {
		err := t.readJournal()
		if t.journal != nil {
			defer t.journal.close()
		}
		if err != nil {
			return nil, err
		}
	}
	t.bar = newBar(set.Progress, set.Name)
	defer func() { t.bar.finish(t.progress()) }()
	for {
		t.bar.show(t.progress())
		more, err := t.round(ctx)
		if err != nil || !more {
			return t.results(), err
		}
	}
}

// prepare compares what the ranks run, and gives this one a communicator of its own.
func (t *team) prepare() error {
	hash, err := thisProgram()
	if err != nil {
		hash = err.Error()
	}
	d := ranks.Description{{Section: "program", Name: "SHA-256", Value: hash}}
	for _, i := range []struct {
		name  string
		value any
	}{
		{"Name", t.Name}, {"Version", t.Version}, {"Seed", t.Seed}, {"Replications", t.Replications},
		{"MaxReplications", t.MaxReplications},
		{"Until", t.Until}, {"Select", fmt.Sprintf("%+v", t.Select)}, {"LookAhead", t.LookAhead},
		{"Confidence", t.Confidence},
		{"Task", fmt.Sprint(t.Task, "/", t.Tasks)},
		{"Journal", t.Journal}, {"Partial", t.Partial},
	} {
		d = append(d, ranks.Item{Section: "experiment", Name: i.name, Value: fmt.Sprint(i.value)})
	}
	for i, p := range t.Points {
		d = append(d, ranks.Item{Section: "experiment", Name: fmt.Sprint("point ", i), Value: p.String()})
	}
	if err := ranks.Check(t.w, d); err != nil {
		return err
	}
	if s, is := t.w.(splitter); is {
		comm, err := s.Split(t.w.Rank(), 0)
		if err = ranks.Agree(t.w, err, 1); err != nil {
			return err
		}
		t.comm = &comm
	}
	lists, err := ranks.AllGatherBytes(t.w, []byte(fmt.Sprint(t.Workers)))
	if err != nil {
		return err
	}
	for _, text := range lists {
		n := 1
		_, _ = fmt.Sscan(string(text), &n) // a rank has written it so
		t.workers = append(t.workers, n)
	}
	return nil
}

// readJournal opens the journal on rank 0, and takes its records in on all ranks.
func (t *team) readJournal() error {
	var err error
	var text []byte
	if t.w.Rank() == 0 {
		records := []journalRecord{}
		t.journal, err = openJournal(t.Experiment, func(r journalRecord) error {
			records = append(records, r)
			return nil
		})
		if err == nil {
			text, err = json.Marshal(records)
		}
	}
	if err = ranks.Agree(t.w, err, ross.ExitCode(err)); err != nil {
		return err
	}
	lists, err := ranks.AllGatherBytes(t.w, text)
	if err != nil {
		return err
	}
	var records []journalRecord
	if err := json.Unmarshal(lists[0], &records); err != nil {
		return t.errorf("journal %s: %w", t.Journal, err)
	}
	for _, r := range records {
		if err := t.recorded(r); err != nil {
			err = t.errorf("journal %s: %w, or remove the journal", t.Journal, err) // on all ranks
			return ranks.Agree(t.w, err, 1)
		}
	}
	return nil
}

// round runs the next replications, as many as there are workers on all ranks.
func (t *team) round(outer context.Context) (more bool, err error) {
	var all, mine []task
	for slot := range slices.Max(t.workers) {
		for rank, workers := range t.workers {
			next, found := t.next()
			if slot >= workers || !found {
				continue
			}
			t.series[next.point].next++
			all = append(all, next)
			if rank == t.w.Rank() {
				mine = append(mine, next)
			}
		}
	}
	if len(all) == 0 {
		return false, nil
	}
	done, failed := t.runAll(outer, mine)
	text, err := json.Marshal(done)
	if err != nil {
		return false, err
	}
	lists, err := ranks.AllGatherBytes(t.w, text)
	if err != nil {
		return false, err
	}
	if err := t.takeAll(lists); failed == nil {
		failed = err
	}
	if failed == nil && outer.Err() != nil && !t.complete() {
		failed = t.stopped(outer)
	}
	return true, ranks.Agree(t.w, failed, ross.ExitCode(failed))
}

// runAll runs replications, and returns the records of those that have succeeded and the first error.
func (t *team) runAll(outer context.Context, mine []task) (done []journalRecord, failed error) {
	if t.FinishRunning {
		outer = context.WithoutCancel(outer)
	}
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	outcomes := make(chan outcome)
	var running sync.WaitGroup
	defer running.Wait()
	for _, one := range mine {
		running.Go(func() { t.attempt(ctx, one, outcomes) })
	}
	for range mine {
		o := <-outcomes
		if o.err == nil { // before it is text, which has no infinite numbers
			o.err = o.responses.check(nil, t.Partial)
		}
		switch point := t.Points[o.point].String(); {
		case ctx.Err() != nil:
		case o.err != nil:
			failed = t.errorf("point %s, replication %d: %w", point, o.replication, o.err)
			cancel()
		default:
			done = append(done, journalRecord{point, o.replication, o.responses, o.extras})
		}
	}
	return done, failed
}

// takeAll takes in the records of all ranks, and writes them to the journal.
func (t *team) takeAll(lists [][]byte) error {
	for rank, text := range lists {
		var records []journalRecord
		if err := json.Unmarshal(text, &records); err != nil {
			return t.errorf("the responses of rank %d: %s", rank, strings.TrimPrefix(err.Error(), "json: "))
		}
		for _, r := range records {
			if err := t.recorded(r); err != nil {
				return t.errorf("point %s, replication %d: %w", r.Point, r.Replication, err)
			}
			if t.journal != nil {
				if err := t.journal.write(r); err != nil {
					return t.errorf("%w", err)
				}
			}
		}
	}
	return nil
}
