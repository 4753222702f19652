// Package libm has the functions of C's math library that times and states of models are computed
// with. Their results are the same bits on all machines, and those of C:
//
//	Log, Exp, Pow, Sin, Cos   every bit of glibc 2.28 and later on x86-64 with FMA; within 0.52 ulp
//	                          (Log, Exp), 0.53 (Pow) and 0.56 (Sin, Cos)
//	Gamma                     from 1 to 6.5, every bit of glibc 2.28 to 2.42; within 10 ulps
//	Log1p, Expm1              C libraries differ; within 2 and 3 ulps
//
// Package math promises neither. It computes some functions in assembly on some machines, and on
// others the compiler joins multiplications with additions.
//
// # Algorithms
//
// Log, Exp and Pow are those of Szabolcs Nagy (ARM's optimized routines, and glibc since 2.28): a
// table divides an octave into 128 intervals, and a short polynomial does the rest. Sin and Cos are
// those of IBM's Accurate Mathematical Library, with a table of multiples of 1/128, as glibc has had
// them since 2.28. Gamma is the exponential function of its logarithm, for which it has the polynomials
// of fdlibm (Sun, 1993), and products. Constants and tables are theirs; square roots are math.Sqrt,
// which is exact.
//
// # Every rounding is written
//
// glibc has one build of these functions for processors with FMA, in which the C compiler chose which
// product it joins with which sum. [math.FMA] stands at just these places. It is an instruction where
// there is one; elsewhere it takes some 20 ns, with the same result.
//
// Go may join x*y + z itself, and does on arm64, ppc64, s390x and riscv64, even across inlined
// functions. A conversion, float64(x*y), prevents it. So here, and wherever a product becomes a part of
// a virtual time, a product that may meet a sum is converted, unless it is exact.
package libm
