// This file owns the benchmarks. Those with impl=naive measure the textbook form in
// the same run.

package rng

import (
	"math"
	"testing"
)

var (
	floatSink float64
	wordSink  uint32
)

func BenchmarkUnif(b *testing.B) {
	b.Run("impl=fold", func(b *testing.B) {
		g := CLCG4{c: DefaultSeeds}
		for b.Loop() {
			floatSink += g.Unif()
		}
	})
	b.Run("impl=naive", func(b *testing.B) {
		g := textbook{c: DefaultSeeds}
		for b.Loop() {
			floatSink += g.unif()
		}
	})
}

// BenchmarkUnifLatency makes each draw wait for the result of the one before.
func BenchmarkUnifLatency(b *testing.B) {
	b.Run("impl=fold", func(b *testing.B) {
		g := CLCG4{c: DefaultSeeds}
		for b.Loop() {
			waitFor(&g.c, g.Unif())
		}
	})
	b.Run("impl=naive", func(b *testing.B) {
		g := textbook{c: DefaultSeeds}
		for b.Loop() {
			waitFor(&g.c, g.unif())
		}
	})
}

// waitFor changes nothing, since u is never negative, but needs u to do so.
func waitFor(c *[4]uint32, u float64) {
	sign := uint32(math.Float64bits(u) >> 63)
	for j := range c {
		c[j] ^= sign
	}
}

func BenchmarkReverse(b *testing.B) {
	g := CLCG4{c: DefaultSeeds}
	for b.Loop() {
		floatSink += g.Reverse()
	}
}

func BenchmarkSkip(b *testing.B) {
	g := CLCG4{c: DefaultSeeds}
	for b.Loop() {
		g.Skip(-987654321987654321)
	}
}

func BenchmarkSeeder(b *testing.B) {
	b.Run("streams=1e6", func(b *testing.B) {
		seeder := NewSeeder(DefaultSeeds)
		for b.Loop() {
			for id := range uint64(1_000_000) {
				g := seeder.CLCG4(id)
				wordSink += g.c[0]
			}
		}
	})
}

func BenchmarkDistribution(b *testing.B) {
	for _, name := range drawNames() {
		b.Run("dist="+name, func(b *testing.B) {
			s := NewSeeder(DefaultSeeds).Stream(0)
			draw := allDraws[name]
			for b.Loop() {
				floatSink += draw(&s)
			}
		})
	}
}
