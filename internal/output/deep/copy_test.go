// This file pins what copies keep and comparisons find: every kind of value, and pointers; what they cost.

package deep

import (
	"container/list"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/racetest"
)

// Tests of every kind: what is equal, what differs, and its path.

type pos struct{ X, Y int32 }

type base struct{ ID uint16 }

type shape interface{ area() float64 }

type circle struct{ Radius float64 }

func (c circle) area() float64 { return c.Radius }

type square struct{ Side *float64 }

func (s square) area() float64 { return *s.Side }

type padded struct {
	A uint8
	B uint64
	_ uint32
	C uint16
}

// everything has a field of each kind.
type everything struct {
	base
	Bool    bool
	I8      int8
	I64     int64
	U32     uint32
	Uintptr uintptr
	F32     float32
	F64     float64
	C64     complex64
	C128    complex128
	Str     string
	Array   [4]int16
	Grid    [2][3]uint8
	Padded  [3]padded
	Names   [2]string
	Empty   [0]string
	Nothing struct{}
	hidden  *pos
	P       *int
	PP      **int
	PArray  *[2]int
	PSlice  *[]int
	PNone   *struct{}
	Slice   []pos
	Bytes   []byte
	Strs    []string
	Nones   []struct{}
	Nested  [][]int
	Ptrs    []*pos
	M       map[string]pos
	MI      map[int]int
	MP      map[string]*pos
	MS      map[pos][]int
	MF      map[float64]int
	MPK     map[*pos]bool
	MIK     map[any]int
	Any     any
	Shape   shape
	Func    func() int
	Chan    chan int
	Unsafe  unsafe.Pointer
	Mutex   sync.Mutex
}

func one() int { return 1 }
func two() int { return 2 }

func ptr[T any](v T) *T { return &v }

var chans = [2]chan int{make(chan int), make(chan int)}

func newEverything() *everything {
	return &everything{
		base: base{ID: 7}, I8: -1, I64: 5, U32: 6, Uintptr: 16, F32: 1.5, F64: 2.5, C64: 1, C128: 2i,
		Str: "abc", Array: [4]int16{1, 2, 3, 4}, Grid: [2][3]uint8{{1, 2, 3}, {4, 5, 6}},
		Names: [2]string{"x", "y"}, hidden: &pos{1, 2}, P: ptr(1), PP: ptr(ptr(2)), PArray: &[2]int{3, 4},
		PSlice: &[]int{5, 6}, Slice: []pos{{1, 2}, {3, 4}}, Bytes: []byte("hello"), Strs: []string{"s", "t"},
		Nones: make([]struct{}, 2), Nested: [][]int{{1}, {2, 3}}, Ptrs: []*pos{{1, 1}, nil},
		M: map[string]pos{"a": {1, 2}, "b": {3, 4}}, MI: map[int]int{2: 1, 10: 1}, MP: map[string]*pos{"k": {5, 6}},
		MS: map[pos][]int{{1, 2}: {3}}, MF: map[float64]int{1.5: 1, math.NaN(): 2}, MPK: map[*pos]bool{{8, 9}: true},
		MIK: map[any]int{1: 1, "one": 2, pos{1, 1}: 3}, Any: pos{1, 2}, Shape: circle{3},
		Func: one, Chan: chans[0],
	}
}

