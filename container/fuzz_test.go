// This file owns the fuzz target: any sequence of operations does what it does to slices and
// maps, and is undone completely.

package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

// FuzzContainers reads pairs of bytes, an operation and its argument. One LP does them, 8 in each
// event, in a run that undoes each event and repeats it.
func FuzzContainers(f *testing.F) {
	for i := range operations {
		f.Add(uint8(i), []byte{byte(i), 255, byte(i), 1, 0, 254, byte(i + 1), 7, byte(i + 2), 9, byte(i), 3})
	}
	f.Fuzz(func(t *testing.T, how uint8, ops []byte) {
		ops = ops[:min(len(ops), 1024)]
		sh := newShop(t, 1, func(lp *ross.LP) (o order, ok bool) {
			at := int(lp.RNG().Count() / 2 * uint64(len(o.Ops))) // two draws for each order
			if at >= len(ops) {
				return o, false
			}
			copy(o.Ops[:], ops[at:])
			return o, true
		})
		cfg := rosstest.Small()
		cfg.NLP, cfg.NKP, cfg.Synch, cfg.End = 1, 1, ross.RollbackCheck, 1e6
		out := rosstest.Run(t, cfg, sh.model(savings[int(how)%len(savings)]))
		require.Equal(t, (len(ops)+15)/16, out.Net())
		require.Zero(t, sh.wrong.Load())
	})
}
