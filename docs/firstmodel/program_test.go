// This file owns the model as a program, with the options of the command line.

package firstmodel

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
)

func run(args []string, stdout, stderr io.Writer) int {
	cfg := ross.DefaultConfig()
	cfg.TotalLPs, cfg.End, cfg.Statistics = stations, 100, 1
	o := ross.NewOptions("bikes")
	cfg.Register(o)
	if code, ok := o.Main(args, stdout, stderr); !ok {
		return code
	}
	cfg.Output, cfg.Dir = stdout, "."
	err := play(cfg)
	if ross.Speaks(err) {
		fmt.Fprintln(stderr, err)
	}
	return ross.ExitCode(err)
}

func play(cfg ross.Config) error {
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := sim.Define(hire); err != nil {
		return err
	}
	ctx, stop := ross.WithSignals(context.Background()) // Ctrl-C ends the run
	defer stop()
	return sim.Run(ctx)
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
