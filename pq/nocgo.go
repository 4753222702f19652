// Builds without cgo have only the ladder in Go.

//go:build !cgo || purego

package pq

import "github.com/ross-go/ross/internal/engine/event"

func newC(*event.Arena, int) (ladder, *window, bool) { return nil, nil, false }
