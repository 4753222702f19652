// Call for arm64, AAPCS64.

//go:build !purego && (linux || darwin || freebsd || netbsd || openbsd)

#include "textflag.h"

// func Call(fn, arg, stack unsafe.Pointer)
//
// C keeps R19 to R29, so that the goroutine (R28) and its stack are still known after the call.
TEXT ·Call(SB), NOSPLIT, $0-24
	MOVD fn+0(FP), R9
	MOVD arg+8(FP), R0
	MOVD stack+16(FP), R10
	MOVD RSP, R19
	MOVD R10, RSP
	BL   (R9)
	MOVD R19, RSP
	RET
