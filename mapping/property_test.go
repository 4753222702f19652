// This file owns the properties that every Map has, tested on random shapes and
// under the fuzzer.

package mapping

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testrand"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the random tests; 0 takes a new one")

// newRand returns random numbers whose seed is printed when the test fails, to be
// given back as -seed.
func newRand(t *testing.T) *rand.Rand {
	if *seedFlag != 0 {
		return testrand.Of(*seedFlag, 0)
	}
	return testrand.New(t)
}

// requireLP checks one LP: its place exists, leads back to it, and has a KP.
// Conditions are tested before testify is called, which is slow.
func requireLP(t *testing.T, m *Map, gid uint64) {
	t.Helper()
	pe, local := m.Locate(gid)
	if pe >= m.NumPEs() || local >= m.NumLPs(pe) || pe != m.PE(gid) || local != m.Local(gid) {
		require.Failf(t, "no such place", "LP %d at (%d,%d), PE %d, Local %d, of %d PEs, %d LPs there",
			gid, pe, local, m.PE(gid), m.Local(gid), m.NumPEs(), m.NumLPs(pe))
	}
	if back := m.GID(pe, local); back != gid {
		require.Failf(t, "GID is not the inverse", "LP %d at (%d,%d), where LP %d is", gid, pe, local, back)
	}
	if kp := m.KP(pe, local); kp >= m.NumKPs() {
		require.Failf(t, "no such KP", "LP %d in KP %d of %d", gid, kp, m.NumKPs())
	}
}

// requireMap checks every LP. Each gid maps to a place and back, and there are as
// many places as gids, so the translation is a bijection.
func requireMap(t *testing.T, m *Map) {
	t.Helper()
	identity := m.NumPEs() == 1
	for gid := range m.Total() {
		requireLP(t, m, gid)
		identity = identity && m.Local(gid) == gid
	}
	places := uint64(0)
	for pe := range m.NumPEs() {
		places += m.NumLPs(pe)
	}
	require.Equal(t, m.Total(), places)
	require.Equal(t, identity, m.Identity())
}

// requireBalance checks a provided mapping: equal PEs, and KPs of at most
// ceil(nlp/nkp) LPs; of linear all but the last KP in use have just that many, of
// round robin none has two more than another.
func requireBalance(t *testing.T, m *Map, nlp uint64) {
	t.Helper()
	perKP := (nlp + m.NumKPs() - 1) / m.NumKPs()
	for pe := range m.NumPEs() {
		require.Equal(t, nlp, m.NumLPs(pe))
		sizes := make([]uint64, m.NumKPs())
		for local := range nlp {
			sizes[m.KP(pe, local)]++
		}
		for kp, size := range sizes {
			if m.Kind() == RoundRobin {
				require.GreaterOrEqual(t, size, nlp/m.NumKPs())
				require.LessOrEqual(t, size, perKP)
				continue
			}
			left := nlp - min(nlp, uint64(kp)*perKP)
			require.Equal(t, min(perKP, left), size, "KP %d", kp)
		}
	}
}

// randomCustom returns a mapping of LPs thrown onto PEs, in a shuffled order
// there, with KPs thrown too; some functions are left to their defaults.
func randomCustom(r *rand.Rand, npe, total, nkp uint64) (*Map, error) {
	pes, counts := make([]uint64, total), make([]uint64, npe)
	for gid := range pes {
		pes[gid] = r.Uint64N(npe)
		counts[pes[gid]]++
	}
	f := CustomFuncs{PE: func(gid uint64) uint64 { return pes[gid] }}
	if r.IntN(4) > 0 {
		orders := make([][]int, npe)
		for pe, n := range counts {
			orders[pe] = r.Perm(int(n))
		}
		f.Local = func(gid uint64) uint64 { // called once for each gid
			pe := pes[gid]
			local := orders[pe][0]
			orders[pe] = orders[pe][1:]
			return uint64(local)
		}
	}
	if r.IntN(4) > 0 {
		f.KP = func(pe, local uint64) uint64 { return r.Uint64N(nkp) }
	}
	return NewCustom(npe, total, nkp, f)
}

