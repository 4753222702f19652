// This file owns the tests of mappings that a model defines: the 7-LP example of the ROSS documentation, the
// defaults, and every way to get it wrong; and the proof by comparison that divider divides, and the measurement that
// justifies it.

package mapping

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSevenLPsSpreadEvenlyOverOneToSevenPEs(t *testing.T) {
	for npe := uint64(1); npe <= 7; npe++ {
		m := must(NewCustom(npe, 7, 1, Places{
			PE:    func(gid uint64) uint64 { return gid % npe },
			Local: func(gid uint64) uint64 { return gid / npe },
			KP:    func(pe, local uint64) uint64 { return 0 },
		}))
		requireMap(t, m)
		for gid := range uint64(7) {
			require.Equal(t, gid%npe, m.PE(gid))
			require.Equal(t, gid/npe, m.Local(gid))
		}
		// The number of LPs that the setup function of the source document computes.
		least, withOneMore := 7/npe, 7%npe
		for pe := range npe {
			want := least
			if pe < withOneMore {
				want++
			}
			require.Equal(t, want, m.NumLPs(pe), "%d PEs, PE %d", npe, pe)
		}
		require.Equal(t, npe == 1, m.Identity())
	}
}

// Locals by ascending gid, KPs as linear does for the number of LPs of each PE.
func TestDefaultsOfPlaces(t *testing.T) {
	pes := []uint64{2, 0, 2, 2, 0, 2, 2}
	m := must(NewCustom(3, 7, 2, Places{PE: func(gid uint64) uint64 { return pes[gid] }}))
	requireMap(t, m)
	require.Equal(t, []uint64{2, 0, 5}, []uint64{m.NumLPs(0), m.NumLPs(1), m.NumLPs(2)})
	for local, gid := range []uint64{0, 2, 3, 5, 6} {
		require.Equal(t, gid, m.GID(2, uint64(local)))
		require.Equal(t, []uint64{0, 0, 0, 1, 1}[local], m.KP(2, uint64(local)))
	}
	require.Equal(t, []uint64{0, 1}, []uint64{m.KP(0, 0), m.KP(0, 1)})
}

// ROSS's provided mappings, written as a model would, give the same answers.
func TestCustomCanSayWhatTheProvidedMappingsSay(t *testing.T) {
	const npe, nlp, nkp = 3, 5, 2
	for _, provided := range []*Map{must(NewLinear(npe, nlp, nkp)), must(NewRoundRobin(npe, nlp, nkp))} {
		custom := must(NewCustom(npe, npe*nlp, nkp, Places{PE: provided.PE, Local: provided.Local, KP: provided.KP}))
		requireMap(t, custom)
		for gid := range provided.Total() {
			pe, local := provided.Locate(gid)
			require.Equal(t, []uint64{pe, local, provided.KP(pe, local)},
				[]uint64{custom.PE(gid), custom.Local(gid), custom.KP(pe, local)})
		}
	}
}

func TestCustomIsTheIdentityOnlyOnOnePEInOrder(t *testing.T) {
	onPE := func(pe uint64) func(uint64) uint64 { return func(uint64) uint64 { return pe } }
	reversed := func(gid uint64) uint64 { return 4 - gid }
	require.True(t, must(NewCustom(1, 5, 1, Places{PE: onPE(0)})).Identity())
	require.False(t, must(NewCustom(1, 5, 1, Places{PE: onPE(0), Local: reversed})).Identity())
	require.False(t, must(NewCustom(2, 5, 1, Places{PE: onPE(1)})).Identity(),
		"an idle PE 0 must not take gids for its own local indices")
}

func TestFunctionsAreAskedOncePerLPAndNeverAgain(t *testing.T) {
	calls, closed := map[string]int{}, false
	count := func(what string) {
		require.False(t, closed, "%s called after NewCustom", what)
		calls[what]++
	}
	m := must(NewCustom(4, 100, 8, Places{
		PE:    func(gid uint64) uint64 { count("PE"); return gid % 4 },
		Local: func(gid uint64) uint64 { count("Local"); return gid / 4 },
		KP:    func(_, local uint64) uint64 { count("KP"); return local % 8 },
	}))
	require.Equal(t, map[string]int{"PE": 100, "Local": 100, "KP": 100}, calls)
	closed = true
	requireMap(t, m)
}

