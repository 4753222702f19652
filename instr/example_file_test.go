// This file shows the life of an output file that several PEs write.

package instr_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"

	"github.com/ross-go/ross/instr"
)

func ExampleFile() {
	tmp, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)

	dir, err := instr.MakeDir(filepath.Join(tmp, instr.DefaultDir))
	if err != nil {
		log.Fatal(err)
	}

	const pes = 2
	path := instr.FileName(dir, "", instr.TraceSuffix)
	f, err := instr.Create(path, instr.FileOptions{Buffers: pes})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Abort() // does nothing after a good Publish

	var running sync.WaitGroup
	for pe := range pes {
		running.Go(func() {
			b := f.Buffer(pe)
			for round := range 2 { // of GVT
				if r := b.Reserve(instr.EventSize); r != nil {
					instr.PutEvent(r, uint64(pe), uint64(pe), 0, float64(round), 0.5, nil)
				}
				b.HandOver()
			}
		})
	}
	running.Wait()
	if err := f.Publish(); err != nil {
		log.Fatal(err)
	}

	fmt.Println(filepath.Base(path), f.Bytes(), "bytes")
	events, err := instr.ReadTrace(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Printf("LP %d at %v\n", e.Dest, e.RecvTS)
	}
	// Output:
	// ross-stats-evtrace.bin 96 bytes
	// LP 0 at 0
	// LP 1 at 0
	// LP 0 at 1
	// LP 1 at 1
}
