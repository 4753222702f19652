// This file owns ErrUsage, which every error about a setting wraps.

package cmdline

import "github.com/ross-go/ross/internal/usage"

// ErrUsage matches every error about a setting (errors.Is): a word of the command line that cannot
// be read, a value out of range, settings that contradict each other. Programs then end with exit
// status 2, before anything has run.
var ErrUsage = usage.Err
