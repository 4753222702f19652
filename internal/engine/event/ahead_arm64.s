// This file owns the instructions of prefetch, see blocks.go.

//go:build arm64 && !purego

#include "textflag.h"

// func prefetch(at, bytes uintptr)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVD at+0(FP), R0
	MOVD bytes+8(FP), R1
	ADD  R0, R1

next:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	CMP  R1, R0
	BLO  next
	RET