func TestAChangeOfAnyKindIsNamed(t *testing.T) {
	tests := []struct {
		name   string
		change func(*everything)
		want   string // lines
	}{
		{"nothing", func(s *everything) {}, ""},
		{"embedded", func(s *everything) { s.ID = 8 }, "S.base.ID: 7 before, 8 after"},
		{"bool", func(s *everything) { s.Bool = true }, "S.Bool: false before, true after"},
		{"int8", func(s *everything) { s.I8 = -2 }, "S.I8: -1 before, -2 after"},
		{"int64", func(s *everything) { s.I64-- }, "S.I64: 5 before, 4 after"},
		{"uint32", func(s *everything) { s.U32++ }, "S.U32: 6 before, 7 after"},
		{"uintptr", func(s *everything) { s.Uintptr = 255 }, "S.Uintptr: 0x10 before, 0xff after"},
		{"float32", func(s *everything) { s.F32 = 0.1 }, "S.F32: 1.5 before, 0.1 after"},
		{"float64", func(s *everything) { s.F64++ }, "S.F64: 2.5 before, 3.5 after"},
		{"complex64", func(s *everything) { s.C64 = 1 + 2i }, "S.C64: (1, 0i) before, (1, 2i) after"},
		{"complex128", func(s *everything) { s.C128 = 0 }, "S.C128: (0, 2i) before, (0, 0i) after"},
		{"string", func(s *everything) { s.Str = "a\"c" }, `S.Str: "abc" before, "a\"c" after`},
		{"array", func(s *everything) { s.Array[3] = 0 }, "S.Array[3]: 4 before, 0 after"},
		{"array of arrays", func(s *everything) { s.Grid[1][2] = 0 }, "S.Grid[1][2]: 6 before, 0 after"},
		{"array with padding", func(s *everything) { s.Padded[2].C = 1 }, "S.Padded[2].C: 0 before, 1 after"},
		{"array of strings", func(s *everything) { s.Names[1] = "" }, `S.Names[1]: "y" before, "" after`},
		{"unexported", func(s *everything) { s.hidden.Y = 3 }, "S.hidden.Y: 2 before, 3 after"},
		{"unexported, nil", func(s *everything) { s.hidden = nil }, "S.hidden: &{X:1 Y:2} before, nil after"},
		{"pointer", func(s *everything) { *s.P = 2 }, "*S.P: 1 before, 2 after"},
		{"pointer to an equal value", func(s *everything) { s.P = ptr(1) }, ""},
		{"pointer to another value", func(s *everything) { s.P = ptr(3) }, "*S.P: 1 before, 3 after"},
		{"pointer, nil before", func(s *everything) { s.Ptrs[1] = &pos{} }, "S.Ptrs[1]: nil before, &{X:0 Y:0} after"},
		{"pointer to pointer", func(s *everything) { **s.PP = 3 }, "**S.PP: 2 before, 3 after"},
		{"pointer to array", func(s *everything) { s.PArray[1] = 5 }, "(*S.PArray)[1]: 4 before, 5 after"},
		{"pointer to slice", func(s *everything) { (*s.PSlice)[0] = 0 }, "(*S.PSlice)[0]: 5 before, 0 after"},
		{"pointer to nothing", func(s *everything) { s.PNone = new(struct{}) }, "S.PNone: nil before, &{} after"},
		{"slice", func(s *everything) { s.Slice[1].Y = 5 }, "S.Slice[1].Y: 4 before, 5 after"},
		{"slice moved and grown", func(s *everything) { s.Slice = append(s.Slice, pos{})[:2] }, ""},
		{"slice longer", func(s *everything) { s.Slice = append(s.Slice, pos{5, 6}) },
			"S.Slice: len 2: [{X:1 Y:2} {X:3 Y:4}] before, len 3: [{X:1 Y:2} {X:3 Y:4} {X:5 Y:6}] after"},
		{"slice nil", func(s *everything) { s.Bytes = nil }, "S.Bytes: len 5: [104 101 108 108 111] before, len 0: [] after"},
		{"slice of bytes", func(s *everything) { s.Bytes[4] = 0 }, "S.Bytes[4]: 111 before, 0 after"},
		{"slice of strings", func(s *everything) { s.Strs[0] = "u" }, `S.Strs[0]: "s" before, "u" after`},
		{"slice of nothing", func(s *everything) { s.Nones = s.Nones[:1] },
			"S.Nones: len 2: [{} {}] before, len 1: [{}] after"},
		{"slice of slices", func(s *everything) { s.Nested[1][1] = 4 }, "S.Nested[1][1]: 3 before, 4 after"},
		{"slice of pointers", func(s *everything) { s.Ptrs[0].X = 4 }, "S.Ptrs[0].X: 1 before, 4 after"},
		{"map entry", func(s *everything) { s.M["a"] = pos{9, 2} }, `S.M["a"].X: 1 before, 9 after`},
		{"map entry gone", func(s *everything) { delete(s.M, "b") }, `S.M["b"]: {X:3 Y:4} before, absent after`},
		{"map entry new", func(s *everything) { s.M["c"] = pos{} }, `S.M["c"]: absent before, {X:0 Y:0} after`},
		{"map nil", func(s *everything) { s.MI = nil }, "S.MI: map[2:1 10:1] before, nil after"},
		{"map rebuilt", func(s *everything) { s.M = map[string]pos{"b": {3, 4}, "a": {1, 2}} }, ""},
		{"map in the order of its keys", func(s *everything) { s.MI = map[int]int{2: 2, 10: 2, 3: 3} },
			"S.MI[2]: 1 before, 2 after\nS.MI[3]: absent before, 3 after\nS.MI[10]: 1 before, 2 after"},
		{"map of pointers", func(s *everything) { s.MP["k"].X = 0 }, `S.MP["k"].X: 5 before, 0 after`},
		{"map of slices", func(s *everything) { s.MS[pos{1, 2}][0] = 4 }, "S.MS[{X:1 Y:2}][0]: 3 before, 4 after"},
		{"map with NaN", func(s *everything) { s.MF[math.NaN()] = 2 }, "S.MF: 1 NaN keys before, 2 NaN keys after"},
		{"map with a key in place of NaN", func(s *everything) { s.MF = map[float64]int{1.5: 1, 2: 2} },
			"S.MF[2]: absent before, 2 after\nS.MF: 1 NaN keys before, 0 NaN keys after"},
		{"object in a map's key", func(s *everything) {
			for k := range s.MPK {
				k.X = 0
			}
		}, "S.MPK[key &{X:8 Y:9}].X: 8 before, 0 after"},
		{"map of interfaces", func(s *everything) { s.MIK["one"]++; s.MIK[pos{1, 1}]++; s.MIK[1]++ },
			"S.MIK[deep.pos({X:1 Y:1})]: 3 before, 4 after\nS.MIK[int(1)]: 1 before, 2 after\nS.MIK[string(\"one\")]: 2 before, 3 after"},
		{"interface", func(s *everything) { s.Any = pos{1, 3} }, "S.Any.(deep.pos).Y: 2 before, 3 after"},
		{"interface of another type", func(s *everything) { s.Any = 5 }, "S.Any: deep.pos({X:1 Y:2}) before, int(5) after"},
		{"interface nil", func(s *everything) { s.Any = nil }, "S.Any: deep.pos({X:1 Y:2}) before, nil after"},
		{"interface with methods", func(s *everything) { s.Shape = circle{4} },
			"S.Shape.(deep.circle).Radius: 3 before, 4 after"},
		{"interface that becomes a pointer", func(s *everything) { s.Shape = square{ptr(2.0)} },
			"S.Shape: deep.circle({Radius:3}) before, deep.square({Side:&2}) after"},
		{"func", func(s *everything) { s.Func = two },
			"S.Func: github.com/ross-go/ross/internal/output/deep.one before, github.com/ross-go/ross/internal/output/deep.two after"},
		{"func nil", func(s *everything) { s.Func = nil },
			"S.Func: github.com/ross-go/ross/internal/output/deep.one before, nil after"},
		{"two fields", func(s *everything) { s.U32, s.I8 = 0, 0 }, "S.I8: -1 before, 0 after\nS.U32: 6 before, 0 after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := diffAfter(t, newEverything(), tt.change)
			require.Equal(t, tt.want, strings.Join(got, "\n"))
		})
	}
}

