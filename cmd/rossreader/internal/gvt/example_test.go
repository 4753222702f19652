// This file shows what the subcommand prints.

package gvt_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/gvt"
)

func Example() {
	var table bytes.Buffer
	cli.Run(gvt.Command(), []string{"--readme", "../../../../instr/testdata/opt2-gvt.bin"}, &table, os.Stderr)
	for range 3 {
		line, _ := table.ReadString('\n')
		fmt.Print(line)
	}
	// Output:
	// PE_ID,GVT,all_reduce_count,events_processed,events_aborted,events_rolled_back,event_ties,total_rollbacks,primary_rollbacks,secondary_rollbacks,fossil_collects,network_sends,network_recvs,remote_events,net_events,efficiency
	// 0,3,4,53,0,17,0,4,2,2,1,14,8,14,36,52.77778
	// 0,7,6,113,0,38,0,4,2,2,2,18,8,18,75,49.333336
}
