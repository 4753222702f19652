// This file owns the options.

package hospital

import (
	"cmp"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/cmdline"
)

func (m *params) options(o *ross.Options, _ *ross.Config) {
	g := o.Group("Hospital Model")
	g.Int(&m.hospitals, "hospitals", "hospitals")
	g.Int(&m.wards, "wards", "wards of each hospital")
	g.Int(&m.nurses, "nurses", "nurses of each hospital")
	g.Int(&m.doctors, "doctors", "doctors of each hospital")
	g.Int(&m.beds, "beds", "beds of each ward")
	g.Int(&m.room, "room", "patients who may wait for a nurse; others drive to the next hospital; 0: any number")
	g.Float64(&m.rate, "rate", "mean number of patients who come to a hospital in an hour")
	g.Float64(&m.swing, "swing", "how much this number changes over the day: 0 to 1")
	g.Float64(&m.nursing, "nursing", "mean time with a nurse, in hours")
	g.Float64(&m.treatment, "treatment", "mean time with a doctor, in hours")
	g.Float64(&m.stay, "stay", "mean time in a bed, in hours")
	g.Float64(&m.admits, "admit", "share of patients who need a bed")
	g.Float64(&m.patience, "patience",
		"mean time after which those who wait for a nurse or a doctor leave, in hours; 0: nobody leaves")
	g.Float64(&m.immediate, "immediate", "share of patients who are served first, and do not leave")
	g.Float64(&m.urgent, "urgent", "share of patients who are served before the rest")
}

// prepare checks the parameters and sets what follows from them.
func (m *params) prepare(cfg *ross.Config) error {
	cfg.LPs, cfg.TypeMap, cfg.ConsLookahead = m.hospitals*(beds+m.wards), m.typeOf, walk
	return cmp.Or(
		cmdline.InRange("hospitals", m.hospitals, 1, 1<<20),
		cmdline.InRange("wards", m.wards, 1, 1<<10),
		cmdline.InRange("nurses", m.nurses, 1, 1<<30),
		cmdline.InRange("doctors", m.doctors, 1, 1<<30),
		cmdline.InRange("beds", m.beds, 1, 1<<30),
		cmdline.InRange("room", m.room, 0, 1<<30),
		cmdline.InRange("rate", m.rate, 1e-9, 1e9),
		cmdline.InRange("swing", m.swing, 0, 1),
		cmdline.InRange("nursing", m.nursing, 1e-9, 1e9),
		cmdline.InRange("treatment", m.treatment, 1e-9, 1e9),
		cmdline.InRange("stay", m.stay, 1e-9, 1e9),
		cmdline.InRange("admit", m.admits, 0, 1),
		cmdline.InRange("patience", m.patience, 0, 1e9),
		cmdline.InRange("immediate", m.immediate, 0, 1),
		cmdline.InRange("urgent", m.urgent, 0, 1-m.immediate),
	)
}
