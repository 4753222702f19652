package settings_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/settings"
)

// Points are sums of the interval, not multiples of it: ten times 0.1 is a little less than 1. A run that starts
// from a checkpoint of time 1 goes on after that point, which the run before it has had.
func ExampleSettings_PointBefore() {
	s := settings.Settings{VTInterval: 0.1}
	fmt.Println(s.PointBefore(1))
	fmt.Println(s.PointBefore(0.1))
	// Output:
	// 0.9999999999999999
	// 0
}

// The checks of rollback are optimistic schedulers that take one event after the other.
func ExampleSettings_Sequential() {
	for synch := settings.SynchSequential; synch <= settings.SynchCheck; synch++ {
		s := settings.Settings{Synch: synch}
		fmt.Printf("--synch=%d: optimistic %v, sequential %v\n", synch, s.Mode() == settings.Optimistic, s.Sequential())
	}
	// Output:
	// --synch=1: optimistic false, sequential true
	// --synch=2: optimistic false, sequential false
	// --synch=3: optimistic true, sequential false
	// --synch=4: optimistic true, sequential true
	// --synch=5: optimistic true, sequential false
	// --synch=6: optimistic true, sequential true
}