func TestChannelsAndUnsafePointersAreAddresses(t *testing.T) {
	n := new(int)
	for name, change := range map[string]func(*everything){
		"S.Chan: 0x":      func(s *everything) { s.Chan = chans[1] },
		"S.Unsafe: nil b": func(s *everything) { s.Unsafe = unsafe.Pointer(n) },
	} {
		got := diffAfter(t, newEverything(), change)
		require.Len(t, got, 1)
		require.Contains(t, got[0], name)
	}
	require.Empty(t, diffAfter(t, &everything{Unsafe: unsafe.Pointer(n)}, func(*everything) { *n++ }), "not followed")
}

func TestAMutexIsAStructLikeOthers(t *testing.T) {
	got := diffAfter(t, newEverything(), func(s *everything) { s.Mutex.Lock() })
	require.Len(t, got, 1)
	require.Contains(t, got[0], "S.Mutex.")
}

func TestInterfacesHoldPointersInEveryForm(t *testing.T) {
	type wrapped struct{ p [1]*pos }
	type refs struct {
		P *pos
		N int
	}
	all := func() *[]any {
		return &[]any{&pos{1, 2}, wrapped{[1]*pos{{1, 2}}}, refs{&pos{1, 2}, 0}, []*pos{{1, 2}}, map[int]*pos{4: {1, 2}},
			[]any{any(&pos{1, 2})}, one, square{ptr(1.0)}}
	}
	for i, tt := range []struct {
		change func(s []any)
		want   string
	}{
		{func(s []any) { s[0].(*pos).X = 3 }, "S[0].(*deep.pos).X: 1 before, 3 after"},
		{func(s []any) { s[1].(wrapped).p[0].X = 3 }, "S[1].(deep.wrapped).p[0].X: 1 before, 3 after"},
		{func(s []any) { s[2].(refs).P.X = 3 }, "S[2].(deep.refs).P.X: 1 before, 3 after"},
		{func(s []any) { s[3].([]*pos)[0].X = 3 }, "S[3].([]*deep.pos)[0].X: 1 before, 3 after"},
		{func(s []any) { s[4].(map[int]*pos)[4].X = 3 }, "S[4].(map[int]*deep.pos)[4].X: 1 before, 3 after"},
		{func(s []any) { s[5].([]any)[0].(*pos).X = 3 }, "S[5].([]interface {})[0].(*deep.pos).X: 1 before, 3 after"},
		{func(s []any) { s[6] = two }, "S[6].(func() int): github.com/ross-go/ross/internal/output/deep.one before, " +
			"github.com/ross-go/ross/internal/output/deep.two after"},
		{func(s []any) { *s[7].(square).Side = 3 }, "*S[7].(deep.square).Side: 1 before, 3 after"},
	} {
		got := diffAfter(t, all(), func(s *[]any) { tt.change(*s) })
		require.Equal(t, []string{tt.want}, got, "element %d", i)
	}
}

