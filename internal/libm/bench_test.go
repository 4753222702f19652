// This file owns the benchmarks. Those with impl=math measure package math in the same run.

package libm

import (
	"math"
	"testing"
)

var sink float64

// both measures two functions with the same arguments: each result by itself, and each after the
// one before.
func both(b *testing.B, x [1024]float64, f, inMath func(float64) float64) {
	for _, impl := range []struct {
		name string
		f    func(float64) float64
	}{{"impl=libm", f}, {"impl=math", inMath}} {
		b.Run(impl.name+"/wait=false", func(b *testing.B) {
			sum := 0.0
			for i := range b.N {
				sum += impl.f(x[i%1024])
			}
			sink = sum
		})
		b.Run(impl.name+"/wait=true", func(b *testing.B) {
			last := 0.0
			for i := range b.N {
				// Adds nothing, but needs the last result.
				last = impl.f(x[i%1024] + 0x1p-1000*last)
			}
			sink = last
		})
	}
}

// spread has 1024 numbers from low to high, out of order.
func spread(low, high float64) (x [1024]float64) {
	for i := range x {
		x[i] = low + (high-low)*(float64(i*619%1024)+0.5)/1024
	}
	return x
}

// BenchmarkLog has the arguments of the exponential distribution.
func BenchmarkLog(b *testing.B) { both(b, spread(0, 1), Log, math.Log) }

func BenchmarkExp(b *testing.B) { both(b, spread(-10, 10), Exp, math.Exp) }

func BenchmarkSin(b *testing.B) { both(b, spread(0, 2*math.Pi), Sin, math.Sin) }

func BenchmarkPow(b *testing.B) {
	both(b, spread(0, 1), func(x float64) float64 { return Pow(x, 0.7) }, func(x float64) float64 { return math.Pow(x, 0.7) })
}

func BenchmarkGamma(b *testing.B) { both(b, spread(1, 6), Gamma, math.Gamma) }

func BenchmarkLog1p(b *testing.B) { both(b, spread(-0.9, 1), Log1p, math.Log1p) }

func BenchmarkExpm1(b *testing.B) { both(b, spread(-1, 1), Expm1, math.Expm1) }
