package counters

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// inner is a part of outer.
type inner struct {
	A, B uint64 `merge:"sum"`
	C    uint64
}

type outer struct {
	inner
	Most  float64    `merge:"max"`
	Least int        `merge:"min"`
	Each  [2]uint64  `merge:"sum"`
	Parts [2]float64 `merge:"sum"`
	Times struct{ X, Y float64 }
	Name  string
	Ptr   *uint64
}

func TestFiguresAreMergedAsTheirTagsSay(t *testing.T) {
	of := Of[outer]()
	a := outer{inner{1, 2, 3}, 1.5, -2, [2]uint64{4, 5}, [2]float64{0.5, 1}, struct{ X, Y float64 }{1, 1}, "a", nil}
	b := outer{inner{10, 20, 30}, 2.5, 7, [2]uint64{40, 50}, [2]float64{0.25, 2}, struct{ X, Y float64 }{2, 2}, "b",
		new(uint64)}
	of.Merge(&a, &b)
	require.Equal(t, outer{inner{11, 22, 3}, 2.5, -2, [2]uint64{44, 55}, [2]float64{0.75, 3}, struct{ X, Y float64 }{1, 1},
		"a", nil}, a)
	c := outer{Most: -1, Least: 9}
	of.Merge(&b, &c)
	require.Equal(t, outer{inner{10, 20, 30}, 2.5, 7, [2]uint64{40, 50}, [2]float64{0.25, 2}, struct{ X, Y float64 }{2, 2},
		"b", b.Ptr}, b)
}

func TestTagOfAStructureHoldsForItsFields(t *testing.T) {
	type all struct {
		Times struct {
			X float64
			Y float64 `merge:"min"`
		} `merge:"max"`
	}
	of := Of[all]()
	var a, b all
	a.Times.X, a.Times.Y, b.Times.X, b.Times.Y = 1, 1, 2, 2
	of.Merge(&a, &b)
	require.Equal(t, 2.0, a.Times.X)
	require.Equal(t, 1.0, a.Times.Y)
}

func TestTagsThatAreNotUnderstoodPanic(t *testing.T) {
	require.PanicsWithValue(t, `counters: A: merge:"mean" is not known`, func() {
		Of[struct {
			A uint64 `merge:"mean"`
		}]()
	})
	require.Panics(t, func() {
		Of[struct {
			A uint32 `merge:"sum"`
		}]()
	})
	require.Panics(t, func() { Between[inner, struct{ D uint64 }]() })
	require.Panics(t, func() { Between[inner, struct{ A float64 }]() })
	require.Panics(t, func() { Between[inner, struct{ A uint32 }]() })
	require.Panics(t, func() { Adding[inner, struct{ A float64 }]() })
	require.Panics(t, func() {
		RecordOf[struct{ A uint32 }]()
	})
	require.Panics(t, func() {
		RecordOf[struct {
			A uint32 `column:"a"`
			B uint64 `column:"b"`
		}]()
	})
}

func TestABridgeHasTheDifferencesOfAllFigures(t *testing.T) {
	type counted struct {
		A, B, C uint64
		X, Y    float64
	}
	type record struct {
		ID uint32
		Y  float64
		C  uint64
		B  uint32
		X  float32
		A  uint32
	}
	r := record{ID: 7, A: 99, Y: 99}
	Between[record, counted]().Since(&r, &counted{10, 1<<32 + 5, 30, 2.5, 1}, &counted{4, 2, 1, 1, 1.5})
	require.Equal(t, record{ID: 7, A: 6, B: 3, C: 29, X: 1.5, Y: 0}, r)
}

func TestFiguresOfOneNameAreAdded(t *testing.T) {
	type record struct {
		ID uint32
		B  uint32
		C  float64
		A  uint64
	}
	sums := inner{1, 2, 3}
	add := Adding[inner, record]()
	add(&sums, &record{ID: 7, B: 1<<32 - 1, C: 5, A: 10})
	add(&sums, &record{B: 1})
	require.Equal(t, inner{11, 2 + 1<<32, 3}, sums)
}

type row struct {
	A uint32  `column:"a"`
	B float32 `column:"b"`
	C uint64  `column:"c"`
	D float64 `column:"d"`
	E int32   `column:"e"`
	F uint32  `column:"f"`
}

func TestARecordIsItsFieldsInTheirOrder(t *testing.T) {
	r := RecordOf[row]()
	require.Equal(t, []Column{{"a", reflect.Uint32}, {"b", reflect.Float32}, {"c", reflect.Uint64}, {"d", reflect.Float64},
		{"e", reflect.Int32}, {"f", reflect.Uint32}}, r.Columns())
	require.Equal(t, 32, r.Size())
	in := row{1, 1.5, 2, 2.5, -1, 3}
	want := []byte{9, 1, 0, 0, 0, 0, 0, 0xc0, 0x3f, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0x40, 0xff, 0xff, 0xff,
		0xff, 3, 0, 0, 0}
	for _, native := range []bool{r.native, false} { // false is how machines do it that are not little-endian
		t.Run(fmt.Sprintf("native=%v", native), func(t *testing.T) {
			r.native = native
			got := r.Append([]byte{9}, &in)
			require.Equal(t, want, got)
			var out row
			r.Read(&out, append(got[1:], 7))
			require.Equal(t, in, out)
			require.Panics(t, func() { r.Read(&out, got[1:32:32]) })
		})
	}
	require.Equal(t, []uint64{1, 0x3fc00000, 2, 0x4004000000000000, 0xffffffff, 3}, r.AppendCells(nil, &in))
}