func TestFloatsAreComparedByBits(t *testing.T) {
	nan := math.Float64frombits(0x7ff8000000000001)
	other := math.Float64frombits(0x7ff8000000000002)
	for _, tt := range []struct {
		a, b float64
		want []string
	}{
		{nan, nan, nil},
		{nan, other, []string{"S: NaN(0x7ff8000000000001) before, NaN(0x7ff8000000000002) after"}},
		{0, math.Copysign(0, -1), []string{"S: 0 before, -0 after"}},
		{1, math.Inf(1), []string{"S: 1 before, +Inf after"}},
	} {
		require.Equal(t, tt.want, diffAfter(t, &tt.a, func(s *float64) { *s = tt.b }))
	}
	require.Equal(t, []string{"S: 1 before, NaN(0x7fc00000) after"},
		diffAfter(t, ptr[float32](1), func(s *float32) { *s = math.Float32frombits(0x7fc00000) }))
}

func TestNilAndEmptySlicesAreEqualAndMapsMayBecomeEmpty(t *testing.T) {
	require.Empty(t, diffAfter(t, &[]int{}, func(s *[]int) { *s = nil }))
	require.Empty(t, diffAfter(t, new([]int), func(s *[]int) { *s = []int{} }))
	require.Empty(t, diffAfter(t, new(map[int]int), func(s *map[int]int) { *s = map[int]int{} }))
	require.Equal(t, []string{"S: map[] before, nil after"},
		diffAfter(t, &map[int]int{}, func(s *map[int]int) { *s = nil }))
	require.Equal(t, []string{"S: nil before, map[1:2] after"},
		diffAfter(t, new(map[int]int), func(s *map[int]int) { *s = map[int]int{1: 2} }))
}

func TestPaddingAndBlankFieldsDoNotCount(t *testing.T) {
	s := [2]padded{{A: 1, B: 2, C: 3}, {A: 4, B: 5, C: 6}}
	got := diffAfter(t, &s, func(s *[2]padded) {
		raw := unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
		for _, at := range []uintptr{1, 7, unsafe.Offsetof(s[0].B) + 8, unsafe.Offsetof(s[0].C) + 2} {
			raw[at]++
			raw[at+unsafe.Sizeof(s[0])]++
		}
	})
	require.Empty(t, got)
}

