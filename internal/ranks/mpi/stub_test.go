// A build without MPI.

//go:build !mpi || !cgo || purego

package mpi_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

func TestABuildWithoutMPISaysHowToGetIt(t *testing.T) {
	w, err := mpi.Start(mpi.Options{})
	require.Nil(t, w)
	require.EqualError(t, err, "ross: built without MPI: build with -tags mpi")
	require.False(t, mpi.Enabled)
}

// Every method of the stand-ins that can fail says why.
func TestAllThatCannotWorkWithoutMPISaysSo(t *testing.T) {
	for _, object := range []any{&mpi.World{}, &mpi.Mailbox{}, &mpi.Reduction{}, &mpi.Broadcast{}, &mpi.Shared{}} {
		v := reflect.ValueOf(object)
		for i := range v.NumMethod() {
			method := v.Method(i)
			in := make([]reflect.Value, method.Type().NumIn())
			for k := range in {
				in[k] = reflect.Zero(method.Type().In(k))
			}
			for _, out := range method.Call(in) {
				if err, ok := out.Interface().(error); ok {
					require.ErrorIs(t, err, mpi.ErrNotBuilt, v.Type().Method(i).Name)
				}
			}
		}
	}
}
