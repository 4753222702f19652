// This file owns the calls of C's functions.

//go:build cgo && linux

package clibm

// #cgo LDFLAGS: -lm
// #include <math.h>
// #include <stddef.h>
// #ifdef __GLIBC__
// #include <gnu/libc-version.h>
// static const char *ross_libc(void) { return gnu_get_libc_version(); }
// #else
// static const char *ross_libc(void) { return ""; }
// #endif
// typedef double (*unary)(double);
// static const unary functions[] = {log, exp, sin, cos, tgamma};
// static void ross_unary(int f, double *x, size_t n) {
//     for (size_t i = 0; i < n; i++) x[i] = functions[f](x[i]);
// }
// static void ross_pow(double *x, const double *y, size_t n) {
//     for (size_t i = 0; i < n; i++) x[i] = pow(x[i], y[i]);
// }
import "C"

import "unsafe"

// GLIBC is the version of glibc, such as 2.36, or "" without cgo or with another library.
var GLIBC = C.GoString(C.ross_libc())

// Log, Exp, Sin, Cos and Gamma replace each number by C's function of it.
func Log(x []float64)   { unary(0, x) }
func Exp(x []float64)   { unary(1, x) }
func Sin(x []float64)   { unary(2, x) }
func Cos(x []float64)   { unary(3, x) }
func Gamma(x []float64) { unary(4, x) }

func unary(f C.int, x []float64) {
	C.ross_unary(f, (*C.double)(unsafe.SliceData(x)), C.size_t(len(x)))
}

// Pow replaces each x[i] by C's x[i] to the power of y[i].
func Pow(x, y []float64) {
	_ = y[:len(x)]
	C.ross_pow((*C.double)(unsafe.SliceData(x)), (*C.double)(unsafe.SliceData(y)), C.size_t(len(x)))
}
