// Package hash64 has the hash function of digests: it mixes one number after the other into a
// hash, and the order matters. It is fast, the same on all machines, and not cryptographic.
package hash64

import (
	"encoding/binary"
	"math/bits"
)

// Word returns h with x mixed into it.
func Word(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo + bits.RotateLeft64(h, 29)
}

// Bytes returns h with bytes mixed into it, 8 at a time, the last ones padded with zeros.
func Bytes(h uint64, b []byte) uint64 {
	for len(b) >= 8 {
		h = Word(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	if len(b) > 0 {
		var last [8]byte
		copy(last[:], b)
		h = Word(h, binary.LittleEndian.Uint64(last[:]))
	}
	return h
}
