// This file owns the kinds of errors and their form.

package rio

import (
	"errors"
	"fmt"
)

// Every error of reading wraps one of these, or is the file system's.
var (
	// ErrNone says that there is no checkpoint of that name.
	ErrNone = errors.New("there is no checkpoint of this name")
	// ErrDamaged says that bytes are missing, too many, or not those that were written.
	ErrDamaged = errors.New("the file was damaged")
	// ErrForeign says that the files are no checkpoint.
	ErrForeign = errors.New("this is no checkpoint")
	// ErrVersion says that the checkpoint has a format that this package does not know: of
	// another version, or with the bytes of numbers the other way round.
	ErrVersion = errors.New("unknown version of the format")
)

var errMisuse = errors.New("the caller is wrong")

const loadAnother = "load another checkpoint"

// damaged says what is wrong with the bytes of a file at an offset: expected and found.
func damaged(file string, offset uint64, format string, args ...any) error {
	return fmt.Errorf("ross: checkpoint: %s: offset %d: %s: %w: %s", file, offset, fmt.Sprintf(format, args...), ErrDamaged, loadAnother)
}

// fileError says what went wrong with a file, and the way out. It expects an error that names
// the file, as those of package os do.
func fileError(err error, fix string) error {
	return fmt.Errorf("ross: checkpoint: %w: %s", err, fix)
}

// misuse says that what is to be stored makes no checkpoint.
func misuse(name, format string, args ...any) error {
	return fmt.Errorf("ross: checkpoint: %s: %s: %w: store what fits together", name, fmt.Sprintf(format, args...), errMisuse)
}
