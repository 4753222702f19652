// This file owns the defaults and bounds that the engine's own tests know too.

package settings

const (
	// DefaultLookahead is the lookahead of ROSS, which is not chosen for any model.
	DefaultLookahead = 0.005
	// MinMemory is the least MaxMemory: below this not even empty pools fit.
	MinMemory = 256 << 10
)

// DefaultBalance is the default of Balance. Tests of the engine change it.
var DefaultBalance = "on"
