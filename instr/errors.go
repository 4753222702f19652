// This file owns the form of errors about a whole file.

package instr

import "fmt"

// fileError says what went wrong with a file, and the remedy. It expects an error that names
// the file, as those of package os do. An error about a record also has its offset: see
// recordError.
func fileError(err error, fix string) error {
	return fmt.Errorf("ross: instrumentation file: %w: %s", err, fix)
}
