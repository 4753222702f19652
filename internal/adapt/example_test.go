package adapt_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/adapt"
	"github.com/ross-go/ross/internal/settings"
)

// A run of few LPs begins sequentially, since most runs are short; one of very many begins in parallel.
func ExampleNewAuto() {
	few := adapt.NewAuto(nil, adapt.AutoOptions{NumLPs: 1000, Conservative: true})
	many := adapt.NewAuto(nil, adapt.AutoOptions{NumLPs: 1 << 20, Conservative: true})
	fmt.Println(few.First() == settings.Sequential, many.First() == settings.Conservative)
	// Output: true true
}
