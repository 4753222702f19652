// This file owns the names by which models see the figures of a run. Package report has
// them.

package ross

import "github.com/ross-go/ross/report"

// Stats holds the figures of a run (tw_statistics): what the report, ross.csv and
// Simulation.Stats say.
type Stats = report.Stats

// Figure is a line of the report that ROSS does not have.
type Figure = report.Figure

// StructSizes are sizes of the engine's and the model's structures, bytes.
type StructSizes = report.StructSizes

// PhaseTimes says where the time of a run went, seconds.
type PhaseTimes = report.PhaseTimes
