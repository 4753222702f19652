// This file owns hints: texts of the report about settings or sends that are probably not what
// the user meant. A hint changes nothing in the run.

package ross

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// mostRanges is the maximum number of ranges of PEs that a hint lists.
const mostRanges = 8

// idlePEs returns a hint about PEs without LPs, or "" if all PEs have LPs. Linear and
// round-robin mappings give each PE at least one if there are enough.
func idlePEs(m *mapping.Map) string {
	if m.Kind() != mapping.Custom && m.Total() >= m.NumPEs() {
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

// dependentSeeds returns a hint about seeds with a pattern, or "" if they have none. name is
// the name of their flags without the digit.
func dependentSeeds(name string, seeds rng.Seeds) string {
	if !seeds.Patterned() {
		return ""
	}
	return fmt.Sprintf("--%s1 to 4 are %d %d %d %d: runs with such a pattern of seeds are not independent replications, "+
		"because seeds that are multiples of each other draw multiples of the same numbers; "+
		"give each run another --replication, another --seed, or four seeds without a pattern, as rng.SeedsOf makes them",
		name, seeds[0], seeds[1], seeds[2], seeds[3])
}

// lateWarmUp returns a hint about statistics that begin when the run is over, or "" if they begin
// before. A run that an LP stops, or that has no end, is checked when it is over.
func lateWarmUp(warmUp, end float64) string {
	if warmUp < end {
		return ""
	}
	return fmt.Sprintf("the statistics of the model will be empty: they begin at --warm-up=%g, and the run ends at --end=%g; give an earlier --warm-up or a later --end", warmUp, end)
}
