// The layouts of the structs that Go and C share: each field is where C has it.

//go:build cgo && !purego

package avl

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/csrc"
)

func TestGoAndCShareOneLayout(t *testing.T) {
	inC := csrc.AVLLayout()
	next := func(what string, got uintptr) {
		require.NotEmpty(t, inC, "%s is not in the table of csrc/avl.c", what)
		require.EqualValues(t, inC[0], got, "%s", what)
		inC = inC[1:]
	}
	for _, shared := range []any{Node{}, source{}, head{}} {
		s := reflect.TypeOf(shared)
		next(s.Name(), s.Size())
		for i := range s.NumField() {
			next(s.Name()+"."+s.Field(i).Name, s.Field(i).Offset)
		}
	}
	require.Empty(t, inC, "csrc/avl.c has fields that Go has not")
}
