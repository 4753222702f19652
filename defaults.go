// This file owns the defaults of Config.

package ross

import (
	"math"
	"reflect"
	"time"

	"github.com/ross-go/ross/internal/settings"
)

// DefaultConfig returns the configuration of a run without any flag: the defaults of ROSS 8.1.1.
func DefaultConfig() Config {
	return Config{
		PEs: 1, NLP: 8, NKP: 16, End: 100000, ConsLookahead: settings.DefaultLookahead,
		MaxChain: 1e6, WatchLimit: 1e4, ReportInterval: defaultReportInterval,
		Streams:     Streams{PerLP: 1},
		Tuning:      Tuning{Batch: 16, GVTInterval: 16, MaxOptLookahead: math.Inf(1), LZ4Knob: 17, AVLSize: 10},
		Instruments: Instruments{EveryGVTs: 10, RealInterval: time.Second, VirtualInterval: 1e6, BufferSize: 8000000, BufferFree: 15},
		Checkpoints: Checkpoints{Files: 1, Name: "checkpoint", Keep: 2},
		accepted:    accepted{readBuffer: 16, sendBuffer: 1024, clockRate: 1e9, sampleCount: 65536},
		whole:       true,
	}
}

// fillForFlags is fill for a configuration whose scheduler is not known yet.
func (c *Config) fillForFlags() {
	if c.whole {
		return
	}
	synch := c.Synch
	c.Synch = 0
	c.fill()
	c.Synch = synch
}

// fill gives fields that are 0 their defaults, unless every field counts as it is.
func (c *Config) fill() {
	if c.whole {
		return
	}
	pes := c.PEs
	defaults := DefaultConfig()
	fillZeros(reflect.ValueOf(c).Elem(), reflect.ValueOf(defaults))
	asked := c.accepted.events
	c.accepted = defaults.accepted // only flags set them, and these fill before
	c.accepted.events = asked
	if mode := c.settings(); pes == 0 && !mode.Sequential() && c.Synch != Auto {
		c.PEs = 0
	}
	c.whole = true
}

// fillZeros gives the exported fields of a structure, and of its groups, that are 0 the values of another one.
func fillZeros(to, from reflect.Value) {
	for i := range to.NumField() {
		switch field := to.Field(i); {
		case !to.Type().Field(i).IsExported():
		case isGroup(field.Type()):
			fillZeros(field, from.Field(i))
		case field.IsZero():
			field.Set(from.Field(i))
		}
	}
}

// isGroup reports whether a field of Config is a group of settings.
func isGroup(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Streams](), reflect.TypeFor[Tuning](), reflect.TypeFor[Instruments](), reflect.TypeFor[Checkpoints]():
		return true
	}
	return false
}
