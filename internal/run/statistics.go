// This file owns what a run does with the statistics of its model when it is over.

package run

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/usage"
)

// reportStatistics prints the statistics of the model and writes their files, as the options
// say. All ranks call it, and ok says whether what was committed is right.
func (s *Engine) reportStatistics(ok bool) error {
	set := &s.Set
	if set.Statistics == 0 && len(set.Results) == 0 {
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

// CheckResults returns an error if the statistics that are to be shown have a name that none has.
func (s *Engine) CheckResults() error {
	var known []string
	for _, t := range s.Types {
		for i := range t.Figures {
			known = append(known, t.Figures[i].Names(t.Name)...)
		}
	}
	for _, name := range s.Set.Results {
		if slices.Contains(known, statistic.Unquantiled(name)) {
			continue
		}
		if len(known) == 0 {
			return usage.Errorf("option --results=%s: no LP type has statistics (package stats) in its state; leave it out", name)
		}
		best, least := "", min(len(name)/2, 3)+1
		for _, k := range known {
			if d := usage.Distance(name, k, least); d < least {
				best, least = fmt.Sprintf("did you mean %q? ", k), d
			}
		}
		return usage.Errorf("option --results: %q is not a statistic; %sgive names of --statistics=1, or leave it out", name, best)
	}
	return nil
}

// showStatistics prints the table of the statistics and writes it to files, as the options say.
func (s *Engine) showStatistics(ok bool) error {
	table, err := s.Run.Statistics(nil)
	if err != nil || !ok || s.Cluster.Rank != 0 {
		return err
	}
	if s.Set.StatisticsReport() {
		s.Printf("\n")
		if err := table.Shown(s.Set.Results).WriteText(s.Report); err != nil {
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

// unserved returns a hint that customers of a resource wait (package resource) and none has been served by any LP of
// its type, or "". It looks no further than to the first who was served, and with several ranks not at all.
func (s *Engine) unserved() string {
	if s.Cluster.Ranks > 1 || s.Set.WarmUp >= s.Set.End {
		return ""
	}
	for _, t := range s.Types {
		for i := range t.Figures {
			queue, is := strings.CutSuffix(t.Figures[i].Name, "InQueue")
			if !is || t.Figures[i].Kind != statistic.KindLevel {
				continue
			}
			named := func(name string, kind statistic.Kind) *statistic.Field {
				at := slices.IndexFunc(t.Figures, func(f statistic.Field) bool { return f.Kind == kind && f.Name == queue+name })
				if at < 0 {
					return nil
				}
				return &t.Figures[at]
			}
			service, wait := named("InService", statistic.KindLevel), named("Wait", statistic.KindTally)
			if service == nil || wait == nil {
				continue
			}
			if lp := s.waitingOnly(t, &t.Figures[i], service, wait); lp != nil {
				since := ""
				if s.Set.WarmUp > 0 {
					since = fmt.Sprintf(" since --warm-up=%g", s.Set.WarmUp)
				}
				return fmt.Sprintf(
					"LP type %q: customers wait in %s (of %s, for one), and nobody has been served%s: has it servers (Rules.Servers, SetServers)?",
					t.Name, cmp.Or(strings.TrimSuffix(queue, "."), "the resource"), lp.Name(), since)
			}
		}
	}
	return ""
}

// waitingOnly returns an LP of a type at which customers wait, if no LP of the type has served any.
func (s *Engine) waitingOnly(t *kernel.Type, queue, service, wait *statistic.Field) (found *kernel.LP) {
	for _, pe := range s.Locals {
		for i := range pe.LPs {
			lp := &pe.LPs[i]
			if lp.Type() != t {
				continue
			}
			level := func(f *statistic.Field) *statistic.Level { return (*statistic.Level)(unsafe.Add(lp.State, f.Off)) }
			if in := level(service); in.Value != 0 || in.Greatest > 0 ||
				(*statistic.Tally)(unsafe.Add(lp.State, wait.Off)).N > 0 {
				return nil
			}
			if found == nil && level(queue).Value > 0 {
				found = lp
			}
		}
	}
	return found
}

// wasStopped reports whether the context has stopped the run, and nothing else: err is that of the run.
func (s *Engine) wasStopped(err error) bool {
	stop := s.ctx.Err()
	if stop == nil || !errors.Is(err, stop) {
		return false
	}
	_, mistake := s.TimeOf(err)
	return !mistake &&
		!slices.ContainsFunc(s.Locals, func(pe *PE) bool { return pe.Err != nil && !errors.Is(pe.Err, stop) })
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
	return fmt.Sprintf(
		"the statistics of the model are empty: they would begin at --warm-up=%g, and the run ended at time %g; give an earlier --warm-up", from, last)
}
