// This file owns what the functions get.

package ccalls

// Call is what Work gets, and what it leaves there.
type Call struct {
	Depth int64
	Sum   int64      // of all n from Depth to 0, n + n%32
	X     [8]float64 // four numbers, and their x0+x1, x1*x2, x2-x3 and x3/x0
	Least uintptr    // address of the lowest frame
	Most  uintptr    // and of the highest one
}
