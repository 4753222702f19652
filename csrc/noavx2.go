// The build tag noavx2 leaves out what processors without AVX2 do not have, for tests.

//go:build cgo && !purego && noavx2

package csrc

// #cgo CFLAGS: -DROSS_NO_AVX2
import "C"
