// This file owns the tests of experiments that are divided among tasks and ranks, that are interrupted, and whose runs lack
// responses.

package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// drawn is a model without a simulation: a number made of point and replication, which some runs do not have.
func drawn(_ context.Context, t *Trial) (Responses, error) {
	x := float64((t.Replication*2654435761 + uint64(t.Int("at"))*40503) % 1000)
	r := Responses{"x": x + 1000*float64(t.Int("at"))}
	if t.Replication%3 != 1 {
		r["sometimes"] = x / 7
	}
	return r, nil
}

// design is an experiment of drawn, with all its results as text.
func design() Experiment {
	return Experiment{Name: "drawn", Version: "1", Points: Grid(Over("at", 1, 2, 3)), Run: drawn, Replications: 7, Workers: 2, Partial: true}
}

// texts returns what results say.
func texts(t *testing.T, r *Results) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Summary().WriteCSV(&b))
	require.NoError(t, r.Replications().WriteCSV(&b))
	return b.String()
}

// whole returns the results of an experiment in one process, one run after the other.
func whole(t *testing.T, e Experiment) string {
	t.Helper()
	e.Workers = 1
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	return texts(t, r)
}

func TestAResponseThatSomeRunsLackIsThatOfTheOthers(t *testing.T) {
	r, err := design().Do(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"sometimes", "x"}, r.Responses)
	var have, other []float64
	for _, i := range []uint64{0, 2, 3, 5, 6} {
		have = append(have, float64(i*2654435761+40503-(i*2654435761+40503)/1000*1000)/7)
		other = append(other, float64(i*2654435761+3*40503-(i*2654435761+3*40503)/1000*1000)/7)
	}
	got, err := r.Interval("sometimes", 0)
	require.NoError(t, err)
	require.Equal(t, MeanInterval(have, 0.95), got)
	for i := range have {
		other[i] -= have[i]
	}
	got, err = r.Difference("sometimes", 0, 2)
	require.NoError(t, err)
	require.Equal(t, MeanInterval(other, 0.95), got)
	require.Contains(t, texts(t, r), "1,1,NaN,")

	e := design()
	e.Partial = false
	_, err = e.Do(context.Background())
	require.ErrorContains(t, err, "return the same in all runs")
}

func TestAPrecisionWithoutANameIsThatOfAllResponses(t *testing.T) {
	e := design()
	e.LookAhead, e.MaxReplications = -1, 500
	e.Until = []Precision{{Relative: 0.2}}
	r, err := e.Do(context.Background())
	require.NoError(t, err)
	for i := range r.Points {
		n, p := r.Points[i].Replications, &r.Points[i]
		require.True(t, p.Enough)
		reached := func(n int) bool {
			var have []float64
			for _, responses := range p.responses[:n] {
				if v, has := responses["sometimes"]; has {
					have = append(have, v)
				}
			}
			x, some := MeanInterval(p.Values("x")[:n], 0.95), MeanInterval(have, 0.95)
			return x.Half <= 0.2*x.Mean && some.Half <= 0.2*some.Mean
		}
		require.True(t, reached(n))
		for least := 7; least < n; least++ {
			require.False(t, reached(least), "%d of %d", least, n)
		}
	}
	require.Equal(t, whole(t, e), texts(t, r))
}

// TestRunsThatGoOnAtTheEndCount stops an experiment in each of its replications. They all count, and it goes on from there.
func TestRunsThatGoOnAtTheEndCount(t *testing.T) {
	e := design()
	want := whole(t, e)
	for at := range 3 * e.Replications {
		e := design()
		e.FinishRunning, e.Journal, e.Workers = true, filepath.Join(t.TempDir(), "j"), 1+at%3
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(context.Background())
		var lock sync.Mutex
		begun, ended := 0, 0
		e.Run = func(own context.Context, trial *Trial) (Responses, error) {
			lock.Lock()
			defer lock.Unlock()
			if begun++; begun == at+1 {
				cancel(why)
			}
			ended++
			require.NoError(t, own.Err())
			return drawn(own, trial)
		}
		r, err := e.Do(ctx)
		if at+1 < 3*e.Replications && ended < 3*e.Replications {
			require.ErrorIs(t, err, why)
			require.ErrorContains(t, err, fmt.Sprintf("stopped after %d of 21 replications, run it again with the same journal to go on", ended))
		} else {
			require.NoError(t, err, "nothing was left")
			require.Equal(t, want, texts(t, r))
		}
		before := ended
		r, err = e.Do(context.Background())
		require.NoError(t, err)
		require.Equal(t, want, texts(t, r))
		require.Equal(t, 3*e.Replications, ended, "%d before", before)
		cancel(nil)
	}
}

