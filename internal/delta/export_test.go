// What tests see of the inside.

package delta

// Check is what builds with invariants do before they apply a delta.
func (e *Encoder) Check(delta []byte, n uintptr) { e.check(delta, n) }

// TryFrom sets the length in bytes from which LZ4 is tried.
func (e *Encoder) TryFrom(n int) { e.least = uintptr(n) }
