// This file owns hints: what a run says where its settings, or what it sent, look as if
// the user had meant something else. A hint is a caution, and changes nothing.

package ross

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
	"github.com/ross-go/ross/rng"
)

// hint gives a hint, unless there is none.
func (s *Simulation) hint(text string) {
	if text != "" {
		s.caution("%s", text)
		s.printf("\n")
	}
}

// mostRanges is how many ranges of PEs are listed.
const mostRanges = 8

// idlePEs returns a hint about PEs that have no LPs, "" if all have some. The provided
// mappings give each PE the same number, at least one.
func idlePEs(m *mapping.Map) string {
	if m.Kind() != mapping.Custom {
		return ""
	}
	var ranges []string
	idle, npe := uint64(0), m.NumPEs()
	for pe := uint64(0); pe < npe; pe++ {
		first := pe
		for pe < npe && m.NumLPs(pe) == 0 {
			pe++
		}
		if pe == first {
			continue
		}
		idle += pe - first
		switch text := strconv.FormatUint(first, 10); {
		case len(ranges) == mostRanges:
			ranges = append(ranges, "...")
		case len(ranges) > mostRanges:
		case pe-first == 1:
			ranges = append(ranges, text)
		default:
			ranges = append(ranges, text+" to "+strconv.FormatUint(pe-1, 10))
		}
	}
	if idle == 0 {
		return ""
	}
	who, has := "PEs", "have"
	if idle == 1 {
		who, has = "PE", "has"
	}
	why := fmt.Sprintf("the mapping gives them none; Config.PEs counts the PEs of one rank; use Config.Custom.For, or Simulation.NumPEs, which is %d here", npe)
	if m.Total() < npe {
		why = fmt.Sprintf("the run has %d LPs for %d PEs; use fewer PEs", m.Total(), npe)
	}
	return fmt.Sprintf("%s %s %s no LPs: %s", who, strings.Join(ranges, ", "), has, why)
}

// dependentSeeds returns a hint about seeds that are of a pattern. name is that of their
// flags.
func dependentSeeds(name string, seeds rng.Seeds) string {
	if !seeds.Patterned() {
		return ""
	}
	return fmt.Sprintf("--%s1 to 4 are %d %d %d %d: runs with seeds of such a pattern are no independent replications, "+
		"since seeds that are multiples draw multiples of the same numbers; "+
		"give each run four seeds without a pattern, as rng.SeedsOf or the command shuf -i 1-2147483322 -n 4 makes them",
		name, seeds[0], seeds[1], seeds[2], seeds[3])
}

// The kinds of delays of sends past the end, by whether the delay may be a time that was
// meant: a handler that gives Send lp.Now()+d sends to 2*lp.Now()+d.
const (
	delayUnclear    = iota // sent early, where both are nearly the same, or past the end by itself
	delayLikeTime          // it lies between the time of the sender and the end
	delayUnlikeTime        // it lies at the time of the sender or before
)

func delayKind(now, delay, end float64) uint64 {
	switch {
	case delay <= now:
		return delayUnlikeTime
	case now >= end/4 && delay < end:
		return delayLikeTime
	}
	return delayUnclear
}

// timesAsDelays returns a hint that a model seems to give Send times, "" if it does not.
//
// Delays that are meant are not always larger than the time of the event, not in a run
// that is short for its delays either: of the sends past its end many have smaller ones,
// those of events near the end above all. So nearly all must be larger. They must also be
// some hundred, and one in 32 sends: where times are given, the times of a chain of
// events double from event to event, so that one in log2(end/d) sends is past the end.
func (r *rankFigures) timesAsDelays(st *report.Stats) string {
	like, unlike := r.beyond[delayLikeTime], r.beyond[delayUnlikeTime]
	sends := st.NetEvents() + st.EventsPastEnd
	if like < 100 || unlike > like/100 || r.beyond[delayUnclear] > 3*like || like < sends/32 {
		return ""
	}
	return fmt.Sprintf("%d of %d sends were to times past the end, though their delays lie before it, and after the times of their senders: "+
		"Send takes a delay, not a time; if the model gives it lp.Now()+d, give it d", like, sends)
}
