// This file owns Finds and Meeting. They need a build with -race.

//go:build race

package racetest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// child is the environment variable with the name of the test that started the process.
const child = "ROSS_RACETEST"

// exitCode is the exit status of a process after its first reported race.
const exitCode = 66

// tries is how often the process is started in which the detector must find a race: it may
// miss accesses at the very same moment, and accesses whose stack it has discarded.
const tries = 5

// Finds requires that the race detector reports a race of racy, in a separate process that
// runs only this test. The report must contain in, a part of the name of a function, in the
// stack of one of the accesses.
func Finds(t *testing.T, in string, racy func()) {
	t.Helper()
	if os.Getenv(child) == t.Name() {
		racy()
		return
	}
	words := strings.Split(t.Name(), "/")
	for i, word := range words {
		words[i] = "^" + regexp.QuoteMeta(word) + "$"
	}
	var out []byte
	var err error
	found := false
	for try := 0; try < tries && !found; try++ {
		cmd := exec.Command(os.Args[0], "-test.run="+strings.Join(words, "/"), "-test.timeout="+
			flag.Lookup("test.timeout").Value.String())
		cmd.Env = append(os.Environ(), child+"="+t.Name(), "GORACE=halt_on_error=1 exitcode=66 history_size=7")
		out, err = cmd.CombinedOutput()
		var exit *exec.ExitError
		found = errors.As(err, &exit) && exit.ExitCode() == exitCode
	}
	require.True(t, found, "no race was reported: %v\n%s", err, out)
	report, _, _ := strings.Cut(string(out), "Goroutine ")
	require.Contains(t, report, "DATA RACE", "%s", out)
	require.Contains(t, report, in, "it is another race:\n%s", out)
}

// Together runs both functions at the same time, for the race detector: in
// goroutines that nothing orders.
func Together(one, other func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		one()
	}()
	other()
	<-done
}

// Meeting lets two goroutines wait for each other, and exchange an address, without the race
// detector's knowledge: to the detector, what they do afterwards is unordered. The zero
// Meeting is ready for use.
type Meeting[T any] struct {
	at    atomic.Pointer[T]
	taken atomic.Bool
}

// Show gives the other goroutine an address, and returns when it has it.
func (m *Meeting[T]) Show(p *T) {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	for m.at.Store(p); !m.taken.Load(); {
		runtime.Gosched()
	}
}

// See waits for the address.
func (m *Meeting[T]) See() *T {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	for m.at.Load() == nil {
		runtime.Gosched()
	}
	m.taken.Store(true)
	return m.at.Load()
}
