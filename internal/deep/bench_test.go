// What checking an event costs: a copy before it, a comparison after it.
package deep

import (
	"reflect"
	"testing"
	"unsafe"
)

type flatState struct {
	Received, Sent int64
	Waiting        [16]float64
	Busy           bool
	Served         uint32
}

type richState struct {
	Head  *node
	Queue []node
	Count map[int]int
	Name  string
}

func BenchmarkCopyAndDiff(b *testing.B) {
	flat := &flatState{Received: 1}
	rich := &richState{Queue: make([]node, 16), Count: map[int]int{1: 1, 2: 2, 3: 3, 4: 4}, Name: "lp"}
	for range 16 {
		rich.Head = &node{Next: rich.Head}
	}
	long := &richState{}
	for range 10_000 {
		long.Head = &node{Next: long.Head}
	}
	b.Run("state=flat", func(b *testing.B) { benchmark(b, flat) })
	b.Run("state=rich", func(b *testing.B) { benchmark(b, rich) })
	b.Run("state=list10000", func(b *testing.B) { benchmark(b, long) })
}

func benchmark[S any](b *testing.B, s *S) {
	c := NewCopier(reflect.TypeFor[S]())
	p := unsafe.Pointer(s)
	b.ReportAllocs()
	for b.Loop() {
		was := c.Copy(p)
		if c.Diff(was, p) != nil {
			b.Fatal("a state that nobody touched differs")
		}
	}
}
