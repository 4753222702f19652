// How a pool is used.

package buddy_test

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/mem"
)

// A pool allocates blocks of powers of two from memory that it charges to a
// budget as it grows. If growth is refused, Alloc returns an error, and the pool
// remains usable.
func Example() {
	budget := mem.NewBudget(1 << 20)
	pool, err := buddy.New("", 16, 1<<30, budget)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()

	delta, err := pool.Alloc(100)
	if err != nil {
		fmt.Println(err)
		return
	}
	copy(unsafe.Slice((*byte)(delta), 100), "what has changed")
	fmt.Println(pool.Live(), "block of", pool.Used(), "bytes; charged:", budget.Used() == pool.Bytes())

	_, err = pool.Alloc(1 << 20)
	fmt.Println(errors.Is(err, mem.ErrLimit), pool.Check())

	pool.Free(delta, 100)
	fmt.Println(pool.Live(), pool.Used())
	// Output:
	// 1 block of 128 bytes; charged: true
	// true <nil>
	// 0 0
}
