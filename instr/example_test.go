// This file shows the life of a trace, from the folder to reading it back.

package instr_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ross-go/ross/instr"
)

func Example() {
	tmp, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tmp)

	dir, err := instr.MakeDir(filepath.Join(tmp, instr.DefaultDir))
	if err != nil {
		log.Fatal(err)
	}
	path := instr.FileName(dir, "", instr.TraceSuffix)
	w, err := instr.CreateTrace(path, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	w.Add(3, 5, 0, 1.5, 0.001, nil)
	w.Add(5, 3, 1.5, 2.75, 0.002, []byte("reply"))
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(path), w.Records(), "records,", w.Bytes(), "bytes")

	events, err := instr.ReadTrace(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Printf("LP %d at %v -> LP %d at %v %q\n", e.Src, e.SendTS, e.Dest, e.RecvTS, e.Payload)
	}
	// Output:
	// ross-stats-evtrace.bin 2 records, 53 bytes
	// LP 3 at 0 -> LP 5 at 1.5 ""
	// LP 5 at 1.5 -> LP 3 at 2.75 "reply"
}
