// This file pins that a seed decides the order, and that faults are reported.

package turns_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/turns"
)

// race has goroutines add to a list, with what others may do in between.
func race(t *testing.T, seed uint64) (list []int, w *turns.World) {
	w = turns.Play(t, seed, func(w *turns.World) {
		for g := range 4 {
			w.Go(g, func() {
				for range 5 {
					seen := len(list)
					w.Turn(g, "between")
					list = append(list[:min(seen, len(list))], g) // what came in between is lost
				}
			})
		}
	})
	require.Empty(t, w.Fault)
	return list, w
}

func TestEqualSeedsHaveEqualHistories(t *testing.T) {
	lengths := map[int]bool{}
	for seed := range uint64(50) {
		a, first := race(t, seed)
		b, second := race(t, seed)
		require.Equal(t, a, b)
		require.Equal(t, first.Hash(), second.Hash())
		require.Equal(t, first.History(), second.History())
		require.Equal(t, uint64(4*(5+1)), first.Turns())
		lengths[len(a)] = true
	}
	require.Greater(t, len(lengths), 10, "orders hardly differ")
}

func TestOneGoroutineRunsAtATime(t *testing.T) {
	for seed := range uint64(20) {
		busy := 0
		w := turns.Play(t, seed, func(w *turns.World) {
			var met sync.WaitGroup
			met.Add(3)
			for g := range 3 {
				w.Go(g, func() {
					met.Done()
					met.Wait()
					w.Turn(g, "met")
					for range 10 {
						busy++
						require.Equal(t, 1, busy)
						require.Equal(t, g, w.Current())
						busy--
						w.Turn(g, "again")
						time.Sleep(time.Millisecond) // the clock is that of the bubble
						w.Turn(g, "slept")
					}
				})
			}
		})
		require.Empty(t, w.Fault)
	}
}

func TestGoroutinesThatWaitForEverAreTold(t *testing.T) {
	w := turns.Play(t, 1, func(w *turns.World) {
		never := make(chan int)
		w.Go(0, func() { <-never })
		w.Go(-1, func() { w.Turn(-1, "there") })
	})
	require.Equal(t, "all goroutines wait for one another", w.Fault)
	require.Contains(t, w.History(), ": main of rank 0, there\n")
}

func TestGoroutinesThatGoOnForEverAreTold(t *testing.T) {
	w := turns.Play(t, 1, func(w *turns.World) {
		w.Most = 1000
		w.Go(3, func() {
			for {
				w.Turn(3, "on and on")
			}
		})
	})
	require.Equal(t, "the run does not come to an end", w.Fault)
	require.Contains(t, w.History(), "PE 3 stands: on and on\n")
}

func TestEventsHappenBeforeTheirTurns(t *testing.T) {
	var at []uint64
	w := turns.Play(t, 1, func(w *turns.World) {
		w.At(1<<40, func() { t.Error("after the end") })
		w.At(7, func() { at = append(at, w.Turns()) })
		w.At(3, func() { at = append(at, w.Turns()) })
		w.Go(-2, func() {
			for range 10 {
				w.Turn(-2, "writing")
			}
		})
	})
	require.Equal(t, []uint64{3, 7}, at)
	require.Equal(t, 11, strings.Count(w.History(), "writer of rank 0"))
}

// TestEveryOrderIsPossible has two goroutines with three turns each: there are 20 orders.
func TestEveryOrderIsPossible(t *testing.T) {
	seen := map[string]bool{}
	for seed := uint64(0); seed < 2000 && len(seen) < 20; seed++ {
		order := ""
		turns.Play(t, seed, func(w *turns.World) {
			for g, name := range []string{"a", "b"} {
				w.Go(g, func() {
					order += name
					w.Turn(g, "")
					order += name
					w.Turn(g, "")
					order += name
				})
			}
		})
		seen[order] = true
	}
	require.Len(t, seen, 20)
}

// A fault that some order of turns reveals.

// Two goroutines draw money from the same account, and do not see to it that nobody comes between the look at
// the account and the withdrawal. Some order of turns shows what comes of it, and its seed shows it again.
func ExamplePlay() {
	account := func(t *testing.T, seed uint64) (left int) {
		left = 100
		turns.Play(t, seed, func(w *turns.World) {
			for g := range 2 {
				w.Go(g, func() {
					enough := left >= 70
					w.Turn(g, "looked")
					if enough {
						left -= 70
					}
				})
			}
		})
		return left
	}
	test := func(t *testing.T) {
		for seed := range uint64(100) {
			if left := account(t, seed); left < 0 {
				fmt.Println("overdrawn, and again:", account(t, seed) == left)
				return
			}
		}
	}
	testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "account", F: test}})
	// Output: overdrawn, and again: true
}
