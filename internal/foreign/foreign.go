// Package foreign lets other packages of this module give package ross types of LPs that are no Go types: a kernel.Type
// is made of sizes and functions, so that a state may be memory of another language. csrc/cmodel makes those of C.
package foreign

import "github.com/ross-go/ross/internal/kernel"

// LPType returns a type as the ross.LPType that ross.Simulation.Define accepts. Package ross sets it.
var LPType func(t *kernel.Type) any
