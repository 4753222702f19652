// This file owns the options.

package port

import (
	"cmp"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/cmdline"
)

func (m *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Port Model")
	g.Int(&m.ports, "ports", "ports")
	g.Int(&m.blocks, "blocks", "blocks of the yard of each port")
	g.Int(&m.cranes, "cranes", "cranes of each port")
	g.Int(&m.crews, "crews", "crews that repair the cranes of a port")
	g.Int(&m.trucks, "trucks", "trucks between quay and yard, of each port")
	g.Int(&m.lanes, "lanes", "lanes of each gate")
	g.Int(&m.room, "room", "boxes for which a block has room")
	g.Float64(&m.lasts, "lasts", "mean time that a crane works until it breaks, in hours")
}

// prepare checks the parameters and sets what follows from them.
func (m *params) prepare(cfg *ross.Config) error {
	cfg.LPs = m.ports * (1 + m.blocks)
	cfg.TypeMap = func(id ross.LPID) int { return min(int(id)/m.ports, 1) } // ports, then blocks
	return cmp.Or(
		cmdline.InRange("ports", m.ports, 1, 1<<20),
		cmdline.InRange("blocks", m.blocks, 1, 1<<10),
		cmdline.InRange("cranes", m.cranes, 2, 1<<20), // a ship takes two at least
		cmdline.InRange("crews", m.crews, 1, 1<<30),
		cmdline.InRange("trucks", m.trucks, 1, 1<<30),
		cmdline.InRange("lanes", m.lanes, 1, 1<<30),
		cmdline.InRange("room", m.room, 1, 1<<30),
		cmdline.InRange("lasts", m.lasts, 1e-3, 1e9),
	)
}
