// This file pins processes: the tests start this test binary, which starts its ranks, to run themselves again in each.

package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/testing/testkit"
)

// caseEnv selects what ranks do, and is in the environment of all processes of a job.
const caseEnv = "ROSS_LAUNCH_TEST"

// isRank says that a test has been started for its job.
var isRank = os.Getenv(caseEnv) != ""

// job starts this test again as the first of its ranks. It returns what they all print, when they have ended, and the
// exit status. meanwhile is called with what has been printed so far, again and again until it returns true.
func job(t *testing.T, meanwhile func(printed string) bool, words ...string) (printed string, status int) {
	t.Helper()
	return jobOf(t, os.Args[0], meanwhile, words...)
}

// jobOf is job with another copy of this program.
func jobOf(t *testing.T, program string, meanwhile func(printed string) bool, words ...string) (
	printed string, status int) {
	t.Helper()
	id := fmt.Sprintf("%s-%d", t.Name(), os.Getpid())
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Limit(t))
	defer cancel()
	name := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(name)
	require.NoError(t, err)
	defer out.Close()
	c := exec.CommandContext(ctx, program, append([]string{"-test.run=^" + t.Name() + "$", "-test.count=1"}, words...)...)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), caseEnv+"="+id), out, out
	require.NoError(t, c.Start())
	text := func() string {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(b)
	}
	for meanwhile != nil && !meanwhile(text()) && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	err = c.Wait()
	require.NoError(t, ctx.Err(), text())
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	for len(processesOf(id)) > 0 {
		require.NoError(t, ctx.Err(), "processes are left:\n%s", text())
		time.Sleep(time.Millisecond)
	}
	return text(), c.ProcessState.ExitCode()
}

// processesOf returns the processes of a job that are there.
func processesOf(id string) (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range all {
		if text, err := os.ReadFile(name); err == nil && slices.Contains(strings.Split(string(text), "\x00"), caseEnv+"="+
			id) {
			pids = append(pids, filepath.Base(filepath.Dir(name)))
		}
	}
	return pids
}

// rankOf returns the process that has printed that it is a rank, 0 if none has.
func rankOf(rank int, printed string) int {
	_, rest, found := strings.Cut(printed, fmt.Sprintf("rank %d is process ", rank))
	number, _, whole := strings.Cut(rest, "\n")
	pid, err := strconv.Atoi(number)
	if !found || !whole || err != nil {
		return 0
	}
	return pid
}

func TestRanksAreTheSameProgramWithItsWordsAndMore(t *testing.T) {
	if !isRank {
		printed, status := job(t, nil, "-test.v", "", "two words", "-ranks=x")
		require.Zero(t, status, printed)
		require.Equal(t, 3, strings.Count(printed, "--- PASS"), printed)
		return
	}
	require.Equal(t, []string{"", "two words", "-ranks=x"}, os.Args[len(os.Args)-3:])
	rank := Rank()
	_, given := os.LookupEnv(env)
	require.False(t, given, "a program that it starts is no rank")
	w, err := Connect(3)
	require.NoError(t, err)
	require.Equal(t, []int{rank, 3, 3}, []int{w.Rank(), w.Size(), Size()})
	_, err = Connect(2)
	require.ErrorContains(t, err, "one of 3 already, and cannot be one of 2")
	all, err := w.AllGather([]byte(strconv.Itoa(os.Getpid())))
	require.NoError(t, err)
	for i, pid := range all {
		require.Equal(t, i == rank, string(pid) == strconv.Itoa(os.Getpid()))
	}
	// What programs that it starts inherit: neither the memory nor the pipe.
	c := exec.Command("/bin/ls", "-l", "/proc/self/fd")
	open, err := c.Output()
	require.NoError(t, err)
	require.NotContains(t, string(open), "memfd")
	if rank > 0 {
		in, err := os.Readlink("/proc/self/fd/0")
		require.NoError(t, err)
		require.Equal(t, os.DevNull, in)
	}
	rings(t, w)
	require.NoError(t, w.Close())

	again, err := Connect(3)
	require.NoError(t, err)
	require.NoError(t, again.Barrier())
	require.NoError(t, again.Close())
}

