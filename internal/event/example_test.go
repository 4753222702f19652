package event_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/event"
)

// A key orders as its event does: time first, then priority, then tie-breaker.
func ExampleKeyOf() {
	early := event.Event{Time: 1, Prio: 1, Tie: 0.9}
	urgent := event.Event{Time: 2, Prio: 0.5, Tie: 0.9}
	late := event.Event{Time: 2, Prio: 1, Tie: 0.1}
	a, b, c := event.KeyOf(&early, 7), event.KeyOf(&urgent, 8), event.KeyOf(&late, 9)
	fmt.Println(a.Less(b), b.Less(c), b.Same(c), c.Time(), c.Index())
	// Output: true true false 2 9
}

// An event without delay has the tie-breakers of its cause and one more: it comes
// after its cause, and siblings are ordered by the last one.
func ExampleLineages_Compare() {
	arena, err := event.NewArena(8, 1<<10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arena.Release()
	cause, _ := arena.Lines.Extend(0, 0.4)
	first, _ := arena.Lines.Extend(cause, 0.2)
	second, _ := arena.Lines.Extend(cause, 0.8)
	fmt.Println(arena.Lines.Compare(cause, first) < 0, arena.Lines.Compare(first, second) < 0)
	fmt.Println(arena.Lines.Append(nil, second))
	// Output:
	// true true
	// [0.4 0.8]
}
