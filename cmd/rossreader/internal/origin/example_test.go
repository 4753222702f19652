// This file shows how a detector is used.

package origin_test

import (
	"fmt"
	"log"

	"github.com/ross-go/ross/cmd/rossreader/internal/origin"
	"github.com/ross-go/ross/instr"
)

func Example() {
	r, err := instr.Open("../../../../instr/testdata/opt2-gvt.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	var d origin.Detector
	for record, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		d.See(record)
	}
	fmt.Println(d.Sure(), d.CountsGVTsFromStart())
	// Output: true true
}