func TestSurplusPEsIdleAndCostNothing(t *testing.T) {
	m := must(NewCustom(math.MaxUint32, 3, math.MaxUint32, Places{
		PE: func(gid uint64) uint64 { return gid },
		KP: func(pe, local uint64) uint64 { return math.MaxUint32 - 1 },
	}))
	require.EqualValues(t, 1, m.NumLPs(2))
	require.Zero(t, m.NumLPs(3))
	require.Zero(t, m.NumLPs(math.MaxUint32-1))
	require.Zero(t, m.NumLPs(math.MaxUint64))
	require.Equal(t, uint64(math.MaxUint32-1), m.KP(2, 0))
}

func TestWrongAnswersAreErrorsNamingTheLPAndTheRange(t *testing.T) {
	// Six LPs on two PEs, gids 0 2 4 and 1 3 5; each case spoils one answer.
	for _, c := range []struct {
		name  string
		spoil func(*Places)
		want  string
	}{
		{"no PE function", func(f *Places) { f.PE = nil },
			"ross: custom mapping: Places.PE is nil: give the function that returns the PE of a gid"},
		{"PE too great", func(f *Places) { f.PE = except(f.PE, 4, 2) },
			"ross: custom mapping: LP 4: PE 2 does not exist: let Places.PE return 0 to 1"},
		{"PE beyond 32 bits", func(f *Places) { f.PE = except(f.PE, 0, 1<<32) },
			"ross: custom mapping: LP 0: PE 4294967296 does not exist: let Places.PE return 0 to 1"},
		{"local too great", func(f *Places) { f.Local = except(f.Local, 3, 3) },
			"ross: custom mapping: LP 3 on PE 1: local index 3 is out of range: let Places.Local return each of 0 to 2 once for that PE"},
		{"local beyond 32 bits", func(f *Places) { f.Local = except(f.Local, 3, 1<<32) },
			"ross: custom mapping: LP 3 on PE 1: local index 4294967296 is out of range: let Places.Local return each of 0 to 2 once for that PE"},
		{"local taken", func(f *Places) { f.Local = except(f.Local, 5, 0) },
			"ross: custom mapping: LP 5 on PE 1: local index 0 already belongs to LP 1: let Places.Local return each of 0 to 2 once for that PE"},
		{"local taken by LP 0", func(f *Places) { f.Local = except(f.Local, 4, 0) },
			"ross: custom mapping: LP 4 on PE 0: local index 0 already belongs to LP 0: let Places.Local return each of 0 to 2 once for that PE"},
		{"KP too great", func(f *Places) { f.KP = func(pe, local uint64) uint64 { return pe + local } },
			"ross: custom mapping: LP 5 on PE 1, local index 2: KP 3 does not exist: let Places.KP return 0 to 2, or raise --nkp"},
		{"KP beyond 32 bits", func(f *Places) { f.KP = func(pe, local uint64) uint64 { return 1 << 32 } },
			"ross: custom mapping: LP 0 on PE 0, local index 0: KP 4294967296 does not exist: let Places.KP return 0 to 2, or raise --nkp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Places{
				PE:    func(gid uint64) uint64 { return gid % 2 },
				Local: func(gid uint64) uint64 { return gid / 2 },
				KP:    func(_, local uint64) uint64 { return local },
			}
			requireMap(t, must(NewCustom(2, 6, 3, f)))
			c.spoil(&f)
			m, err := NewCustom(2, 6, 3, f)
			require.Nil(t, m)
			require.ErrorIs(t, err, ErrCustom)
			require.EqualError(t, err, c.want)
		})
	}
}

// The answers stay as they were when what the functions read changes.
func TestMapDoesNotFollowTheModelsData(t *testing.T) {
	pes := []uint64{1, 1, 0}
	m := must(NewCustom(2, 3, 1, Places{PE: func(gid uint64) uint64 { return pes[gid] }}))
	slices.Reverse(pes)
	require.Equal(t, []uint64{1, 1, 0}, []uint64{m.PE(0), m.PE(1), m.PE(2)})
}

func except(f func(uint64) uint64, at, answer uint64) func(uint64) uint64 {
	return func(gid uint64) uint64 {
		if gid == at {
			return answer
		}
		return f(gid)
	}
}

