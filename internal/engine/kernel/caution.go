// This file owns remarks and cautions: what a run tells its user besides results and
// errors.

package kernel

import "fmt"

// Remark writes a note on the run to the report, about something that does no harm.
func (r *Run) Remark(format string, args ...any) {
	r.Printf("Note: %s\n", fmt.Sprintf(format, args...)) // only rank 0 prints the report
}

// Caution warns, on rank 0, of something that may not be intended although the run goes on.
// The warning goes to the report, which is the record of the run, and to Config.Log, unless a user
// would see both in the same place.
func (r *Run) Caution(format string, args ...any) {
	if !r.Rank0 {
		return
	}
	r.Remark(format, args...)
	if r.SeesReport {
		return
	}
	r.Warn(fmt.Sprintf(format, args...))
}

// CautionHere is Caution for what concerns this rank alone. Ranks other than the first have no report and only warn.
func (r *Run) CautionHere(format string, args ...any) {
	if r.Rank0 {
		r.Caution(format, args...)
		return
	}
	r.Warn(fmt.Sprintf(format, args...))
}

// Hint is Caution for a text that may be empty. It ignores an empty text.
func (r *Run) Hint(text string) {
	if text != "" {
		r.Caution("%s", text)
		r.Printf("\n")
	}
}
