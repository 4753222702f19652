// This file pins the sum of the counters of PEs: each is the sum of the same ones.

package report

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachCounterIsAddedToItself(t *testing.T) {
	var a, b, want Counters
	for i := range reflect.TypeFor[Counters]().NumField() {
		reflect.ValueOf(&a).Elem().Field(i).SetUint(1 << i)
		reflect.ValueOf(&b).Elem().Field(i).SetUint(1 << (2*i + 20))
		reflect.ValueOf(&want).Elem().Field(i).SetUint(1<<i + 1<<(2*i+20))
	}
	a.Add(&b)
	require.Equal(t, want, a)
}
