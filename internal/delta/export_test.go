// What tests see of the inside.

package delta

// Check is what builds with invariants do before they apply a delta.
func (e *Encoder) Check(delta []byte, n uintptr) { e.check(delta, n) }
