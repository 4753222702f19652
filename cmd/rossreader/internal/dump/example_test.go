// This file shows what the subcommand prints.

package dump_test

import (
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/dump"
)

func Example() {
	file := "../../../../instr/testdata/cons2-payload-evtrace.bin"
	cli.Run(dump.Command(), []string{file, "--lp=2", "--to=2", "--payload=u32"}, os.Stdout, os.Stderr)
	cli.Run(dump.Command(), []string{file, "--lp=2", "--to=1", "--format=jsonl"}, os.Stdout, os.Stderr)
	// Output:
	// source_lp,destination_lp,virtual_send_time,virtual_recv_time,real_time,model_data_size,payload_0,payload_1
	// 2,2,0,0.50348836,2721.7195,8,7,0
	// 0,2,0.59885156,1.4550428,2721.7195,8,100,0
	// {"kind":"event","source_lp":2,"destination_lp":2,"virtual_send_time":0,"virtual_recv_time":0.50348836,"real_time":2721.7195,"model_data_size":8,"payload":"0700000000000000"}
}
