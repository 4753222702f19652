// This file owns the bit patterns that several functions know.

package libm

const (
	minNormal = 0x0010000000000000 // 2^-1022
	infinity  = 0x7ff0000000000000
)
