// This file owns the instructions of counter_amd64.go.

//go:build amd64 && !purego

#include "textflag.h"

// func counter() uint64
TEXT ·counter(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func invariant() bool
TEXT ·invariant(SB), NOSPLIT, $0-1
	MOVL $0x80000000, AX
	CPUID
	CMPL AX, $0x80000007
	JCS  no
	MOVL $0x80000007, AX
	CPUID
	SHRL $8, DX
	ANDL $1, DX
	MOVB DX, ret+0(FP)
	RET

no:
	MOVB $0, ret+0(FP)
	RET
