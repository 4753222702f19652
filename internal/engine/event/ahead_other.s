// This file is for builds in which prefetch does nothing, see blocks.go.

//go:build purego || (!amd64 && !arm64)

#include "textflag.h"

// func prefetch(at, bytes uintptr)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	RET