func TestFunctionsAreMadeForTheShapeOfTheRun(t *testing.T) {
	times := 0
	shape := Shape{PEs: 3, KPs: 2, LPs: 7}
	m := must(For(func(s Shape) (Places, error) {
		times++
		require.Equal(t, shape, s)
		return Places{PE: func(gid uint64) uint64 { return gid % s.PEs },
			KP: func(_, local uint64) uint64 { return local % s.KPs }}, nil
	}).Map(shape))
	requireMap(t, m)
	require.Equal(t, 1, times)
	require.Equal(t, []uint64{3, 2, 2}, []uint64{m.NumLPs(0), m.NumLPs(1), m.NumLPs(2)})

	why := errors.New("seven LPs only")
	m, err := For(func(Shape) (Places, error) { return Places{}, why }).Map(shape)
	require.Nil(t, m)
	require.Equal(t, why, err)
	_, err = For(func(Shape) (Places, error) { return Places{}, nil }).Map(shape)
	require.EqualError(t, err, "ross: custom mapping: Places.PE is nil: give the function that returns the PE of a gid")
}

func TestKindsAreMappings(t *testing.T) {
	shape := Shape{PEs: 3, KPs: 2, LPs: 7}
	for kind, want := range map[Mapping]*Map{Linear: must(NewEven(Linear, 3, 7, 2)),
		RoundRobin: must(NewEven(RoundRobin, 3, 7, 2))} {
		m := must(kind.Map(shape))
		for gid := range shape.LPs {
			require.Equal(t, want.PE(gid), m.PE(gid))
			require.Equal(t, want.Local(gid), m.Local(gid))
		}
	}
	_, err := Custom.Map(shape)
	require.ErrorIs(t, err, ErrCustom)
}

// hardDivisors are where rounding goes wrong first: on and around powers of two,
// and some for each direction of rounding in between.
func hardDivisors() []uint64 {
	ds := []uint64{7, 10, 14, 19, 21, 28, 641, 6700417, math.MaxUint64}
	for shift := range 64 {
		p := uint64(1) << shift
		for _, d := range []uint64{p - 1, p, p + 1} {
			if d != 0 {
				ds = append(ds, d)
			}
		}
	}
	return ds
}

func requireDivides(t *testing.T, d, n uint64) {
	t.Helper()
	v := newDivider(d)
	if got := v.quo(n); got != n/d {
		require.Failf(t, "wrong quotient", "%d / %d = %d, got %d", n, d, n/d, got)
	}
}

// requireDividesAround tests both sides of multiples of d, where an inexact
// multiplier shows first, up to the greatest number allowed.
func requireDividesAround(t *testing.T, d, multiple uint64) {
	t.Helper()
	const greatest = math.MaxUint64 - 1
	base := multiple * d
	for _, n := range []uint64{base - 1, base, base + 1, greatest / d * d, greatest/d*d - 1, greatest, 0} {
		if n <= greatest {
			requireDivides(t, d, n)
		}
	}
}

func TestDividerEqualsDivisionForHardDivisors(t *testing.T) {
	for _, d := range hardDivisors() {
		for _, multiple := range []uint64{0, 1, 2, 3, math.MaxUint64/d - 1, math.MaxUint64 / d} {
			requireDividesAround(t, d, multiple)
		}
	}
}

func TestDividerEqualsDivisionForAllSmallNumbers(t *testing.T) {
	for d := uint64(1); d <= 300; d++ {
		for n := range uint64(1000) {
			requireDivides(t, d, n)
		}
	}
}

func TestDividerEqualsDivisionForRandomNumbers(t *testing.T) {
	r := newRand(t)
	for range 100_000 {
		d := max(1, r.Uint64()>>r.UintN(64))
		requireDividesAround(t, d, r.Uint64())
		requireDivides(t, d, min(r.Uint64()>>r.UintN(64), math.MaxUint64-1))
	}
}

// The chain through sum makes it latency that is measured, as on the path of an
// event, where the next load waits for the quotient.
func BenchmarkDivide(b *testing.B) {
	d := uint64(1000 + rand.N(1000)) // unknown to the compiler
	v := newDivider(d)
	b.Run("impl=hardware", func(b *testing.B) {
		var sum uint64
		for i := range uint64(b.N) {
			sum = (sum ^ i<<20) / d
		}
		sink = sum
	})
	b.Run("impl=multiply", func(b *testing.B) {
		var sum uint64
		for i := range uint64(b.N) {
			sum = v.quo(sum ^ i<<20)
		}
		sink = sum
	})
}

var sink uint64
