// This file owns remarks and cautions: what a run says to its user beside results and errors.

package ross

import "fmt"

// remark tells the user, in the report, something of how the run goes that does no harm.
func (s *Simulation) remark(format string, args ...any) {
	s.printf("Note: %s\n", fmt.Sprintf(format, args...)) // which is rank 0's alone
}

// caution tells the user something that may not be what was meant, though the run goes on: in
// the report, which is the record of the run, and in Config.Log. Rank 0 tells it.
func (s *Simulation) caution(format string, args ...any) {
	if s.rank != 0 {
		return
	}
	s.remark(format, args...)
	s.warn(fmt.Sprintf(format, args...))
}
