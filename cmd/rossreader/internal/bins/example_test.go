// This file shows what the subcommand prints.

package bins_test

import (
	"os"

	"github.com/ross-go/ross/cmd/rossreader/internal/bins"
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

func Example() {
	cli.Run(bins.Command(), []string{"--interval=200", "../../../../instr/testdata/opt2-gvt.bin"}, os.Stdout, os.Stderr)
	// Output:
	// pe_id,interval,forward_events,reverse_events,gvt_computations,all_reduces,events_aborted,event_ties,remote_events,network_sends,network_recvs,events_rolled_back,primary_rollbacks,secondary_rollbacks,fossil_collects
	// 0,0,2643,1785,101,307,0,0,579,579,563,1785,66,73,102
	// 0,200,2408,1588,99,296,0,0,497,497,606,1588,68,59,99
	// 1,0,2352,1578,101,307,0,0,563,563,579,1578,74,71,102
	// 1,200,2607,1879,99,296,0,0,606,606,497,1879,64,81,99
}
