// This file says that processes do not start others on systems where they cannot share memory in this way.

//go:build !linux

package launch

import "github.com/ross-go/ross/internal/usage"

// inherited is what a process gets from the one that starts it: nothing.
var inherited struct{ rank, size int }

func begin(size int) (*session, error) {
	return nil, usage.Errorf("option --ranks=%d: a program starts ranks by itself only on Linux; use mpirun -np %d, and a build with -tags mpi", size, size)
}