func TestTasksAreMerged(t *testing.T) {
	want := whole(t, design())
	for _, tasks := range []int{1, 2, 3, 10} {
		dir := t.TempDir()
		var journals []string
		for task := range tasks {
			e := design()
			e.Task, e.Tasks, e.Journal = task, tasks, filepath.Join(dir, fmt.Sprint(task))
			_, err := e.Do(context.Background())
			require.NoError(t, err)
			journals = append([]string{e.Journal}, journals...)
			e.Run = func(context.Context, *Trial) (Responses, error) { return nil, errors.New("run again") }
			_, err = e.Do(context.Background())
			require.NoError(t, err, "all is done")
			if tasks > 1 {
				e.Task = (task + 1) % tasks
				_, err = e.Do(context.Background())
				require.ErrorContains(t, err, fmt.Sprintf("its task is %d/%d, and that of this one is %d/%d", task, tasks, e.Task, tasks))
			}
		}
		r, err := design().Merge(journals...)
		require.NoError(t, err)
		require.Equal(t, want, texts(t, r))
		r, err = design().Merge(append(journals, journals...)...)
		require.NoError(t, err)
		require.Equal(t, want, texts(t, r))
	}
}

func TestMergeNamesWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	at := func(task, tasks int, change func(*Experiment)) string {
		e := design()
		e.Task, e.Tasks, e.Journal = task, tasks, filepath.Join(dir, fmt.Sprintf("%d-of-%d", task, tasks))
		if change != nil {
			change(&e)
		}
		_, err := e.Do(context.Background())
		require.NoError(t, err)
		return e.Journal
	}
	a, b, c := at(0, 3, nil), at(1, 3, func(e *Experiment) { e.Workers = 1 }), at(2, 3, nil)
	merge := func(paths ...string) error {
		_, err := design().Merge(paths...)
		return err
	}
	require.NoError(t, merge(a, b, c))
	err := merge(a, c)
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, "task 1/3 (point at=1: 1, 4; point at=2: 1, 4; point at=3: 1, 4)")

	content, err := os.ReadFile(b)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(content), "\n")
	require.NoError(t, os.WriteFile(b, []byte(strings.Join(lines[:4], "")+lines[4][:9]), 0o600))
	err = merge(a, b, c)
	require.ErrorIs(t, err, ErrMissing)
	require.ErrorContains(t, err, "task 1/3 (point at=1: 4; point at=2: 4; point at=3: 4)")
	now, err := os.ReadFile(b)
	require.NoError(t, err)
	require.Len(t, now, len(strings.Join(lines[:4], ""))+9, "merging changes no journal")

	require.ErrorContains(t, merge(), "no journals: name at least one")
	require.ErrorContains(t, merge(filepath.Join(dir, "none")), "name a file that exists and may be read")
	require.ErrorContains(t, merge(a, at(0, 2, nil)), "is one of 2 tasks, and journal "+a+" one of 3: merge the journals of one division")
	require.ErrorContains(t, merge(at(0, 1, func(e *Experiment) { e.Seed = 5 })), "its seed is 5, and that of this one is 0")
	other := at(1, 4, func(e *Experiment) {
		e.Run = func(context.Context, *Trial) (Responses, error) { return Responses{"x": 1}, nil }
	})
	require.ErrorContains(t, merge(c, other), "replication 5 has other responses in a line before it, or in another journal")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte("a text\n"), 0o600))
	require.ErrorContains(t, merge(filepath.Join(dir, "text")), "the file is not a journal: name another one")
}

