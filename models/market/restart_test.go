// A run that was stopped and went on leaves what the run leaves that was not, wherever
// either part of it ran.

package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRunsThatGoOnElsewhereLeaveTheSame stores at a time at which books are emptied
// and requests arrive: the checkpoint has events of all priorities at that time.
func TestRunsThatGoOnElsewhereLeaveTheSame(t *testing.T) {
	for _, lookahead := range []string{"0.1", "0"} {
		line := "--credit=8000 --lookahead=" + lookahead
		t.Chdir(t.TempDir())
		want := play(t, alone.String()+line+" --end=24")
		for i, c := range []struct{ store, load on }{
			{on{1, 1, 1, ""}, on{1, 1, 16, ""}},
			{on{1, 1, 4, ""}, on{3, 4, 2, ""}},
			{on{1, 1, 4, "--io-compress"}, on{6, 1, 2, ""}},
			{on{2, 2, 2, "--io-files=2"}, on{3, 2, 1, ""}},
			{on{2, 3, 4, ""}, on{2, 4, 1, ""}},
			{on{2, 4, 1, "--io-files=3"}, on{1, 1, 4, ""}},
			{on{3, 1, 2, ""}, on{2, 3, 2, ""}},
			{on{3, 2, 1, "--io-files=2 --io-compress"}, on{3, 3, 4, ""}},
			{on{3, 2, 12, ""}, on{1, 1, 1, ""}},
			{on{3, 3, 2, "--io-files=3"}, on{3, 2, 2, "--batch=1 --gvt-interval=1"}},
			{on{3, 4, 4, "--io-files=4"}, on{3, 1, 4, ""}},
			{on{3, 4, 1, "--io-files=4 --io-compress"}, on{5, 2, 1, ""}},
			{on{5, 3, 1, "--io-files=2"}, on{2, 2, 6, ""}},
			{on{6, 1, 4, ""}, on{3, 2, 4, ""}},
		} {
			if i%sparse != 0 {
				continue
			}
			stored := play(t, c.store.String()+line+" --end=16 --store=half")
			require.NotEqual(t, want.digest, stored.digest)
			loaded := play(t, c.load.String()+line+" --end=24 --load=half")
			require.Equal(t, want, loaded, "stored with %sloaded with %s%s", c.store, c.load, line)
		}
	}
}

// TestCheckpointsOfARunningMarketLeaveTheSame has GVT fall between matches of one time.
func TestCheckpointsOfARunningMarketLeaveTheSame(t *testing.T) {
	for _, lookahead := range []string{"0.1", "0"} {
		line := "--end=18 --credit=8000 --lookahead=" + lookahead
		t.Chdir(t.TempDir())
		want := play(t, alone.String()+line)
		for i, o := range []on{{1, 1, 2, ""}, {2, 2, 1, ""}, {3, 1, 2, ""}, {3, 2, 4, ""}, {3, 4, 1, ""}} {
			if i%sparse != 0 {
				continue
			}
			name := fmt.Sprintf("running-%d", i)
			running := o.String() + line + " --batch=1 --gvt-interval=1 --io-virtual-interval=0.25 --io-keep=6 --io-name=" + name
			require.Equal(t, want, play(t, running), "%s", o)
			for _, to := range []on{{1, 1, 4, ""}, {3, 3, 2, ""}} {
				require.Equal(t, want, play(t, to.String()+line+" --io-restart=latest --io-name="+name), "%s to %s", o, to)
			}
		}
	}
}
