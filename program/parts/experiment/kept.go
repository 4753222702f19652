// This file owns what replications keep besides their responses.

package experiment

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// kept are lists of numbers of a replication, by name.
type kept map[string][]float64

// Keep keeps a list of finite numbers of the replication, such as the course of a statistic over the time, for
// [PointResult.Kept]. They get through ranks and are in the journal, as responses are, but do not decide anything. A name
// that was kept before has the new numbers.
func (t *Trial) Keep(name string, numbers []float64) {
	t.lock.Lock()
	defer t.lock.Unlock()
	wrong := slices.ContainsFunc(numbers, func(x float64) bool { return x-x != 0 })
	switch {
	case t.err != nil:
	case !utf8.ValidString(name):
		t.err = fmt.Errorf("numbers to keep as %q: give a name in UTF-8", name)
	case wrong:
		t.err = fmt.Errorf("numbers to keep as %q: give finite ones", name)
	case t.kept == nil:
		t.kept = kept{name: slices.Clone(numbers)}
	default:
		t.kept[name] = slices.Clone(numbers)
	}
}

// keep takes in what a replication has kept.
func (s *series) keep(replication uint64, k kept) {
	if len(k) == 0 {
		return
	}
	if s.kept == nil {
		s.kept = map[uint64]kept{}
	}
	s.kept[replication] = k
}

// keptInOrder returns what the replications of the prefix have kept.
func (s *series) keptInOrder() []kept {
	if s.kept == nil {
		return nil
	}
	all := make([]kept, len(s.prefix))
	for i := range all {
		all[i] = s.kept[uint64(i)]
	}
	return all
}

// Kept returns the numbers that replications have kept with a name (Trial.Keep), by replication, nil for those without.
func (p *PointResult) Kept(name string) [][]float64 {
	all := make([][]float64, p.Replications)
	for i := range p.kept {
		all[i] = p.kept[i][name]
	}
	return all
}
