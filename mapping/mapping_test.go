// This file owns the tests of the provided mappings against the rules of ROSS, of the errors about shapes, and of the
// properties that every Map has, on random shapes and under the fuzzer.

package mapping

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ross-go/ross/internal/testing/testalloc"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
)

func TestKindReadsAsInTheClosingReport(t *testing.T) {
	for kind, want := range map[Kind]string{
		Linear: "linear", RoundRobin: "round robin", Custom: "model defined", 7: "mapping.Kind(7)",
	} {
		require.Equal(t, want, kind.String())
	}
}

// The KPs of a PE as ROSS's tw-setup.c assigns them, written out by hand.
func TestKPsFollowTheRuleOfTheKind(t *testing.T) {
	for _, c := range []struct {
		name     string
		nlp, nkp uint64
		linear   []uint64
		robin    []uint64
	}{
		{"divides evenly", 6, 3, []uint64{0, 0, 1, 1, 2, 2}, []uint64{0, 1, 2, 0, 1, 2}},
		{"last KP short", 5, 2, []uint64{0, 0, 0, 1, 1}, []uint64{0, 1, 0, 1, 0}},
		{"linear leaves KP 3 empty", 6, 4, []uint64{0, 0, 1, 1, 2, 2}, []uint64{0, 1, 2, 3, 0, 1}},
		{"surplus KPs stay empty", 3, 16, []uint64{0, 1, 2}, []uint64{0, 1, 2}},
		{"one KP", 4, 1, []uint64{0, 0, 0, 0}, []uint64{0, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			linear, robin := must(NewLinear(2, c.nlp, c.nkp)), must(NewRoundRobin(2, c.nlp, c.nkp))
			for pe := range uint64(2) {
				for local := range c.nlp {
					require.Equal(t, c.linear[local], linear.KP(pe, local))
					require.Equal(t, c.robin[local], robin.KP(pe, local))
				}
			}
		})
	}
}

