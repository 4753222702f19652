// The ladder in C.

//go:build cgo && !purego

package pq

import (
	"github.com/ross-go/ross/csrc"
	"github.com/ross-go/ross/internal/engine/event"
)

func newC(a *event.Arena, size int) (ladder, *window, bool) {
	l, ok := csrc.NewLadder(a.Base(), a.Stride(), a.Lines.Base(), size)
	if !ok {
		return nil, nil, false
	}
	return l, (*window)(l.Window()), true
}
