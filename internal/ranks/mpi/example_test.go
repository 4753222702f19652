// The package in one page. Without mpirun it runs as one rank. It does not run
// under AddressSanitizer, because Open MPI leaks memory.

//go:build mpi && cgo && !purego && !asan

package mpi_test

import (
	"fmt"
	"log"

	"github.com/ross-go/ross/internal/ranks/mpi"
)

// Every rank posts a message to the next one, and polls until it has its own; then
// all agree that none is under way, and on the least key.
func Example() {
	w, err := mpi.Start(mpi.Options{})
	if err != nil {
		log.Fatal(err)
	}
	box, err := w.Mailbox(0)
	if err != nil {
		log.Fatal(err)
	}
	gvt, err := w.Reduction()
	if err != nil {
		log.Fatal(err)
	}

	next := (w.Rank() + 1) % w.Size()
	n := copy(box.Buffer(), []uint64{7, 8, 9})
	for posted := false; !posted || box.Received() == 0; {
		posted = posted || box.PostBuffer(next, 0, n)
		if _, err := box.Poll(func(from int, words []uint64) { fmt.Println("from rank", from, "came", words) }); err != nil {
			log.Fatal(err)
		}
	}

	rec := mpi.Record{Balance: int64(box.Sent()) - int64(box.Received()), Key: [mpi.KeyWords]uint64{42, uint64(w.Rank())}}
	if err := gvt.Start(&rec); err != nil {
		log.Fatal(err)
	}
	for {
		least, done, err := gvt.Test() // the engine continues meanwhile
		if err != nil {
			log.Fatal(err)
		}
		if done {
			fmt.Println("under way:", least.Balance, "least:", least.Key[0], "of rank", least.Rank)
			break
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// from rank 0 came [7 8 9]
	// under way: 0 least: 42 of rank 0
}
