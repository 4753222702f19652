package plain_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/plain"
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
	require.NotEqual(t, plain.LayoutIn(reflect.TypeFor[first](), elemOf, itself), plain.LayoutIn(reflect.TypeFor[second](), elemOf, itself))
	type none struct{ A, B uint64 }
	require.Equal(t, plain.LayoutOf(reflect.TypeFor[none]()), plain.LayoutIn(reflect.TypeFor[none](), elemOf, itself), "checkpoints without Blocks stay as they are")
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
	require.Equal(t, plain.LayoutOf(reflect.TypeFor[old]()), plain.LayoutIn(reflect.TypeFor[today](), elemOf, func(t reflect.Type) reflect.Type {
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
