// This file pins what becomes of blocks that are misused, of Blocks in messages, and of
// bits that do not exist.

package kernel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// shelf is a state with blocks.
type shelf struct {
	A, B  ross.Block[int64]
	Count int64
}

var borrowed ross.Block[int64] // of LP 0

// shelves returns a type whose LP 3 handles events at times 1.5 and 2: that is what do is
// called in, with the number of the event.
func shelves(saving ross.Saving, do func(s *shelf, lp *ross.LP, n int64)) ross.Type[shelf, word] {
	t := ross.Type[shelf, word]{
		Name: "shelf", Saving: saving,
		Init: func(s *shelf, lp *ross.LP) {
			s.A = ross.Alloc[int64](lp, 5)
			if lp.ID() == 0 {
				borrowed = s.A
			}
			if lp.ID() == 3 {
				ross.Send(lp, 3, 1.5, word{N: 1})
				ross.Send(lp, 3, 2, word{N: 2})
			}
		},
		Event: func(s *shelf, lp *ross.LP, _ *ross.Bits, m *word) {
			if saving == ross.SaveByLog {
				ross.Save(lp, s)
			}
			do(s, lp, m.N)
		},
	}
	if saving == ross.SaveByReverse {
		t.Reverse = func(*shelf, *ross.LP, *ross.Bits, *word) {}
	}
	return t
}

var blockModels = map[string]struct {
	do   func(s *shelf, lp *ross.LP, n int64)
	want string // "": nothing is wrong
}{
	"freed twice by an event": {func(s *shelf, lp *ross.LP, n int64) {
		if n == 1 {
			ross.Free(lp, s.A)
			ross.Free(lp, s.A)
		}
	}, "at time 1.5: freed a block of 40 bytes that had already been freed"},
	"freed twice by two": {func(s *shelf, lp *ross.LP, _ int64) { ross.Free(lp, s.A) }, "at time 2: freed a block of 40 bytes that had already been freed"},
	"freed when others have its memory": {func(s *shelf, lp *ross.LP, n int64) {
		ross.Free(lp, s.A)
		if n == 1 {
			s.B = ross.Alloc[int64](lp, 5)
		}
	}, "at time 2: freed a block of 40 bytes that had already been freed"},
	"another LP's": {func(_ *shelf, lp *ross.LP, _ int64) { ross.Free(lp, borrowed) }, "at time 1.5: freed a block of 40 bytes of another LP"},
	"looked at when it is freed": {func(s *shelf, lp *ross.LP, n int64) {
		if n == 1 {
			ross.Free(lp, s.A)
		} else if v := s.A.Of(lp); len(v) != 5 || v[0] != 0 {
			panic("there are no values to work with")
		}
	}, "at time 2: read a block that had been freed"},
	"the zero Block": {func(s *shelf, lp *ross.LP, _ int64) {
		ross.Free(lp, s.B)
		ross.Free(lp, ross.Block[int64]{})
		ross.Free(lp, ross.Alloc[int64](lp, 0))
	}, ""},
	"looked at by the event that frees it": {func(s *shelf, lp *ross.LP, n int64) {
		old := s.A
		v := &old.Of(lp)[1]
		ross.Save(lp, v)
		*v += n
		ross.Free(lp, old)
		s.A = ross.Alloc[int64](lp, 5) // not the same memory yet
		copy(s.A.Of(lp), old.Of(lp))
		if s.Count += n; s.A.Of(lp)[1] != s.Count {
			panic("the contents are gone")
		}
	}, ""},
}

func TestMisuseOfBlocksIsTold(t *testing.T) {
	for name, c := range blockModels {
		for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta, ross.SaveNever} {
			for _, synch := range []int{1, 2, 3, 6} {
				t.Run(fmt.Sprintf("%s/%v/synch=%d", name, saving, synch), func(t *testing.T) {
					cfg := rosstest.Small()
					cfg.Synch, cfg.ConsLookahead = ross.Scheduler(synch), 0.1
					out := rosstest.Try(t, cfg, shelves(saving, c.do))
					if c.want == "" {
						require.NoError(t, out.Err)
						return
					}
					require.ErrorIs(t, out.Err, ross.ErrSave)
					require.ErrorContains(t, out.Err, "ross: LP 3 (shelf) "+c.want)
				})
			}
		}
	}
}

