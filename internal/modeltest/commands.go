// The command lines that ROSS tests its own PHOLD with.

package modeltest

import "strings"

// Command is one of the runs with which ctest of ROSS 8.1.1 tests phold, and also
// phold_test, which is the same program on a separate communicator.
type Command struct {
	Name  string // of the test, without the program's
	Ranks int    // of mpirun; 0: it runs without mpirun
	Line  string // the options
}

// Synch returns the scheduler.
func (c Command) Synch() string {
	_, rest, _ := strings.Cut(c.Line, "--synch=")
	return rest[:1]
}

// PHOLDCommands returns them. ROSS requires of each that it ends with status 0 within a
// minute. clockSpeed stands for the variable CLOCK_SPEED of ctest's environment.
func PHOLDCommands(clockSpeed string) []Command {
	const (
		extra = " --extramem=100000"
		vt    = " --vt-interval=10000 --vt-samp-end=100000"
		all   = " --engine-stats=4 --event-trace=2"
		lps   = " --kp-data=1 --lp-data=1"
	)
	return []Command{
		{"SCHED_Sequential", 0, "--synch=1"},
		{"SCHED_Conservative", 2, "--synch=2"},
		{"SCHED_Optimistic", 2, "--synch=3" + extra},
		{"SCHED_Realtime", 2, "--synch=5 --gvt-interval=1 --clock-rate=" + clockSpeed + extra},
		{"SCHED_OptDebug", 0, "--synch=4 --nkp=1 --extramem=1000000"},
		{"SCHED_RollbackCheck", 0, "--synch=6 --nkp=1"},
		{"INST_OptPE", 2, "--synch=3" + all + extra + vt},
		{"INST_OptLP", 2, "--synch=3" + all + lps + extra + vt},
		{"INST_RTOptPE", 2, "--synch=5" + all + extra + vt},
		{"INST_RTOptLP", 2, "--synch=5" + all + lps + extra + vt},
		{"INST_ConsPE", 2, "--synch=2" + all + extra + vt},
		{"INST_ConsLP", 2, "--synch=2" + all + lps + extra + vt},
		{"INST_Seq", 0, "--synch=1 --event-trace=1" + extra},
		{"INST_Model", 2, "--synch=3 --model-stats=4 --event-trace=2" + extra + vt},
		{"INST_DisableOutput", 2, "--synch=3 --engine-stats=4 --disable-output=1" + extra + vt},
		{"INST_ForceOverflow", 2, "--synch=3 --event-trace=1 --buffer-free=0" + extra},
		{"INST_FullEventTrace", 2, "--synch=3 --event-trace=1" + extra},
		{"INST_RBEventTrace", 2, "--synch=3 --event-trace=2" + extra},
	}
}
