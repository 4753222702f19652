// The build tag ubsan builds the C code, and no other, with UndefinedBehaviorSanitizer, for
// tests. They set UBSAN_OPTIONS=halt_on_error=1.

//go:build cgo && !purego && ubsan

package csrc

// #cgo CFLAGS: -fsanitize=undefined
// #cgo LDFLAGS: -fsanitize=undefined
import "C"
