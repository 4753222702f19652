// This file owns the names under which models see the figures of package report.

package ross

import "github.com/ross-go/ross/report"

// Stats holds the figures of a run (tw_statistics), as the report, ross.csv and
// Simulation.Stats present them.
type Stats = report.Stats

// Counters count what became of events and of rollbacks: in a run (Stats), until now (Snapshot),
// or on a PE (PESnapshot).
type Counters = report.Counters

// Figure is a line of the report that ROSS does not have.
type Figure = report.Figure

// StructSizes holds the sizes in bytes of structures of the engine and the model.
type StructSizes = report.StructSizes

// PhaseTimes holds the seconds that a run spent in its phases.
type PhaseTimes = report.PhaseTimes
