// The checkpoint: loading it before a run, storing it after the run, and the state of
// an LP in it.

package main

import (
	"encoding/binary"
	"fmt"

	"github.com/ross-go/ross"
)

// checkpoint is the name of the checkpoint that the program loads and stores.
const checkpoint = "pholdio_checkpoint"

// Values of --io-store.
const (
	ioLoad uint64 = iota // load it
	ioStore
	ioNone // and load nothing
)

// stateSize is the size of a state in a checkpoint, bytes.
const stateSize = 8

// before prepares what --io-store requests. In a restart the engine loads the
// checkpoint, and the program loads none.
func (p *params) before(sim *ross.Simulation) error {
	if p.ioStore != ioLoad || sim.Config().Checkpoints.Restart != "" {
		return nil
	}
	p.verbose = true
	return sim.Load(checkpoint)
}

// after stores the checkpoint.
func (p *params) after(sim *ross.Simulation) error {
	if p.ioStore != ioStore {
		return nil
	}
	p.verbose = true
	return sim.Store(checkpoint)
}

// serialize writes a number that identifies the LP and its PE. For checkpoints of a
// running simulation it prints nothing.
func (p *params) serialize(_ *state, lp *ross.LP, buf []byte) {
	dummy := int64(lp.ID()) + 100*int64(lp.PE().ID())
	binary.NativeEndian.PutUint64(buf, uint64(dummy))
	if p.verbose {
		lp.Printf("Storing Dummy %d on %d\n", dummy, lp.ID())
	}
}

func (p *params) deserialize(s *state, lp *ross.LP, buf []byte) error {
	if len(buf) != stateSize {
		return fmt.Errorf("a state of pholdio has %d bytes, not %d", stateSize, len(buf))
	}
	s.dummy = int64(binary.NativeEndian.Uint64(buf))
	if p.verbose {
		lp.Printf("Found Dummy %d on %d\n", s.dummy, lp.ID())
	}
	return nil
}
