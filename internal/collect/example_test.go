package collect_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
)

// A type with Point gives a sample at each point of virtual time, one in each interval. What it has written is read
// back from the file of these samples.
func Example_samples() {
	dir, err := os.MkdirTemp("", "samples")
	must(err)
	defer os.RemoveAll(dir)
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End = 1, 10
	cfg.ModelStats, cfg.VTInterval, cfg.StatsPath = 3, 4, filepath.Join(dir, "stats") // 3: at virtual times
	sim, err := ross.New(cfg)
	must(err)
	defer sim.Close()
	err = sim.Define(ross.Type[uint64, struct{}]{
		Init:      func(_ *uint64, lp *ross.LP) { ross.Send(lp, 0, 0.5, struct{}{}) },
		Event:     func(n *uint64, lp *ross.LP, _ *ross.Bits, _ *struct{}) { *n++; ross.Send(lp, 0, 1, struct{}{}) },
		PointSize: 8,
		Point:     func(n *uint64, _ *ross.LP, _ *ross.Bits, buf []byte) { binary.LittleEndian.PutUint64(buf, *n) },
	})
	must(err)
	must(sim.Run(context.Background()))

	samples, err := instr.Open(instr.FileName(cfg.StatsPath, "", instr.VTSuffix))
	must(err)
	defer samples.Close()
	for r, err := range samples.All() {
		must(err)
		fmt.Println("time", r.VTModel.TS, "events", binary.LittleEndian.Uint64(r.VTModel.Payload))
	}
	// Output:
	// time 4 events 4
	// time 8 events 8
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
