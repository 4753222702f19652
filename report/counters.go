// This file owns the names of the figures that the engine counts, package meter, and the report prints.

package report

import "github.com/ross-go/ross/internal/meter"

// Counters count what became of events and of rollbacks: in a run, on a PE, or until now. The
// events of analysis LPs are left out.
type Counters = meter.Counters

// PhaseTimes are wall-clock seconds spent in each part of the engine. Each is that of the PE that
// spent most on it, so they do not add up to Total.
type PhaseTimes = meter.PhaseTimes

// StructSizes are the bytes of one of each structure (sizeof in ROSS).
type StructSizes = meter.StructSizes

// Efficiency returns 100 * (1 - undone / net) in percent for a part of a run: 100 when nothing was
// undone.
func Efficiency(processed, undone uint64) float64 { return meter.Efficiency(processed, undone) }
