// Worlds: random models run in random configurations, in an order of turns that a seed decides, while
// things go wrong. Each run must leave what a sequential run leaves.
//
//	ROSS_WORLDS=1000 go test -run Worlds .            more seeds
//	ROSS_WORLDS=7-7 go test -v -run Worlds .          one seed
//	ROSS_WORLD='{...}' go test -v -run Worlds .       a case that a failure has printed
//
// testdata/worlds has cases that once failed, as they were printed.

package ross_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/internal/meter"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/ticks"
	"github.com/ross-go/ross/pq"
)

// worldCase is all that a seed stands for.
type worldCase struct {
	Model worldModel
	Run   worldRun
}

func randomCase(seed uint64) worldCase {
	c := worldCase{Model: randomModel(seed)}
	c.Run = randomRun(seed, &c.Model)
	return c
}

// check runs a case, and says what is wrong, or "".
func (c worldCase) check(t *testing.T) (wrong string, o *outcome) {
	want := c.Model.sequential(c.Run.strict())
	if want.Err != nil && modelMistake(want.Err) == want.Err.Error() {
		return fmt.Sprintf("the sequential run fails: %v", want.Err), want
	}
	folder := filepath.Join(t.TempDir(), "checkpoints")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err.Error(), want
	}
	o = c.Run.play(t, &c.Model, folder, false)
	if o.Err != nil && c.Run.expects(o.Err) {
		if c.Run.Again == nil {
			return "", o
		}
		again := *c.Run.Again
		next := again.play(t, &c.Model, folder, true)
		if next.Err != nil && again.expects(next.Err) {
			return "", o
		}
		if again.strict() != c.Run.strict() {
			want = c.Model.sequential(again.strict())
		}
		if wrong = next.differs(want); wrong != "" {
			wrong = "after a restart: " + wrong
		}
		return wrong, o
	}
	if c.Run.Synch == ross.OptimisticDebug { // which commits nothing
		return o.undone(want), o
	}
	return o.differs(want), o
}

// expects reports whether the fault of the run may end it with an error.
func (w *worldRun) expects(err error) bool {
	if (w.Refuses > 0 || w.Memory < plentyOfMemory) && strings.Contains(err.Error(), ross.ErrMemory.Error()) { // another rank's is a text
		return true
	}
	switch w.Fault {
	case cancels:
		return errors.Is(err, errCancelled)
	case rankDies:
		return w.Ranks > 1
	}
	return false
}

func moveAway(folder string) {
	_ = os.Rename(folder, folder+".gone")
}

// seeds returns the first and the last seed to try.
func seeds(t *testing.T) (first, last uint64) {
	first, last = 1, uint64(testlevel.Times(200, 24))
	text := os.Getenv("ROSS_WORLDS")
	if text == "" {
		return first, last
	}
	a, b, isRange := strings.Cut(text, "-")
	if !isRange {
		a, b = "1", text
	}
	var err, other error
	first, err = strconv.ParseUint(a, 10, 64)
	last, other = strconv.ParseUint(b, 10, 64)
	require.NoError(t, errors.Join(err, other), "ROSS_WORLDS=%s: give a number of seeds, or the first and the last: 7-7", text)
	return first, last
}

// worldsSeeClocks measures clocks before a test enters a world, which has another one.
func worldsSeeClocks() {
	meter.ClockCost()
	ticks.NewClock(time.Now())
}

func TestWorldsLeaveWhatASequentialRunLeaves(t *testing.T) {
	worldsSeeClocks()
	if text := os.Getenv("ROSS_WORLD"); text != "" {
		requireWorld(t, []byte(text))
		return
	}
	first, last := seeds(t)
	for seed := first; seed <= last; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := randomCase(seed)
			wrong, o := c.check(t)
			if wrong != "" {
				t.Logf("it fails, and is made simpler now, which may take minutes: %s", wrong)
				least := c.shrunk(t)
				text, err := json.Marshal(least)
				require.NoError(t, err)
				wrong, o = least.check(t)
				t.Fatalf("%s\nROSS_WORLD='%s'\n%s", wrong, text, o.history)
			}
			t.Logf("%d turns, %d events, fault %q, error: %v", o.turns, o.Net, c.Run.Fault, o.Err)
		})
	}
}

// requireWorld runs a case that has been printed.
func requireWorld(t *testing.T, text []byte) {
	t.Helper()
	var c worldCase
	require.NoError(t, json.Unmarshal(text, &c))
	for w := &c.Run; w != nil; w = w.Again { // a build without C has one queue
		if !slices.Contains(pq.Impls(), w.PQ) {
			w.PQ = pq.Impls()[0]
			w.AVL = avl.Impls()[0]
		}
	}
	wrong, o := c.check(t)
	require.Empty(t, wrong, "%s", o.history)
}

func TestWorldsThatFailedOnce(t *testing.T) {
	worldsSeeClocks()
	names, err := filepath.Glob("testdata/worlds/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			requireWorld(t, text)
		})
	}
}

func TestAWorldIsTheSameAgain(t *testing.T) {
	testlevel.Once(t, "what worlds promise")
	worldsSeeClocks()
	const first, last = 1, 10
	met := map[uint64]bool{}
	for seed := uint64(first); seed <= last; seed++ {
		c := randomCase(seed)
		_, a := c.check(t)
		_, b := c.check(t)
		require.Equal(t, a.hash, b.hash, "seed %d:\n%s\n\nnot\n\n%s", seed, a.history, b.history)
		require.Equal(t, a.turns, b.turns)
		met[a.hash] = true
	}
	require.Greater(t, len(met), last/2, "worlds of different seeds are alike")
}
