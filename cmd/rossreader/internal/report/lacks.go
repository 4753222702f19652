// This file says what cannot be judged of a run, and which options it takes.

package report

import "fmt"

// lacks returns what the findings cannot tell for want of data, each with a command that collects
// it. There is nothing if all that matters to the scheduler can be judged.
func (f *figures) lacks() (missing []string) {
	var command []string
	sequential, conservative := false, false
	pes := len(f.run.PEs)
	if info := f.run.Info; info != nil {
		command, pes = info.Command, f.numPEs()
		sequential = info.Synch == 1 || info.Synch > synchRealTime
		conservative = info.Synch == synchConservative
	}
	run := func(options ...string) string { return commandText(withOptions(command, options...)) }
	perPE := []string{"--engine-stats=1", "--kp-data=1", "--lp-data=1"}
	if sequential {
		perPE = []string{"--engine-stats=2", "--rt-interval=10", "--lp-data=1"}
	}
	switch {
	case f.source.PE == 0:
		return []string{"No samples of PEs tell how time was spent. Run: " + run(perPE...)}
	case f.total.net() < leastProcessed*int64(max(pes, 1)) || f.span() < leastSeconds:
		return []string{fmt.Sprintf("The run is too short for statements on speed: %s net events in %s. Run it longer, with a larger --end.",
			grouped(max(f.total.net(), 0)), secondsText(f.span()))}
	}
	if f.source.KP == 0 && pes > 1 && !conservative && !sequential {
		missing = append(missing, "No samples of KPs tell which of them roll back most. Run: "+run("--engine-stats=1", "--kp-data=1"))
	}
	return missing
}
