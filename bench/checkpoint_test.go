package bench

import (
	"fmt"
	"testing"
)

// BenchmarkCheckpoint stores and loads a million LPs of 256 bytes, compared with the
// speed of the disk: run it with -benchtime 3x.
func BenchmarkCheckpoint(b *testing.B) {
	c := Checkpointing{LPs: 1 << 20, PEs: 2}
	const bytes = 512 << 20
	b.Run("disk/write", func(b *testing.B) { WriteDisk(b, bytes) })
	b.Run("store", c.Store)
	b.Run("disk/read", func(b *testing.B) { ReadDisk(b, bytes) })
	b.Run("load", c.Load)
	c.Compress = true
	b.Run("store/lz4", c.Store)
	b.Run("load/lz4", c.Load)
}

// BenchmarkCheckpointRunning is what checkpoints cost the run: run it with -benchtime 1x.
func BenchmarkCheckpointRunning(b *testing.B) {
	c := Checkpointing{LPs: 1 << 20, PEs: 2}
	for _, n := range []int{0, 1, 4} {
		b.Run(fmt.Sprintf("checkpoints=%d", n), func(b *testing.B) { c.Run(b, 40, n) })
	}
}
