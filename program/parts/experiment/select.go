// This file owns the selection of the best point: which points stay in the race after each replication, and its end.

package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ross-go/ross/internal/num/libm"
)

// Selection asks for the point with the least mean of a response, or with the greatest. Each point gets replications
// until it is left out, and the race ends when one point is left.
//
// The procedure is KN (Kim and Nelson, "A fully sequential procedure for indifference-zone selection in simulation",
// ACM Transactions on Modeling and Computer Simulation 11(3), 2001; its steps Setup, Initialization, Screening and
// Stopping Rule), with c = 1 and Bonferroni's inequality. So the random numbers of points may be common ones, which
// make it end sooner. If the responses are normally distributed
// and the best mean is better than each other one by Zone or more, the best point is selected with probability
// Experiment.Confidence or more. If others are nearer to it than Zone, it may be one of them. The first stage, which
// estimates the variances, is Experiment.Replications; 10 to 20 are usual, and few of them make the race longer.
//
// Two points whose responses differ by the same amount in all replications are not compared, since this does not show
// how much the difference varies: for them the first stage lasts until it does. The race ends without a proof if only
// such points are left.
type Selection struct {
	// Response is the name of the response. Each replication must have it.
	Response string
	// Greatest selects the greatest mean. Default false: the least.
	Greatest bool
	// Zone is the smallest difference of means that matters, in the unit of the response: the indifference zone. It
	// must be above 0. Half of it takes up to four times the replications.
	Zone float64
}

// Choice is the result of a Selection.
type Choice struct {
	// Point is the index of the selected point; without a proof, of the best one so far.
	Point int
	// Proven is true if the point was selected with the confidence of the experiment. Otherwise MaxReplications was
	// reached first, the experiment was stopped, or Point and Rivals are Alike.
	Proven bool
	// Rivals are the indexes of the other points that are left, without a proof.
	Rivals []int
	// Alike is true if the race ended because the response of each rival differs from that of Point by the same amount
	// in all replications.
	Alike bool
}

// MostSelected is the highest number of points of a Selection, which keeps the variances of all pairs of them.
const MostSelected = 2000

// check returns an error for a selection that makes no sense.
func (s *Selection) check(e *Experiment) error {
	points := len(e.Points)
	switch {
	case len(e.Until) > 0:
		return fmt.Errorf("there are precisions in Until and a Selection, which ends by itself: give one of them")
	case e.Tasks > 0:
		return fmt.Errorf("there are a Selection and %d Tasks, but no task knows the results of the others: leave out "+
			"one of them", e.Tasks)
	case points < 2 || points > MostSelected:
		return fmt.Errorf("selection of the best of %d: give 2 to %d points", points, MostSelected)
	case s.Response == "":
		return fmt.Errorf("Selection.Response is empty: name a response")
	case !(s.Zone > 0) || math.IsInf(s.Zone, 0):
		return fmt.Errorf("Selection.Zone is %g: give a finite number above 0, the smallest difference that matters", s.Zone)
	case e.Replications < 2:
		return fmt.Errorf("the number of Replications is %d: give 2 or more for a selection, to estimate variances", e.Replications)
	case !(e.Confidence > 1/float64(points)):
		return fmt.Errorf("the Confidence is %g: give more than 1/%d, the probability of a guess", e.Confidence, points)
	}
	return nil
}

// race is a selection that goes on. It looks at the replications of all points that are left in the order of their
// numbers, so it does not depend on which of them is finished first.
type race struct {
	*Experiment
	in      []int       // the points that are left, in their order
	n       int         // replications of each of them that were looked at
	values  [][]float64 // of each point; the least mean is the best
	sums    []float64
	means   []float64
	squares []float64 // of pairs, S^2 of the paper; 0 as long as the difference has not varied
	h2      float64   // h^2 of the paper
	over    bool
	proven  bool
}

func newRace(e *Experiment) *race {
	k := len(e.Points)
	r := &race{Experiment: e, values: make([][]float64, k), sums: make([]float64, k), means: make([]float64, k),
		squares: make([]float64, k*(k-1)/2)}
	for i := range k {
		r.in = append(r.in, i)
	}
	r.h2 = boundary(1-e.Confidence, k-1, e.Replications)
	return r
}

// boundary returns h^2 of the paper for c = 1, which decides how far apart the sums of two points must be:
// 2 eta (n-1) with the eta that solves 1/2 (1 + 2 eta)^(-(n-1)/2) = alpha/rivals.
func boundary(alpha float64, rivals, n int) float64 {
	degrees := float64(n - 1)
	eta := (libm.Pow(2*alpha/float64(rivals), -2/degrees) - 1) / 2
	return 2 * eta * degrees
}

