//go:build nolive

// This file replaces bar and server in programs built with -tags nolive.

package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ross-go/ross"
)

var errNone = errors.New("the program was built with -tags nolive, without the live view: build it without that tag")

type address struct{}

func parseAddress(string, int) (address, error) { return address{}, errNone }

func isTerminal(io.Writer) bool { return false }

type bar struct{}

func newBar(*ross.Simulation, io.Writer) *bar { return &bar{} }

func (*bar) start() {}
func (*bar) stop()  {}

type server struct{ url string }

func serve(_ *ross.Simulation, address string, _ io.Writer) (*server, error) {
	return nil, fmt.Errorf("ross: option --http=%s: %w: %w", address, errNone, ross.ErrUsage)
}

func (*server) linger(context.Context, time.Duration) {}

func (*server) stop() error { return nil }
