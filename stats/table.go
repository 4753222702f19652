// This file owns Table: the statistics of all LPs of a run.

package stats

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/run/inside"
)

// Table holds the statistics of a run: a row for each statistic of each group of LPs.
type Table struct {
	t      *statistic.Table
	former map[string]string // names of LP types by those that earlier versions gave them
}

// Row is a statistic of a group of LPs. Numbers that do not exist, such as the mean of nothing,
// are NaN. Others are those of exact arithmetic, rounded once, and infinite beyond the largest float64.
type Row struct {
	Group string // LP type, what the function given to CollectBy has returned, or the id of an LP (CollectLPs)
	Name  string // of the field, or that in its tag
	Unit  string // from the tag
	Kind  string // "counter", "tally", "level", "histogram" or "series"
	LPs   uint64 // number of LPs in the group, or of fields if several of an LP are in the row
	// Count is the number of recorded numbers; of a Counter, the number counted, or 2^64 - 1 if it
	// is larger; of a Level, the number of LPs whose level was observed.
	Count uint64
	// Sum is the sum of the recorded numbers, or the number counted. Of a Level it is the sum
	// of the averages of its LPs.
	Sum float64
	// Mean is the mean of the recorded numbers; of a Counter, the mean of the LPs; of a Level,
	// the average over virtual time, and over the LPs.
	Mean   float64
	StdDev float64 // sample standard deviation of the numbers of a Tally or Histogram
	// Least and Greatest are those of a Tally, a Histogram, and of a Level, for values that
	// lasted. The sum of levels over an array has neither, nor NonZero.
	Min, Max    float64
	NonZero     float64    // of a Level: the part of the time, 0 to 1, for which it was not 0
	Bins        []Bin      // of a Histogram: those that are not empty, in order
	Course      []Interval // of a Series, or a Level with intervals, in order
	Values      []Share    // of a Level with quantiles, in order
	Quantiles   []float64  // of a Histogram or Level: those that the table shows, ascending; Quantile has any
	Type, Label string     // of the LP, in a table of CollectLPs

	row *statistic.Row
}

// Bin is a bin of a Histogram: Count numbers x with Low <= x < High. For negative numbers it is
// Low < x <= High; the bin of 0 has Low = High = 0. The bin that ends at the largest float64 has that, too.
type Bin struct {
	Low, High float64
	Count     uint64
}

// Interval is an interval of a Series, with Count recordings at times t with Begin <= t < End, or of a Level with
// every= in its tag, with Count LPs; of a Level, those that are observed. Interval i begins at i times the length, as
// a decimal number: at 0.3 for 3 times 0.1. If i times the float64 is less, it begins there.
type Interval struct {
	Begin, End float64
	Count      uint64
	// Sum is that of the recorded numbers; of a Level, the sum of the averages of its LPs in the interval.
	Sum float64
	// Mean is that of the recorded numbers; of a Level, the average over the interval, and over the LPs. Rate is Sum for
	// each unit of virtual time, NaN of a Level. Both are of the part of the interval that is observed.
	Mean, Rate float64
}

// Share is the part of the time, 0 to 1, for which levels had values from Least to Greatest: those of a bin of a
// Histogram, in which whole numbers up to 128 are alone. UpTo is the part for which they had these values or lower
// ones. Several LPs count alike.
type Share struct{ Least, Greatest, Share, UpTo float64 }

// IsDetail reports whether the statistic has the mark detail in its tag: reports and studies leave it out unless they
// are asked for it by name.
func (r *Row) IsDetail() bool { return r.row != nil && r.row.Detail }

// IsRare reports whether the statistic has the mark rare in its tag: reports leave it out while nothing was recorded.
func (r *Row) IsRare() bool { return r.row != nil && r.row.Rare }

// Quantile returns a quantile of a Histogram, see Histogram.Quantile; of a Level with q= in its tag the least value
// that it had or was below for the part q of the time, within 1/128 as that of a Histogram, and exact for whole
// numbers up to 128; and NaN for others and for no row.
func (r *Row) Quantile(q float64) float64 { return r.row.Quantile(q) }

// Collect returns the statistics of all LPs, after Run: rows are LP types, in the order of
// Define, and their fields, in the order of the state. In a run of several ranks all ranks call
// it, and all get the same table. The table has the same bits for every scheduler, mapping and
// number of PEs and ranks, because what is added up over LPs is added up exactly.
//
// Levels are integrated up to Config.End; in a run without an end, up to the time of the last
// event, not counting those of cancelled timers; in a run that was stopped, up to where it came. It
// returns an error before Define and after Close, and, on all ranks, if one of them calls something else.
func Collect(sim *ross.Simulation) (*Table, error) { return collect(sim, nil) }

// CollectBy is Collect with groups of LPs: group returns the name of the group that an LP
// belongs to, or "" to leave it out. LPs of several types may form a group; statistics with the
// same name, unit and kind are then one row. Rows are in the order of the groups' names. group is
// called more than once for an LP, by one goroutine. Its panic on one rank of several is an ErrPanic on all.
func CollectBy(sim *ross.Simulation, group func(lp *ross.LP) string) (*Table, error) {
	return collect(sim, group)
}

// CollectLPs is Collect for each LP by itself: rows are LPs, in the order of their ids, and their fields. LPs without
// statistics have no rows. On each rank the table takes some 500 bytes for each statistic of each LP of the run.
func CollectLPs(sim *ross.Simulation) (*Table, error) {
	run := inside.Ross.Engine(sim)
	if err := run.Collective("stats.CollectLPs", mayCollect(sim)); err != nil {
		return nil, err
	}
	t, err := run.StatisticsOfLPs()
	if err != nil {
		return nil, err
	}
	return &Table{t: t}, nil
}

