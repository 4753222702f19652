// Package inside is the one entrance to package ross for packages of this module and their tests: it leads from what
// models see to the engine, to what only tests vary, and to types of LPs that are no Go types.
package inside

import (
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/run"
)

// Ross is the entrance to package ross, which sets it before any other package of the module can use it.
var Ross Entrance

// Entrance has functions of package ross. Arguments of type any are of the type of package ross that their
// comment names, which this package cannot; others panic.
type Entrance struct {
	// Engine returns the engine of a *ross.Simulation.
	Engine func(sim any) *run.Engine
	// PE returns the engine's side of a *ross.PE.
	PE func(pe any) *run.PE
	// Knobs returns what only tests vary in a *ross.Config.
	Knobs func(cfg any) *Knobs
	// LPType returns a ross.LPType, which calls build for each run that defines it. A kernel.Type is made of sizes
	// and functions, so that a state may be memory of another language. lps is the number of its LPs, or 0, as that
	// of ross.Type.
	LPType func(lps int, build func(set *settings.Settings) (*kernel.Type, error)) any
	// Messages returns the messages that a ross.Handler of struct{} is for, whose functions the caller replaces;
	// typeName is for errors.
	Messages func(handler any, typeName string) ([]*kernel.Message, error)
}

// Knobs are the settings of a ross.Config that only tests vary. No result may depend on them.
type Knobs struct {
	settings.Knobs
	World   world.World      // the ranks; nil: those of MPI
	Disturb func(pe *run.PE) // called in each turn of an optimistic PE's loop; nil: nothing is
}

// LP returns the engine's side of a *ross.LP, which has the layout of what it hides. It is for every event, and so it
// is no function of Ross; F is ross.LP.
func LP[F any](lp *F) *kernel.LP { return (*kernel.LP)(unsafe.Pointer(lp)) }
