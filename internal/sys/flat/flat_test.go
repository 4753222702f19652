// This file pins values that are written and read back.

package flat_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/flat"
)

// The tests of values that are written and read back.

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
	c, err := flat.For[T]()
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
		hidden: []inner{{name: "a", at: [2]float64{1, math.Inf(1)}, Table: map[string][]int32{"x": {1, 2}, "": nil, "y": {}}},
			{next: &inner{name: "b"}}},
		Maps: map[[2]int]map[int]bool{{1, 2}: {3: true}, {}: nil},
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
	plain, err := flat.For[[2]struct{ A, b int }]()
	require.NoError(t, err)
	require.True(t, plain.Plain())
	other, err := flat.For[[2]string]()
	require.NoError(t, err)
	require.False(t, other.Plain())
}

func TestWhatCannotBeWrittenIsNamed(t *testing.T) {
	type list struct{ Next *list } // a type that refers to itself can be written
	c, err := flat.For[*list]()
	require.NoError(t, err)
	type deep struct {
		Rows []map[string]struct{ f func() }
	}
	for _, c := range []struct {
		got  error
		want string
	}{
		{errorOf[deep](), "flat_test.deep.Rows[i][key].f is a func, "},
		{errorOf[map[any]int](), "the key of map[interface {}]int is a interface, "},
		{errorOf[*chan int](), "*chan int is a chan, "},
		{errorOf[[1]unsafe.Pointer](), "[1]unsafe.Pointer[i] is a unsafe.Pointer, "},
	} {
		require.ErrorContains(t, c.got, c.want)
	}
	ring := &list{}
	ring.Next = ring
	_, err = c.Append(nil, &ring)
	require.EqualError(t, err, "a value refers to itself, or is nested more than 10000 levels deep")
}

// errorOf returns what the codec of a type refuses.
func errorOf[T any]() error {
	_, err := flat.For[T]()
	return err
}

func TestBytesThatEndEarlyAreAnError(t *testing.T) {
	c, err := flat.For[outer]()
	require.NoError(t, err)
	v := sample()
	b, err := c.Append(nil, &v)
	require.NoError(t, err)
	const short = "the bytes end within a value"
	for n := range b {
		var got outer
		_, err := c.Read(b[:n], &got)
		require.EqualError(t, err, short, "%d of %d bytes", n, len(b))
	}
	number, err := flat.For[int64]()
	require.NoError(t, err)
	_, err = number.Read(make([]byte, 7), new(int64))
	require.EqualError(t, err, short)
}

// The runnable example.

func Example() {
	type result struct {
		Name    string
		samples []float64
	}
	codec, err := flat.For[result]()
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := codec.Append(nil, &result{"queue", []float64{1, 2.5}})
	fmt.Println(len(b), "bytes", err)
	var got result
	rest, err := codec.Read(b, &got)
	fmt.Println(got, len(rest), err)
	_, err = flat.For[struct{ Done chan int }]()
	fmt.Println(err)
	// Output:
	// 23 bytes <nil>
	// {queue [1 2.5]} 0 <nil>
	// struct { Done chan int }.Done is a chan, which cannot be sent to other ranks: use numbers, strings, slices, maps, pointers and structs of these
}
