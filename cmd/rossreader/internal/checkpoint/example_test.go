// This file shows the description of a checkpoint of ROSS itself.

package checkpoint_test

import (
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/checkpoint"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

func Example() {
	cli.Run(checkpoint.Command(), []string{"info", "testdata/original/pholdio_checkpoint.rio-md"}, os.Stdout, os.Stderr)
	cli.Run(checkpoint.Command(), []string{"verify", "testdata/original/pholdio_checkpoint"}, os.Stdout, os.Stderr)
	// Output:
	// testdata/original/pholdio_checkpoint
	//   stored by      the original ROSS, whose files say no more about the run
	//   LPs            8, each with 1 streams
	//   partitions     2 in 1 data files
	//   events         8
	//   data           1024 bytes, not compressed
	//   file           testdata/original/pholdio_checkpoint.txt, 1842 bytes
	//   file           testdata/original/pholdio_checkpoint.rio-lp, 64 bytes
	//   file           testdata/original/pholdio_checkpoint.rio-md, 48 bytes
	//   file           testdata/original/pholdio_checkpoint.rio-data-0, 1024 bytes
	// testdata/original/pholdio_checkpoint: ok
}
