// What ranks agree on; here they are goroutines.

package ranks_test

import (
	"errors"
	"fmt"

	"github.com/ross-go/ross/internal/ranks"
)

func ExampleAgree() {
	errs := make([]error, 3)
	onAll(newRanks(3), func(w *rank) {
		var err error
		if w.Rank() == 1 {
			err = errors.New("ross: lps.csv: no such file: give --input")
		}
		errs[w.Rank()] = ranks.Agree(w, err, 2)
	})
	for rank, err := range errs {
		var f *ranks.Failure
		errors.As(err, &f)
		fmt.Printf("rank %d, speaks: %-5t, exits with %d: %v\n", rank, ranks.ShouldPrint(err), f.First.Code, err)
	}
	// Output:
	// rank 0, speaks: false, exits with 2: ross: rank 1: lps.csv: no such file: give --input
	// rank 1, speaks: true , exits with 2: ross: lps.csv: no such file: give --input
	// rank 2, speaks: false, exits with 2: ross: rank 1: lps.csv: no such file: give --input
}

func ExampleCheck() {
	onAll(newRanks(4), func(w *rank) {
		description := ranks.Description{
			{Section: "option", Name: "--nlp", Value: "8"},
			{Section: "LP type 0", Name: "message size (bytes)", Value: "24"},
		}
		if w.Rank() >= 2 {
			description[0].Value = "16"
		}
		if err := ranks.Check(w, description); ranks.ShouldPrint(err) {
			fmt.Println(err)
		}
	})
	// Output:
	// ross: start: ranks 2 and 3 differ from rank 0: option --nlp: 16 there, 8 on rank 0: give all ranks the same
}
