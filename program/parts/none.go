//go:build nolive

// This file replaces all.go in builds without any part.

package parts

import "github.com/ross-go/ross/program"

// All returns nothing.
func All() []program.Part { return nil }
