package usage_test

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ross-go/ross/internal/usage"
)

// An error about a setting has its own text, without that of Err, and is both Err and what caused it.
func ExampleError() {
	plain := usage.Errorf("option --pes=%d: out of range; give 1 to 64", 100)
	fmt.Println(plain)
	fmt.Println(errors.Is(plain, usage.Err))

	caused := &usage.Error{Text: "option --args-file=run.txt: no such file", Cause: fs.ErrNotExist}
	fmt.Println(caused)
	fmt.Println(errors.Is(caused, usage.Err), errors.Is(caused, fs.ErrNotExist))
	// Output:
	// ross: option --pes=100: out of range; give 1 to 64
	// true
	// ross: option --args-file=run.txt: no such file
	// true true
}
