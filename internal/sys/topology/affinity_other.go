// This file owns the processors of a thread on systems other than Linux, where they are unknown.

//go:build !linux

package topology

import "errors"

// Own returns nil: the processors are unknown.
func Own() Set { return nil }

// Bind returns an error: threads cannot be bound.
func (s Set) Bind() error { return errors.ErrUnsupported }
