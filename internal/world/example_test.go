// The package in one page, with ranks that are goroutines.

package world_test

import (
	"fmt"
	"log"
	"sync"

	"github.com/ross-go/ross/internal/world"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// Rank 0 sends three messages to rank 1, through a ring of 16 words, which the second does
// not fit. They come in order all the same.
func Example() {
	cluster := worldtest.New(2, 1, 0).WithRings(16, 1)
	rank := func(w world.World) {
		boxes, err := w.Mailboxes(1)
		if err != nil {
			log.Fatal(err)
		}
		m := boxes[0]
		if w.Rank() == 0 {
			for _, n := range []int{1, 100, 3} {
				for !m.Room(1, 0) || !m.Post(1, 0, make([]uint64, n)) {
					if _, err := m.Poll(func(int, []uint64) {}); err != nil { // an engine does other work
						log.Fatal(err)
					}
				}
			}
			return
		}
		for came := 0; came < 3; {
			if _, err := m.Poll(func(from int, words []uint64) {
				fmt.Println(len(words), "words from rank", from)
				came++
			}); err != nil {
				log.Fatal(err)
			}
		}
	}
	var ranks sync.WaitGroup
	for i := range 2 {
		ranks.Go(func() { rank(cluster.Rank(i)) })
	}
	ranks.Wait()
	// Output:
	// 1 words from rank 0
	// 100 words from rank 0
	// 3 words from rank 0
}
