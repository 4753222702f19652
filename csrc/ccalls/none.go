// This file owns the builds without C.

//go:build !cgo

package ccalls

import "unsafe"

// Work returns nil: there is no function.
func Work() unsafe.Pointer { return nil }
