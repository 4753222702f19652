// This file says that processes do not start others on systems where they cannot share memory in this way.

//go:build !linux

package launch

import (
	"errors"
	"os"
)

// inherited is what a process gets from the one that starts it: nothing.
var inherited struct{ rank, size int }

func begin(int) (*session, error) { return nil, errors.ErrUnsupported }

// EarlySignal returns nil: no process was started as a rank.
func EarlySignal() os.Signal { return nil }
