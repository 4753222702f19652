// This file owns Scheduler: the ways in which a simulation runs, with their numbers and names.

package ross

import (
	"fmt"
	"strconv"
	"strings"
)

// Scheduler is the way in which a simulation runs (g_tw_synchronization_protocol). All
// schedulers commit the same events; they differ in speed and in what they check. The values
// are those of ROSS.
type Scheduler int

// The schedulers. If Config.Synch is 0, the run is Sequential.
const (
	// Sequential handles one event after another on one PE.
	Sequential Scheduler = iota + 1
	// Conservative handles in parallel the events that the lookahead makes independent.
	Conservative
	// Optimistic is Time Warp: it handles events as they come, and undoes those that came too early.
	Optimistic
	// OptimisticDebug handles all events on one PE, undoes all of them, and compares the states.
	OptimisticDebug
	// OptimisticRealTime is Optimistic with GVT computations at intervals of real time.
	OptimisticRealTime
	// RollbackCheck handles each event on one PE, undoes it, and handles it again.
	RollbackCheck
)

// Auto is Sequential, Conservative or Optimistic, whichever is fastest. It begins as Sequential,
// tries the others on the run itself, goes on with the best, and compares them again from time to
// time; the report says what it has found. Conservative is tried if all LP types say NeverStops, and
// declare a Lookahead or Config.ConsLookahead is not the default. Where the run cannot change its
// scheduler (one PE, several ranks, a GVT hook, instrumentation, checkpoints while it runs), Auto
// is one of them from the beginning, and the report says which and why.
//
// Auto also chooses the number of PEs, unless --pes or a Config.PEs other than 1 gives it: one for each processor
// (GOMAXPROCS), but no more than there are LPs, or parts of 16 MiB in Config.MaxMemory. For that the model must be
// the same for any number of PEs: Config.TotalLPs is given, and the mapping is none of Config.Custom but Custom.For.
// With one PE Auto is Sequential. Simulation.Config and run.json have the number; no result depends on it.
//
// ROSS has no such scheduler; as its number is none of theirs, --synch takes it by name.
const Auto Scheduler = 100

var schedulerNames = [...]string{
	Sequential: "sequential", Conservative: "conservative", Optimistic: "optimistic", OptimisticDebug: "optimistic-debug",
	OptimisticRealTime: "optimistic-realtime", RollbackCheck: "rollback-check",
}

const autoName = "auto"

// schedulerNumbers are the values of --synch, for errors.
var schedulerNumbers = fmt.Sprintf("0 to %d, or %s", RollbackCheck, autoName)

// allSchedulers returns the names of all schedulers, as a list.
func allSchedulers() string { return strings.Join(append(schedulerNames[Sequential:], autoName), ", ") }

// String returns the name of the scheduler, as --synch accepts it.
func (s Scheduler) String() string {
	if s >= Sequential && int(s) < len(schedulerNames) {
		return schedulerNames[s]
	}
	if s == Auto {
		return autoName
	}
	return strconv.Itoa(int(s))
}

// parseScheduler reads the value of --synch: a number, a name, or a name from the help text of
// ROSS. Config.Validate checks the range of numbers.
func parseScheduler(text string) (Scheduler, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if Scheduler(n) == Auto {
			return 0, fmt.Errorf("out of range; give %s", schedulerNumbers)
		}
		return Scheduler(n), nil
	}
	name := strings.ReplaceAll(strings.ToLower(text), "_", "-")
	if name == "sequential-rollback-check" {
		return RollbackCheck, nil
	}
	for s := Sequential; int(s) < len(schedulerNames); s++ {
		if schedulerNames[s] == name {
			return s, nil
		}
	}
	if name == autoName {
		return Auto, nil
	}
	return 0, fmt.Errorf("no such scheduler; give %s, or a number, 1 to %d", allSchedulers(), RollbackCheck)
}

// formatScheduler returns a value of --synch, as help texts and stored settings have it.
func formatScheduler(s Scheduler) string {
	if s == Auto {
		return autoName
	}
	return strconv.Itoa(int(max(s, Sequential))) // 0 is Sequential
}
