// This file pins digests, and compares random values with one change.

package deep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/testlevel"
)

// Tests of digests: equal values have equal digests, at any address; changes change them.

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

// TestGraphsOfOneShapeHaveOneHash compares small graphs; many are equal though
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
	b := &state{S: append([]int{1, 2}, 3), T: []int{1, 2, 3}, M: map[string]int{}, Any: 5,
		In: [][]int{{1, 2, 3}, {1, 2, 3}}, F: a.F}
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

// Random tests: one change of a random value of a random type is reported as just that;
// graphs are equal if and only if they have the same shape.

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

var basicTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[string](),
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[[2]uint8](), reflect.TypeFor[pos](),
}

// randomType makes a type of the given number of levels.
func randomType(r *rand.Rand, levels int) reflect.Type {
	if levels == 0 {
		return basicTypes[r.IntN(len(basicTypes))]
	}
	switch r.IntN(8) {
	case 0:
		return reflect.PointerTo(randomType(r, levels-1))
	case 1:
		return reflect.SliceOf(randomType(r, levels-1))
	case 2:
		return reflect.ArrayOf(1+r.IntN(3), randomType(r, levels-1))
	case 3:
		return reflect.MapOf(keyTypes[r.IntN(len(keyTypes))], randomType(r, levels-1))
	case 4:
		return reflect.TypeFor[any]()
	}
	fields := make([]reflect.StructField, 1+r.IntN(5))
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("L%dF%d", levels, i), Type: randomType(r, r.IntN(levels))}
	}
	return reflect.StructOf(fields)
}

// fill gives the addressable v a random value: nothing nil or empty, no NaN.
func fill(r *rand.Rand, v reflect.Value, levels int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem(), levels)
	case reflect.Slice:
		n := 1 + r.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n+r.IntN(2)))
		fillAll(r, v, levels)
	case reflect.Array:
		fillAll(r, v, levels)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), levels)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 1 + r.IntN(4) {
			key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, levels)
			fill(r, val, levels)
			v.SetMapIndex(key, val)
		}
	case reflect.Interface:
		in := reflect.New(randomType(r, min(levels, 2))).Elem()
		if in.Kind() != reflect.Interface {
			fill(r, in, levels-1)
			v.Set(in)
		}
	default:
		fillBasic(r, v)
	}
}

func fillAll(r *rand.Rand, v reflect.Value, levels int) {
	for i := range v.Len() {
		fill(r, v.Index(i), levels)
	}
}

func fillBasic(r *rand.Rand, v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(r.Int64N(200) - 100)
	case v.CanUint():
		v.SetUint(r.Uint64N(200))
	case v.CanFloat():
		v.SetFloat(float64(r.IntN(100)) / 4)
	case v.CanComplex():
		v.SetComplex(complex(float64(r.IntN(100)), 1))
	case v.CanSet() && v.Kind() == reflect.String:
		v.SetString(strconv.Itoa(r.IntN(1000)))
	case v.Kind() == reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	}
}

// place is a basic value within another: its path, and how to change it.
type place struct {
	path   string
	change func()
}

// places lists the basic values within the addressable v. Its path is expr behind
// the given number of stars that are not written yet; done stores v where it was copied from.
func places(v reflect.Value, expr string, stars int, done func()) []place {
	wrapped := expr
	if stars > 0 {
		wrapped = "(" + strings.Repeat("*", stars) + expr + ")"
	}
	var all []place
	switch v.Kind() {
	case reflect.Pointer:
		return places(v.Elem(), expr, stars+1, done)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			all = append(all, places(v.Index(i), fmt.Sprintf("%s[%d]", wrapped, i), 0, done)...)
		}
	case reflect.Struct:
		if stars == 1 {
			wrapped = expr
		} else if stars > 1 {
			wrapped = "(" + strings.Repeat("*", stars-1) + expr + ")"
		}
		for i := range v.NumField() {
			all = append(all, places(v.Field(i), wrapped+"."+v.Type().Field(i).Name, 0, done)...)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			key, val := it.Key(), addressable(it.Value())
			name := fmt.Sprintf("%+v", key)
			if key.Kind() == reflect.String {
				name = strconv.Quote(key.String())
			}
			all = append(all, places(val, wrapped+"["+name+"]", 0, func() { v.SetMapIndex(key, val); done() })...)
		}
	case reflect.Interface:
		if !v.IsNil() {
			in := addressable(v.Elem())
			all = places(in, fmt.Sprintf("%s.(%v)", wrapped, in.Type()), 0, func() { v.Set(in); done() })
		}
	default:
		all = []place{{strings.Repeat("*", stars) + expr, func() { flip(v); done() }}}
	}
	return all
}

func flip(v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(^v.Int())
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.CanFloat():
		v.SetFloat(-1 - v.Float())
	case v.CanComplex():
		v.SetComplex(v.Complex() - 1i)
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "!")
	default:
		v.SetBool(!v.Bool())
	}
}

