// Tests of digests: equal values have equal digests, at any address; changes change them.
package deep

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func hashOf[S any](s *S) uint64 {
	return NewHasher(reflect.TypeFor[S](), Blocks{}).Hash(unsafe.Pointer(s))
}

func TestHashShowsAChangeOfOneValueAndNotWhereValuesLie(t *testing.T) {
	for seed := range uint64(1000) {
		make := func() (reflect.Value, uint64) {
			r := newRand(seed)
			v := reflect.New(randomType(r, 1+r.IntN(4)))
			fill(r, v.Elem(), 3)
			return v, r.Uint64()
		}
		v, dice := make()
		twin, _ := make()
		h := NewHasher(v.Type().Elem(), Blocks{})
		want := h.Hash(v.UnsafePointer())
		require.Equal(t, want, h.Hash(v.UnsafePointer()), "seed %d", seed)
		require.Equal(t, want, h.Hash(twin.UnsafePointer()), "seed %d", seed)
		require.Equal(t, want, NewHasher(v.Type().Elem(), Blocks{}).Hash(twin.UnsafePointer()), "seed %d", seed)
		if all := places(v.Elem(), "S", 0, func() {}); len(all) > 0 {
			at := all[dice%uint64(len(all))]
			at.change()
			require.NotEqual(t, want, h.Hash(v.UnsafePointer()), "seed %d: %s", seed, at.path)
		}
	}
}

// TestGraphsOfOneShapeHaveOneHash compares small graphs, of which many are equal though
// they were built in other ways.
func TestGraphsOfOneShapeHaveOneHash(t *testing.T) {
	shapes, hashes := map[string]uint64{}, map[uint64]bool{}
	h := NewHasher(reflect.TypeFor[vertex](), Blocks{})
	same := 0
	for seed := range uint64(5000) {
		r := newRand(seed)
		v := randomGraph(r, 1+r.IntN(5))[0]
		shape, hash := shapeOf(v), h.Hash(unsafe.Pointer(v))
		if was, ok := shapes[shape]; ok {
			same++
			require.Equal(t, was, hash, "seed %d: %s", seed, shape)
		}
		shapes[shape], hashes[hash] = hash, true
	}
	require.Greater(t, same, 500)
	require.Greater(t, 100*len(hashes), 98*len(shapes), "of %d shapes only %d hashes", len(shapes), len(hashes))
}

// TestHashTakesForEqualWhatDiffDoes has pairs that are equal but for what does not count.
func TestHashTakesForEqualWhatDiffDoes(t *testing.T) {
	type state struct {
		S, T []int
		M    map[string]int
		Any  any
		In   [][]int
		F    func()
		_    int
		A    int8
		B    int64
		P    *int
	}
	shared := []int{1, 2, 3}
	one := 1
	a := &state{S: shared, T: shared, M: nil, Any: 5, In: [][]int{shared, shared}, F: func() {}}
	b := &state{S: append([]int{1, 2}, 3), T: []int{1, 2, 3}, M: map[string]int{}, Any: 5, In: [][]int{{1, 2, 3}, {1, 2, 3}}, F: a.F}
	for i := range unsafe.Sizeof(*b) {
		if x := unsafe.Offsetof(b.A); i > x && i < unsafe.Offsetof(b.B) {
			*(*byte)(unsafe.Add(unsafe.Pointer(b), i)) = 0xEE
		}
	}
	require.Equal(t, hashOf(a), hashOf(b))
	for name, change := range map[string]func(s *state){
		"length":          func(s *state) { s.S = shared[:2] },
		"inner element":   func(s *state) { s.In = [][]int{{1, 2, 3}, {1, 2, 4}} },
		"entry":           func(s *state) { s.M = map[string]int{"": 0} },
		"type in any":     func(s *state) { s.Any = int64(5) },
		"value in any":    func(s *state) { s.Any = 6 },
		"nothing in any":  func(s *state) { s.Any = nil },
		"function":        func(s *state) { s.F = nil },
		"pointer":         func(s *state) { s.P = &one },
		"negative zero":   func(s *state) { s.Any = math.Copysign(0, -1) },
		"number to field": func(s *state) { s.A = 1 },
	} {
		c := *a
		change(&c)
		require.NotEqual(t, hashOf(a), hashOf(&c), name)
	}
	nan := math.NaN()
	require.Equal(t, hashOf(&map[float64]int{nan: 1, 2: 3}), hashOf(&map[float64]int{2: 3, nan: 1}))
	require.NotEqual(t, hashOf(&nan), hashOf(new(float64)))
	x, y := math.Copysign(0, -1), 0.0
	require.NotEqual(t, hashOf(&x), hashOf(&y))
}

