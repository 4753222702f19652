// This file owns the computation of a stream's first state from seeds and the stream's number, and Walk: the first
// states of consecutive streams.

package rng

import "sync"

// Seeds are the four components of stream 0 before its first draw, each in
// [1, m_j-1] with m = 2147483647, 2147483543, 2147483423, 2147483323.
type Seeds [4]uint32

// The seeds of a run that sets none: DefaultSeeds for the streams that models draw
// from, DefaultCoreSeeds for the streams that break ties between events
// (g_tw_rng_seed and g_tw_core_rng_seed in ROSS).
var (
	DefaultSeeds     = Seeds{11111111, 22222222, 33333333, 44444444}
	DefaultCoreSeeds = Seeds{55555555, 66666666, 77777777, 88888888}
)

// ClampSeeds moves each seed into [1, m_j-1], as ROSS does with --rng-seed1 to 4 and
// --core-rng-seed1 to 4. It also reports whether any seed had to move.
func ClampSeeds(s [4]uint64) (Seeds, bool) {
	var seeds Seeds
	changed := false
	for j, v := range s {
		clamped := min(max(v, 1), components[j].m-1)
		changed = changed || clamped != v
		seeds[j] = uint32(clamped)
	}
	return seeds, changed
}

// Seeder computes the first state of any stream in constant time. Its methods do not
// change it, so goroutines may share it.
type Seeder struct {
	seeds  Seeds
	powers *streamPowers
}

// streamPowers[d][i][j] is avw_j^(i * 256^d) mod m_j: the factor of component j for
// the value i of digit d of a stream's number. It takes 32 KiB.
type streamPowers [8][256][4]uint32

var sharedPowers = sync.OnceValue(func() *streamPowers {
	powers := new(streamPowers)
	for j := range components {
		m := components[j].m
		base := components[j].avw
		for d := range powers {
			power := uint64(1)
			for i := range powers[d] {
				powers[d][i][j] = uint32(power)
				power = mulMod(power, base, m)
			}
			base = power // the 256th power: the next digit's base
		}
	}
	return powers
})

// NewSeeder returns a Seeder for the streams that descend from s. Seeds out of range
// are clamped as by [ClampSeeds].
func NewSeeder(s Seeds) *Seeder {
	seeds, _ := ClampSeeds([4]uint64{uint64(s[0]), uint64(s[1]), uint64(s[2]), uint64(s[3])})
	return &Seeder{seeds: seeds, powers: sharedPowers()}
}

// CLCG4 returns the generator of stream id at its start, seed_j * avw_j^id mod m_j
// (tw_rand_initial_seed). Streams are 2^72 draws apart; all 2^64 numbers are valid, and
// the first 2^43 streams do not overlap.
func (s *Seeder) CLCG4(id uint64) CLCG4 {
	g := CLCG4{c: s.seeds}
	for d := 0; id != 0; d++ {
		p := &s.powers[d&7][id&255]
		g.c[0] = uint32(mulMod(uint64(g.c[0]), uint64(p[0]), m0))
		g.c[1] = uint32(mulMod(uint64(g.c[1]), uint64(p[1]), m1))
		g.c[2] = uint32(mulMod(uint64(g.c[2]), uint64(p[2]), m2))
		g.c[3] = uint32(mulMod(uint64(g.c[3]), uint64(p[3]), m3))
		id >>= 8
	}
	return g
}

// Stream returns stream id at its start, see [Seeder.CLCG4].
func (s *Seeder) Stream(id uint64) Stream {
	return Stream{CLCG4: s.CLCG4(id)}
}

// Walk is a Seeder for streams whose numbers are mostly consecutive: the state of a stream follows
// from that of the stream before by one multiplication for each component. Make it with
// [Seeder.Walk]. Goroutines may not share it.
type Walk struct {
	s    *Seeder
	next uint64 // number of the stream that g is
	g    CLCG4
}

// Walk returns a Walk over the streams of s.
func (s *Seeder) Walk() Walk { return Walk{s: s, g: s.CLCG4(0)} }

// CLCG4 returns what [Seeder.CLCG4] returns, and is quicker if id is that of the call before plus 1.
func (w *Walk) CLCG4(id uint64) (g CLCG4) {
	w.Put(&g, id)
	return g
}

// Put sets *g to what CLCG4 returns, without a copy, which for millions of streams takes most of the time.
func (w *Walk) Put(g *CLCG4, id uint64) {
	if id != w.next || id == 0 { // behind the largest number is 0 again, which does not follow from it
		w.g = w.s.CLCG4(id)
	}
	a, b, c, d, by := w.g.c[0], w.g.c[1], w.g.c[2], w.g.c[3], &w.s.powers[0][1]
	g.c[0], g.c[1], g.c[2], g.c[3], g.count = a, b, c, d, w.g.count
	w.g.c[0] = uint32(mulMod(uint64(a), uint64(by[0]), m0))
	w.g.c[1] = uint32(mulMod(uint64(b), uint64(by[1]), m1))
	w.g.c[2] = uint32(mulMod(uint64(c), uint64(by[2]), m2))
	w.g.c[3] = uint32(mulMod(uint64(d), uint64(by[3]), m3))
	w.next = id + 1
}
