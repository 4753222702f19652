// This file owns the tests of what replications keep.

package experiment

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// keeping is a selection whose replications keep numbers, each third one none.
func keeping() Experiment {
	e := noisy()
	run := e.Run
	e.Run = func(ctx context.Context, t *Trial) (Responses, error) {
		r, err := run(ctx, t)
		if t.Replication%3 != 2 {
			t.Keep("twice", []float64{0, 0})
			t.Keep("twice", []float64{r["x"], 2 * r["x"]})
			t.Keep("empty", nil)
		}
		t.Unit("x", []string{"min", "h"}[min(t.Replication, 1)])
		t.Unit("y", "")
		t.Rare([]string{"y", "x"}[min(t.Replication, 1)])
		return r, err
	}
	return e
}

func TestWhatIsKeptDoesNotDependOnWorkersRanksAndJournals(t *testing.T) {
	e := keeping()
	want := do(t, e)
	for i := range want.Points {
		p := &want.Points[i]
		got := p.Kept("twice")
		require.Len(t, got, p.Replications)
		for n, x := range p.Values("x") {
			if n%3 == 2 {
				require.Nil(t, got[n])
				continue
			}
			require.Equal(t, []float64{x, 2 * x}, got[n])
		}
		require.Equal(t, make([][]float64, p.Replications), p.Kept("other"))
	}
	kept := func(r *Results) (all [][][]float64) {
		for i := range r.Points {
			all = append(all, r.Points[i].Kept("twice"))
		}
		return all
	}
	e.Workers = 4
	e.Journal = filepath.Join(t.TempDir(), "j")
	require.Equal(t, kept(want), kept(do(t, e)))
	none := e
	none.Run = func(context.Context, *Trial) (Responses, error) { return nil, errors.New("run again") }
	require.Equal(t, kept(want), kept(do(t, none)))
	merged, err := none.Merge(e.Journal)
	require.NoError(t, err)
	require.Equal(t, kept(want), kept(merged))
	all, errs := onRanks(3, none, nil)
	require.NoError(t, errors.Join(errs...))
	e.Journal = ""
	others, errs := onRanks(2, e, nil)
	require.NoError(t, errors.Join(errs...))
	for _, r := range append(all, append(others, want, merged)...) {
		require.Equal(t, kept(want), kept(r))
		require.Equal(t, "min", r.Unit("x"))
		require.Empty(t, r.Unit("y"))
		require.True(t, r.Rare("y"))
		require.False(t, r.Rare("x"))
	}
}

func TestOnlyFiniteNumbersAreKept(t *testing.T) {
	e := numbered(2, 1, func(point, replication int) float64 { return 0 })
	run := e.Run
	e.Run = func(ctx context.Context, t *Trial) (Responses, error) {
		t.Unit("x", "\xff")
		return run(ctx, t)
	}
	_, err := e.Do(context.Background())
	require.ErrorContains(t, err, `point i=0, replication 0: unit "\xff" of response "x": give texts in UTF-8`)
	for _, c := range []struct {
		name    string
		numbers []float64
		want    string
	}{
		{"n", []float64{1, math.NaN()}, `point i=0, replication 0: numbers to keep as "n": give finite ones`},
		{"n", []float64{math.Inf(1)}, "give finite ones"},
		{"\xff", nil, `numbers to keep as "\xff": give a name in UTF-8`},
	} {
		e.Run = func(ctx context.Context, t *Trial) (Responses, error) {
			t.Keep(c.name, c.numbers)
			return run(ctx, t)
		}
		_, err := e.Do(context.Background())
		require.ErrorContains(t, err, c.want)
	}
}
