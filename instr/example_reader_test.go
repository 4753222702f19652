// This file shows the reading of samples.

package instr_test

import (
	"fmt"
	"log"

	"github.com/ross-go/ross/instr"
)

// The efficiency of each PE over a whole run, from its samples by GVT.
func ExampleReader() {
	r, err := instr.Open("testdata/opt2-gvt.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()

	var processed, rolledBack [2]uint64
	for rec, err := range r.All() {
		if err != nil {
			log.Fatal(err) // names the file and the place
		}
		if rec.Kind == instr.KindPE {
			processed[rec.PE.PE] += uint64(rec.PE.Processed)
			rolledBack[rec.PE.PE] += uint64(rec.PE.RolledBack)
		}
	}
	for pe := range processed {
		fmt.Printf("PE %d: %d events, %d undone, efficiency %.1f %%\n",
			pe, processed[pe], rolledBack[pe], instr.Efficiency(processed[pe], rolledBack[pe]))
	}
	fmt.Println(r.Content(), "file,", r.Offset(), "bytes")
	// Output:
	// PE 0: 5051 events, 3373 undone, efficiency -101.0 %
	// PE 1: 4959 events, 3457 undone, efficiency -130.2 %
	// gvt file, 111504 bytes
}