// mayCollect returns an error if a simulation has no LPs.
func mayCollect(sim *ross.Simulation) error {
	if sim.PE(ross.PEID(uint64(sim.Rank())*uint64(sim.Config().PEs))) == nil {
		return errors.New("ross: stats: Collect: the simulation has no LPs: call it after Run and before Close")
	}
	return nil
}

// collect returns the statistics by LP type, if group is nil, or by what group returns.
func collect(sim *ross.Simulation, group func(lp *ross.LP) string) (*Table, error) {
	run := &inside.Ross.Engine(sim).Run
	call, of, err := "stats.Collect", (func(*kernel.LP) string)(nil), mayCollect(sim)
	if group != nil {
		call = "stats.CollectBy"
		of = func(lp *kernel.LP) string { return group(sim.LP(ross.LPID(lp.ID))) }
	}
	if err == nil && of != nil && sim.Ranks() > 1 {
		err = tryGroups(run, of)
	}
	if err = run.Collective(call, err); err != nil {
		return nil, err
	}
	t, err := run.Statistics(of)
	if err != nil {
		return nil, err
	}
	return &Table{t, former(run, group == nil)}, nil
}

// former returns the names of LP types to which the model has given none, by those with the package.
func former(r *kernel.Run, byType bool) map[string]string {
	names := map[string]string{}
	for _, t := range r.Types {
		if byType && t.Whole != "" {
			names[t.Whole] = t.Name
		}
	}
	return names
}

// tryGroups calls group for all LPs of this rank, and returns a panic as an error: later, other ranks would wait
// for this one.
func tryGroups(run *kernel.Run, group func(*kernel.LP) string) (err error) {
	var at *kernel.LP
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("ross: stats: CollectBy: the function for %s (%s) panicked: %v: %w", at.Name(), at.Type().Name, p,
				ross.ErrPanic)
		}
	}()
	for _, pe := range run.PEs {
		for i := range pe.LPs {
			if at = &pe.LPs[i]; len(at.Type().Figures) > 0 {
				group(at)
			}
		}
	}
	return nil
}

// From returns the virtual time at which the observation began (Config.WarmUp).
func (t *Table) From() float64 { return t.t.From }

// Until returns the virtual time at which the observation ended.
func (t *Table) Until() float64 { return t.t.Until }

// Rows returns the rows. They belong to the caller.
func (t *Table) Rows() []Row {
	rows := make([]Row, len(t.t.Rows))
	for i := range rows {
		rows[i] = rowOf(&t.t.Rows[i])
	}
	return rows
}

// Row returns the row of a statistic of a group; ok is false if there is no such row. An LP type to which the
// model has given no name is also found by that of its state with the package, such as main.Server.
func (t *Table) Row(group, name string) (row Row, ok bool) {
	for i := range t.t.Rows {
		if r := &t.t.Rows[i]; r.Group == group && r.Name == name {
			return rowOf(r), true
		}
	}
	if now := t.former[group]; now != "" && now != group {
		return t.Row(now, name)
	}
	return Row{}, false
}

func rowOf(r *statistic.Row) Row {
	row := Row{Group: r.Group, Name: r.Name, Unit: r.Unit, Kind: r.Kind, LPs: r.LPs, Count: r.Count, Sum: r.Sum,
		Mean:   r.Mean,
		StdDev: r.StdDev, Min: r.Min, Max: r.Max, NonZero: r.NonZero,
		Quantiles: slices.Clone(r.Quantiles), Type: r.Type, Label: r.Label, row: r}
	for _, b := range r.Bins {
		row.Bins = append(row.Bins, Bin{b.Low, b.High, b.N})
	}
	for _, s := range r.Course {
		row.Course = append(row.Course, Interval{s.Begin, s.End, s.Count, s.Sum, s.Mean, s.Rate})
	}
	for _, v := range r.Values {
		row.Values = append(row.Values, Share(v))
	}
	return row
}

// WriteText writes an aligned table, with numbers of six digits.
func (t *Table) WriteText(w io.Writer) error { return t.t.WriteText(w) }

// WriteCSV writes a line with the names of the columns and a line for each row, with quantiles
// of histograms, and without bins and intervals. Numbers that do not exist are empty.
func (t *Table) WriteCSV(w io.Writer) error { return t.t.WriteCSV(w) }

// WriteWideCSV writes a line with the names of the columns, and one for each group: its name and number of LPs, or,
// in a table of CollectLPs, the LP's id, type and label. Then come the figures of each statistic, in columns such as
// "waiting time.mean" and "waiting time.p90": count of a counter; count, mean, stddev, least and greatest of a tally
// or histogram, and the quantiles; mean, least, greatest and nonzero of a level, and its quantiles; count and sum of
// a series. Figures of statistics that a group does not have are empty, as are numbers that do not exist. If two
// statistics of one name differ in kind or unit, the columns of the second one also say these.
func (t *Table) WriteWideCSV(w io.Writer) error { return t.t.WriteWideCSV(w) }

// WriteJSON writes an object with the rows, their bins and intervals. Numbers that do not exist, or
// are infinite, are null.
func (t *Table) WriteJSON(w io.Writer) error { return t.t.WriteJSON(w) }
