// This file owns the model as a program, with the options of the command line.

package firstmodel

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
)

func run(args []string, stdout, stderr io.Writer) int {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Statistics = stations, 100, 1
	bikes := program.Program{
		Name:   "bikes",
		Config: cfg,
		Build:  func(sim *ross.Simulation) error { return sim.Define(hire) },
	}
	return bikes.Main(args, stdout, stderr)
}

func Example_checkpoints() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Digest = stations, 100, true
	cfg.IOName, cfg.IOVirtualInterval, cfg.IOKeep = filepath.Join(dir, "bikes"), 60, 1
	first, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer first.Close()

	cfg.IORestart = "latest" // from the checkpoint at time 60, on other PEs
	cfg.Synch, cfg.PEs = ross.Optimistic, 2
	second, err := simulate(cfg, hire)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer second.Close()
	a, b := first.Stats(), second.Stats()
	fmt.Println(a.NetEvents(), "events, and", b.NetEvents(), "after the restart")
	fmt.Println("same digest:", *a.Digest == *b.Digest)
	// Output:
	// 2328 events, and 953 after the restart
	// same digest: true
}
