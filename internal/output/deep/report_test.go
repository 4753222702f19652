// This file pins reports of differences; it has the helpers of the tests, and the package's example: a Reverse
// handler that forgets something.

package deep

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Tests of reports: limits, cuts, paths, comparing two values.

func TestAtMostTwentyDifferencesAreReported(t *testing.T) {
	got := diffAfter(t, new([100]int), func(s *[100]int) {
		for i := range s {
			s[i] = i
		}
	})
	require.Len(t, got, MaxDifferences)
	require.Equal(t, "S[1]: 0 before, 1 after", got[0])
	got = diffAfter(t, &map[int]string{}, func(s *map[int]string) {
		for i := range 100 {
			(*s)[i] = "x"
		}
	})
	require.Len(t, got, MaxDifferences)
	require.Equal(t, `S[19]: absent before, "x" after`, got[19])
}

func TestLongValuesAreCutWhereTheyDiffer(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for _, tt := range []struct{ a, b, before, after string }{
		{strings.Repeat("x", 78), "y", `"` + strings.Repeat("x", 78) + `"`, `"y"`},
		{strings.Repeat("x", 79), "y", `"` + strings.Repeat("x", 78) + "…", `"y"`},
		{long + "a" + long, long + "b" + long,
			"…" + strings.Repeat("é", 20) + "a" + strings.Repeat("é", 57) + "…",
			"…" + strings.Repeat("é", 20) + "b" + strings.Repeat("é", 57) + "…"},
		{long + "è", long + "é", "…" + strings.Repeat("é", 20) + `è"`, "…" + strings.Repeat("é", 20) + `é"`},
		{long, long + "z", "…" + strings.Repeat("é", 20) + `"`, "…" + strings.Repeat("é", 20) + `z"`},
		{long, "", `"` + strings.Repeat("é", 78) + "…", `""`},
	} {
		found := DiffValues(reflect.TypeFor[string](), unsafe.Pointer(&tt.a), unsafe.Pointer(&tt.b), "s")
		require.Equal(t, []Difference{{"s", tt.before, tt.after}}, found)
		require.LessOrEqual(t, utf8.RuneCountInString(found[0].Before), 80)
	}
	got := diffAfter(t, &map[string]int{long: 1}, func(s *map[string]int) { (*s)[long] = 2 })
	require.Equal(t, []string{`S["` + strings.Repeat("é", 78) + "…]: 1 before, 2 after"}, got)
}

// Values may hold themselves, or be large: printing ends.
func TestPrintingEnds(t *testing.T) {
	type knot struct {
		Name string
		P    *knot
		M    map[string]*knot
		S    []knot
		A    any
		Big  []int
	}
	k := &knot{Name: "k", Big: make([]int, 100_000)}
	k.P, k.M, k.A = k, map[string]*knot{"b": nil, "a": k}, k
	k.S = []knot{{Name: "s", A: k}, {Big: make([]int, 100_000)}}
	type state struct{ K *knot }
	got := diffAfter(t, &state{}, func(s *state) { s.K = k })
	require.Len(t, got, 1)
	require.Contains(t, got[0], `S.K: nil before, &{Name:"k" P:&{Name:"k" P:&{`)
	require.Less(t, len(got[0]), 150)
	wide := make(map[int]int)
	for i := range 5000 {
		wide[i] = i
	}
	got = diffAfter(t, new(map[int]int), func(s *map[int]int) { *s = wide })
	require.Contains(t, got[0], "S: nil before, map[0:0 1:1 2:2 3:3 4:4")
}

// The value before is printed as it was, all the way down.
func TestTheValueBeforeIsNotTheLiveOne(t *testing.T) {
	type state struct {
		P *node
		S []*node
		M map[string]int
		A any
	}
	s := &state{P: &node{1, &node{2, nil}}, S: []*node{{3, nil}}, M: map[string]int{"a": 1}, A: []int{1}}
	got := diffAfter(t, s, func(s *state) {
		s.P.Next.Weight, s.S[0].Weight, s.M["a"], s.A.([]int)[0] = 9, 9, 9, 9
		s.P, s.S, s.M, s.A = nil, nil, nil, nil
	})
	require.Equal(t, []string{
		"S.P: &{Weight:1 Next:&{Weight:2 Next:nil}} before, nil after",
		"S.S: len 1: [&{Weight:3 Next:nil}] before, len 0: [] after",
		`S.M: map["a":1] before, nil after`,
		"S.A: []int([1]) before, nil after",
	}, got)
}

