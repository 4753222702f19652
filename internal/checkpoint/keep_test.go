// Damaged checkpoints are named, and stay; whole ones take their places.

package checkpoint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/cmdline"
	"github.com/ross-go/ross/internal/checkpoint"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rio"
)

// damages are ways to spoil a checkpoint, each with what is told of it.
var damages = map[string]struct {
	do   func(t *testing.T, name string)
	want string
}{
	"no manifest":  {func(t *testing.T, name string) { require.NoError(t, os.Remove(name+".rio-md")) }, ".rio-md: the file is missing"},
	"no index":     {func(t *testing.T, name string) { require.NoError(t, os.Remove(name+".rio-lp")) }, ".rio-lp: no such file"},
	"no data":      {func(t *testing.T, name string) { require.NoError(t, os.Remove(name+".rio-data-0")) }, ".rio-data-0: no such file"},
	"cut":          {func(t *testing.T, name string) { require.NoError(t, os.Truncate(name+".rio-data-0", 50)) }, ".rio-data-0: offset 50: expected"},
	"flipped byte": {func(t *testing.T, name string) { patch(t, name+".rio-data-0", -2, 0) }, ".rio-data-0: offset 736: partition 3: CRC-32C is "},
	"foreign":      {func(t *testing.T, name string) { patch(t, name+".rio-md", 0, []byte("some text")...) }, ".rio-md: "},
	"newer format": {func(t *testing.T, name string) { patch(t, name+".rio-lp", 12, 99) }, "unknown version of the format"},
}

// patch changes bytes of a file, from its end if at is negative.
func patch(t *testing.T, path string, at int, to ...byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	at = (at + len(b)) % len(b)
	for i, c := range to {
		if b[at+i] == c {
			c++
		}
		b[at+i] = c
	}
	require.NoError(t, os.WriteFile(path, b, 0o644))
}

// walkOn runs walkers and returns the report, what was logged, and the error of Run.
func walkOn(t *testing.T, configure func(*ross.Config)) (report, logged string, err error) {
	t.Helper()
	var out, errs strings.Builder
	cfg := ross.DefaultConfig()
	rosstest.Walk(4, 20)(&cfg)
	cfg.Output, cfg.Log = &out, cmdline.Warnings("walk", &errs)
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(rosstest.Walkers()))
	err = sim.Run(context.Background())
	return out.String(), errs.String(), err
}

// nothing prepares nothing, see keepOf.
func nothing(*ross.Simulation) {}

func TestDamagedCheckpointIsNamedAndStays(t *testing.T) {
	for kind, damage := range damages {
		t.Run(kind, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			for n := range uint64(3) {
				keepOf(t, rio.Numbered(prefix, n), rosstest.Walk(4, 3+float64(n)), nothing)
			}
			damage.do(t, prefix+"-000002")
			damage.do(t, prefix+"-000001")
			report, logged, err := walkOn(t, func(c *ross.Config) {
				c.IOName, c.IORestart, c.IOVirtualInterval, c.IOKeep = prefix, "latest", 15, 1
			})
			require.NoError(t, err)
			require.Contains(t, report, "Restart at time 3 from checkpoint "+prefix+"-000000")
			for _, n := range []string{"-000002", "-000001"} {
				for _, text := range []string{report, logged} {
					require.Contains(t, text, fmt.Sprintf("checkpoint %s%s is not used, %s-000000 is used instead: ", prefix, n, prefix))
					require.Contains(t, text, damage.want)
				}
			}
			require.Equal(t, 2, strings.Count(logged, "\n"), "each is told once: %s", logged)

			// A new one has taken the place of the whole one, and its number comes after all others.
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.Equal(t, []uint64{1, 2, 3}, numbers)
			require.NoError(t, rio.Verify(prefix+"-000003"))
			require.Error(t, rio.Verify(prefix+"-000002"))
		})
	}
}

func TestRotationFindsDamageItself(t *testing.T) {
	for kind, damage := range damages {
		t.Run(kind, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			for n := range uint64(3) {
				keepOf(t, rio.Numbered(prefix, n), rosstest.Walk(4, 3), nothing)
			}
			damage.do(t, prefix+"-000001")
			report, logged, err := walkOn(t, func(c *ross.Config) { c.IOName, c.IOVirtualInterval, c.IOKeep = prefix, 15, 2 })
			require.NoError(t, err)
			for _, text := range []string{report, logged} {
				require.Contains(t, text, "checkpoint "+prefix+"-000001 does not count for --io-keep=2 and is not removed: ")
				require.Contains(t, text, damage.want)
			}
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.Equal(t, []uint64{1, 2, 3}, numbers)
		})
	}
}

func TestNoWholeCheckpointIsAnErrorAndNoneIsNot(t *testing.T) {
	for kind, damage := range damages {
		prefix := filepath.Join(t.TempDir(), "run")
		keepOf(t, prefix+"-000004", rosstest.Walk(4, 3), nothing)
		damage.do(t, prefix+"-000004")
		_, logged, err := walkOn(t, func(c *ross.Config) { c.IOName, c.IORestart, c.IOVirtualInterval = prefix, "latest", 5 })
		require.ErrorContains(t, err, prefix+"-000004", kind)
		require.ErrorContains(t, err, damage.want, kind)
		require.Empty(t, logged, "the error says it: %s", kind)
		numbers, err := rio.Numbers(prefix)
		require.NoError(t, err)
		require.Equal(t, []uint64{4}, numbers)
	}
	prefix := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.WriteFile(prefix+"-000004.rio-data-0.new", nil, 0o644)) // of a run that was killed
	report, logged, err := walkOn(t, func(c *ross.Config) { c.IOName, c.IORestart = prefix, "latest" })
	require.NoError(t, err)
	require.Contains(t, report, "There is no checkpoint "+prefix+"-*")
	require.Empty(t, logged)
}

func TestCheckpointWithTheHighestNumberIsNotReplaced(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	for _, n := range []uint64{1<<64 - 1, 1<<63 - 1} {
		name := rio.Numbered(prefix, n)
		keepOf(t, name, rosstest.Walk(4, 3), nothing)
		_, _, err := walkOn(t, func(c *ross.Config) { c.IOName, c.IOVirtualInterval = prefix, 5 })
		require.ErrorIs(t, err, ross.ErrUsage)
		require.ErrorContains(t, err, "no higher number is available")
		require.NoError(t, rio.Remove(name))
	}
}

func TestFailuresToStoreAndToRemoveAreToldOnce(t *testing.T) {
	r, out := storingOf(t, func(c *settings.Settings) { c.IOVirtualInterval, c.IOKeep = 5, 1 })
	prefix := r.Checkpoints.Run.Set.IOName
	keepOf(t, prefix+"-000000", rosstest.Walk(4, 3), nothing)
	keepOf(t, prefix+"-000001", rosstest.Walk(4, 3), nothing)
	require.NoError(t, os.MkdirAll(prefix+"-000000.rio-md.tmp/full", 0o755)) // nothing can be renamed to it
	for range 2 {
		r.Done(&checkpoint.Copied{Checkpoints: r.Checkpoints})
	}
	require.Equal(t, 1, strings.Count(out.String(), "an old one cannot be removed: "))
	require.NoError(t, r.LastError(), "it was stored")
	for range 3 {
		r.Done(&checkpoint.Copied{Checkpoints: r.Checkpoints, Err: os.ErrPermission})
	}
	require.Equal(t, 1, strings.Count(out.String(), "the simulation goes on without this checkpoint"))
	require.EqualValues(t, 3, r.Unstored)
	require.ErrorIs(t, r.LastError(), os.ErrPermission)
}