// advance looks at the replications that all points that are left have now.
func (r *race) advance(all []*series) error {
	for !r.over {
		n := uint64(r.n)
		for _, i := range r.in {
			responses, ended := all[i].early[n]
			if !ended {
				return nil
			}
			if _, has := responses[r.Select.Response]; !has {
				return fmt.Errorf("response %q of Select is missing in replication %d of point %s, which has %q: name a "+
					"response that all runs have", r.Select.Response, n, r.Points[i], responses.names())
			}
		}
		r.n++
		for _, i := range r.in {
			responses := all[i].early[n]
			delete(all[i].early, n)
			all[i].prefix = append(all[i].prefix, responses)
			v := responses[r.Select.Response]
			if r.Select.Greatest {
				v = -v
			}
			r.values[i] = append(r.values[i], v)
			r.sums[i] += v
			r.means[i] = r.sums[i] / float64(r.n)
		}
		if r.n >= r.Replications {
			r.screen()
		}
		for i, s := range all {
			left := slices.Contains(r.in, i)
			s.decided, s.met = r.over || !left, r.proven || !left
		}
	}
	return nil
}

// screen leaves out the points that another one is better than, and ends the race if nothing is to be gained any more.
func (r *race) screen() {
	out := map[int]bool{}
	for at, i := range r.in {
		for _, l := range r.in[:at] {
			switch w, compared := r.margin(l, i); {
			case !compared:
			case r.means[i] > r.means[l]+w:
				out[i] = true
			case r.means[l] > r.means[i]+w:
				out[l] = true
			}
		}
	}
	r.in = slices.DeleteFunc(r.in, func(i int) bool { return out[i] })
	settled := r.settled()
	if settled && len(r.in) > 1 { // points with the very same mean are as good
		best := r.best()
		r.in = slices.DeleteFunc(r.in, func(i int) bool { return i != best && r.square(best, i) > 0 })
	}
	r.proven = len(r.in) == 1
	r.over = r.proven || settled || r.n == r.MaxReplications
}

// margin returns by how much the means of two points must differ for the worse one to be left out: W of the paper.
// It is 0 after enough replications. compared is false as long as the difference has not varied.
func (r *race) margin(a, b int) (w float64, compared bool) {
	square, n := r.square(a, b), float64(r.n)
	return max(0, (r.h2*square/r.Select.Zone-float64(n*r.Select.Zone))/(2*n)), square > 0
}

// settled reports whether more replications leave out no point.
func (r *race) settled() bool {
	for at, i := range r.in {
		for _, l := range r.in[:at] {
			if w, _ := r.margin(l, i); w > 0 {
				return false
			}
		}
	}
	return true
}

// best returns the point with the best mean of those that are left, the first one of several.
func (r *race) best() int {
	return slices.MinFunc(r.in, func(i, l int) int {
		return cmp.Or(cmp.Compare(r.means[i], r.means[l]), i-l)
	})
}

// square returns the variance of the difference of two points, by the first stage. It is 0 if the difference has been
// the same in all replications. When it varies for the first time after the first stage, this one ends there.
func (r *race) square(a, b int) float64 {
	a, b = min(a, b), max(a, b)
	at := b*(b-1)/2 + a
	x, y := r.values[a], r.values[b]
	if r.squares[at] > 0 || r.n > r.Replications && !varies(x, y, r.n-1) {
		return r.squares[at]
	}
	varied := false
	var d deviations
	for i := range x {
		varied = varied || varies(x, y, i)
		d.add(y[i] - x[i])
	}
	if varied {
		r.squares[at] = d.squares / float64(d.n-1)
	}
	return r.squares[at]
}

// varies reports whether the difference of two points at index i is another one than that at index 0, by more than
// numbers are rounded by.
func varies(x, y []float64, i int) bool {
	size := max(math.Abs(x[0]), math.Abs(y[0]), math.Abs(x[i]), math.Abs(y[i]))
	return math.Abs((y[i]-x[i])-(y[0]-x[0])) > 1e-12*size
}

// choice returns what the race has found so far.
func (r *race) choice() *Choice {
	c := &Choice{Point: r.best(), Proven: r.proven}
	for _, i := range r.in {
		if i != c.Point {
			c.Rivals = append(c.Rivals, i)
		}
	}
	varies := func(i int) bool { return r.square(c.Point, i) > 0 }
	c.Alike = r.over && !r.proven && !slices.ContainsFunc(c.Rivals, varies)
	return c
}
