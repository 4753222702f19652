// Call for x86-64, System V ABI.

//go:build !purego && (linux || darwin || freebsd || netbsd || openbsd)

#include "textflag.h"

// func Call(fn, arg, stack unsafe.Pointer)
//
// C keeps BX, BP, and R12 to R15, so that the goroutine and its stack are still known after the call.
TEXT ·Call(SB), NOSPLIT, $0-24
	MOVQ fn+0(FP), AX
	MOVQ arg+8(FP), DI
	MOVQ stack+16(FP), CX
	MOVQ SP, BX
	MOVQ CX, SP
	CALL AX
	MOVQ BX, SP
	RET
