// What C models do wrong is reported with the LP, its time and the function.

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFaultsOfHandlersAreReported(t *testing.T) {
	path := compile(t, "faulty")
	t.Chdir(t.TempDir())
	const optimistic = " --synch=3 --pes=2"
	for _, c := range []struct{ line, out, errs string }{
		{"--fault=1" + optimistic, "", "ross: LP 2 at 3: its event handler writes the static variable counter, which LPs on several PEs share: make it part of the state"},
		{"--fault=2", "", "ross: LP 2 at 3: its event handler caused signal 11 (SIGSEGV) at address"},
		{"--fault=2" + optimistic, "", "ross: LP 2 at 3: its event handler caused signal 11 (SIGSEGV) at address"},
		{"--fault=3", "", "ross: LP 2 at 3: its event handler has used up its stack of 1048576 bytes: use less"},
		{"--fault=4" + optimistic, "", "ross: LP 2 at 3: its event handler has called abort"},
		{"--fault=5", "node: 0: error: testdata/faulty.c:", ""},
		{"--fault=6", "", "LP 2 (C type 0) at time 3: sent an event (message of C) to LP 99: no such LP: ids go from 0 to 7"},
		{"--fault=7", "", "LP 2 (C type 0) at time 3: sent LP 2 an event (message of C) with delay -1: bad delay"},
		{"--fault=8" + optimistic, "", "LP 2 (C type 0) at time 3: sent LP 2 an event with priority 3: bad priority: a priority must be in [0, 1]"},
		{"--fault=9" + optimistic, "", "LP 2 (C type 0) at time 3: sent an event in the name of LP 3: send outside a handler: give tw_event_new the LP"},
	} {
		t.Run(c.line, func(t *testing.T) {
			status, out, errs := play(t, path, c.line+" --end=10")
			require.NotZero(t, status)
			require.Contains(t, out, c.out)
			require.Contains(t, errs, c.errs)
		})
	}
}

func TestMistakesOfAHookThatTakesEventsAreReported(t *testing.T) {
	path := compile(t, "frozen")
	for line, says := range map[string]string{
		"--wrong=1":                         "tw_pq_dequeue: call it in the GVT hook",
		"--wrong=2":                         "tw_pq_enqueue: an event for LP 18 has two times, 9.27039 in recv_ts and 9.02039 in sig.recv_ts: set both",
		"--wrong=3":                         "tw_event_free: give it an event of tw_pq_dequeue, and each of these once",
		"--wrong=4":                         "is put back at 9, and GVT is 10: give it a later time",
		"--wrong=6 --synch=3":               "tw_pq_dequeue: some LPs have gone on when such a hook is called: use tw_trigger_gvt_hook_at",
		"--io-virtual-interval=7 --synch=1": "its state cannot be stored: the GVT hook keeps ",
	} {
		t.Chdir(t.TempDir())
		if !strings.Contains(line, "--synch") {
			line += " --synch=3 --pes=2"
		}
		status, out, errs := play(t, path, line)
		require.NotZero(t, status, line)
		require.Contains(t, out+errs, says, line)
	}
	status, _, errs := play(t, path, "--wrong=5 --synch=3 --pes=2")
	require.Zero(t, status)
	require.Regexp(t, `warning: node 0: [0-9]+ events that the GVT hook has taken out of the queue \(tw_pq_dequeue\) were neither put back`, errs)
}

// On one PE all handlers may write static variables, on several only init. An event that is made and not sent has no effect.
func TestWhatIsAllowedIsNoFault(t *testing.T) {
	path := compile(t, "faulty")
	t.Chdir(t.TempDir())
	for _, line := range []string{"--fault=0", "--fault=0 --synch=3 --pes=2", "--fault=0 --synch=2 --pes=3", "--fault=10 --synch=3 --pes=2"} {
		status, out, errs := play(t, path, line+" --end=10")
		require.Zero(t, status, errs)
		require.Contains(t, out, "counter 15, left 1 ")
		require.Regexp(t, `Net Events Processed +72\n`, out)
	}
	status, out, _ := play(t, path, "--fault=1 --end=10")
	require.Zero(t, status)
	require.Contains(t, out, "counter 22, left 1 ")
	t.Setenv("ROSS_STATICS", "shared")
	status, _, errs := play(t, path, "--fault=1 --end=10 --synch=3 --pes=2")
	require.Zero(t, status, errs)
}

