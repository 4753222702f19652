package rosstest_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/testing/rosstest"
)

func ExampleSmall() {
	cfg := rosstest.Small()
	fmt.Println(uint64(cfg.NLP), "LPs,", uint64(cfg.NKP), "KPs, until virtual time", cfg.End)
	// Output: 4 LPs, 2 KPs, until virtual time 100
}
