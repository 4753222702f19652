// This file owns the defaults and bounds that the engine's own tests know too.

package settings

const (
	// DefaultLookahead is the lookahead of ROSS, which is not chosen for any model.
	DefaultLookahead = 0.005
	// MinMemory is the least MaxMemory: below this not even empty pools fit.
	MinMemory = 256 << 10
)

// DefaultBalance is Balance of a run whose Config leaves KPs free to move. Tests of the engine change it.
var DefaultBalance = "on"
