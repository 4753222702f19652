//go:build !linux

// This file owns starting the disk early, where it cannot be.

package rio

import "os"

func startWriting(*os.File, int64, int64) {}