// TestASignalThatComesBeforeARankAsksForItIsKept while the first process goes on.
func TestASignalThatComesBeforeARankAsksForItIsKept(t *testing.T) {
	if !isRank {
		printed, status := job(t, nil, "-test.v")
		require.Zero(t, status, printed)
		require.Equal(t, 2, strings.Count(printed, "--- PASS"), printed)
		return
	}
	w, err := Connect(2)
	require.NoError(t, err)
	if Rank() == 1 {
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
		for len(early) == 0 {
			time.Sleep(time.Millisecond)
		}
		require.Equal(t, syscall.SIGTERM, EarlySignal())
	}
	require.Nil(t, EarlySignal())
	require.NoError(t, w.Barrier())
	require.NoError(t, w.Close())
}

// rings sends a message to each of the others, and receives theirs.
func rings(t *testing.T, w *World) {
	boxes, err := w.Mailboxes(2)
	require.NoError(t, err)
	red, err := w.Reduction()
	require.NoError(t, err)
	came := 0
	for rank := range w.Size() {
		for box := 0; box < 2 && rank != w.Rank(); box++ {
			require.True(t, boxes[0].Post(rank, box, wordsOf(w.Rank(), 20000)))
		}
	}
	require.NoError(t, red.Start(&mpi.Record{Balance: 5}))
	for done, rec := false, (*mpi.Record)(nil); !done; {
		rec, done, err = red.Test()
		require.NoError(t, err)
		require.True(t, !done || rec.Balance == int64(5*w.Size()))
	}
	for left := []int64{1}; left[0] > 0; { // a rank goes on polling until all have what it has sent
		for _, m := range boxes {
			_, err := m.Poll(func(rank int, words []uint64) {
				require.Equal(t, wordsOf(rank, 20000), words)
				came++
			})
			require.NoError(t, err)
		}
		left[0] = int64(2*(w.Size()-1) - came)
		require.NoError(t, w.AllReduceInt64(mpi.Sum, left))
	}
}

func wordsOf(rank, n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = uint64(rank+1) * uint64(i+1)
	}
	return words
}

// ends are ways in which a rank ends before the others, and what they say of it.
var ends = []struct {
	name, says string
	rank       int
	end        func()
	status     int
}{
	{"killed", "ross: ranks: rank 1 has been ended by signal 9 (killed)", 1, nil, 137},
	{"exit", "ross: ranks: rank 2 has ended with exit status 5", 2, func() { os.Exit(5) }, 5},
	{"leaves", "ross: ranks: rank 2 has ended, with exit status 0", 2, func() { os.Exit(0) }, 1},
	{"panics", "ross: ranks: rank 1 has ended with exit status 2", 1, func() { go panic("no such luck"); select {} }, 2},
	{"first", "ross: ranks: rank 0, which has started the others, is gone", 0, nil, -1},
	{"first exits", "ross: ranks: rank 0, which has started the others, is gone", 0, func() { os.Exit(7) }, 7},
}

