// This file owns what replications have next to their responses: lists of numbers, units, and which are rare.

package experiment

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// kept are lists of numbers of a replication, by name.
type kept map[string][]float64

// extras are what a replication has next to its responses.
type extras struct {
	Kept  kept              `json:"kept,omitempty"`
	Units map[string]string `json:"units,omitempty"` // of the first replication, by response
	Rare  []string          `json:"rare,omitempty"`  // responses of the first replication
}

// Keep keeps a list of finite numbers of the replication, such as the course of a statistic over the time, for
// [PointResult.Kept]. They get through ranks and are in the journal, as responses are, but do not decide anything. A
// name that was kept before has the new numbers.
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
	case t.Kept == nil:
		t.Kept = kept{name: slices.Clone(numbers)}
	default:
		t.Kept[name] = slices.Clone(numbers)
	}
}

// Unit says in which unit a response is, such as "min" ([Results.Unit]). That of the first replication counts.
func (t *Trial) Unit(response, unit string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	switch {
	case t.Replication > 0 || unit == "":
	case !utf8.ValidString(response + unit):
		t.err = errors.Join(t.err, fmt.Errorf("unit %q of response %q: give texts in UTF-8", unit, response))
	case t.Units == nil:
		t.Units = map[string]string{response: unit}
	default:
		t.Units[response] = unit
	}
}

// Rare says that a response is of something that seldom happens ([Results.Rare]). The first replication counts.
func (t *Trial) Rare(response string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	switch {
	case t.Replication > 0:
	case !utf8.ValidString(response):
		t.err = errors.Join(t.err, fmt.Errorf("rare response %q: give a name in UTF-8", response))
	case !slices.Contains(t.extras.Rare, response):
		t.extras.Rare = append(t.extras.Rare, response)
	}
}

// keep takes in what a replication has next to its responses.
func (s *series) keep(replication uint64, x extras) {
	if replication == 0 {
		s.units, s.rare = x.Units, x.Rare
	}
	if len(x.Kept) == 0 {
		return
	}
	if s.kept == nil {
		s.kept = map[uint64]kept{}
	}
	s.kept[replication] = x.Kept
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

// Rare reports whether a response is of something that seldom happens, at one of the points (Trial.Rare).
func (r *Results) Rare(response string) bool {
	return slices.ContainsFunc(r.Points, func(p PointResult) bool { return slices.Contains(p.rare, response) })
}

// Unit returns the unit of a response, by the first point that has one, or "".
func (r *Results) Unit(response string) string {
	for i := range r.Points {
		if unit := r.Points[i].units[response]; unit != "" {
			return unit
		}
	}
	return ""
}
