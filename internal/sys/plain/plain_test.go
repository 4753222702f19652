// This file pins which types are plain, the shape of a type, and scratch.

package plain_test

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/plain"
)

// ref stands for a Block of links.
type ref struct{ At, N uint64 }

// refToText stands for a Block of strings.
type refToText struct{ At, N uint64 }

// link has padding, and a ref to its own kind.
type link struct {
	Kind uint8
	Next [2]ref
	Size uint64
}

func elemOf(t reflect.Type) (reflect.Type, bool) {
	switch t {
	case reflect.TypeFor[ref]():
		return reflect.TypeFor[link](), true
	case reflect.TypeFor[refToText]():
		return reflect.TypeFor[string](), true
	}
	return nil, false
}

func TestShapeHasBytesAndBlocks(t *testing.T) {
	s := plain.ShapeOf(reflect.TypeFor[link](), elemOf)
	require.Equal(t, []plain.Span{{Off: 0, Size: 1}, {Off: 40, Size: 8}}, s.Spans)
	require.Equal(t, []plain.BlockField{{Off: 8, Elem: s}, {Off: 24, Elem: s}}, s.Blocks)
	require.False(t, s.Dense())
	require.True(t, plain.ShapeOf(reflect.TypeFor[[3]uint32](), elemOf).Dense())

	from := [2]link{{1, [2]ref{{2, 3}, {4, 5}}, 6}, {7, [2]ref{}, 8}}
	var to [2]link
	s.Copy(unsafe.Pointer(&to), unsafe.Pointer(&from), 2)
	require.Equal(t, [2]link{{Kind: 1, Size: 6}, {Kind: 7, Size: 8}}, to)
}

func TestLayoutDescribesTheValuesOfBlocks(t *testing.T) {
	type first struct{ R ref }
	type second struct{ R refToText }
	itself := func(reflect.Type) reflect.Type { return nil }
	require.NotEqual(t, plain.LayoutIn(reflect.TypeFor[first](), elemOf, itself),
		plain.LayoutIn(reflect.TypeFor[second](), elemOf, itself))
	type none struct{ A, B uint64 }
	require.Equal(t, plain.LayoutOf(reflect.TypeFor[none]()), plain.LayoutIn(reflect.TypeFor[none](), elemOf, itself),
		"checkpoints without Blocks stay as they are")
}

func TestALayoutMayBeThatOfAnotherType(t *testing.T) {
	type before struct{ A, B float64 }
	type now struct{ P, Q *byte }
	type old struct {
		N  int
		In [2]before
	}
	type today struct {
		N  int
		In [2]now
	}
	require.Equal(t, plain.LayoutOf(reflect.TypeFor[old]()), plain.LayoutIn(reflect.TypeFor[today](), elemOf,
		func(t reflect.Type) reflect.Type {
			if t == reflect.TypeFor[now]() {
				return reflect.TypeFor[before]()
			}
			return nil
		}))
}

func TestPointersInBlocksAreFound(t *testing.T) {
	type state struct {
		Links ref
		Texts [2]refToText
	}
	where, kind := plain.FindPointerIn(reflect.TypeFor[state](), "state", elemOf)
	require.Equal(t, "state.Texts[0][0]", where)
	require.Equal(t, "string", kind)
	where, _ = plain.FindPointerIn(reflect.TypeFor[link](), "link", elemOf)
	require.Empty(t, where)
}

func TestKeptIsAllButScratch(t *testing.T) {
	type part struct {
		A uint32
		B []int `ross:"-"`
		C uint8
	}
	for _, c := range []struct {
		of   any
		want []plain.Span
	}{
		{struct{}{}, nil},
		{struct{ A, B uint64 }{}, []plain.Span{{0, 16}}},
		{struct { // padding counts as kept
			A uint8
			B uint64
		}{}, []plain.Span{{0, 16}}},
		{struct {
			A uint64 `ross:"-"`
		}{}, nil},
		{struct {
			A uint64 `ross:"-"`
			B uint64
		}{}, []plain.Span{{8, 8}}},
		{struct {
			A uint64
			B uint64 `ross:"-"`
			C uint64 `ross:"-"`
		}{}, []plain.Span{{0, 8}}},
		{[2]part{}, []plain.Span{{0, 8}, {32, 16}, {72, 8}}},
		{struct { // a name is not scratch
			A uint64 `ross:"waiting time,s"`
		}{}, []plain.Span{{0, 8}}},
	} {
		require.Equal(t, c.want, plain.KeptOf(reflect.TypeOf(c.of)), "%T", c.of)
	}
	require.Equal(t, []plain.Span{{0, 4}, {32, 1}, {40, 4}, {72, 1}}, plain.SpansOf(reflect.TypeFor[[2]part]()))

	where, _ := plain.FindPointer(reflect.TypeFor[part](), "part")
	require.Equal(t, "part.B", where, "messages have no pointers, not even scratch")
	where, _ = plain.FindStatePointer(reflect.TypeFor[part](), "part")
	require.Empty(t, where)
}

func Example() {
	type packet struct {
		Hops  uint8
		Bytes uint32
	}
	fmt.Println(plain.SpansOf(reflect.TypeFor[packet]())) // three bytes between them are padding
	type named struct{ Name string }
	fmt.Println(plain.FindPointer(reflect.TypeFor[named](), "named"))
	// Output:
	// [{0 1} {4 4}]
	// named.Name string
}
