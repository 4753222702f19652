// pholdio against ROSS's: testdata/rio-restart has the event traces of a run to 50
// that stored a checkpoint, of the run that loaded it, and of one straight to 100;
// ckpt is the checkpoint, whose txt file has the command line.

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/tracetest"
	"github.com/ross-go/ross/rio"
)

// model is the command line of the traces but for LPs and PEs.
const model = "--remote=0.5 --lookahead=0.05 --end=50 "

func TestStoreLoadAndStraightRunAreThoseOfROSS(t *testing.T) {
	store, load, straight := modeltest.Reference(t, set, "store-trace.csv"), modeltest.Reference(t, set, "load-trace.csv"), modeltest.Reference(t, set, "straight-trace.csv")
	for _, synch := range []int{1, 6} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			t.Chdir(t.TempDir())
			line := model + fmt.Sprintf("--nlp=8 --nkp=2 --synch=%d ", synch)
			require.NoError(t, tracetest.Compare(traced(t, line+"--io-store=1"), store))
			require.NoError(t, tracetest.Compare(traced(t, line), load))
			require.NoError(t, tracetest.Compare(traced(t, line+"--io-store=2 --end=100"), straight))
		})
	}
}

func TestCheckpointOfROSSIsLoadedAsROSSLoadsIt(t *testing.T) {
	load := modeltest.Reference(t, set, "load-trace.csv")
	require.Len(t, load, 397)
	original(t)
	for _, more := range []string{"--nkp=2", "--nkp=1", "--nkp=16", "--nkp=2 --synch=6", "--nkp=2 --io-as-ross=0"} {
		require.NoError(t, tracetest.Compare(traced(t, model+"--synch=1 --nlp=8 "+more), load), more)
	}
	byDest := tracetest.ByDest(load)
	for _, synch := range []int{2, 3, 5} {
		for _, pes := range []int{1, 2, 4, 8} {
			line := model + fmt.Sprintf("--synch=%d --pes=%d --nlp=%d --nkp=2", synch, pes, 8/pes)
			require.NoError(t, tracetest.Compare(tracetest.ByDest(traced(t, line)), byDest), line)
		}
	}
}

// TestStoredTimesAreThoseOfROSS compares the times of pending events, of which ROSS stores all 64 bits,
// from the end of the run. Each is the sum of some fifty draws.
func TestStoredTimesAreThoseOfROSS(t *testing.T) {
	original(t)
	want := pending(t, "pholdio_checkpoint")
	require.NotEmpty(t, want)
	for _, synch := range []int{1, 2, 3} {
		t.Chdir(t.TempDir())
		play(t, model+fmt.Sprintf("--nlp=8 --nkp=2 --synch=%d --io-store=1", synch))
		got := pending(t, "pholdio_checkpoint")
		for i := range got {
			got[i][2] -= 50
		}
		require.ElementsMatch(t, want, got, "synch=%d", synch)
	}
}

// pending returns receiver, sender and time of the events in a checkpoint.
func pending(t *testing.T, name string) (events [][3]float64) {
	t.Helper()
	cp, err := rio.Open(name)
	require.NoError(t, err)
	defer cp.Close()
	for part := range cp.Entries() {
		c, err := cp.Read(part)
		require.NoError(t, err)
		for more, lp := true, (rio.LP{}); more; {
			more, err = c.NextLP(&lp)
			require.NoError(t, err)
		}
		for more, e := true, (rio.Event{}); more; {
			if more, err = c.NextEvent(&e); more {
				events = append(events, [3]float64{float64(e.Dst), float64(e.Src), e.Recv})
			}
			require.NoError(t, err)
		}
	}
	return events
}

// TestNumbersAreThoseOfTheOriginalsTests has 64 LPs, on one or two PEs.
func TestNumbersAreThoseOfTheOriginalsTests(t *testing.T) {
	const label = "Net Events Processed"
	const one, line = "--synch=1 --nlp=64 --nkp=4 ", "--end=100 --lookahead=.05 "
	for _, synch := range []int{3, 2} {
		t.Run(fmt.Sprintf("synch=%d", synch), func(t *testing.T) {
			t.Chdir(t.TempDir())
			two := fmt.Sprintf("--synch=%d --pes=2 --nlp=32 --nkp=2 ", synch)
			stored := play(t, line+two+"--io-store=1")
			require.Equal(t, "6313", modeltest.Figure(t, stored, label))
			files, err := filepath.Glob("pholdio_checkpoint.*")
			require.NoError(t, err)
			require.Len(t, files, 4)

			for _, on := range []string{two, one} {
				loaded := play(t, line+on)
				require.Equal(t, "6424", modeltest.Figure(t, loaded, label))
				requireDummies(t, stored, loaded)
			}
			for _, on := range []string{two, one} {
				require.Equal(t, "12737", modeltest.Figure(t, play(t, line+on+"--io-store=2 --end=200"), label))
			}
		})
	}
}

// requireDummies requires that each LP printed once what it stored, and found it
// again.
func requireDummies(t *testing.T, stored, loaded string) {
	t.Helper()
	var puts, gets []string
	for lp := range 64 {
		is := fmt.Sprintf("Dummy %d on %d", lp+lp/32*100, lp)
		puts, gets = append(puts, "Storing "+is), append(gets, "Found "+is)
	}
	found := lines(loaded, "Found Dummy")
	slices.Sort(found) // PEs load side by side
	slices.Sort(gets)
	require.Equal(t, gets, found)
	told := lines(stored, "Storing Dummy")
	slices.Sort(told)
	slices.Sort(puts)
	require.Equal(t, puts, told)
	require.Empty(t, lines(loaded, "Storing Dummy"))
}
