// This file owns the errors of processes.

package proc

import "errors"

// Errors of models whose processes do something wrong. They end the run, wrapped in a [ross.ModelError] that names the
// LP, the process and the way out.
var (
	// ErrWait: a wait where none can be, such as in a function of another package, or in that of Do.
	ErrWait = errors.New("cannot wait here")
	// ErrPlace: a process is at another LP than it believes.
	ErrPlace = errors.New("wrong place")
	// ErrGenerated: there is no generated code, another one is needed, or it is that of another source.
	ErrGenerated = errors.New("no generated code")
	// ErrEndless: processes that go on within an event again and again.
	ErrEndless = errors.New("endless loop")
)
