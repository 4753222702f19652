// This file owns the kinds of errors and their form.

package rio

import (
	"errors"
	"fmt"
)

// Every error of reading wraps one of these errors, or comes from the file system.
var (
	// ErrNone means that there is no checkpoint of that name.
	ErrNone = errors.New("there is no checkpoint of this name")
	// ErrDamaged means that there are too few or too many bytes, or not those that were
	// written.
	ErrDamaged = errors.New("the file was damaged")
	// ErrForeign means that the files are not a checkpoint.
	ErrForeign = errors.New("this is not a checkpoint")
	// ErrVersion means that the checkpoint has a format that this package does not know:
	// another version, or another byte order.
	ErrVersion = errors.New("unknown version of the format")
)

var errMisuse = errors.New("invalid call")

const loadAnother = "load another checkpoint"

// damaged returns the error about the bytes of a file at an offset: what was expected and
// found.
func damaged(file string, offset uint64, format string, args ...any) error {
	return fmt.Errorf("ross: checkpoint: %s: offset %d: %s: %w: %s", file, offset, fmt.Sprintf(format, args...), ErrDamaged, loadAnother)
}

// fileError says what went wrong with a file, and the remedy. It expects an error that names
// the file, as those of package os do.
func fileError(err error, fix string) error {
	return fmt.Errorf("ross: checkpoint: %w: %s", err, fix)
}

// misuse returns the error about data that do not make a checkpoint.
func misuse(name, format string, args ...any) error {
	return fmt.Errorf("ross: checkpoint: %s: %s: %w: store what fits together", name, fmt.Sprintf(format, args...), errMisuse)
}
