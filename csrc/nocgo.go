// Builds without C have only Enabled, which packages pq, avl and buddy check
// before they use their twins in Go.

//go:build !cgo || purego

package csrc

// Enabled reports whether this build contains the C code. It is false without
// cgo and under the build tag purego.
const Enabled = false

// Compiler returns "": there is no C code.
func Compiler() string { return "" }
