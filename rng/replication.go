// This file owns the seeds of a whole run made from one number, and the parts of the streams
// that belong to replications.

package rng

// A stream is 2^72 draws long: the next stream begins there. Each stream consists of parts
// of ReplicationDraws draws, one for each replication.
const (
	// ReplicationDraws is the number of draws that a replication has of each stream, 2^48. At a
	// hundred million draws a second it lasts for a month.
	ReplicationDraws = 1 << 48
	// MaxReplication is the highest number of a replication, 2^24 - 1: there are as many parts
	// as fit into a stream.
	MaxReplication = 1<<72/ReplicationDraws - 1
)

// RunSeeds makes all seeds of a run from one number: those of the streams that models draw
// from, and those of the streams that break ties between events. Neighbouring numbers give
// unrelated seeds, and no seeds are Patterned. The seeds come from SplitMix64, which starts at
// a hash of the number. So they are not those of SeedsOf(seed), and no number continues the
// sequence of another one nearby.
func RunSeeds(seed uint64) (models, cores Seeds) {
	state := splitMix(&seed)
	next := func() Seeds {
		for {
			if s := nextSeeds(&state); !s.Patterned() {
				return s
			}
		}
	}
	models = next()
	return models, next()
}

// Replication returns the seeds of a replication, 0 to [MaxReplication]: each stream begins
// ReplicationDraws draws further on than in the replication before. Replication 0 has s
// itself; a number above MaxReplication counts modulo 2^24.
//
// The parts of all streams and replications are disjoint. Replication r of stream i begins at
// draw i*2^72 + r*2^48 of a cycle of L draws, where L is the least common multiple of the m_j-1,
// a little more than 2^115. So the parts of n streams do not overlap as long as n*2^72 <= L,
// which holds for 2^43 streams; no memory has room for as many. Streams of other seeds lie
// elsewhere: there are 504 such cycles, and with seeds chosen at random two series of 2^k
// draws overlap with a probability of about 2^(k-123).
func (s Seeds) Replication(number uint64) Seeds {
	for j := range s {
		p := &components[j]
		step := powMod(p.a, ReplicationDraws, p.m)
		s[j] = uint32(mulMod(uint64(s[j]), powMod(step, number%(MaxReplication+1), p.m), p.m))
	}
	return s
}
