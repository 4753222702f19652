// This file shows how a subcommand is made.

package cli_test

import (
	"fmt"
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

func Example() {
	f := cli.NewFlags("count", "FILE", "Counts the records of a file.")
	var kinds cli.Kinds
	f.Var(&kinds, "kind", "only these kinds: `LIST`")
	args := []string{"../../../../instr/testdata/opt2-rt.bin", "--kind=pe,kp"}
	status := f.Main(args, os.Stdout, os.Stderr, func(files []string) error {
		in, err := f.One(files)
		if err != nil {
			return err
		}
		n := 0
		err = in.Each(func(r *instr.Record) error {
			if kinds.Contains(r.Kind) {
				n++
			}
			return nil
		})
		fmt.Println(n, "records")
		return err
	})
	fmt.Println("status", status)
	// Output:
	// 1311 records
	// status 0
}