// checkOneChange makes a value twice from one seed, changes one at one place, and
// expects that place to be reported, and Restore to make both equal.
func checkOneChange(t *testing.T, seed uint64) {
	make := func() (*rand.Rand, reflect.Value) {
		r := newRand(seed)
		v := reflect.New(randomType(r, 1+r.IntN(4)))
		fill(r, v.Elem(), 3)
		return r, v
	}
	r, v := make()
	_, twin := make()
	c := NewCopier(v.Type().Elem())
	p := v.UnsafePointer()
	was := c.Copy(p)
	require.Empty(t, texts(c.Diff(was, p)), "seed %d", seed)
	require.Empty(t, texts(c.Diff(was, twin.UnsafePointer())), "seed %d", seed)
	all := places(v.Elem(), "S", 0, func() {})
	if len(all) == 0 {
		return
	}
	at := all[r.IntN(len(all))]
	at.change()
	found := c.diff(was, p, "S")
	require.Len(t, found, 1, "seed %d: %s: %v", seed, at.path, found)
	require.Equal(t, at.path, found[0].Path, "seed %d", seed)
	require.Equal(t, found, c.Compare(twin.UnsafePointer(), p, "S"), "seed %d", seed)
	require.NotEqual(t, found[0].Before, found[0].After, "seed %d", seed)
	c.Restore(was, p)
	require.Empty(t, texts(c.Diff(was, p)), "seed %d", seed)
	require.Equal(t, twin.Interface(), v.Interface(), "seed %d", seed)
}

func TestOneChangeIsOneDifference(t *testing.T) {
	for seed := range uint64(1000) {
		checkOneChange(t, seed)
	}
}

func FuzzOneChange(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(checkOneChange)
}

// vertex refers to others in every way that has identity, and in two that have not.
type vertex struct {
	V    int8
	A, B *vertex
	M    map[int8]*vertex
	N    map[int8]*vertex
	S    []*vertex
	I    any
}

// randomGraph makes n vertices that refer to each other, to few enough to be equal often.
func randomGraph(r *rand.Rand, n int) []*vertex {
	all := make([]*vertex, n)
	for i := range all {
		all[i] = &vertex{}
	}
	for i := range 1 + r.IntN(4) {
		rewire(r, all, i == 0)
	}
	return all
}

// rewire changes one reference or value.
func rewire(r *rand.Rand, all []*vertex, valueToo bool) {
	from, to := all[r.IntN(len(all))], all[r.IntN(len(all))]
	switch r.IntN(8) {
	case 0:
		from.A = to
	case 1:
		from.B = to
	case 2:
		from.M = map[int8]*vertex{int8(r.IntN(2)): to}
	case 3:
		from.N = to.M
	case 4:
		from.S = []*vertex{to, to.A}[:1+r.IntN(2)]
	case 5:
		from.I = to
	case 6:
		from.A, from.B = from.B, from.A
	case 7:
		if valueToo {
			from.V ^= 1
		}
	}
}

// drawing writes a graph down: equal shapes are equal texts.
type drawing struct {
	b    strings.Builder
	seen map[unsafe.Pointer]int
}

// known writes the number of an object that was met before.
func (s *drawing) known(p unsafe.Pointer) bool {
	n, ok := s.seen[p]
	if !ok && p != nil {
		n = len(s.seen) + 1
		s.seen[p] = n
	}
	fmt.Fprintf(&s.b, "#%d", n)
	return ok || p == nil
}

func (s *drawing) vertex(v *vertex) {
	if s.known(unsafe.Pointer(v)) {
		return
	}
	fmt.Fprintf(&s.b, "{%d ", v.V)
	s.vertex(v.A)
	s.vertex(v.B)
	for _, m := range []map[int8]*vertex{v.M, v.N} {
		if s.known(reflect.ValueOf(m).UnsafePointer()) {
			continue
		}
		for key := range int8(2) {
			if to, ok := m[key]; ok {
				fmt.Fprintf(&s.b, "%d:", key)
				s.vertex(to)
			}
		}
	}
	fmt.Fprint(&s.b, "[")
	for _, to := range v.S {
		s.vertex(to)
	}
	fmt.Fprint(&s.b, "]")
	if to, ok := v.I.(*vertex); ok {
		s.vertex(to)
	}
	fmt.Fprint(&s.b, "}")
}

func shapeOf(v *vertex) string {
	s := drawing{seen: make(map[unsafe.Pointer]int)}
	s.vertex(v)
	return s.b.String()
}

// checkShapes compares a graph with what becomes of it, and with another one.
func checkShapes(t *testing.T, seed uint64) (equal bool) {
	r := newRand(seed)
	all := randomGraph(r, 1+r.IntN(4))
	was := shapeOf(all[0])
	c := NewCopier(reflect.TypeFor[vertex]())
	p := unsafe.Pointer(all[0])
	snap := c.Copy(p)
	for range r.IntN(4) {
		rewire(r, all, true)
	}
	now := shapeOf(all[0])
	require.Equal(t, was == now, c.Diff(snap, p) == nil, "seed %d: %s, %s: %v", seed, was, now, c.Diff(snap, p))

	other := randomGraph(r, len(all))[0]
	found := c.Compare(p, unsafe.Pointer(other), "S")
	require.Equal(t, now == shapeOf(other), found == nil, "seed %d: %s, %s: %v", seed, now, shapeOf(other), found)
	c.Restore(snap, p)
	require.Equal(t, was, shapeOf(all[0]), "seed %d", seed)
	return was == now
}

func TestGraphsAreEqualIfTheirShapesAre(t *testing.T) {
	equal, seeds := 0, 5000
	if testlevel.Is(testlevel.Few) {
		seeds = 500
	}
	for seed := range uint64(seeds) {
		if checkShapes(t, seed) {
			equal++
		}
	}
	require.Greater(t, equal, seeds/10)
	require.Less(t, equal, seeds/10*9)
}

func FuzzShapes(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkShapes(t, seed) })
}
