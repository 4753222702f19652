// This file owns the options.

package airport

import (
	"cmp"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/cmdline"
)

func (m *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Airport Model")
	g.Int(&m.planes, "nplanes", "planes at each airport at the beginning")
	g.Float64(&m.flight, "mean", "mean time of a flight")
}

// prepare checks the parameters.
func (m *params) prepare(*ross.Config) error {
	return cmp.Or(cmdline.InRange("nplanes", m.planes, 0, 1<<16), cmdline.InRange("mean", m.flight, 1e-9, 1e9))
}
