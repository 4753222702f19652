// This file owns the sentences of a page: what the study is, what it found, and what each chart shows.

package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ross-go/ross/program/parts/experiment"
)

// mostNamed is how many points or results a sentence names.
const mostNamed = 5

// list joins names to a list that ends with "and", and counts those that are too many.
func list(names []string) string {
	n := len(names)
	switch {
	case n == 0:
		return ""
	case n == 1:
		return names[0]
	case n > mostNamed+1:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), n-mostNamed)
	}
	return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
}

// count returns a number with a noun, in the plural if there are several.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// percent returns a part as "95 %".
func percent(part float64) string { return fmt.Sprintf("%.6g %%", 100*part) }

// verdict returns the sentences of the first paragraph.
func (s *Study) verdict() []string {
	all := []string{s.made() + " " + s.confident()}
	if s.Precision > 0 {
		all = append(all, s.precise())
	}
	if s.Selected != nil {
		all = append(all, s.selected())
	}
	var nothing, same []string
	for i := range s.Results {
		switch r := &s.Results[i]; {
		case r.empty():
			nothing = append(nothing, clean(r.Name))
		case r.same():
			same = append(same, clean(r.Name))
		}
	}
	if len(nothing) > 0 {
		all = append(all, "No run recorded anything for "+list(nothing)+".")
	}
	if len(same) > 0 {
		all = append(all, "All runs of a point gave the same number for "+list(same)+
			", so that nothing shows how much it varies.")
	}
	return append(all, s.different()...)
}

// made says how many runs there are.
func (s *Study) made() string {
	least, greatest := 0, 0
	for i, p := range s.Points {
		if greatest = max(greatest, p.Replications); i == 0 || p.Replications < least {
			least = p.Replications
		}
	}
	runs := count(greatest, "replication")
	if least < greatest {
		runs = fmt.Sprintf("%d to %d replications", least, greatest)
	}
	if len(s.Points) < 2 {
		return fmt.Sprintf("The program ran %s, with other random numbers each.", count(greatest, "time"))
	}
	var of []string
	for i, name := range s.Options {
		if values, _ := s.valuesOf(i); len(values) > 6 {
			of = append(of, fmt.Sprintf("%s of %s", count(len(values), "value"), clean(name)))
		} else {
			of = append(of, clean(name)+" "+strings.Join(short(values), ", "))
		}
	}
	return fmt.Sprintf("%s (%s), with %s each.", count(len(s.Points), "point"), strings.Join(of, "; "), runs)
}

// confident says what the intervals are.
func (s *Study) confident() string {
	if len(s.Points) < 2 {
		return fmt.Sprintf("A bar is the %s confidence interval of the mean: it covers the true mean in about %.6g of 100 cases.",
			percent(s.Confidence), 100*s.Confidence)
	}
	return fmt.Sprintf("Bars are %s confidence intervals of the means: they cover the true mean in about %.6g of 100 cases.",
		percent(s.Confidence), 100*s.Confidence)
}

func (s *Study) missed(point int) bool { return s.Points[point].Missed && s.Precision > 0 }

// selected says which point is the best.
func (s *Study) selected() string {
	c := s.Selected
	extreme, other := "least", "greater"
	if c.Greatest {
		extreme, other = "greatest", "less"
	}
	best := s.name(c.Point)
	for i := range s.Results {
		if r := &s.Results[i]; r.Name == c.Response {
			best = fmt.Sprintf("%s (%s)", best, says(r.Estimates[c.Point].Interval))
		}
	}
	if !c.Proven {
		return fmt.Sprintf("Which point has the %s mean of %s is not proven: %s are left. The best so far is %s.", extreme,
			clean(c.Response), count(1+len(c.Rivals), "point"), best)
	}
	return fmt.Sprintf("The point with the %s mean of %s is %s, with %s confidence if all other means are %s by %g or more.",
		extreme, clean(c.Response), best, percent(s.Confidence), other, c.Zone)
}

