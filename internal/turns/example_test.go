// This file shows a fault that some order of turns reveals.

package turns_test

import (
	"fmt"
	"testing"

	"github.com/ross-go/ross/internal/turns"
)

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
	testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "account", F: test}})
	// Output: overdrawn, and again: true
}
