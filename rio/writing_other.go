//go:build !linux

// This file stands in for early writing on systems without it.

package rio

import "os"

func startWriting(*os.File, int64, int64) {}
