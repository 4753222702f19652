// This file owns names of checkpoints and of their files.

package rio

// Latest returns, of the checkpoints named prefix-<digits>, the one with the highest number that
// Verify accepts. The error wraps ErrNone if there is none, and says which were refused and why.
func Latest(prefix string) (name string, err error) { return "", errNotYet }

// Numbers returns the numbers of the checkpoints named prefix-<digits>, ascending, whole or not.
func Numbers(prefix string) ([]uint64, error) { return nil, errNotYet }

// Numbered returns the name of checkpoint n of prefix: "prefix-000012", at least 6 digits.
func Numbered(prefix string, n uint64) string { return "" }

// Remove removes the files of a checkpoint, the manifest first.
func Remove(name string) error { return errNotYet }