// TestOneSaysHowARankHasEndedAndAllEnd has the others wait, when a rank ends in one of the ways.
func TestOneSaysHowARankHasEndedAndAllEnd(t *testing.T) {
	if !isRank {
		for _, c := range ends {
			killed := false
			printed, status := job(t, func(printed string) bool {
				if pid := rankOf(c.rank, printed); pid != 0 && c.end == nil && !killed {
					killed = syscall.Kill(pid, syscall.SIGKILL) == nil
				}
				return killed || c.end != nil
			}, c.name)
			require.Equal(t, c.status, status, printed)
			require.Equal(t, 1, strings.Count(printed, c.says), "%s:\n%s", c.name, printed)
			require.Equal(t, 1, strings.Count(printed, "ross: ranks:"), "%s:\n%s", c.name, printed)
		}
		return
	}
	w, err := Connect(3)
	require.NoError(t, err)
	err = w.Barrier()
	for _, c := range ends {
		if err == nil && c.name == os.Args[len(os.Args)-1] && c.rank == w.Rank() {
			fmt.Printf("rank %d is process %d\n", w.Rank(), os.Getpid())
			if c.end != nil {
				c.end()
			}
			time.Sleep(time.Hour)
		}
	}
	if err == nil { // another one may have left the first barrier, and ended
		err = w.Barrier()
	}
	var l *Loss
	require.ErrorAs(t, err, &l)
	if l.Tells() {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = w.Close()
	os.Exit(l.Code())
}

// TestAProcessThatDoesNotEndAfterALossIsKilled has rank 1 be busy for ever when rank 2 ends.
func TestAProcessThatDoesNotEndAfterALossIsKilled(t *testing.T) {
	if !isRank {
		for _, gone := range []string{"0", "2"} {
			printed, status := job(t, nil, gone)
			require.Equal(t, 4, status, printed)
		}
		return
	}
	grace = 50 * time.Millisecond
	w, err := Connect(3)
	require.NoError(t, err)
	_ = w.Barrier() // one may have left it, and ended
	switch {
	case strconv.Itoa(w.Rank()) == os.Args[len(os.Args)-1]:
		os.Exit(4)
	case w.Rank() == 1:
		time.Sleep(time.Hour)
	}
	var l *Loss
	require.ErrorAs(t, w.Barrier(), &l)
	_ = w.Close()
	os.Exit(4)
}

// TestSignalsToAllAreForTheFirst sends SIGINT and SIGTERM to the others, before they ask for signals.
func TestSignalsToAllAreForTheFirst(t *testing.T) {
	if !isRank {
		printed, status := job(t, nil)
		require.Zero(t, status, printed)
		return
	}
	w, err := Connect(2)
	require.NoError(t, err)
	if w.Rank() > 0 {
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	}
	require.NoError(t, w.Barrier())
	require.NoError(t, w.Close())
}

func TestAnEnvironmentThatNobodyHasMadeIsAnError(t *testing.T) {
	if isRank {
		if os.Args[len(os.Args)-1] == "once" { // it has no files 3 and 4
			c := exec.Command(os.Args[0], os.Args[1:len(os.Args)-1]...)
			c.Env = append(os.Environ(), env+"=1/2")
			out, err := c.CombinedOutput()
			fmt.Printf("%s%v\n", out, err)
			return
		}
		_, err := Connect(2)
		require.ErrorContains(t, err, "rank 1 of 2 has not got the memory of the others")
		require.ErrorContains(t, err, "unset ROSS_RANK")
		fmt.Println("it is so")
		return
	}
	printed, status := job(t, nil, "once")
	require.Zero(t, status, printed)
	require.Equal(t, 1, strings.Count(printed, "it is so"), printed)
}

// TestAProgramThatIsGoneFromItsPlaceStartsRanks starts ranks of a file that has been removed.
func TestAProgramThatIsGoneFromItsPlaceStartsRanks(t *testing.T) {
	if isRank {
		if Rank() == 0 {
			path, _ := self()
			require.NotEqual(t, "/proc/self/exe", path)
			require.NoError(t, os.Remove(path))
			path, words := self()
			require.Equal(t, "/proc/self/exe", path)
			require.Equal(t, os.Args, words)
		}
		w, err := Connect(2)
		require.NoError(t, err)
		require.NoError(t, w.Barrier())
		require.NoError(t, w.Close())
		return
	}
	program, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(other, program, 0o755))
	printed, status := jobOf(t, other, nil)
	require.Zero(t, status, printed)
	require.Equal(t, 2, strings.Count(printed, "PASS"), printed)
}
