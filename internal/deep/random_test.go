// Random tests: one change of a random value of a random type is reported as just that;
// graphs are equal if and only if they have the same shape.
package deep

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testlevel"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

var basicTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[string](),
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[[2]uint8](), reflect.TypeFor[pos](),
}

// randomType makes a type of so many levels.
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
// so many stars that are not written yet; done stores v where it was copied from.
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

// shape writes a graph down: equal shapes are equal texts.
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
