// This file owns the kinds of errors and their form.

package rio

import (
	"errors"
	"fmt"
)

// Every error of reading wraps one of these, or is the file system's.
var (
	// ErrNone says that there is no checkpoint of that name.
	ErrNone = errors.New("there is no checkpoint")
	// ErrDamaged says that bytes are missing, too many, or not those that were written.
	ErrDamaged = errors.New("the checkpoint is damaged")
	// ErrForeign says that the files are no checkpoint.
	ErrForeign = errors.New("this is no checkpoint")
	// ErrVersion says that the checkpoint was written by another version of this package,
	// in a format that this one does not know.
	ErrVersion = errors.New("unknown version of the format")
)

var errNotYet = fmt.Errorf("ross: checkpoint: not yet")
