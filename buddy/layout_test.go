// The layouts of the structs that Go and C share: each field is where C has it.

//go:build cgo && !purego

package buddy

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
)

func TestGoAndCShareOneLayout(t *testing.T) {
	var goSide []uint32
	for _, s := range []any{magazine{}, shared{}} {
		typ := reflect.TypeOf(s)
		goSide = append(goSide, uint32(typ.Size()))
		for i := range typ.NumField() {
			goSide = append(goSide, uint32(typ.Field(i).Offset))
		}
	}
	require.Equal(t, csrc.BuddyLayout(), goSide)
	require.Zero(t, unsafe.Offsetof(shared{}.magazine)%8)
	require.LessOrEqual(t, unsafe.Sizeof(link{}), uintptr(1)<<minOrder, "the smallest block has room for its links")
}
