// This file shows the reading of samples of memory.

package instr_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/ross-go/ross/instr"
)

// The share of the limit that a process used, and what it used it for. The file of a run is opened by its name:
// instr.Open(instr.FileName(folder, prefix, instr.MemorySuffix)).
func ExampleAppendMemory() {
	file := instr.AppendMemory(nil, 10, 0.5, &instr.MemoryStats{PE: 0, Events: 900, Queue: 1 << 20, Undo: 3 << 20, Used: 16 << 20, Limit: 64 << 20})
	file = instr.AppendMemory(file, 20, 1.0, &instr.MemoryStats{PE: 0, Events: 2000, Queue: 2 << 20, Undo: 9 << 20, Used: 48 << 20, Limit: 64 << 20})

	r := instr.NewReader(bytes.NewReader(file), "run-memory.bin", instr.Memory)
	for rec, err := range r.All() {
		if err != nil {
			log.Fatal(err) // names the file and the place
		}
		m := &rec.Memory
		fmt.Printf("PE %d after %.1f s: %d events, %d MiB to undo them, %d %% of the limit\n",
			m.PE, rec.Meta.RealTime, m.Events, m.Undo>>20, 100*m.Used/m.Limit)
	}
	// Output:
	// PE 0 after 0.5 s: 900 events, 3 MiB to undo them, 25 % of the limit
	// PE 0 after 1.0 s: 2000 events, 9 MiB to undo them, 75 % of the limit
}
