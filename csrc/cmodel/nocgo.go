// Builds without C, or on another system than Linux, have no C types.

//go:build !cgo || !linux

package cmodel
