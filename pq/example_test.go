package pq_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/pq"
)

// A queue of any values: least time first, and values of one time in the order in which they were pushed.
func Example() {
	q, err := pq.New[string]("")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer q.Close()

	for _, call := range []struct {
		minute float64
		name   string
	}{{9, "school"}, {2.5, "plumber"}, {9, "bakery"}, {0, "home"}} {
		if err := q.Push(call.minute, call.name); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(q.Push(-1, "too late"))
	for minute, name, ok := q.Pop(); ok; minute, name, ok = q.Pop() {
		fmt.Println(minute, name)
	}
	// Output:
	// pq: a value at time -1: give a finite time that is at least 0
	// 0 home
	// 2.5 plumber
	// 9 school
	// 9 bakery
}

// The pending-event set of a PE sorts keys of events in an arena. Equal times are ordered by priority,
// equal priorities by tie-breaker. A cancelled event is dropped when it becomes the least.
func ExampleEventSet() {
	arena, err := event.NewArena(8, 1<<10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arena.Release()
	set, err := pq.NewEventSet(arena, "", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer set.Close()

	push := func(time, prio, tie float64) *event.Event {
		e, i, err := arena.Alloc()
		if err != nil {
			panic(err)
		}
		e.Time, e.Prio, e.Tie, e.State = time, prio, tie, event.Pending
		set.Push(event.KeyOf(e, i))
		return e
	}
	push(2, 1, 0.3)
	push(1, 1, 0.7)
	push(1, 1, 0.2)
	push(1, 0.5, 0.9)
	push(1.5, 1, 0.1).State = event.Cancelled

	for k, ok := set.Min(); ok; k, ok = set.Min() {
		set.Pop()
		e := arena.At(k.Index())
		fmt.Println(e.Time, e.Prio, e.Tie)
		arena.Free(e, k.Index())
	}
	// Output:
	// 1 0.5 0.9
	// 1 1 0.2
	// 1 1 0.7
	// 2 1 0.3
}
