// This file owns the tests of values that are written and read back.

package flat

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type inner struct {
	name  string
	at    [2]float64
	Table map[string][]int32
	next  *inner
}

type outer struct {
	A      int8
	B      float64
	hidden []inner
	Empty  []string
	Nil    []string
	Ptr    *uint16
	None   *uint16
	Void   []struct{}
	Maps   map[[2]int]map[int]bool
}

func roundTrip[T any](t *testing.T, v T) (T, []byte) {
	t.Helper()
	c, err := For[T]()
	require.NoError(t, err)
	b, err := c.Append([]byte("before"), &v)
	require.NoError(t, err)
	var got T
	rest, err := c.Read(append(b[6:len(b):len(b)], "after"...), &got)
	require.NoError(t, err)
	require.Equal(t, "after", string(rest))
	require.Equal(t, v, got)
	return got, b[6:]
}

func sample() outer {
	n := uint16(7)
	return outer{
		A: -3, B: math.Copysign(0, -1), Ptr: &n, Empty: []string{}, Void: make([]struct{}, 3),
		hidden: []inner{{name: "a", at: [2]float64{1, math.Inf(1)}, Table: map[string][]int32{"x": {1, 2}, "": nil, "y": {}}}, {next: &inner{name: "b"}}},
		Maps:   map[[2]int]map[int]bool{{1, 2}: {3: true}, {}: nil},
	}
}

func TestWhatIsReadEqualsWhatWasWritten(t *testing.T) {
	roundTrip(t, 5)
	roundTrip(t, struct{}{})
	roundTrip(t, "text")
	roundTrip(t, [2]string{"", "b"})
	roundTrip(t, map[string]int{"a": 1})
	roundTrip(t, map[string]int(nil))
	roundTrip(t, [][]float64{{1}, nil, {}})
	_, b := roundTrip(t, [3]uint32{1, 2, 3})
	require.Len(t, b, 12)

	v := sample()
	got, _ := roundTrip(t, v)
	require.NotNil(t, got.Empty)
	require.Nil(t, got.Nil)
	require.True(t, math.Signbit(got.B))
	got.hidden[0].Table["x"][0] = 9
	*got.Ptr = 8
	require.Equal(t, sample(), v, "a copy shares no memory")
}

func TestPlainTypesAreThoseWithoutPointers(t *testing.T) {
	plain, err := For[[2]struct{ A, b int }]()
	require.NoError(t, err)
	require.True(t, plain.Plain())
	other, err := For[[2]string]()
	require.NoError(t, err)
	require.False(t, other.Plain())
}

func TestWhatCannotBeWrittenIsNamed(t *testing.T) {
	type list struct{ Next *list } // a type that refers to itself can be written
	require.NoError(t, check(reflect.TypeFor[list]()))
	type deep struct {
		Rows []map[string]struct{ f func() }
	}
	for _, c := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[deep](), "flat.deep.Rows[i][key].f is a func, "},
		{reflect.TypeFor[map[any]int](), "the key of map[interface {}]int is a interface, "},
		{reflect.TypeFor[*chan int](), "*chan int is a chan, "},
		{reflect.TypeFor[[1]unsafe.Pointer](), "[1]unsafe.Pointer[i] is a unsafe.Pointer, "},
	} {
		require.ErrorContains(t, check(c.t), c.want)
	}
	ring := &list{}
	ring.Next = ring
	c, err := For[*list]()
	require.NoError(t, err)
	_, err = c.Append(nil, &ring)
	require.ErrorIs(t, err, errDeep)
}

func TestBytesThatEndEarlyAreAnError(t *testing.T) {
	c, err := For[outer]()
	require.NoError(t, err)
	v := sample()
	b, err := c.Append(nil, &v)
	require.NoError(t, err)
	for n := range b {
		var got outer
		_, err := c.Read(b[:n], &got)
		require.ErrorIs(t, err, errShort, "%d of %d bytes", n, len(b))
	}
	number, err := For[int64]()
	require.NoError(t, err)
	_, err = number.Read(make([]byte, 7), new(int64))
	require.ErrorIs(t, err, errShort)
}
