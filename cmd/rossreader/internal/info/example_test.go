// This file shows what the subcommand prints.

package info_test

import (
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/info"
)

func Example() {
	cli.Run(info.Command(), []string{"../../../../instr/testdata/opt2-model.bin"}, os.Stdout, os.Stderr)
	// Output:
	// ../../../../instr/testdata/opt2-model.bin
	//   content          model
	//   size             20384 bytes, whole
	//   records          392 model
	//   seen             2 PEs, 4 KPs, 8 LPs
	//   virtual time     6 to 19988
	//   real time        2384.823328996 to 2385.98829173 s
	//   payload          model: 4 bytes in 392 records
}
