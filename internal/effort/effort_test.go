package effort

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLevels(t *testing.T) {
	for value, want := range map[string]Level{"": All, "some": Some, "few": Few} {
		got, err := Of(value)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := Of("most")
	require.ErrorContains(t, err, "ROSS_TEST=most: unknown; give some or few")
	require.Equal(t, []int{[]int{3, 2, 1}[level]}, Pick([]int{3}, []int{2}, []int{1}))
	require.Equal(t, level == All, !Is(Some))
}

func Example() {
	for _, value := range []string{"", "some", "few"} {
		l, err := Of(value)
		fmt.Println(l >= Some, err) // a test that runs some of its cases asks Is(Some)
	}
	// Output:
	// false <nil>
	// true <nil>
	// true <nil>
}