// TestMemoryIsTakenAndGivenBackByEventsOnly has the other handlers try.
func TestMemoryIsTakenAndGivenBackByEventsOnly(t *testing.T) {
	model := shelves(ross.SaveByReverse, func(s *shelf, _ *ross.LP, _ int64) { s.Count++ })
	for name, use := range map[string]func(s *shelf, lp *ross.LP){
		"Alloc": func(s *shelf, lp *ross.LP) { s.B = ross.Alloc[int64](lp, 1) },
		"Free":  func(s *shelf, lp *ross.LP) { ross.Free(lp, s.A) },
	} {
		for _, synch := range []int{1, 3, 6} {
			m := model
			m.Reverse = func(s *shelf, _ *ross.LP, _ *ross.Bits, _ *word) { s.Count-- }
			m.Commit = func(s *shelf, lp *ross.LP, _ *ross.Bits, _ *word) { use(s, lp) }
			cfg := rosstest.Small()
			cfg.Synch = ross.Scheduler(synch)
			out := rosstest.Try(t, cfg, m)
			require.ErrorIs(t, out.Err, ross.ErrSave, "%s in Commit, synch %d", name, synch)
			require.ErrorContains(t, out.Err, "call Alloc and Free in Init, PreRun and Event")
		}
		m := model
		m.Reverse = func(s *shelf, lp *ross.LP, _ *ross.Bits, _ *word) { s.Count--; use(s, lp) }
		cfg := rosstest.Small()
		cfg.Synch = 6
		require.ErrorContains(t, rosstest.Try(t, cfg, m).Err, "call Alloc and Free in Init, PreRun and Event", name)
	}
}

func TestMessagesWithBlocksAreRefused(t *testing.T) {
	type inner struct{ List [2]ross.Block[int64] }
	type outer struct {
		N  int
		In inner
	}
	refused := func(typ ross.LPType, where string) {
		sim, err := ross.New(rosstest.Small())
		require.NoError(t, err)
		defer sim.Close()
		err = sim.Define(typ)
		require.ErrorIs(t, err, ross.ErrModel)
		require.ErrorContains(t, err, `LP type "post": message: `+where+" is a ross.Block: unusable model: its memory belongs to the LP that allocated it, so send its contents")
	}
	refused(ross.Type[none, outer]{Name: "post", Event: func(*none, *ross.LP, *ross.Bits, *outer) {}}, "kernel_test.outer.In.List[0]")
	refused(ross.Type[none, ross.Block[byte]]{Name: "post", Event: func(*none, *ross.LP, *ross.Bits, *ross.Block[byte]) {}}, "ross.Block[uint8]")
}

func TestBitsThatDoNotExistEndTheRun(t *testing.T) {
	for name, use := range map[string]func(b *ross.Bits, i uint){
		"Set": (*ross.Bits).Set, "Clear": (*ross.Bits).Clear, "Get": func(b *ross.Bits, i uint) { b.Get(i) },
	} {
		for _, synch := range []int{1, 2, 3, 6} {
			model := rosstest.Once(nil)
			i := uint(31)
			model.Event = func(_ *none, _ *ross.LP, bits *ross.Bits, _ *word) { use(bits, i) }
			cfg := rosstest.Small()
			cfg.Synch, cfg.ConsLookahead = ross.Scheduler(synch), 0.1
			rosstest.Run(t, cfg, model)
			i = 40
			out := rosstest.Try(t, cfg, model)
			require.ErrorIs(t, out.Err, ross.ErrBits)
			require.ErrorContains(t, out.Err, "ross: LP 3 (once) at time 1.5: Bits."+name+"(40): no such bit: bits go from 0 to 31")
		}
	}
}
