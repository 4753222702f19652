// This file owns ErrUsage, what every error about a setting is.

package cmdline

import (
	"errors"
	"fmt"
)

// ErrUsage is what every error about a setting is (errors.Is): a word of the command line that cannot be read, a value
// out of range, settings that contradict each other. Programs end with exit status 2 on it, before anything has run.
var ErrUsage = errors.New("ross: unusable settings: see --help")

// usageError is an ErrUsage with its own text, and with the cause where there is one (a file that cannot be opened).
type usageError struct {
	text  string
	cause error
}

// Usagef returns an ErrUsage with a text.
func Usagef(format string, args ...any) error { return &usageError{text: fmt.Sprintf(format, args...)} }

func (e *usageError) Error() string { return "ross: " + e.text }

func (e *usageError) Is(target error) bool { return target == ErrUsage }

func (e *usageError) Unwrap() error { return e.cause }
