package hash64_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/num/hash64"
)

// TestValuesStayWhatTheyAre pins the function: checkpoints hold digests.
func TestValuesStayWhatTheyAre(t *testing.T) {
	require.Equal(t, hash64.Word(hash64.Word(1, 0x0807060504030201), 9),
		hash64.Bytes(1, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}))
	require.EqualValues(t, 7, hash64.Bytes(7, nil))
	require.Equal(t, "0xc9d874ca57d9e055", fmt.Sprintf("%#x", hash64.Word(0, 0)))
}

func Example() {
	one := hash64.Word(hash64.Word(0, 1), 2)
	other := hash64.Word(hash64.Word(0, 2), 1)
	fmt.Println(one == other)
	// Output: false
}
