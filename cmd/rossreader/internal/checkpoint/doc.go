// This file owns the documentation of the package.

// Package checkpoint looks at checkpoints: info tells what the manifest says of the run, verify
// reads all of it and finds damage.
package checkpoint