func TestEveryMapIsABijectionOfGIDsAndPlaces(t *testing.T) {
	r := newRand(t)
	for range 300 {
		npe, nlp, nkp := 1+r.Uint64N(9), 1+r.Uint64N(60), 1+r.Uint64N(40)
		linear, robin := must(NewLinear(npe, nlp, nkp)), must(NewRoundRobin(npe, nlp, nkp))
		for _, m := range []*Map{linear, robin} {
			requireMap(t, m)
			requireBalance(t, m, nlp)
		}
		requireMap(t, must(randomCustom(r, npe, nlp, nkp)))
	}
}

// The formulas of the package comment, with the division of the machine.
func TestProvidedMappingsFollowTheirFormulasForAllShapes(t *testing.T) {
	r := newRand(t)
	for range 20_000 {
		requireFormulas(t, randomCount(r), randomCount(r), randomCount(r), r.Uint64())
	}
}

// randomCount returns 1 to 2^32-1, every number of bits as likely as another.
func randomCount(r *rand.Rand) uint64 { return max(1, uint64(r.Uint32()>>r.UintN(32))) }

func requireFormulas(t *testing.T, npe, nlp, nkp, gid uint64) {
	t.Helper()
	gid %= npe * nlp
	linear, robin := must(NewLinear(npe, nlp, nkp)), must(NewRoundRobin(npe, nlp, nkp))
	requireLP(t, linear, gid)
	requireLP(t, robin, gid)
	want := [...]uint64{gid / nlp, gid % nlp, gid % nlp / ((nlp + nkp - 1) / nkp), gid % npe, gid / npe, gid / npe % nkp}
	lp, ll := linear.Locate(gid)
	rp, rl := robin.Locate(gid)
	got := [...]uint64{lp, ll, linear.KP(lp, ll), rp, rl, robin.KP(rp, rl)}
	if want != got {
		require.Equal(t, want, got, "npe %d nlp %d nkp %d gid %d", npe, nlp, nkp, gid)
	}
}

// FuzzMapping: any numbers give an error about the shape or a Map with all the
// properties; custom functions that answer noise give an error or such a Map.
func FuzzMapping(f *testing.F) {
	f.Add(uint64(1), uint64(1), uint64(1), uint64(0))
	f.Add(uint64(2), uint64(5), uint64(16), uint64(9))
	f.Add(uint64(7), uint64(641), uint64(3), uint64(math.MaxUint64))
	f.Add(uint64(math.MaxUint32), uint64(math.MaxUint32), uint64(math.MaxUint32), uint64(1)<<63)
	f.Add(uint64(0), uint64(1)<<32, uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, npe, nlp, nkp, x uint64) {
		fits := func(n uint64) bool { return 0 < n && n <= math.MaxUint32 }
		_, err := NewLinear(npe, nlp, nkp)
		if !fits(npe) || !fits(nlp) || !fits(nkp) {
			require.ErrorIs(t, err, ErrShape)
			_, err = NewRoundRobin(npe, nlp, nkp)
			require.ErrorIs(t, err, ErrShape)
			return
		}
		require.NoError(t, err)
		requireFormulas(t, npe, nlp, nkp, x)

		npe, total, nkp := 1+npe%8, 1+nlp%32, 1+nkp%8
		r := rand.New(rand.NewPCG(x, nlp))
		requireMap(t, must(randomCustom(r, npe, total, nkp)))

		m, err := NewCustom(npe, total, nkp, CustomFuncs{
			PE:    func(uint64) uint64 { return r.Uint64N(npe + x%2) },
			Local: func(uint64) uint64 { return r.Uint64N(total) },
			KP:    func(_, _ uint64) uint64 { return r.Uint64N(nkp + x%2) },
		})
		if err != nil {
			require.ErrorIs(t, err, ErrCustom)
			return
		}
		requireMap(t, m)
	})
}
