// Tests of pointers: sharing, cycles, lists of any length, and what Restore leaves.
package deep

import (
	"container/list"
	"fmt"
	"reflect"
	"runtime/debug"
	"testing"
	"time"
	"unsafe"

	"github.com/ross-go/ross/internal/racetest"
	"github.com/stretchr/testify/require"
)

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