func TestMapKeysHaveOneOrder(t *testing.T) {
	type key struct {
		A any
		P *pos
		B bool
		F float64
		C complex128
		U [2]uint8
	}
	deepKey := func(x int32) any { return &struct{ P **pos }{ptr(&pos{X: x})} }
	keys := []key{
		{}, {F: -1}, {F: math.Inf(1)}, {B: true}, {P: &pos{1, 2}}, {P: &pos{1, 3}}, {A: 1}, {A: 2}, {A: "a"}, {A: uint8(1)},
		{C: 1}, {C: 1i}, {U: [2]uint8{0, 1}}, {A: deepKey(1)}, {A: deepKey(2)}, {A: [1]string{"x"}},
	}
	var want []string
	for range 20 {
		m := make(map[key]int)
		for _, k := range keys {
			m[k] = 0
		}
		got := diffAfter(t, &m, func(m *map[key]int) {
			for k := range *m {
				(*m)[k] = 1
			}
		})
		require.Len(t, got, len(keys))
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
}

func TestUnnamedTypesAndRootsHaveNames(t *testing.T) {
	a, b := [2]int{1, 2}, [2]int{1, 3}
	c := NewCopier(reflect.TypeFor[[2]int]())
	found := c.Diff(c.Copy(unsafe.Pointer(&a)), unsafe.Pointer(&b))
	require.Equal(t, []string{"[2]int[1]: 2 before, 3 after"}, texts(found))
	require.Equal(t, []string{"msg[1]: 2 before, 3 after"},
		texts(c.Compare(unsafe.Pointer(&a), unsafe.Pointer(&b), "msg")))
}

func TestTwoValuesWithSharedPartsAreCompared(t *testing.T) {
	x, y := &node{Weight: 1}, &node{Weight: 1}
	a, b := twins{A: x, B: y}, twins{A: y, B: x}
	compare := func() []string {
		return texts(DiffValues(reflect.TypeFor[twins](), unsafe.Pointer(&a), unsafe.Pointer(&b), "v"))
	}
	require.Empty(t, compare())
	b.B = y
	require.Equal(t, []string{"v.B: another object than v.A before, the same object after"}, compare())
	b = twins{A: &node{Weight: 1}, B: &node{Weight: 2}}
	require.Equal(t, []string{"v.B.Weight: 1 before, 2 after"}, compare())
	require.Nil(t, DiffValues(reflect.TypeFor[twins](), unsafe.Pointer(&a), unsafe.Pointer(&a), "v"))
}

func TestRunsInPathsAreCounted(t *testing.T) {
	type nest struct {
		P    **nest
		N    *nest
		V    int
		Self any
	}
	s := &nest{N: &nest{N: &nest{N: &nest{N: &nest{V: 1}}}}}
	require.Equal(t, []string{"S(.N){4}.V: 1 before, 2 after"}, diffAfter(t, s, func(s *nest) { s.N.N.N.N.V = 2 }))
	require.Equal(t, []string{"S.N.N.N.V: 0 before, 2 after"}, diffAfter(t, s, func(s *nest) { s.N.N.N.V = 2 }))
	s = &nest{P: ptr(&nest{P: ptr(&nest{})})}
	require.Equal(t, []string{"(*(*S.P).P).V: 0 before, 2 after"}, diffAfter(t, s, func(s *nest) { (*(*s.P).P).V = 2 }))
	s.P = ptr(&nest{Self: &pos{}})
	require.Equal(t, []string{"(*S.P).Self.(*deep.pos).X: 0 before, 2 after"}, diffAfter(t, s, func(s *nest) {
		(*s.P).Self.(*pos).X = 2
	}))
	var in any = ptr[any](ptr(any(1)))
	require.Equal(t, []string{"(*(*S.(*interface {})).(*interface {})).(int): 1 before, 2 after"},
		diffAfter(t, &in, func(s *any) { *(*(*s).(*any)).(*any) = 2 }))
	s = &nest{Self: nest{Self: nest{Self: nest{Self: nest{N: &nest{}}}}}}
	require.Equal(t, []string{"S(.Self.(deep.nest)){4}.N.V: 0 before, 1 after"}, diffAfter(t, s, func(s *nest) {
		s.Self.(nest).Self.(nest).Self.(nest).Self.(nest).N.V = 1
	}))
}

// Helpers of the tests: a snapshot, a change, and its report.

// diffAfter gives the differences of s after change, as text, with s called S. It also
// requires that there are none before, and none after Restore.
func diffAfter[S any](t *testing.T, s *S, change func(*S)) []string {
	t.Helper()
	c := NewCopier(reflect.TypeFor[S]())
	c.name = "S"
	p := unsafe.Pointer(s)
	was := c.Copy(p)
	require.Empty(t, c.Diff(was, p), "before the change")
	change(s)
	found := texts(c.Diff(was, p))
	require.Equal(t, found, texts(c.Diff(was, p)), "differences are the same each time")
	c.Restore(was, p)
	require.Empty(t, texts(c.Diff(was, p)), "after Restore")
	return found
}

func texts(list []Difference) []string {
	var all []string
	for _, d := range list {
		all = append(all, d.String())
	}
	return all
}

type Job struct{ Weight float64 }

type State struct {
	Served int
	Queue  []*Job
}

func (s *State) Event() {
	s.Served++
	s.Queue[1].Weight++
}

func (s *State) Reverse() { s.Served-- }

func Example() {
	state := &State{Queue: []*Job{{Weight: 1}, {Weight: 2.5}}}

	copier := NewCopier(reflect.TypeFor[State]())
	before := copier.Copy(unsafe.Pointer(state))
	state.Event()
	state.Reverse()
	for _, difference := range copier.Diff(before, unsafe.Pointer(state)) {
		fmt.Println(difference)
	}

	copier.Restore(before, unsafe.Pointer(state))
	fmt.Println(state.Queue[1].Weight)
	// Output:
	// State.Queue[1].Weight: 2.5 before, 3.5 after
	// 2.5
}
