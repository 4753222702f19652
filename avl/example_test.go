package avl_test

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/buddy"
)

// slot is an event's slot; its node is in the part that is seldom used.
type slot struct {
	time float64
	node avl.Node
}

// Events 41 and 42 arrive from process 3; then an anti-message cancels 42.
func ExampleTree() {
	pool, err := buddy.New("", 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	slots, err := pool.Alloc(100 * unsafe.Sizeof(slot{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	events := unsafe.Slice((*slot)(slots), 100)

	tree, err := avl.New(unsafe.Pointer(&events[0].node), unsafe.Sizeof(slot{}), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tree.Close()

	events[17] = slot{time: 1.5, node: avl.Node{Source: 3, ID: 41}}
	events[5] = slot{time: 2.5, node: avl.Node{Source: 3, ID: 42}}
	if err := tree.Insert([]uint32{17, 5}); err != nil {
		fmt.Println(err)
	}

	if i, ok := tree.Find(3, 42); ok {
		fmt.Println("cancelled: the event at", events[i].time)
		if err := tree.Remove([]uint32{i}); err != nil {
			fmt.Println(err)
		}
	}
	_, ok := tree.Find(3, 42)
	fmt.Println("found again:", ok)

	err = tree.Remove([]uint32{17, 5})
	fmt.Println("removed twice:", errors.Is(err, avl.ErrNode), tree.Len())
	// Output:
	// cancelled: the event at 2.5
	// found again: false
	// removed twice: true 0
}

// Events arrive from processes 0 and 1; an anti-message cancels one; then GVT passes what sent the first.
func Example() {
	arrivals, err := avl.NewLog(1024, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arrivals.Close()

	arrivals.Add(0, 1, 17, 0.5) // event 1 of process 0, sent at 0.5, is in slot 17
	arrivals.Add(1, 1, 18, 0.8)
	arrivals.Add(0, 2, 19, 0.9)

	slot, sent, _ := arrivals.Find(0, 2)
	fmt.Println("cancelled: slot", slot, "sent at", sent)

	arrivals.Sweep(0.8)
	_, _, ok := arrivals.Find(0, 1)
	fmt.Println("event 1 of process 0:", ok)
	fmt.Println("in the log:", arrivals.Len())
	// Output:
	// cancelled: slot 19 sent at 0.9
	// event 1 of process 0: false
	// in the log: 2
}
