package plain_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/plain"
)

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
