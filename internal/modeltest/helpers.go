// This file owns what tests of all packages share: reading files, random numbers, and
// an end for what hangs.

package modeltest

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
)

// Watch ends the program of a test that hangs. A test may stop it before its end.
func Watch(t testing.TB) (stop func()) {
	timer := time.AfterFunc(2*time.Minute, func() { panic("the run hangs: " + t.Name()) })
	stop = func() { timer.Stop() }
	t.Cleanup(stop)
	return stop
}

// Content returns what is in a file.
func Content(t testing.TB, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// Records returns all records of a file of the instrumentation, by the folder and the suffix.
func Records(t *testing.T, dir, suffix string) (all []instr.Record) {
	t.Helper()
	r, err := instr.Open(instr.FileName(dir, "", suffix))
	require.NoError(t, err)
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		c := *rec
		c.Model.Payload = append([]byte(nil), c.Model.Payload...)
		c.VTModel.Payload = append([]byte(nil), c.VTModel.Payload...)
		c.Event.Payload = append([]byte(nil), c.Event.Payload...)
		all = append(all, c)
	}
}

// Figure returns a figure of a report, which has one word.
func Figure(t testing.TB, report, label string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(label) + ` +(\S+)$`).FindStringSubmatch(report)
	require.NotNil(t, found, "the report has no %q", label)
	return found[1]
}

// SeedVariable is the name of the environment variable that gives all random tests their seed.
const SeedVariable = "ROSS_SEED"

// Seed returns the seed of a random test, of which the log tells: a new one each time, or that of the
// environment variable ROSS_SEED, with which a failure may be repeated. What threads and the network
// do at random is not the same again.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if value, is := os.LookupEnv(SeedVariable); is {
		var err error
		seed, err = strconv.ParseUint(value, 0, 64)
		require.NoError(t, err, "%s must be a whole number", SeedVariable)
	}
	t.Logf("seed %d (%s=%d repeats it)", seed, SeedVariable, seed)
	return seed
}

// Rand returns random numbers from a seed of which the log tells.
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), 0))
}

// Dice returns n sources of random numbers from one seed, for as many goroutines.
func Dice(seed uint64, n int) []*rand.Rand {
	dice := make([]*rand.Rand, n)
	for i := range dice {
		dice[i] = rand.New(rand.NewPCG(seed, uint64(i)))
	}
	return dice
}
