// Memory of a PE for each of the many PEs of other ranks with which it communicates.

package timewarp

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/ross-go/ross/internal/transport"
)

// BenchmarkPeers measures the memory for one peer, of 10,000. With each peer the PE has
// exchanged the given number of events at once.
func BenchmarkPeers(b *testing.B) {
	const peers = 10000
	for _, ids := range []uint32{0, 1, 16, 256} {
		b.Run(fmt.Sprintf("ids=%d", ids), func(b *testing.B) {
			for range b.N {
				before := heapInUse()
				pe := &PE{Far: &far{Peers: transport.NewTable[peer](peers), perPE: 1}}
				for to := range uint32(peers) {
					p := pe.Far.peer(to)
					for range ids {
						p.newID()
					}
					for id := uint32(1); id <= ids; id++ {
						pe.freeID(to, id)
						for int(id) >= len(p.slots) { // as takeEvent does
							p.slots = append(p.slots, 0)
						}
					}
				}
				b.ReportMetric(float64(heapInUse()-before)/peers, "B/peer")
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
