// This file owns the results of a run: those that are statistics, by their names.

package study

import (
	"maps"
	"slices"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/stats"
)

// Responses returns the results of a run that are statistics, as a study has them ("Results" of the package), for an
// experiment that a Go program makes itself. A statistic in which nothing was recorded is left out. All ranks call it.
func Responses(sim *ross.Simulation) (experiment.Responses, error) {
	rows, err := statistics(sim)
	r := ofStatistics(rows, nil)
	maps.DeleteFunc(r, func(_ string, v float64) bool { return v != v })
	return r, err
}

// result is a statistic with the name of its result.
type result struct {
	name string
	stats.Row
}

// statistics returns the statistics of a run, or those that it will have. A name that several types of LPs have begins
// with the type.
func statistics(sim *ross.Simulation) ([]result, error) {
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	rows := table.Rows()
	times := map[string]int{}
	for _, row := range rows {
		times[row.Name]++
	}
	var all []result
	for _, row := range rows {
		name := row.Name
		if times[name] > 1 {
			name = row.Group + " " + name
		}
		all = append(all, result{name, row})
	}
	return all, nil
}

// asked are the names that the command line asks for: with them, what is otherwise left out is a result.
type asked map[string]bool

// asks returns what the command line asks for.
func (s *study) asks(results []string) asked {
	_, best, _ := strings.Cut(s.selecting.best, ":")
	names := append([]string{best, s.finding.of}, results...)
	for i := range s.formulas {
		names = append(names, s.formulas[i].of...)
	}
	a := asked{}
	for _, name := range names {
		a[name] = true
		a[statistic.Unquantiled(name)] = true
	}
	return a
}

// counted is what follows the name of a statistic in that of its number of recordings.
const counted = " n"

// numbers returns the results of a statistic: of a counter the number counted, of others the mean, and of histograms
// and levels the quantiles too that a table of a single run has; of a detail nothing, and of no statistic the number of
// recordings, unless they are asked for.
func (row *result) numbers(of asked) experiment.Responses {
	r := experiment.Responses{}
	switch {
	case row.Kind == "counter" || row.Kind == "level":
	case of[row.name+counted]:
		r[row.name+counted] = float64(row.Count)
	}
	if row.IsDetail() && !of[row.name] {
		return r
	}
	for _, q := range row.Quantiles {
		r[row.name+" "+statistic.QuantileName(q)] = row.Quantile(q)
	}
	if r[row.name] = row.Mean; row.Kind == "counter" {
		r[row.name] = row.Sum
	}
	return r
}

// describe notes what tables say of the results of a statistic: their unit, and whether they are rare.
func (row *result) describe(t *experiment.Trial, of asked) {
	for name := range row.numbers(of) {
		t.Unit(name, row.Unit)
		if row.IsRare() {
			t.Rare(name)
		}
	}
}

// neverHappened reports whether a result is rare, and 0 in all runs.
func neverHappened(r *experiment.Results, name string) bool {
	return r.Rare(name) && !slices.ContainsFunc(r.Points, func(p experiment.PointResult) bool {
		return slices.ContainsFunc(p.Values(name), func(x float64) bool { return x != 0 })
	})
}

// ofStatistics returns the results that are statistics.
func ofStatistics(rows []result, of asked) experiment.Responses {
	all := experiment.Responses{}
	for i := range rows {
		maps.Copy(all, rows[i].numbers(of))
	}
	return all
}
