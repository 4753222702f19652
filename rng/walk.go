// This file owns Walk: the first states of consecutive streams.

package rng

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
func (w *Walk) CLCG4(id uint64) CLCG4 {
	if id != w.next || id == 0 { // behind the largest number is 0 again, which does not follow from it
		w.g = w.s.CLCG4(id)
	}
	g, by := w.g, &w.s.powers[0][1]
	w.g.c[0] = uint32(mulMod(uint64(g.c[0]), uint64(by[0]), m0))
	w.g.c[1] = uint32(mulMod(uint64(g.c[1]), uint64(by[1]), m1))
	w.g.c[2] = uint32(mulMod(uint64(g.c[2]), uint64(by[2]), m2))
	w.g.c[3] = uint32(mulMod(uint64(g.c[3]), uint64(by[3]), m3))
	w.next = id + 1
	return g
}
