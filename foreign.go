// This file owns types of LPs that are no Go types, which other packages of the module make.

package ross

import (
	"github.com/ross-go/ross/internal/foreign"
	"github.com/ross-go/ross/internal/kernel"
)

func init() { foreign.LPType = func(t *kernel.Type) any { return foreignType{t} } }

// foreignType is a type of LPs that somebody else has made for the engine.
type foreignType struct{ t *kernel.Type }

func (foreignType) lps() int                        { return 0 }
func (f foreignType) lpType() (*kernel.Type, error) { return f.t, nil }
