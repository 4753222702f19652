package testlevel

import (
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLevelIsThatOfTheVariableNow(t *testing.T) {
	for value, want := range map[string]Level{"": All, "some": Some, "few": Few, "least": Least} {
		t.Setenv(Variable, value)
		require.Equal(t, want, level())
	}
	t.Setenv(Variable, "most")
	require.Panics(t, func() { Is(Some) })
}

func TestLevels(t *testing.T) {
	for value, want := range map[string]Level{"": All, "some": Some, "few": Few, "least": Least} {
		got, err := Of(value)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := Of("most")
	require.ErrorContains(t, err, "ROSS_TEST=most: unknown; give some, few or least")
	require.Equal(t, []int{[]int{3, 2, 1, 1}[level()]}, Pick([]int{3}, []int{2}, []int{1}))
	require.Equal(t, map[bool]int{false: 9, true: 2}[level() >= Some], Times(9, 2))
	require.Equal(t, level() == All, !Is(Some))
	require.Equal(t, level() >= Few, Few.LeavesOut("a case", "another"))
	require.False(t, Few.LeavesOut("a case", "another", "a case"))
}

func TestOnlyTheTestsGivenAreRun(t *testing.T) {
	run := flag.Lookup("test.run")
	before := run.Value.String()
	defer func() { require.NoError(t, run.Value.Set(before)) }()
	t.Setenv(Variable, "few")
	Only(Least, TestLevels)
	Only(Few)
	require.Equal(t, before, run.Value.String())
	t.Setenv(Variable, "least")
	Only(Least, TestLevels, TestOnlyTheTestsGivenAreRun)
	require.Equal(t, "^(TestLevels|TestOnlyTheTestsGivenAreRun)$", run.Value.String())
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
