// Package foreign lets other packages of this module give package ross types of LPs that are no Go types: a kernel.Type
// is made of sizes and functions, so that a state may be memory of another language. csrc/cmodel makes those of C.
package foreign

import (
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/settings"
)

// LPType returns a type as the ross.LPType that ross.Simulation.Define accepts, which calls build for each run. lps is
// the number of its LPs, or 0, as that of ross.Type. Package ross sets it.
var LPType func(lps int, build func(set *settings.Settings) (*kernel.Type, error)) any

// Messages returns the message that a ross.Handler of struct{} is for, whose functions the caller replaces; typeName is
// for errors. Package ross sets it.
var Messages func(handler any, typeName string) ([]*kernel.Message, error)
