//go:build !linux

// Netdelay needs the TAP devices of Linux; see main.go.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "netdelay: only on Linux")
	os.Exit(1)
}