// A run that goes on from a checkpoint calls no init. Its static variables are read-only nevertheless.
func TestStaticVariablesAreWatchedAfterARestart(t *testing.T) {
	path := compile(t, "faulty")
	t.Chdir(t.TempDir())
	status, _, errs := play(t, path, "--fault=0 --end=2.5 --io-virtual-interval=2")
	require.Zero(t, status, errs)
	const restart = " --end=10 --synch=3 --pes=2 --io-restart=latest --io-other-options"
	status, _, errs = play(t, path, "--fault=1"+restart)
	require.NotZero(t, status)
	require.Contains(t, errs, "ross: LP 2 at 3: its event handler writes the static variable counter")
	status, out, errs := play(t, path, "--fault=0"+restart)
	require.Zero(t, status, errs)
	require.Contains(t, out, "Restart at time 2 ")
}

// The first model has no check of its own, so that the bytes of states are compared; that of the second finds what is
// behind them.
func TestWhatReverseForgetsIsFound(t *testing.T) {
	faulty, kitchen := compile(t, "faulty"), compile(t, "kitchen")
	t.Chdir(t.TempDir())
	status, out, errs := play(t, faulty, "--synch=6 --fault=11 --end=10")
	require.NotZero(t, status)
	require.Contains(t, errs, "LP 2 (C type 0) at time 3: Reverse of the event that LP 2 sent at time 2 left the state different: "+
		"byte 8 of the state is 0x01, it was 0x00 before")
	require.NotContains(t, out, "sum")
	status, out, errs = play(t, kitchen, "--synch=6 --wrong=1")
	require.NotZero(t, status)
	require.Contains(t, errs, "the model's check_lps finds a difference to the state before")
	require.Contains(t, out, "sum 0\n", "the model's print_lp")
}

// With debugging information the errors have the names of fields.
func TestFieldsHaveTheirNames(t *testing.T) {
	faulty, ledger := compile(t, "faulty", "-g"), compile(t, "ledger", "-g")
	t.Chdir(t.TempDir())
	for _, c := range []struct{ path, line, says string }{
		{faulty, "--synch=6 --fault=11 --end=10", `state different: state\.depth \(byte 8 of the state\) is 1, it was 0 before`},
		{ledger, "--synch=6 --hand=1 --wrong=2", `state\.account\[[0-9]+\] \(byte [0-9]+ of the state\) is -?[0-9]+, it was [0-9]+ before`},
		{ledger, "--pointer=1 --io-virtual-interval=17", `state\.extra holds an address`},
	} {
		status, _, errs := play(t, c.path, c.line)
		require.NotZero(t, status)
		require.Regexp(t, c.says, errs)
	}
}

// A stack of its own is one way to call handlers, cgo is the other; the events are the same.
func TestBothWaysToCallHandlersHaveTheSameEvents(t *testing.T) {
	t.Setenv("ROSS_CALLS", "cgo")
	TestPHOLDHasTheEventsOfROSS(t)
}

// The command line of ROSS: beginnings of names, and words for the model.
func TestOptionsAreThoseOfROSS(t *testing.T) {
	path, kitchen := compile(t, "faulty"), compile(t, "kitchen")
	t.Chdir(t.TempDir())
	status, out, _ := play(t, path, "--sync=1 --en=10 -- more words")
	require.Zero(t, status)
	require.Contains(t, out, "left 3 words\n")
	status, out, _ = play(t, path, "--end=10 model.conf")
	require.Zero(t, status)
	require.Contains(t, out, `Warning: "model.conf" is no option`)
	require.Contains(t, out, "left 2 model.conf\n")
	for line, want := range map[string]string{
		"--bogus=1":          "option --bogus=1: unknown",
		"--fault=x":          "option --fault=x: not a number; give a whole number",
		"--fault=5000000000": "out of range; give a whole number, 0 to 4294967295",
		"--synch=1 --pes=2":  "--pes=2: --synch=1 runs on one PE",
	} {
		status, _, errs := play(t, path, line)
		require.NotZero(t, status, line)
		require.Contains(t, errs, want)
	}
	_, out, _ = play(t, kitchen, "--seed=7 --end=1")
	require.Contains(t, out, "seed 7\n", "the option is the model's, although the engine has one, too")
	status, out, _ = play(t, path, "--help")
	require.Zero(t, status)
	require.Contains(t, out, "faulty")
	require.Contains(t, out, "--fault=n")
}
