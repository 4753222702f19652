// This file owns the instructions of prefetch, see blocks.go.

//go:build amd64 && !purego

#include "textflag.h"

// func prefetch(at, bytes uintptr)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ at+0(FP), AX
	MOVQ bytes+8(FP), CX
	ADDQ AX, CX

next:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	CMPQ AX, CX
	JCS  next
	RET
