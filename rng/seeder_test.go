// This file owns the tests of seeds and stream numbers.

package rng

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConsecutiveStreamsAreOneSpacingApart(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	c := DefaultSeeds
	for id := range uint64(70_000) {
		if got := seeder.CLCG4(id); got != (CLCG4{c: c}) {
			t.Fatalf("stream %d starts at %v, want %v", id, got.State(), c)
		}
		for j := range c {
			c[j] = uint32(uint64(c[j]) * components[j].avw % components[j].m)
		}
	}
}

func TestStreamsAreTheirSpacingInDrawsApart(t *testing.T) {
	// 2^72 draws are 2^10 jumps of 2^62.
	seeder := NewSeeder(DefaultCoreSeeds)
	r := newRand(t)
	for range 20 {
		id := r.Uint64N(math.MaxUint64)
		g := seeder.CLCG4(id)
		for range 1 << 10 {
			g.Skip(1 << 62)
		}
		next := seeder.CLCG4(id + 1)
		require.Equal(t, next.State().C, g.State().C, "stream %d", id)
	}
}

func TestStreamNumbersUseAllBits(t *testing.T) {
	seeder := NewSeeder(DefaultSeeds)
	r := newRand(t)
	for range 2000 {
		id := r.Uint64() >> r.IntN(64)
		want := CLCG4{}
		for j, p := range components {
			want.c[j] = uint32(mulMod(uint64(DefaultSeeds[j]), powMod(p.avw, id, p.m), p.m))
		}
		require.Equal(t, want, seeder.CLCG4(id), "stream %d", id)
		stream := seeder.Stream(id)
		require.Equal(t, StreamState{State: want.State()}, stream.State())
	}
}

func TestClampSeeds(t *testing.T) {
	top := Seeds{2147483646, 2147483542, 2147483422, 2147483322}
	for _, c := range []struct {
		name    string
		in      [4]uint64
		want    Seeds
		changed bool
	}{
		{"in range", [4]uint64{1, 2, 3, 4}, Seeds{1, 2, 3, 4}, false},
		{"largest", [4]uint64{2147483646, 2147483542, 2147483422, 2147483322}, top, false},
		{"one too large", [4]uint64{2147483647, 2147483543, 2147483423, 2147483323}, top, true},
		{"beyond 32 bits", [4]uint64{math.MaxUint64, 1 << 32, 1 << 33, 1<<32 + 5}, top, true},
		{"zero", [4]uint64{0, 1, 1, 1}, Seeds{1, 1, 1, 1}, true},
		{"last only", [4]uint64{1, 1, 1, 0}, Seeds{1, 1, 1, 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, changed := ClampSeeds(c.in)
			require.Equal(t, c.want, got)
			require.Equal(t, c.changed, changed)
		})
	}
}

func TestNewSeederClampsSeeds(t *testing.T) {
	g := NewSeeder(Seeds{0, math.MaxUint32, 5, 6}).CLCG4(0)
	require.Equal(t, State{C: [4]uint32{1, 2147483542, 5, 6}}, g.State())
}
