// How a pool is used.

package buddy_test

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/buddy"
	"github.com/ross-go/ross/internal/mem"
)

// A pool gives values of any type without pointers, and bytes, from memory that no garbage collector scans. If it may not grow
// any more, the error says so, and the pool remains usable.
func Example() {
	pool, err := buddy.New("", 2<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()

	type packet struct {
		From, To uint32
		Sent     float64
	}
	packets, err := buddy.NewObjects[packet](pool)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := packets.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	p.From, p.To, p.Sent = 3, 7, 0.25
	fmt.Println(*p, "in a block of", pool.Used(), "bytes")
	packets.Free(p)

	frame, err := pool.AllocBytes(1500)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(frame), "in a block of", pool.Used(), "bytes")
	pool.FreeBytes(frame)

	_, err = pool.AllocBytes(1 << 30)
	fmt.Println(errors.Is(err, buddy.ErrLimit), pool.Live())
	// Output:
	// {3 7 0.25} in a block of 32 bytes
	// 1500 in a block of 2048 bytes
	// true 0
}

// The engine charges the memory of its pools to a budget as they grow.
func ExampleNewCharged() {
	budget := mem.NewBudget(1 << 20)
	pool, err := buddy.NewCharged("", 16, 1<<30, budget)
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
