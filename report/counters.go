// This file owns the names of the figures that the engine counts, package figures, and the report prints.

package report

import "github.com/ross-go/ross/report/figures"

// Counters count what became of events and of rollbacks: in a run, on a PE, or until now. The
// events of analysis LPs are left out.
type Counters = figures.Counters

// PhaseTimes are wall-clock seconds spent in each part of the engine. Each is that of the PE that
// spent most on it, so they do not add up to Total.
type PhaseTimes = figures.PhaseTimes

// StructSizes are the bytes of one of each structure (sizeof in ROSS).
type StructSizes = figures.StructSizes

// Efficiency returns 100 * (1 - undone / net) in percent for a part of a run: 100 when nothing was
// undone.
func Efficiency(processed, undone uint64) float64 { return figures.Efficiency(processed, undone) }
