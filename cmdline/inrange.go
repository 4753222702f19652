// This file owns InRange, for programs whose parameters have bounds.

package cmdline

import (
	"fmt"

	"github.com/ross-go/ross/internal/usage"
)

// InRange returns an error, which is an ErrUsage and names the option, unless low <= value <= high. NaN is in no range.
func InRange[T int | uint64 | float64](name string, value, low, high T) error {
	if value >= low && value <= high {
		return nil
	}
	return fmt.Errorf("option --%s=%v: must be in [%v, %v]: %w", name, value, low, high, usage.Err)
}
