// This file owns the options.

package central

import (
	"cmp"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/cmdline"
)

func (m *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Central Server Model")
	g.Int(&m.terminals, "terminals", "terminals")
	g.Int(&m.disks, "disks", "disks")
	g.Float64(&m.think, "think", "mean time that a terminal thinks, in seconds")
	g.Float64(&m.cpu, "cpu", "mean time of a job at the CPU, in seconds")
	g.Float64(&m.disk, "disk", "mean time of a job at a disk, in seconds")
	g.Float64(&m.leave, "leave", "probability that a job is finished after the CPU")
	g.Float64(&m.wire, "wire", "time of a way between terminals, CPU and disks, in seconds: the lookahead")
}

// prepare checks the parameters.
func (m *params) prepare(*ross.Config) error {
	return cmp.Or(
		cmdline.InRange("terminals", m.terminals, 1, 1<<20),
		cmdline.InRange("disks", m.disks, 1, 1<<20),
		cmdline.InRange("think", m.think, 1e-9, 1e9),
		cmdline.InRange("cpu", m.cpu, 1e-9, 1e9),
		cmdline.InRange("disk", m.disk, 1e-9, 1e9),
		cmdline.InRange("leave", m.leave, 1e-6, 1),
		cmdline.InRange("wire", m.wire, 1e-9, 1e9),
	)
}