func TestValuesWithoutSizeOrFieldsAreEqual(t *testing.T) {
	require.Empty(t, diffAfter(t, &struct{}{}, func(*struct{}) {}))
	require.Empty(t, diffAfter(t, &[0]int{}, func(*[0]int) {}))
	require.Empty(t, diffAfter(t, &[3]struct{ _ int }{}, func(*[3]struct{ _ int }) {}))
	require.Empty(t, diffAfter(t, &map[struct{}]struct{}{{}: {}}, func(*map[struct{}]struct{}) {}))
}

// Tests of pointers: sharing, cycles, lists of any length, and what Restore leaves.

var longList = racetest.Pick(1_000_000, 100_000) // nodes of the longest list

type node struct {
	Weight float64
	Next   *node
}

type twins struct {
	A, B *node
	MA   map[int]int
	MB   map[int]int
}

func TestWhatWasOneObjectMustBeOneAgain(t *testing.T) {
	shared, m := &node{Weight: 1}, map[int]int{1: 1}
	fresh := func() *twins { return &twins{A: shared, B: shared, MA: m, MB: m} }
	require.Empty(t, diffAfter(t, fresh(), func(s *twins) { s.A = &node{Weight: 1}; s.B = s.A }), "another, but one")
	require.Equal(t, []string{"S.B: same object as S.A before, another object after"},
		diffAfter(t, fresh(), func(s *twins) { s.B = &node{Weight: 1} }))
	require.Equal(t, []string{"S.B: same object as S.A before, another object after"},
		diffAfter(t, fresh(), func(s *twins) { s.A = &node{Weight: 1} }))
	require.Equal(t, []string{"S.MB: same object as S.MA before, another object after"},
		diffAfter(t, fresh(), func(s *twins) { s.MA = map[int]int{1: 1} }))
}

func TestWhatWereTwoObjectsMustBeTwo(t *testing.T) {
	fresh := func() *twins { return &twins{A: &node{}, B: &node{}, MA: map[int]int{}, MB: map[int]int{}} }
	require.Empty(t, diffAfter(t, fresh(), func(s *twins) { s.A, s.B = s.B, s.A }), "swapped equals")
	same := []string{"S.B: another object than S.A before, the same object after"}
	require.Equal(t, same, diffAfter(t, fresh(), func(s *twins) { s.B = s.A }))
	require.Equal(t, same, diffAfter(t, fresh(), func(s *twins) { s.A = s.B }))
	require.Equal(t, same, diffAfter(t, fresh(), func(s *twins) { s.A = &node{}; s.B = s.A }))
	require.Equal(t, []string{"S.MB: another object than S.MA before, the same object after"},
		diffAfter(t, fresh(), func(s *twins) { s.MB = s.MA }))
}

func TestMapsBehindPointersAreNamedWithTheirStars(t *testing.T) {
	type state struct{ A, B *map[int]int }
	m := map[int]int{}
	s := &state{A: &m, B: ptr(m)}
	require.Equal(t, []string{"*S.B: same object as *S.A before, another object after"},
		diffAfter(t, s, func(s *state) { *s.B = map[int]int{} }))
}

func TestPointersToNothingHaveNoIdentity(t *testing.T) {
	type none struct{ A, B *struct{} }
	s := none{new(struct{}), new(struct{})}
	require.Empty(t, diffAfter(t, &s, func(s *none) { s.B = s.A }))
}

func TestCyclesEnd(t *testing.T) {
	ring := &node{Weight: 1}
	ring.Next = &node{Weight: 2, Next: ring}
	require.Equal(t, []string{"S.Next.Weight: 2 before, 3 after"},
		diffAfter(t, ring, func(s *node) { s.Next.Weight = 3 }))
	require.Equal(t, []string{"S.Next.Next: same object as &S before, another object after"},
		diffAfter(t, ring, func(s *node) { s.Next.Next = &node{Weight: 1, Next: s.Next} }))

	type selfMap map[string]selfMap
	m := selfMap{}
	m["me"] = m
	require.Equal(t, []string{`S["new"]: absent before, map[] after`},
		diffAfter(t, &m, func(m *selfMap) { (*m)["new"] = selfMap{} }))

	type selfSlice []selfSlice
	s := make(selfSlice, 2)
	s[1] = s
	require.Empty(t, diffAfter(t, &s, func(s *selfSlice) { *s = append(selfSlice{}, *s...); (*s)[1] = *s }))
	require.Empty(t, diffAfter(t, &s, func(s *selfSlice) { *s = append(selfSlice{}, *s...) }), "slices share as they like")
	require.Equal(t, []string{"S[0]: len 0: [] before, len 1: [[]] after"},
		diffAfter(t, &s, func(s *selfSlice) { (*s)[0] = make(selfSlice, 1) }))

	require.Empty(t, diffAfter(t, &s, func(s *selfSlice) {
		a, b := make(selfSlice, 2), make(selfSlice, 2)
		a[1], b[1] = b, a
		*s = selfSlice{nil, a}
	}), "a cycle of two behind one that is in none")

	boxes := []any{nil, 1}
	boxes[0] = boxes
	require.Equal(t, []string{"S[1].(int): 1 before, 2 after"}, diffAfter(t, &boxes, func(s *[]any) { (*s)[1] = 2 }))
	type selfPtr *selfPtr
	var p selfPtr
	p = &p
	require.Empty(t, diffAfter(t, &p, func(*selfPtr) {}))
}

