// Checkpoints of the kitchen: states with blocks and maps, turned into bytes by the model, of all ways to be undone,
// with LPs that are suspended and three streams each.

package run_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/rio"
)

// The states of cooks as they are stored: what is in a block stands for it.
type (
	storedLog struct {
		Handled, Sum uint64
		Last         float64
		Shelf        []uint64
	}
	storedDelta struct {
		Handled, Sum uint64
		Normal       float64
		Table        [20]uint64
		Shelf        []uint32
	}
)

func encode(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func decode(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }

func logBytes(s *logCook, lp *ross.LP) []byte {
	return encode(&storedLog{s.Handled, s.Sum, s.Last, s.Shelf.Of(lp)})
}

func sizeOfLog(s *logCook, lp *ross.LP) int          { return len(logBytes(s, lp)) }
func storeLog(s *logCook, lp *ross.LP, buf []byte)   { copy(buf, logBytes(s, lp)) }
func sizeOfDelta(s *deltaCook, lp *ross.LP) int      { return len(deltaBytes(s, lp)) }
func storeDelta(s *deltaCook, lp *ross.LP, b []byte) { copy(b, deltaBytes(s, lp)) }

func loadLog(s *logCook, lp *ross.LP, buf []byte) error {
	var c storedLog
	if err := decode(buf, &c); err != nil {
		return err
	}
	*s = logCook{c.Handled, c.Sum, c.Last, ross.Alloc[uint64](lp, len(c.Shelf))}
	copy(s.Shelf.Of(lp), c.Shelf)
	return nil
}

func deltaBytes(s *deltaCook, lp *ross.LP) []byte {
	return encode(&storedDelta{s.Handled, s.Sum, s.Normal, s.Table, s.Shelf.Of(lp)})
}

func loadDelta(s *deltaCook, lp *ross.LP, buf []byte) error {
	var c storedDelta
	if err := decode(buf, &c); err != nil {
		return err
	}
	*s = deltaCook{c.Handled, c.Sum, c.Normal, c.Table, ross.Alloc[uint32](lp, len(c.Shelf))}
	copy(s.Shelf.Of(lp), c.Shelf)
	return nil
}

// neverBytes sorts, for a map has no order.
func neverBytes(s *neverCook) []byte {
	all := []uint64{s.Handled}
	var keys []uint64
	for k := range s.Seen {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		all = append(all, k, uint64(s.Seen[k]))
	}
	return encode(all)
}

func sizeOfNever(s *neverCook, _ *ross.LP) int        { return len(neverBytes(s)) }
func storeNever(s *neverCook, _ *ross.LP, buf []byte) { copy(buf, neverBytes(s)) }

func loadNever(s *neverCook, _ *ross.LP, buf []byte) error {
	var all []uint64
	if err := decode(buf, &all); err != nil {
		return err
	}
	s.Handled, s.Seen = all[0], map[uint64]int{}
	for i := 1; i < len(all); i += 2 {
		s.Seen[all[i]] = int(all[i+1])
	}
	return nil
}

func TestStatesOfAllKindsAreStoredWhole(t *testing.T) {
	const end = 12
	want := map[bool]result{}
	for _, never := range []bool{false, true} {
		want[never], _ = cook(t, never, end, nil)
	}
	for i, store := range shapes {
		load := shapes[(i+3)%len(shapes)]
		never := i%2 == 0
		if testlevel.Is(testlevel.Few) && i%3 != 1 {
			continue
		}
		t.Run(fmt.Sprintf("%v/%v/never=%v", store, load, never), func(t *testing.T) {
			modeltest.Watch(t)
			prefix := filepath.Join(t.TempDir(), "kitchen")
			options := func(k *kitchen, s shape) func(*ross.Config) {
				return func(c *ross.Config) {
					s.on(kitchenLPs, end)(c)
					c.RNGsPerLP, c.TypeMap, c.MaxMemory = 3, k.typeOf, 200<<20
				}
			}
			k := newKitchen(never)
			digest, _ := runLeg(t, leg{ranks: store.ranks, configure: func(c *ross.Config) {
				options(k, store)(c)
				c.IOName, c.IOVirtualInterval, c.IOKeep = prefix, 1.7, 1000
			}}, k.types()...)
			require.Equal(t, want[never].digest, digest)
			require.Equal(t, want[never].finals, k.finals)
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.NotEmpty(t, numbers)
			names := []string{prefix}
			for _, n := range numbers {
				names = append(names, rio.Numbered(prefix, n))
			}
			if testlevel.Is(testlevel.Few) {
				names = []string{names[0], names[len(names)/2]}
			}
			k = newKitchen(never)
			runLeg(t, leg{to: prefix, ranks: store.ranks, configure: func(c *ross.Config) {
				options(k, store)(c)
				c.End = 2 + 1.5*float64(i)
			}}, k.types()...)
			for _, name := range names {
				k := newKitchen(never)
				digest, sims := runLeg(t, leg{ranks: load.ranks, configure: func(c *ross.Config) {
					options(k, load)(c)
					c.IORestart = name
				}}, k.types()...)
				require.Equal(t, want[never].digest, digest, "from %s", name)
				require.Equal(t, want[never].finals, k.finals)
				require.Equal(t, want[never].states, *sims[0].Stats().StateDigest)
				require.Less(t, sims[0].Stats().NetEvents(), want[never].events)
				closeAll(sims)
			}
		})
	}
}

// TestCheckpointsUnderAttack stores all the time while everything goes wrong that can, and goes
// on from the first and the last checkpoint.
func TestCheckpointsUnderAttack(t *testing.T) {
	end := float64(testlevel.Times(12, 6))
	for name, c := range map[string]struct {
		pes   int
		p     float64
		never bool
		set   func(*ross.Config)
	}{
		"tiny rings":       {3, 0.3, true, func(c *ross.Config) { knobsOf(c).RingSize = 1 }},
		"batch of 1":       {2, 0.05, false, func(c *ross.Config) { c.Batch = 1 }},
		"GVT all the time": {2, 0.3, true, func(c *ross.Config) { c.GVTInterval, c.Batch, c.FixedGVT = 1, 1, true }},
		"GVT seldom":       {4, 0.1, false, func(c *ross.Config) { c.GVTInterval, c.FixedGVT = 1000, true }},
		"1 KP":             {2, 0.05, true, func(c *ross.Config) { c.NKP = 1 }},
		"64 KPs":           {3, 0.9, false, func(c *ross.Config) { c.NKP = 64 }},
		"real time":        {2, 0.3, true, func(c *ross.Config) { c.Synch, c.GVTInterval = 5, 1 }},
		"little memory":    {2, 0.1, false, func(c *ross.Config) { c.MaxMemory = 2 << 20 }},
	} {
		if testlevel.Few.LeavesOut(name, "tiny rings", "real time") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			modeltest.Watch(t)
			want, _ := cook(t, c.never, end, nil)
			prefix := filepath.Join(t.TempDir(), "kitchen")
			on := func(k *kitchen, s shape) func(*ross.Config) {
				return func(cfg *ross.Config) {
					s.on(kitchenLPs, end)(cfg)
					cfg.RNGsPerLP, cfg.TypeMap, cfg.MaxMemory = 3, k.typeOf, 200<<20
				}
			}
			k := newKitchen(c.never)
			digest, _ := runLeg(t, leg{configure: func(cfg *ross.Config) {
				on(k, shape{synch: 3, pes: c.pes, nkp: 8, files: c.pes})(cfg)
				c.set(cfg)
				*disturbOf(cfg) = harass(t, c.pes, c.p)
				cfg.IOName, cfg.IOInterval, cfg.IOKeep = prefix, 1e-9, 1000
			}}, k.types()...)
			require.Equal(t, want.digest, digest)
			require.Equal(t, want.finals, k.finals)
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.NotEmpty(t, numbers)
			for _, n := range []uint64{numbers[0], numbers[len(numbers)-1]} {
				k := newKitchen(c.never)
				digest, _ := runLeg(t, leg{configure: func(cfg *ross.Config) {
					on(k, shape{synch: 3, pes: 2, nkp: 4, files: 1})(cfg)
					*disturbOf(cfg) = harass(t, 2, 0.2)
					cfg.IORestart = rio.Numbered(prefix, n)
				}}, k.types()...)
				require.Equal(t, want.digest, digest, "from checkpoint %d", n)
				require.Equal(t, want.finals, k.finals)
			}
		})
	}
}
