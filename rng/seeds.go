// This file owns the choice of seeds: computing those of replications, recognizing patterns that runs should not share,
// the seeds of a whole run made from one number, and the parts of the streams that belong to replications.

package rng

// SeedsOf computes the seeds of a replication from its number, by SplitMix64 (Steele,
// Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Different
// numbers give unrelated seeds.
func SeedsOf(replication uint64) Seeds {
	return nextSeeds(&replication)
}

// nextSeeds makes seeds from the next four numbers of SplitMix64.
func nextSeeds(state *uint64) (seeds Seeds) {
	for j := range seeds {
		seeds[j] = uint32(1 + splitMix(state)%(components[j].m-1))
	}
	return seeds
}

// splitMix returns the next number of SplitMix64.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64s returns the seeds in the type that the settings use.
func (s Seeds) Uint64s() [4]uint64 {
	return [4]uint64{uint64(s[0]), uint64(s[1]), uint64(s[2]), uint64(s[3])}
}

// smallMultiple bounds the seeds that count as a pattern, after division by their
// greatest common divisor.
const smallMultiple = 64

// Patterned reports whether the seeds follow a pattern, which no two runs should share:
// they are equal or evenly spaced, or they are small multiples of one number.
//
// The streams are linear. With seeds k*s a stream draws k times what it draws with seeds
// s, modulo 1, at every step; with seeds s+t the sum of what it draws with s and with t.
// So runs with the seeds 1 1 1 1, 2 2 2 2 and so on draw multiples of the same numbers,
// and of three runs with evenly spaced seeds one always follows from the other two.
// Seeds near the modulus, such as clamped ones, count as negative numbers. One quadruple
// of random seeds in 10^18 follows a pattern.
func (s Seeds) Patterned() bool {
	var v [4]int64
	for j := range v {
		if v[j] = int64(s[j]); 2*v[j] > int64(components[j].m) {
			v[j] -= int64(components[j].m)
		}
	}
	step := v[1] - v[0]
	if v[2]-v[1] == step && v[3]-v[2] == step {
		return true
	}
	common, largest := int64(0), int64(0)
	for _, x := range v {
		x = max(x, -x)
		largest = max(largest, x)
		for a := x; a != 0; {
			common, a = a, common%a
		}
	}
	return largest/max(common, 1) <= smallMultiple
}

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
	return s.skip(ReplicationDraws, number%(MaxReplication+1))
}

// Branch returns the seeds of a replication that begins with what another one has left, such as a checkpoint: each
// stream begins half of ReplicationDraws further on, so that it has none of the draws of any run from the beginning.
func (s Seeds) Branch() Seeds { return s.skip(ReplicationDraws/2, 1) }

// skip returns the seeds of streams that begin further on by a number of draws, that number of times.
func (s Seeds) skip(draws, times uint64) Seeds {
	for j := range s {
		p := &components[j]
		step := powMod(p.a, draws, p.m)
		s[j] = uint32(mulMod(uint64(s[j]), powMod(step, times, p.m), p.m))
	}
	return s
}
