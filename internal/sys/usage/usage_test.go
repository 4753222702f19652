// This file pins how far apart names are, and has the example of an error about a setting.

package usage_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// naive is Distance by its definition.
func naive(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return naive(a[1:], b[1:])
	}
	return 1 + min(naive(a[1:], b), naive(a, b[1:]), naive(a[1:], b[1:]))
}

func TestDistanceIsTheLeastNumberOfEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(testrand.Seed(t), 1))
	word := func() string {
		b := make([]byte, r.IntN(7))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 500 {
		a, b := word(), word()
		want, limit := naive(a, b), r.IntN(8)
		require.Equal(t, want, usage.Distance(a, b, math.MaxInt), "%q %q", a, b)
		require.Equal(t, want < limit, usage.Distance(a, b, limit) < limit, "%q %q, limit %d", a, b, limit)
	}
}

// An error about a setting has its own text, without that of Err, and is both Err and what caused it.
func ExampleError() {
	plain := usage.Errorf("option --pes=%d: out of range; give 1 to 64", 100)
	fmt.Println(plain)
	fmt.Println(errors.Is(plain, usage.Err))

	caused := &usage.Error{Text: "option --args-file=run.txt: no such file", Cause: fs.ErrNotExist}
	fmt.Println(caused)
	fmt.Println(errors.Is(caused, usage.Err), errors.Is(caused, fs.ErrNotExist))

	outer := fmt.Errorf("ross: point 3: %w", usage.Within(plain))
	fmt.Println(outer)
	fmt.Println(errors.Is(outer, usage.Err))
	// Output:
	// ross: option --pes=100: out of range; give 1 to 64
	// true
	// ross: option --args-file=run.txt: no such file
	// true true
	// ross: point 3: option --pes=100: out of range; give 1 to 64
	// true
}
