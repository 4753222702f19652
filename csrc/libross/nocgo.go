// Builds without C have no library to make.

//go:build !cgo

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "libross: this is a library for C programs: build it with cgo, see csrc/libross/README.md")
	os.Exit(2)
}
