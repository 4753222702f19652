package main

import (
	"testing"

	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
)

// TestModel compares the processes with what was generated for them, and runs the model under every scheduler, with
// many rollbacks, and from checkpoints.
func TestModel(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: queues, Args: "--stations=8 --end=50 --warm-up=5", Short: testing.Short()})
}