// onRanks does an experiment on n ranks that are goroutines. change changes it on a rank.
func onRanks(n int, e Experiment, change func(rank int, e *Experiment) context.Context) (all []*Results, errs []error) {
	cluster := worldtest.New(n, 1, 0)
	all, errs = make([]*Results, n), make([]error, n)
	var group sync.WaitGroup
	for rank := range n {
		group.Go(func() {
			own := e
			own.OverRanks, own.world = true, cluster.Rank(rank)
			ctx := context.Background()
			if change != nil {
				ctx = change(rank, &own)
			}
			all[rank], errs[rank] = own.Do(ctx)
		})
	}
	group.Wait()
	return all, errs
}

func TestRanksGiveTheSameResults(t *testing.T) {
	precise := design()
	precise.Until, precise.MaxReplications = []Precision{{Response: "x", Relative: 0.05}}, 200
	for _, e := range []Experiment{design(), precise} {
		want := whole(t, e)
		for _, n := range testlevel.Pick([]int{1, 2, 3, 5, 8}, []int{2, 3}, []int{2, 3}) {
			e.Journal = filepath.Join(t.TempDir(), "j")
			runs := make([]int, n)
			all, errs := onRanks(n, e, func(rank int, own *Experiment) context.Context {
				own.Workers = 1 + rank
				var lock sync.Mutex
				own.Run = func(ctx context.Context, trial *Trial) (Responses, error) {
					lock.Lock()
					defer lock.Unlock()
					runs[rank]++
					return drawn(ctx, trial)
				}
				return context.Background()
			})
			for rank := range n {
				require.NoError(t, errs[rank])
				require.Equal(t, want, texts(t, all[rank]), "rank %d of %d", rank, n)
				require.Positive(t, runs[rank])
			}
			// One process goes on with the journal of the ranks: nothing is left.
			alone := e
			alone.Run = func(context.Context, *Trial) (Responses, error) { return nil, errors.New("run again") }
			r, err := alone.Do(context.Background())
			require.NoError(t, err)
			require.Equal(t, want, texts(t, r))
			all, errs = onRanks(n, alone, nil)
			require.NoError(t, errors.Join(errs...))
			require.Equal(t, want, texts(t, all[n-1]))
		}
	}
}

func TestRanksStopAndFailTogether(t *testing.T) {
	want := whole(t, design())
	e := design()
	e.Journal, e.FinishRunning = filepath.Join(t.TempDir(), "j"), true
	why := errors.New("enough")
	_, errs := onRanks(3, e, func(rank int, own *Experiment) context.Context {
		own.Workers = 1
		if rank != 1 {
			return context.Background()
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		own.Run = func(own context.Context, trial *Trial) (Responses, error) {
			cancel(why)
			return drawn(own, trial)
		}
		return ctx
	})
	require.ErrorIs(t, errs[1], why)
	for _, err := range errs {
		require.ErrorContains(t, err, "stopped after 3 of 21 replications, run it again with the same journal to go on")
	}
	broken := errors.New("broken")
	_, errs = onRanks(2, e, func(_ int, own *Experiment) context.Context {
		own.Run = func(ctx context.Context, trial *Trial) (Responses, error) {
			if trial.Int("at") == 3 && trial.Replication == 4 {
				return nil, broken
			}
			return drawn(ctx, trial)
		}
		return context.Background()
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "point at=3, replication 4: broken")
	}
	all, errs := onRanks(2, e, nil)
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, want, texts(t, all[0]))

	_, errs = onRanks(2, e, func(rank int, own *Experiment) context.Context {
		own.Replications += rank
		return context.Background()
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "Replications")
	}
	_, errs = onRanks(2, e, func(rank int, own *Experiment) context.Context {
		if rank == 1 {
			own.Confidence = 2
		}
		return context.Background()
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "Confidence is 2")
	}
}