// precise says which points missed the precision.
func (s *Study) precise() string {
	var missed []string
	for i, p := range s.Points {
		if s.missed(i) {
			name := s.name(i)
			if name == "" {
				name = "it"
			}
			missed = append(missed, fmt.Sprintf("%s (after %s)", name, count(p.Replications, "replication")))
		}
	}
	of := "The precision that was asked for, a half width of " + percent(s.Precision) + " of the mean, was "
	if len(missed) == 0 {
		return of + "reached everywhere."
	}
	return fmt.Sprintf("%smissed at %d of %s: %s.", of, len(missed), count(len(s.Points), "point"), list(missed))
}

// different says which results differ from the base.
func (s *Study) different() []string {
	if s.Base == "" {
		return nil
	}
	var differ []string
	for i := range s.Results {
		n := 0
		for k := range s.Results[i].Differences {
			if s.Results[i].Differences[k].differs() {
				n++
			}
		}
		if n > 0 {
			differ = append(differ, fmt.Sprintf("%s (at %d of %s)", clean(s.Results[i].Name), n,
				count(len(s.Results[i].Differences), "point")))
		}
	}
	if len(differ) == 0 {
		return []string{fmt.Sprintf("No result differs from that at %s beyond chance.", clean(s.Base))}
	}
	return []string{fmt.Sprintf("Different from %s beyond chance: %s.", clean(s.Base), list(differ))}
}

// empty reports whether no run has a number.
func (r *Result) empty() bool {
	return !slices.ContainsFunc(r.Estimates, func(e Estimate) bool { return e.N > 0 })
}

// same reports whether the runs of each point have the same number.
func (r *Result) same() bool {
	several := false
	for _, e := range r.Estimates {
		if e.Half != 0 && e.N > 0 {
			return false
		}
		several = several || e.N > 1
	}
	return several
}

// constant reports whether all runs of all points have the same number.
func (r *Result) constant() bool {
	first := slices.IndexFunc(r.Estimates, func(e Estimate) bool { return e.N > 0 })
	return first >= 0 && r.same() && !slices.ContainsFunc(r.Estimates, func(e Estimate) bool {
		return e.N > 0 && e.Mean != r.Estimates[first].Mean
	})
}

// says returns an interval as text, such as "1.25 ± 0.03".
func says(i experiment.Interval) string {
	mean, half := known(i)
	switch {
	case !mean:
		return "no number"
	case !half:
		return figure(i.Mean) + " in one run"
	}
	m, h := i.Rounded()
	return tidy(m) + " ± " + tidy(h)
}

// summary says what a chart of means shows.
func (s *Study) summary(r *Result) string {
	least, greatest := -1, -1
	for i := range r.Estimates {
		if mean, _ := known(r.Estimates[i].Interval); !mean {
			continue
		}
		if least < 0 || r.Estimates[i].Mean < r.Estimates[least].Mean {
			least = i
		}
		if greatest < 0 || r.Estimates[i].Mean > r.Estimates[greatest].Mean {
			greatest = i
		}
	}
	at := func(i int) string { return says(r.Estimates[i].Interval) + " at " + s.name(i) }
	unit := ""
	if r.Unit != "" {
		unit = " (" + clean(r.Unit) + ")"
	}
	switch {
	case least < 0:
		return "No run recorded anything."
	case len(s.Points) < 2:
		return fmt.Sprintf("Mean%s: %s.", unit, says(r.Estimates[least].Interval))
	case r.constant():
		return fmt.Sprintf("%s%s in all runs.", figure(r.Estimates[least].Mean), unit)
	case r.Estimates[least].Mean == r.Estimates[greatest].Mean:
		return fmt.Sprintf("The mean%s is %s at all points that have one.", unit, figure(r.Estimates[least].Mean))
	}
	return fmt.Sprintf("Means%s from %s to %s.", unit, at(least), at(greatest))
}

// compared says what a chart of differences shows.
func (s *Study) compared(r *Result) string {
	n := 0
	for i := range r.Differences {
		if r.Differences[i].differs() {
			n++
		}
	}
	return fmt.Sprintf("Runs with the same random numbers are compared in pairs. At %d of %s the interval leaves 0 out (★); "+
		"all intervals hold together with %s.", n, count(len(r.Differences), "point"), percent(s.Confidence))
}
