// This file shows how a subcommand is made.

package cli_test

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

func Example() {
	f := cli.NewFlags("count", "FILE", "count records", "Counts the records of a file.")
	var kinds cli.Kinds
	f.Var(&kinds, "kind", "only these kinds: `LIST`")
	count := f.Command(func(files []string, stdout, _ io.Writer) error {
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
		fmt.Fprintln(stdout, n, "records")
		return err
	})
	args := []string{"../../../../instr/testdata/opt2-rt.bin", "--kind=pe,kp"}
	fmt.Println("status", cli.Run(count, args, os.Stdout, os.Stderr))
	// Output:
	// 1311 records
	// status 0
}
