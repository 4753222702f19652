// Checkpoints of a million LPs, and the speed of the disk.

package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ross-go/ross"
)

// Checkpointing is a simulation to be stored: LPs with a state of 256 bytes and one event
// each.
type Checkpointing struct {
	LPs, PEs int
	Compress bool
}

type largeState struct{ words [32]uint64 }

func (c Checkpointing) model() ross.LPType {
	last := int64(c.LPs) - 1
	return ross.Type[largeState]{
		Name: "large",
		Init: func(s *largeState, lp *ross.LP) {
			for i := range s.words {
				s.words[i] = uint64(lp.ID()) * uint64(i)
			}
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead, pholdMsg{})
		},
		Event: ross.On(func(s *largeState, lp *ross.LP, _ *pholdMsg) {
			s.words[0]++
			dst := lp.ID()
			if lp.RNG().Unif() <= pholdRemote {
				dst = ross.LPID(lp.RNG().Integer(0, last))
			}
			ross.Send(lp, dst, lp.RNG().Exponential(pholdMean-pholdLookahead)+pholdLookahead, pholdMsg{})
		}).Reverse(func(s *largeState, _ *ross.LP, _ *pholdMsg) { s.words[0]-- }),
	}
}

// start makes the simulation, up to Define.
func (c Checkpointing) start(b *testing.B, end float64, configure func(*ross.Config)) *ross.Simulation {
	b.Helper()
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.Checkpoints.Files, cfg.Checkpoints.Compress = 3, c.PEs, c.LPs/c.PEs, end,
		c.PEs, c.Compress
	cfg.Checkpoints.AfterRun = true
	if configure != nil {
		configure(&cfg)
	}
	sim, err := ross.New(cfg)
	if err == nil {
		err = sim.Define(c.model())
	}
	if err != nil {
		b.Fatal(err)
	}
	return sim
}

// must fails the benchmark.
func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// stored stores the simulation before its first event, and returns it and the size in
// bytes.
func (c Checkpointing) stored(b *testing.B, name string) (*ross.Simulation, int64) {
	sim := c.start(b, pholdLookahead/2, nil)
	must(b, sim.Run(context.Background()))
	must(b, sim.Store(name))
	return sim, bytesOf(b, name)
}

// bytesOf returns the size of a checkpoint in bytes.
func bytesOf(b *testing.B, name string) (n int64) {
	files, err := filepath.Glob(name + ".*")
	must(b, err)
	for _, f := range files {
		info, err := os.Stat(f)
		must(b, err)
		n += info.Size()
	}
	return n
}

// Store measures storing.
func (c Checkpointing) Store(b *testing.B) {
	name := filepath.Join(b.TempDir(), "large")
	sim, n := c.stored(b, name)
	defer sim.Close()
	b.SetBytes(n)
	for b.Loop() {
		must(b, sim.Store(name))
	}
}

// Load measures loading, up to the first event.
func (c Checkpointing) Load(b *testing.B) {
	name := filepath.Join(b.TempDir(), "large")
	sim, n := c.stored(b, name)
	must(b, sim.Close())
	b.SetBytes(n)
	b.StopTimer()
	for range b.N {
		sim := c.start(b, pholdLookahead*0.6, nil)
		b.StartTimer()
		must(b, sim.Load(name, ross.LoadInit))
		must(b, sim.Run(context.Background()))
		b.StopTimer()
		must(b, sim.Close())
	}
}

// Run measures a committed event of a long run, with the given number of checkpoints.
func (c Checkpointing) Run(b *testing.B, end float64, checkpoints int) {
	name := filepath.Join(b.TempDir(), "large")
	for range b.N {
		sim := c.start(b, end, func(cfg *ross.Config) {
			cfg.Checkpoints.Name = name
			if checkpoints > 0 {
				cfg.Checkpoints.VirtualInterval = end / (float64(checkpoints) + 0.5)
			}
		})
		must(b, sim.Run(context.Background()))
		must(b, sim.CheckpointError())
		s := sim.Summary()
		b.ReportMetric(s.Runtime, "s/run")
		b.ReportMetric(s.Runtime*1e9/float64(s.NetEvents()), "ns/event")
		for _, f := range s.Extra {
			if strings.HasPrefix(f.Label, "Checkpoints") || strings.HasPrefix(f.Label, "Standing") {
				b.Log(f.Label, f.Value)
			}
		}
		must(b, sim.Close())
	}
}

// WriteDisk writes n bytes, as dd does with bs=1M conv=fsync.
func WriteDisk(b *testing.B, n int64) {
	name, block := filepath.Join(b.TempDir(), "disk"), make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i * i >> 8)
	}
	b.SetBytes(n)
	for b.Loop() {
		f, err := os.Create(name)
		must(b, err)
		for left := n; left > 0; left -= int64(len(block)) {
			_, err := f.Write(block[:min(left, int64(len(block)))])
			must(b, err)
		}
		must(b, f.Sync())
		must(b, f.Close())
	}
}

// ReadDisk reads n bytes that were written before, as dd does with bs=1M.
func ReadDisk(b *testing.B, n int64) {
	name, block := filepath.Join(b.TempDir(), "disk"), make([]byte, 1<<20)
	must(b, os.WriteFile(name, make([]byte, n), 0o666))
	b.SetBytes(n)
	for b.Loop() {
		f, err := os.Open(name)
		must(b, err)
		for read := 1; read > 0; {
			read, _ = f.Read(block)
		}
		must(b, f.Close())
	}
}
