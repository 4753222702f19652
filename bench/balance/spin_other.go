//go:build !linux

package main

// spin computes until it is killed, on any processor.
func spin() {
	for x := uint64(1); x != 0; {
		x = 2*x + 1 | 1<<63
	}
}
