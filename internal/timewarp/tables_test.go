// Memory of a PE for each of the many PEs of other ranks with which it communicates.

package timewarp

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/avl"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/transport"
)

// BenchmarkPeers measures the memory for one peer, of 10,000. With each peer the PE has
// exchanged the given number of events at once.
func BenchmarkPeers(b *testing.B) {
	const peers = 10000
	for _, ids := range []int{0, 1, 16, 256} {
		b.Run(fmt.Sprintf("ids=%d", ids), func(b *testing.B) {
			for range b.N {
				before := heapInUse()
				log, err := avl.NewLog(1<<10, "")
				if err != nil {
					b.Fatal(err)
				}
				run := &kernel.Run{}
				run.Set.PEs = 1
				pe := &PE{}
				pe.Remote = &remote{Peers: transport.NewTable[peer](peers), perPE: 1, run: run, log: log}
				for to := range uint32(peers) {
					p := pe.Remote.peer(to)
					for range ids { // as takeEvent does
						p.came++
						log.Add(p.source, p.came, 1, 1)
					}
				}
				b.ReportMetric(float64(heapInUse()-before)/peers, "B/peer")
				if ids > 0 {
					pe.arrived(pe.Remote.peer(0), 1) // the oldest
				}
				b.ReportMetric(float64(log.Bytes())/peers, "B/peer-searched")
				log.Close()
				runtime.KeepAlive(pe)
			}
		})
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestEachRecordCanBeUndone(t *testing.T) {
	for tag := uint64(kernel.TagStream); tag < kernel.NumTags; tag++ {
		require.NotNil(t, records[tag].undo, "tag %d", tag)
	}
}
