// This file shows the life of an output file that several PEs write.

package instr_test

import (
	"fmt"
	"log"
	"os"
	"sync"

	"github.com/ross-go/ross/instr"
)

func ExampleFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	const pes = 2
	path := instr.FileName(dir, "", instr.TraceSuffix)
	f, err := instr.Create(path, instr.FileOptions{Buffers: pes})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Abort() // does nothing after a good Publish

	var running sync.WaitGroup
	for pe := range uint32(pes) {
		running.Go(func() {
			b := f.Buffer(int(pe))
			for round := range 2 { // of GVT
				e := instr.Event{Src: pe, Dest: pe, RecvTS: float32(round)}
				if r := b.Reserve(instr.EventSize); r != nil {
					instr.AppendEvent(r[:0], &e)
				}
				b.HandOver()
			}
		})
	}
	running.Wait()
	if err := f.Publish(); err != nil {
		log.Fatal(err)
	}

	events, err := instr.ReadTrace(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Printf("LP %d at %v\n", e.Dest, e.RecvTS)
	}
	// Output:
	// LP 0 at 0
	// LP 1 at 0
	// LP 0 at 1
	// LP 1 at 1
}
