// Command timewarp draws docs/timewarp.svg: a few events that Time Warp handles too early, takes back, and handles
// again.
//
//	go run ./docs/timewarp
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

func main() {
	if err := write("docs"); err != nil {
		fmt.Fprintln(os.Stderr, "timewarp:", err)
		os.Exit(1)
	}
}

// write draws the picture into a folder.
func write(folder string) error {
	return atomicfile.Write(filepath.Join(folder, "timewarp.svg"), func(w io.Writer) error {
		_, err := w.Write(draw())
		return err
	})
}
