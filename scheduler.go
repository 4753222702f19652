// This file owns Scheduler: which way a simulation runs, by its name or its number.

package ross

import (
	"fmt"
	"strconv"
	"strings"
)

// Scheduler is the way in which a simulation runs (g_tw_synchronization_protocol). All commit
// the same events; they differ in speed, and in what they check. The values are ROSS's.
type Scheduler int

// The schedulers. The zero value of Config.Synch, that of a run that chose none, is Sequential
// on one PE.
const (
	// Sequential handles one event after the other on one PE.
	Sequential Scheduler = iota + 1
	// Conservative handles events in parallel that the lookahead keeps independent.
	Conservative
	// Optimistic is Time Warp: events are handled as they come, and undone if one was too early.
	Optimistic
	// OptimisticDebug handles all events on one PE, undoes all of them, and compares.
	OptimisticDebug
	// OptimisticRealTime is Optimistic with GVT at intervals of real time.
	OptimisticRealTime
	// RollbackCheck is Sequential with each event handled, undone, and handled again.
	RollbackCheck
)

var schedulerNames = [...]string{
	Sequential: "sequential", Conservative: "conservative", Optimistic: "optimistic", OptimisticDebug: "optimistic-debug",
	OptimisticRealTime: "optimistic-realtime", RollbackCheck: "rollback-check",
}

// String returns the name of the scheduler, as --synch takes it.
func (s Scheduler) String() string {
	if s >= Sequential && int(s) < len(schedulerNames) {
		return schedulerNames[s]
	}
	return strconv.Itoa(int(s))
}

// parseScheduler reads the value of --synch: a number, a name, or one of those that ROSS's
// help has for the numbers. Which numbers there are Config.Validate says.
func parseScheduler(text string) (Scheduler, error) {
	if n, err := strconv.Atoi(text); err == nil {
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
	return 0, fmt.Errorf("no scheduler; give %s, or a number, 1 to %d", strings.Join(schedulerNames[Sequential:], ", "), RollbackCheck)
}
