// This file owns what stands for the processor time of a process where it is not known.

//go:build !unix

package testkit

import "time"

// processorTime always grows: -timeout alone ends what hangs.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
