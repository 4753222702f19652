// This file shows what the subcommand prints about a file and about a damaged copy.

package check_test

import (
	"bytes"
	"log"
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/check"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

func Example() {
	path := "../../../../instr/testdata/lp36-gvt.bin"
	cli.Run(check.Command(), []string{path}, os.Stdout, os.Stderr)

	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	data[24+4]-- // the number of events that PE 0 processed
	stdin := cli.Stdin
	cli.Stdin = bytes.NewReader(data)
	defer func() { cli.Stdin = stdin }()
	cli.Run(check.Command(), []string{"-", "--content=gvt"}, os.Stdout, os.Stderr)
	// Output:
	// ../../../../instr/testdata/lp36-gvt.bin: 1414 records, nothing wrong
	// stdin: byte 0: pe 0 at 3: events processed: expected 53, the sum over kp records, found 52
	// stdin: 1414 records, findings: 3, 2 of them probably consequences: --all prints them
}
