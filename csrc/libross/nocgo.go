// Builds without C, or on another system than Linux, have no library to make.

//go:build !cgo || !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "libross: this is a library for C programs: build it with cgo and on Linux, see csrc/libross/README.md")
	os.Exit(2)
}
