package plain

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlacesAreInStructsAndArraysAndNotInScratch(t *testing.T) {
	type part struct{ X, Y int32 }
	type whole struct {
		A    int64
		One  part
		Many [2]struct{ P part }
		Far  *part
		Skip part `ross:"-"`
		None [1 << 20]int8
	}
	is := func(t reflect.Type) bool { return t == reflect.TypeFor[part]() }
	var w whole
	of := reflect.TypeOf(w.One)
	require.Equal(t, []Place{{8, "One", of}, {16, "Many[0].P", of}, {24, "Many[1].P", of}}, Places(reflect.TypeOf(w), is))
	require.Equal(t, []Place{{0, "", of}}, Places(of, is))
}
