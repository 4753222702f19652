package event_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
)

// TestKeptPayloadStaysUntilTheSlotIsFreed writes to payloads, in slots and in blocks,
// that were kept, and uses their slots again.
func TestKeptPayloadStaysUntilTheSlotIsFreed(t *testing.T) {
	for _, size := range []uintptr{0, 1, 8, 12, 24, 25, 256, 300, 5000} {
		s, err := event.NewKeepingSpace(1, min(size, 24), 64, nil)
		require.NoError(t, err)
		a := s.Arena(0)
		bytes := func(p unsafe.Pointer) []byte { return unsafe.Slice((*byte)(p), size) }
		fill := func(p unsafe.Pointer, b byte) {
			for i := range bytes(p) {
				bytes(p)[i] = b
			}
		}
		want := func(b byte) (all []byte) {
			for range size {
				all = append(all, b)
			}
			return all
		}
		var live []*event.Event
		var index []uint32
		for round := range byte(3) {
			for range 5 {
				e, i, err := a.Alloc()
				require.NoError(t, err)
				e.State = event.Pending
				if size > a.Inline() {
					require.NoError(t, a.AllocBlock(e, size))
				}
				live, index = append(live, e), append(index, i)
			}
			for k, e := range live {
				fill(event.Payload(e), round+1)
				require.Equal(t, want(round+1), append([]byte(nil), bytes(a.Sent(e))...))
				require.NoError(t, a.Keep(e, size))
				fill(event.Payload(e), 100+byte(k))
			}
			for k, e := range live {
				require.NoError(t, a.Keep(e, size)) // when it is handled again
				require.Equal(t, want(round+1), append([]byte(nil), bytes(a.Sent(e))...), "%d bytes", size)
				require.Equal(t, want(100+byte(k)), append([]byte(nil), bytes(event.Payload(e))...))
				a.Free(e, index[k])
			}
			live, index = live[:0], index[:0]
		}
		require.Zero(t, a.Live())
		require.NoError(t, s.Check())
		s.Release()
	}
}
