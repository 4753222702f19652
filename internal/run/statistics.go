// This file owns what a run does with the statistics of its model when it is over.

package run

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// reportStatistics prints the statistics of the model and writes their files, as the options
// say. All ranks call it, and ok says whether what was committed is right.
func (s *Engine) reportStatistics(ok bool) error {
	set := &s.Set
	if set.Statistics == 0 {
		return nil
	}
	if !s.HasStatistics() {
		s.Hint("--statistics has nothing to show: no LP type has statistics (package stats) in its state.")
		return nil
	}
	var err error
	if set.StatisticsReport() || set.StatisticsFiles() {
		err = s.showStatistics(ok)
	}
	if set.StatisticsOfLPs() { // also after an error, because the other ranks do
		err = cmp.Or(err, s.writeStatisticsOfLPs(ok))
	}
	return err
}

// showStatistics prints the table of the statistics and writes it to files, as the options say.
func (s *Engine) showStatistics(ok bool) error {
	table, err := s.Run.Statistics(nil)
	if err != nil || !ok || s.Cluster.Rank != 0 {
		return err
	}
	if s.Set.StatisticsReport() {
		s.Printf("\n")
		if err := table.WriteText(s.Report); err != nil {
			return err
		}
	}
	if s.Set.StatisticsFiles() {
		return s.inst.WriteStatistics(table)
	}
	return nil
}

// writeStatisticsOfLPs writes the file with a line for each LP.
func (s *Engine) writeStatisticsOfLPs(ok bool) error {
	table, err := s.Run.StatisticsOfLPs()
	if err != nil || !ok || s.Cluster.Rank != 0 {
		return err
	}
	return s.inst.WriteStatisticsOfLPs(table)
}

// wasStopped reports whether the context has stopped the run, and nothing else: err is that of the run.
func (s *Engine) wasStopped(err error) bool {
	stop := s.ctx.Err()
	if stop == nil || !errors.Is(err, stop) {
		return false
	}
	_, mistake := s.TimeOf(err)
	return !mistake && !slices.ContainsFunc(s.Locals, func(pe *PE) bool { return pe.Err != nil && !errors.Is(pe.Err, stop) })
}

// lastEvent returns the time of the last event on this rank, which only a warm-up needs.
func (s *Engine) lastEvent() (last float64) {
	if s.Set.WarmUp == 0 {
		return 0
	}
	for _, pe := range s.Locals {
		for i := range pe.LPs {
			last = max(last, pe.LPs[i].Now)
		}
	}
	return last
}

// unfinishedWarmUp returns a hint that the run was over before the statistics of the model began,
// although its end was not to come before, or "" if they did begin. last is the time of the last
// event of all ranks.
func (s *Engine) unfinishedWarmUp(last float64) string {
	from := s.Set.WarmUp
	switch {
	case !s.HasStatistics() || from >= s.Set.End:
		return "" // a remark before the run says so
	case s.Stopped != nil && from >= s.Until:
		last = s.Until
	case from <= last || !math.IsInf(s.Set.End, 1):
		return ""
	}
	return fmt.Sprintf("the statistics of the model are empty: they would begin at --warm-up=%g, and the run ended at time %g; give an earlier --warm-up", from, last)
}
