// What stands in for C where there is none: nothing. Packages pq, avl and
// buddy have twins in Go and ask Enabled.

//go:build !cgo || purego

package csrc

// Enabled reports whether this build contains the C code. It is false without
// cgo and under the build tag purego.
const Enabled = false