func TestPointersIntoTheStateItselfWork(t *testing.T) {
	l := list.New()
	for i := range 5 {
		l.PushBack(i)
	}
	require.Empty(t, diffAfter(t, l, func(l *list.List) {
		front := l.Front()
		l.Remove(front)
		l.PushFront(front.Value)
	}))
	got := diffAfter(t, l, func(l *list.List) { l.MoveToFront(l.Back()) })
	require.Contains(t, got, "S.root.next.Value.(int): 0 before, 4 after")

	type inner struct {
		Slots [4]int
		Free  *int
	}
	s := &inner{}
	s.Free = &s.Slots[2]
	require.Equal(t, []string{"S.Slots[2]: 0 before, 5 after", "*S.Free: 0 before, 5 after"},
		diffAfter(t, s, func(s *inner) { *s.Free = 5 }))
}

func TestRestoreKeepsAddresses(t *testing.T) {
	type state struct {
		Head  *node
		Queue []node
		Index map[string]*node
		Box   any
	}
	head := &node{Weight: 1, Next: &node{Weight: 2}}
	s := &state{Head: head, Queue: []node{{3, nil}, {4, head}}, Index: map[string]*node{"h": head}, Box: pos{1, 2}}
	outside, queue, index := head.Next, s.Queue, s.Index
	c := NewCopier(reflect.TypeFor[state]())
	was := c.Copy(unsafe.Pointer(s))
	for range 2 {
		head.Next.Weight, head.Next = 9, nil
		s.Queue[0].Weight = 9
		s.Queue = s.Queue[1:]
		delete(s.Index, "h")
		s.Index["x"] = nil
		*s = state{Box: 5, Index: map[string]*node{}, Queue: s.Queue}
		c.Restore(was, unsafe.Pointer(s))
		require.Empty(t, c.Diff(was, unsafe.Pointer(s)))
		require.Same(t, head, s.Head)
		require.Same(t, outside, head.Next)
		require.Equal(t, 2.0, outside.Weight)
		require.Same(t, &queue[0], &s.Queue[0])
		require.Equal(t, 3.0, queue[0].Weight)
		require.Equal(t, map[string]*node{"h": head}, index, "the map that others know")
		require.Equal(t, pos{1, 2}, s.Box)
	}
	s.Index["h"] = nil
	c.Restore(was, unsafe.Pointer(s))
	require.Same(t, head, index["h"])
	delete(s.Index, "h")
	s.Index["y"] = head
	c.Restore(was, unsafe.Pointer(s))
	require.Equal(t, map[string]*node{"h": head}, index, "another key")
}

func TestRestoreToAnotherPlaceLeavesTheFirstAlone(t *testing.T) {
	a, b := node{Weight: 1}, node{}
	c := NewCopier(reflect.TypeFor[node]())
	was := c.Copy(unsafe.Pointer(&a))
	a.Weight = 2
	c.Restore(was, unsafe.Pointer(&b))
	require.Equal(t, []node{{Weight: 2}, {Weight: 1}}, []node{a, b})
}

func TestReadOnlyMemoryIsNotWritten(t *testing.T) {
	type state struct {
		Type reflect.Type // leads to what the linker wrote
		Zero any          // an interface of a constant does so too
		When time.Time
	}
	s := &state{reflect.TypeFor[state](), 0, time.Unix(1, 0)}
	got := diffAfter(t, s, func(s *state) { s.Zero = 1 })
	require.Equal(t, []string{"S.Zero.(int): 0 before, 1 after"}, got)
}