// Numbers of LPs on two PEs differ by at most one, and the first PEs have more.
func TestEvenMappingsDivideAnyNumberOfLPs(t *testing.T) {
	for kind, want := range map[Kind][3][]uint64{
		Linear:     {{0, 1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
		RoundRobin: {{0, 3, 6, 9}, {1, 4, 7}, {2, 5, 8}},
	} {
		m := must(NewEven(kind, 3, 10, 2))
		for pe, gids := range want {
			require.EqualValues(t, len(gids), m.NumLPs(uint64(pe)))
			for local, gid := range gids {
				require.Equal(t, gid, m.GID(uint64(pe), uint64(local)))
			}
		}
		require.Equal(t, kind, m.Kind())
	}
	for npe := uint64(1); npe <= 9; npe++ {
		for total := uint64(1); total <= 30; total++ {
			for _, kind := range []Kind{Linear, RoundRobin} {
				m := must(NewEven(kind, npe, total, 3))
				requireMap(t, m)
				for pe := range npe {
					require.Equal(t, (total+npe-1-pe)/npe, m.NumLPs(pe), "%v, %d LPs on %d PEs, PE %d", kind, total, npe, pe)
				}
			}
		}
	}
	_, err := NewEven(Custom, 2, 4, 1)
	require.EqualError(t, err,
		"ross: mapping shape: a model defined mapping: NewEven makes linear and round-robin mappings: use NewCustom")
}

// With a multiple of the number of PEs, nothing is different from NewLinear and NewRoundRobin.
func TestEvenMappingOfAMultipleIsTheUniformOne(t *testing.T) {
	require.Equal(t, must(NewLinear(4, 6, 2)), must(NewEven(Linear, 4, 24, 2)))
	require.Equal(t, must(NewRoundRobin(4, 6, 2)), must(NewEven(RoundRobin, 4, 24, 2)))
}

func TestSizesAreThoseAskedFor(t *testing.T) {
	for kind, m := range map[Kind]*Map{
		Linear: must(NewLinear(3, 5, 16)), RoundRobin: must(NewRoundRobin(3, 5, 16)),
	} {
		require.Equal(t, kind, m.Kind())
		require.Equal(t, []uint64{3, 16, 15}, []uint64{m.NumPEs(), m.NumKPs(), m.Total()})
		for pe := range uint64(3) {
			require.EqualValues(t, 5, m.NumLPs(pe))
		}
		require.Zero(t, m.NumLPs(3), "a PE that does not exist holds nothing")
		require.Zero(t, m.NumLPs(math.MaxUint64))
	}
}

func TestProvidedMappingsAreTheIdentityOnOnePEOnly(t *testing.T) {
	for _, build := range []func(npe, nlp, nkp uint64) (*Map, error){NewLinear, NewRoundRobin} {
		require.True(t, must(build(1, 9, 2)).Identity())
		require.False(t, must(build(2, 9, 2)).Identity())
		require.False(t, must(build(9, 1, 1)).Identity())
	}
}

func TestShapesThatCannotBeAreErrorsNamingTheFlag(t *testing.T) {
	const tooMany = math.MaxUint32 + 1
	custom := func(npe, total, nkp uint64) (*Map, error) {
		return NewCustom(npe, total, nkp, Places{PE: func(uint64) uint64 { return 0 }})
	}
	for _, b := range []struct {
		lps   string // what the error calls the number of LPs
		build func(npe, n, nkp uint64) (*Map, error)
	}{
		{"--nlp", NewLinear}, {"--nlp", NewRoundRobin}, {"--lps", custom},
	} {
		for _, c := range []struct {
			npe, n, nkp uint64
			flag, value string
		}{
			{0, 4, 4, "--pes", "0"},
			{4, 0, 4, b.lps, "0"},
			{4, 4, 0, "--nkp", "0"},
			{tooMany, 4, 4, "--pes", "4294967296"},
			{4, tooMany, 4, b.lps, "4294967296"},
			{4, 4, tooMany, "--nkp", "4294967296"},
			{1 << 40, 1 << 40, 1, "--pes", "1099511627776"},
			{math.MaxUint64, math.MaxUint64, math.MaxUint64, "--pes", "18446744073709551615"},
		} {
			m, err := b.build(c.npe, c.n, c.nkp)
			require.Nil(t, m)
			require.ErrorIs(t, err, ErrShape)
			require.Contains(t, err.Error(), "ross: mapping shape: "+c.flag+"="+c.value+": give 1 to ")
		}
	}
}

func TestGreatestShapeIsExact(t *testing.T) {
	const most = math.MaxUint32
	for _, m := range []*Map{
		must(NewLinear(most, most, most)), must(NewRoundRobin(most, most, most)),
		must(NewEven(Linear, most, most*most-1, 1)), must(NewEven(RoundRobin, most, most*most-1, 1)),
	} {
		require.LessOrEqual(t, uint64(most*most-1), m.Total())
		r := newRand(t)
		requireLP(t, m, 0)
		requireLP(t, m, m.Total()-1)
		for range 1000 {
			requireLP(t, m, r.Uint64N(m.Total()))
		}
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	for _, m := range benchmarkMaps() {
		require.Zero(t, testalloc.PerRun(10, func() {
			pe, local := m.Locate(m.Total() / 3)
			sink += pe + local + m.PE(1) + m.Local(1) + m.GID(pe, local) + m.KP(pe, local)
		}))
	}
}

func must(m *Map, err error) *Map {
	if err != nil {
		panic(errors.Join(errors.New("a shape of the test is wrong"), err))
	}
	return m
}

func benchmarkMaps() map[string]*Map {
	const npe, nlp, nkp = 6, 10_000, 16
	return map[string]*Map{
		"linear":     must(NewLinear(npe, nlp, nkp)),
		"uneven":     must(NewEven(Linear, npe, npe*nlp-1, nkp)),
		"roundrobin": must(NewRoundRobin(npe, nlp, nkp)),
		"custom": must(NewCustom(npe, npe*nlp, nkp, Places{
			PE: func(gid uint64) uint64 { return gid * gid % npe },
		})),
	}
}

// Each lookup depends on the one before, as for BenchmarkDivide.
func BenchmarkLocate(b *testing.B) {
	for name, m := range benchmarkMaps() {
		b.Run("kind="+name, func(b *testing.B) {
			gid, step := uint64(0), m.Total()/2-1
			for range b.N {
				pe, local := m.Locate(gid)
				gid = (pe + local) + step
				if gid >= m.Total() {
					gid -= m.Total()
				}
			}
			sink = gid
		})
	}
}

func BenchmarkNewCustom(b *testing.B) {
	const npe, total = 8, 1 << 16
	f := Places{
		PE:    func(gid uint64) uint64 { return gid % npe },
		Local: func(gid uint64) uint64 { return gid / npe },
		KP:    func(_, local uint64) uint64 { return local % 16 },
	}
	for b.Loop() {
		must(NewCustom(npe, total, 16, f))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/LP")
}

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
	f := Places{PE: func(gid uint64) uint64 { return pes[gid] }}
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

		m, err := NewCustom(npe, total, nkp, Places{
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
