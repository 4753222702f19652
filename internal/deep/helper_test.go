// Helpers of the tests: a snapshot, a change, and its report.
package deep

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

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