func TestPartsOfTypesThatAreSkippedDoNotCount(t *testing.T) {
	type secret struct{ A, B int }
	type state struct {
		N    int
		In   secret
		All  []secret
		Each [2]struct {
			S secret
			M int
		}
	}
	c := NewCopierWithout(func(t reflect.Type) bool { return t == reflect.TypeFor[secret]() }, reflect.TypeFor[state]())
	s := state{N: 1, All: []secret{{1, 2}}}
	before := c.Copy(unsafe.Pointer(&s))
	s.In.A, s.All[0].B, s.Each[1].S.A = 5, 6, 7
	require.Empty(t, c.Diff(before, unsafe.Pointer(&s)))
	s.N, s.Each[1].M, s.All = 2, 8, nil
	require.Equal(t, []string{"state.N: 1 before, 2 after", "state.All: len 1: […] before, len 0: [] after",
		"state.Each[1].M: 0 before, 8 after"},
		texts(c.Diff(before, unsafe.Pointer(&s))))
}

func TestOpaqueTypesAreAddresses(t *testing.T) {
	type engine struct{ Clock int }
	type state struct {
		LP  *engine
		Any any
		All []*engine
	}
	e, f := &engine{}, &engine{}
	s := state{LP: e, Any: e, All: []*engine{e}}
	c := NewCopier(reflect.TypeFor[state](), reflect.TypeFor[engine]())
	was := c.Copy(unsafe.Pointer(&s))
	e.Clock++
	require.Empty(t, c.Diff(was, unsafe.Pointer(&s)))
	s.LP, s.Any, s.All[0] = f, f, f
	got := texts(c.Diff(was, unsafe.Pointer(&s)))
	require.Len(t, got, 3)
	require.Contains(t, got[0], "state.LP: 0x")
	require.Contains(t, got[1], "state.Any.(*deep.engine): 0x")
	require.Contains(t, got[2], "state.All[0]: 0x")
	c.Restore(was, unsafe.Pointer(&s))
	require.Same(t, e, s.LP)
	require.Equal(t, 1, e.Clock, "not restored either")
	require.Contains(t, texts(c.Compare(unsafe.Pointer(&s), unsafe.Pointer(&state{}), "m"))[0], "m.LP: 0x")
}

// A list of a million nodes: neither the depth of the stack nor the path may grow
// with it.
func TestLongListsAreCopiedComparedAndRestored(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // in little memory
	head := &node{}
	last := head
	for i := 1; i < longList; i++ {
		last.Next = &node{Weight: float64(i)}
		last = last.Next
	}
	c, p := NewCopier(reflect.TypeFor[node]()), unsafe.Pointer(head)
	was := c.Copy(p)
	last.Weight = -1
	want := fmt.Sprintf("node(.Next){%d}.Weight: %[1]d before, -1 after", longList-1)
	require.Equal(t, []string{want}, texts(c.Diff(was, p)))
	c.Restore(was, p)
	require.Empty(t, c.Diff(was, p))
	require.Equal(t, float64(longList-1), last.Weight)
}

func TestLinksOfAnyKindMayBeDeep(t *testing.T) {
	type links struct {
		V int
		S []links
		I any
		M map[int]links
	}
	chain := links{V: 1}
	for range 3000 {
		chain = links{S: []links{{I: links{M: map[int]links{7: chain}}}}}
	}
	c := NewCopier(reflect.TypeFor[links]())
	was := c.Copy(unsafe.Pointer(&chain))
	require.Empty(t, c.Diff(was, unsafe.Pointer(&chain)))
	at := &chain
	for at.S != nil {
		next := at.S[0].I.(links).M[7]
		if next.V == 1 {
			at.S[0].I.(links).M[7] = links{V: 2}
		}
		at = &next
	}
	got := texts(c.Diff(was, unsafe.Pointer(&chain)))
	require.Len(t, got, 1)
	require.Regexp(t, `^links\.S\[0\]\.I\.\(deep\.links\)\.M\[7\]\.S.*….*\.M\[7\]\.V: 1 before, 2 after$`, got[0])
	require.Less(t, len(got[0]), 300)
}

// What checking an event costs: a copy before it, a comparison after it.

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
