package proc

// This file owns tests that look into processes: their fingerprints, and gaps of frames.

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/plain"
)

// hut is a state with a generated process: what rossproc makes of waits, in short.
type hut struct {
	Processes
	Nights int
}

func (h *hut) waits(p *Self) {
	for {
		p.Sleep(1)
		h.Nights++
	}
}

type frameOfWaits struct{ pc uint32 }

var ofWaits = Generated("proc.hut.waits", 1, (*hut).waits, func(p *Self, f *frameOfWaits) bool {
	if f.pc == 1 {
		StateOf[hut](p).Nights++
	}
	p.BeginSleep(1)
	f.pc = 1
	return false
})

func huts() ross.Type[hut] { return Type(ross.Type[hut]{LPs: 1, Init: Start((*hut).waits)}) }

// remark gives a generated process another fingerprint, as if it had changed.
func remark(c *Code, mark uint32) {
	c.kind = c.kind>>32<<32 | uint64(mark)
	g := registry{}
	for _, c := range codes.all {
		for _, e := range codes.functions {
			if e.code == c {
				g.add(uintptr(e.key), c)
			}
		}
	}
	codes = g
}

func TestAProcessThatHasChangedDoesNotGoOnFromACheckpoint(t *testing.T) {
	defer remark(ofWaits, 1)
	name := filepath.Join(t.TempDir(), "c")
	cfg := ross.Config{End: 10}
	cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval = name, 5
	sim, err := ross.Run(context.Background(), cfg, huts())
	require.NoError(t, err)
	sim.Close()
	found, err := filepath.Glob(name + "*.rio-md")
	require.NoError(t, err)
	require.NotEmpty(t, found)
	again := ross.Config{End: 10}
	again.Checkpoints.Restart = strings.TrimSuffix(found[0], ".rio-md")
	sim, err = ross.Run(context.Background(), again, huts())
	require.NoError(t, err)
	require.Equal(t, 9, ross.StateOf[hut](sim.LP(0)).Nights)
	sim.Close()
	remark(ofWaits, 2)
	_, err = ross.Run(context.Background(), again, huts())
	require.ErrorIs(t, err, ErrGenerated)
	require.ErrorContains(t, err, "process proc.hut.waits #1, which has changed since")
}

func TestFingerprintsAreInTheKind(t *testing.T) {
	require.NotEqual(t, kindOf("a", 1), kindOf("a", 2))
	require.NotEqual(t, kindOf("a", 1), kindOf("b", 1))
	require.Equal(t, uint32(7), uint32(kindOf("a", 7)))
}

func TestGapsOfFramesAreCleared(t *testing.T) {
	type inner struct {
		A int8
		B int32
	}
	type frame struct {
		A int8
		B float64
		C [2]inner
		D int16
	}
	words := []uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	all, _ := gapsOf(reflect.TypeFor[frame]())
	clean(plain.WordsAt(words), all)
	require.Equal(t, []uint64{0xff, math.MaxUint64, 0xffffffff_000000ff, 0xffffffff_000000ff, 0xffff}, words)
}
