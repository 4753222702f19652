// This file owns studies whose runs all start from one checkpoint.

package study

import (
	"fmt"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/rio"
)

// start is the checkpoint of --io-restart, or zero: the beginning.
type start struct {
	name   string
	clock  float64
	stored time.Time
}

// startOf returns the checkpoint from which the runs of a point start. before is that of the points before.
func startOf(cfg *ross.Config, before start) (start, error) {
	name := cfg.Checkpoints.Restart
	if name == "" || name == before.name {
		return start{name, before.clock, before.stored}, nil
	}
	cp, err := rio.Open(name)
	if err != nil {
		return before, fmt.Errorf("ross: option --io-restart=%s: %w", cmdline.Quote(name), usage.Within(err))
	}
	info := cp.Info()
	if err = cp.Close(); err == nil && info.Clock >= cfg.End {
		err = usage.Errorf("option --end=%g: the checkpoint of --io-restart=%s was stored at virtual time %g; give a later end",
			cfg.End, cmdline.Quote(name), info.Clock)
	}
	return start{name, info.Clock, info.Created}, err
}

// words says from which checkpoint the runs start, for the identity of a study: one of the same name that was stored
// later is another one.
func (s start) words() []string {
	if s.name == "" {
		return nil
	}
	return []string{cmdline.Quote("--io-restart=" + s.name),
		fmt.Sprintf("(stored at time %g, %s)", s.clock, s.stored.UTC().Format(time.DateTime))}
}
