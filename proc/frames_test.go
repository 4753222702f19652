package proc

// This file owns tests of long frames, which have a block: the next process with the record of one that has ended has
// it.

import (
	"context"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
)

// lodge has guests whose frames differ in length.
type lodge struct {
	Processes
	Left  uint64 // guests who have left
	Wrong uint64 // words that were not as they should be
}

func (l *lodge) comes(*Self)     {}
func (l *lodge) brief(*Self)     {}
func (l *lodge) long(*Self)      {}
func (l *lodge) lengthier(*Self) {}

type frameOfGuest[A any] struct {
	words A
	pc    uint64
}

// guest enters a process whose frame has n words and the place. The words are zero when it begins, and 1 to n
// afterwards.
func guest[A any](name string, n uint64, source any) {
	Generated("proc.lodge."+name, 1, source, func(p *Self, f *frameOfGuest[A]) bool {
		words, s := unsafe.Slice((*uint64)(unsafe.Pointer(f)), n), StateOf[lodge](p)
		for i := range words {
			if words[i] != f.pc*uint64(i+1) {
				s.Wrong++
			}
			words[i] = uint64(i + 1)
		}
		if f.pc == 1 {
			s.Left++
			return true
		}
		p.BeginSleep(p.RNG().Exponential(1))
		f.pc = 1
		return false
	})
}

func init() {
	guest[[3]uint64]("brief", 3, (*lodge).brief)
	guest[[inFrame + 2]uint64]("long", inFrame+2, (*lodge).long)
	guest[[inFrame + 20]uint64]("lengthier", inFrame+20, (*lodge).lengthier)
	Generated("proc.lodge.comes", 1, (*lodge).comes, func(p *Self, f *frameOfWaits) bool {
		switch r := p.RNG(); {
		case f.pc == 0:
		case r.Unif() < 0.5:
			Go(p, (*lodge).brief)
		case r.Unif() < 0.5:
			Go(p, (*lodge).long)
		default:
			Go(p, (*lodge).lengthier)
		}
		p.BeginSleep(p.RNG().Exponential(0.5))
		f.pc = 1
		return false
	})
}

func TestRecordsKeepTheBlocksOfLongFrames(t *testing.T) {
	var sequential lodge
	for _, synch := range []ross.Scheduler{ross.Sequential, ross.OptimisticDebug, ross.RollbackCheck} {
		sim, err := ross.Run(context.Background(), ross.Config{End: 100, Synch: synch},
			Type(ross.Type[lodge]{LPs: 1, Init: Start((*lodge).comes)}))
		require.NoError(t, err, synch)
		s := ross.StateOf[lodge](sim.LP(0))
		require.Zero(t, s.Wrong, synch)
		if synch == ross.OptimisticDebug {
			require.Zero(t, s.Left, synch) // all was undone
			sim.Close()
			continue
		}
		kept := 0
		for h := range s.table.Len() {
			if pr := s.record(container.Handle(h + 1)); pr.serial == 0 && pr.more.Len() > 0 {
				kept++
				for _, w := range unsafe.Slice((*uint64)(memoryOf(&pr.more)), pr.more.Len()) {
					require.Zero(t, w, synch)
				}
			}
		}
		require.NotZero(t, kept, synch)
		if synch == ross.Sequential {
			sequential = *s
		}
		require.NotZero(t, s.Left, synch)
		require.Equal(t, sequential.Left, s.Left, synch)
		sim.Close()
	}
}
