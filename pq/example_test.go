package pq_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/pq"
)

// A queue sorts keys of events in an arena. Equal times are ordered by priority,
// equal priorities by tie-breaker. A cancelled event is dropped when it becomes
// the least.
func Example() {
	arena, err := event.NewArena(8, 1<<10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arena.Release()
	q, err := pq.New(arena, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer q.Close()

	push := func(time, prio, tie float64) *event.Event {
		e, i, err := arena.Alloc()
		if err != nil {
			panic(err)
		}
		e.Time, e.Prio, e.Tie, e.State = time, prio, tie, event.Pending
		q.Push(event.KeyOf(e, i))
		return e
	}
	push(2, 1, 0.3)
	push(1, 1, 0.7)
	push(1, 1, 0.2)
	push(1, 0.5, 0.9)
	push(1.5, 1, 0.1).State = event.Cancelled

	for k, ok := q.Min(); ok; k, ok = q.Min() {
		q.Pop()
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
