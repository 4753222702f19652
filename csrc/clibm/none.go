// This file owns the builds without C.

//go:build !cgo || !linux

package clibm

// GLIBC is empty: there is no C library to compare with.
const GLIBC = ""

// Log and the others are never called without cgo.
func Log([]float64)      {}
func Exp([]float64)      {}
func Sin([]float64)      {}
func Cos([]float64)      {}
func Gamma([]float64)    {}
func Pow(_, _ []float64) {}