func TestHashSeesOrderAndLengthOfLists(t *testing.T) {
	list := func(values ...int) *link {
		var head *link
		for i := len(values) - 1; i >= 0; i-- {
			head = &link{V: values[i], Next: head}
		}
		return head
	}
	ring := func(n int) *link {
		head := &link{}
		at := head
		for range n - 1 {
			at.Next = &link{}
			at = at.Next
		}
		at.Next = head
		return head
	}
	ones := func(n, two int) *link {
		all := make([]int, n)
		all[two] = 2
		return list(all...)
	}
	require.Equal(t, hashOf(ones(1000, 500)), hashOf(ones(1000, 500)))
	for _, other := range []*link{ones(1000, 499), ones(999, 500), ones(1001, 500)} {
		require.NotEqual(t, hashOf(ones(1000, 500)), hashOf(other))
	}
	require.Equal(t, hashOf(ring(50)), hashOf(ring(50)))
	require.NotEqual(t, hashOf(ring(50)), hashOf(ring(51)))
	require.NotEqual(t, hashOf(list(1, 2, 3, 4, 5, 6, 7, 8)), hashOf(list(1, 2, 3, 4, 6, 5, 7, 8)))
}

type link struct {
	V    int
	Next *link
}

// outside is a struct with memory that no Go pointer leads to.
type outside struct{ at, n uint64 }

func TestHashTakesBlocksByTheirContents(t *testing.T) {
	type state struct {
		A    int
		List []outside
		P    *outside
	}
	memory := map[uint64][]outside{}
	blocks := Blocks{
		Elem: func(t reflect.Type) (reflect.Type, bool) { return t, t == reflect.TypeFor[outside]() },
		At: func(p unsafe.Pointer) (unsafe.Pointer, int) {
			b := (*outside)(p)
			return unsafe.Pointer(unsafe.SliceData(memory[b.at])), int(b.n)
		},
	}
	hash := func(s *state) uint64 { return NewHasher(reflect.TypeFor[state](), blocks).Hash(unsafe.Pointer(s)) }
	memory[7], memory[8] = []outside{{8, 1}, {}}, []outside{{}}
	memory[17], memory[18] = []outside{{18, 1}, {}}, []outside{{}}
	memory[27], memory[28] = []outside{{28, 1}, {}}, []outside{{1, 0}}
	a := &state{1, []outside{{7, 2}}, &outside{8, 1}}
	require.Equal(t, hash(a), hash(&state{1, []outside{{17, 2}}, &outside{18, 1}}))
	require.NotEqual(t, hash(a), hash(&state{1, []outside{{7, 2}}, &outside{7, 2}}))
	require.NotEqual(t, hash(a), hash(&state{1, []outside{{99, 2}}, &outside{8, 1}}), "it has been freed")
	memory[8] = append(memory[8], outside{})
	require.NotEqual(t, hash(a), hash(&state{1, []outside{{7, 2}}, &outside{8, 2}}))
}

func TestHashOfLongListsTakesLinearTime(t *testing.T) {
	var head *link
	for i := range longList / 10 {
		head = &link{V: i, Next: head}
	}
	require.NotZero(t, hashOf(head))
}
