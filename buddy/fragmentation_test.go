// Fragmentation: how much memory a pool needs for the blocks it is asked for.
// A pool that may not grow beyond what doc.go promises is never refused.

package buddy_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/buddy/buddytest"
	"github.com/ross-go/ross/internal/mem"
	"github.com/ross-go/ross/internal/testlevel"
)

// start is what a pool has in addition to its blocks: room for their first
// state, and the step by which it grows.
const start = 128 << 10

type held struct {
	p unsafe.Pointer
	n uintptr
}

// wander plays a pool that holds n/2 to n blocks, and returns the most bytes
// that were in use.
func wander(p *buddy.Pool, n int, size func(*rand.Rand) uintptr) (used uint64, err error) {
	r := rand.New(rand.NewPCG(9, 9))
	var live []held
	for range 30 * n {
		if len(live) > n/2 && (len(live) == n || r.IntN(2) == 0) {
			i := r.IntN(len(live))
			p.Free(live[i].p, live[i].n)
			live[i] = live[len(live)-1]
			live = live[:len(live)-1]
			continue
		}
		b := held{n: size(r)}
		if b.p, err = p.Alloc(b.n); err != nil {
			return used, errors.Join(err, p.Check())
		}
		live = append(live, b)
		used = max(used, p.Used())
	}
	return used, p.Check()
}

func TestRandomSizesNeedAFifthMoreThanTheirBlocks(t *testing.T) {
	testlevel.Once(t, "how much memory is lost")
	for _, impl := range buddy.Impls() {
		for name, size := range buddytest.Sizes {
			n := 1000
			if name == "large" {
				n = 100
			}
			p, err := buddy.NewCharged(impl, 0, 1<<30, nil)
			require.NoError(t, err)
			used, err := wander(p, n, size)
			require.NoError(t, err)
			p.Close()

			p, err = buddy.NewCharged(impl, 0, 1<<30, mem.NewBudget(used+used/5+start))
			require.NoError(t, err)
			_, err = wander(p, n, size)
			require.NoError(t, err, name)
			p.Close()
		}
	}
}

// TestTheWorstCaseGrowsWithTheNumberOfOrders plays the adversary: all memory is
// in blocks of one order; every second one is freed, so that nothing merges;
// the next order needs new memory, for half of what is in use. One block for
// each piece of twice the size stays, and so on.
func TestTheWorstCaseGrowsWithTheNumberOfOrders(t *testing.T) {
	const used, last = 1 << 20, 12
	const need = used + (last-5)*used/2
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 0, 1<<30, mem.NewBudget(need+need/32+start))
		require.NoError(t, err)
		base := uintptr(0)
		var live []held
		for order := 5; order <= last; order++ {
			pinned := map[uintptr]bool{}
			kept := live[:0]
			for _, b := range live { // the smallest blocks come first
				if slot := (uintptr(b.p) - base) >> order; !pinned[slot] {
					pinned[slot] = true
					kept = append(kept, b)
				} else {
					p.Free(b.p, b.n)
				}
			}
			live = kept
			p.Drain()
			for p.Used() < used {
				b := held{n: 1 << order}
				b.p, err = p.Alloc(b.n)
				require.NoError(t, err, "%s: order %d", impl, order)
				if base == 0 {
					base = uintptr(b.p)
				}
				live = append(live, b)
			}
		}
		require.NoError(t, p.Check())
		require.Greater(t, p.Bytes(), uint64(need*9/10), "%s: the adversary is too tame", impl)
		p.Close()
	}
}
