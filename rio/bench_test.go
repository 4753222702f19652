// This file measures storing and loading a million LPs.

package rio

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rng"
)

const (
	benchLPs   = 1_000_000
	benchParts = 32
	benchState = 256
)

// benchContent makes partitions of LPs with states of 256 bytes, and the info of them.
func benchContent() (*Info, []*Part, []int) {
	lp := LP{Streams: []rng.StreamState{{State: validState}}, Core: validState, State: make([]byte, benchState)}
	for i := range lp.State {
		lp.State[i] = byte(i * i >> 3)
	}
	var parts []*Part
	for k := range benchParts {
		p := &Part{LPs: benchLPs / benchParts}
		p.Data = make([]byte, 0, int(p.LPs)*LPSize(1, benchState))
		for i := range p.LPs {
			lp.GID = uint64(k)*p.LPs + i
			p.Data = AppendLP(p.Data, &lp)
			p.Index = append(p.Index, IndexEntry{GID: lp.GID, Size: benchState})
		}
		parts = append(parts, p)
	}
	return &Info{LPs: benchLPs, Streams: 1, Types: make([]Type, 1)}, parts, make([]int, benchParts)
}

func BenchmarkAppendLP(b *testing.B) {
	lp := LP{Streams: []rng.StreamState{{State: validState}}, Core: validState, State: make([]byte, benchState)}
	buf := make([]byte, 0, LPSize(1, benchState))
	b.SetBytes(int64(cap(buf)))
	for b.Loop() {
		buf = AppendLP(buf[:0], &lp)
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	e := Event{Own: []float64{0.5}, Msg: make([]byte, 32)}
	buf := make([]byte, 0, EventSize(1, 32))
	b.SetBytes(int64(cap(buf)))
	for b.Loop() {
		buf = AppendEvent(buf[:0], &e)
	}
}

func BenchmarkSave(b *testing.B) {
	info, parts, file := benchContent()
	name := filepath.Join(b.TempDir(), "ck")
	for _, compress := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "lz4"}[compress], func(b *testing.B) {
			b.SetBytes(benchLPs * int64(LPSize(1, benchState)))
			for b.Loop() {
				var packing sync.WaitGroup
				for _, p := range parts {
					packing.Go(func() { require.NoError(b, p.Pack(compress)) })
				}
				packing.Wait()
				require.NoError(b, Save(name, info, parts, file, Options{Files: 1}))
			}
		})
	}
}

func BenchmarkOpenAndRead(b *testing.B) {
	info, parts, file := benchContent()
	for _, compress := range []bool{false, true} {
		name := filepath.Join(b.TempDir(), "ck")
		for _, p := range parts {
			require.NoError(b, p.Pack(compress))
		}
		require.NoError(b, Save(name, info, parts, file, Options{Files: 1}))
		b.Run(map[bool]string{false: "plain", true: "lz4"}[compress], func(b *testing.B) {
			b.SetBytes(benchLPs * int64(LPSize(1, benchState)))
			for b.Loop() {
				readAllParts(b, name)
			}
		})
	}
}

// readAllParts reads the records of all partitions, with a goroutine for each.
func readAllParts(b *testing.B, name string) {
	ck, err := Open(name)
	require.NoError(b, err)
	defer ck.Close()
	var reading sync.WaitGroup
	for i := range ck.Entries() {
		reading.Go(func() {
			c, err := ck.Read(i)
			require.NoError(b, err)
			_, err = readRecords(c)
			require.NoError(b, err)
		})
	}
	reading.Wait()
}

func BenchmarkVerify(b *testing.B) {
	info, parts, file := benchContent()
	name := filepath.Join(b.TempDir(), "ck")
	require.NoError(b, Save(name, info, parts, file, Options{Files: 1}))
	b.SetBytes(benchLPs * int64(LPSize(1, benchState)))
	for b.Loop() {
		require.NoError(b, Verify(name))
	}
}
