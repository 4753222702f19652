// This file owns the defaults of Config.

package ross

import (
	"math"
	"reflect"

	"github.com/ross-go/ross/internal/settings"
)

// DefaultConfig returns the configuration of a run without any flag: the defaults of ROSS 8.1.1.
func DefaultConfig() Config {
	return Config{
		PEs: 1, NLP: 8, NKP: 16, End: 100000, Batch: 16,
		LZ4Knob: 17, ConsLookahead: settings.DefaultLookahead, MaxOptLookahead: math.MaxUint64, AVLSize: 10,
		ReadBuffer: 16, SendBuffer: 1024,
		GVTInterval: 16, ReportInterval: defaultReportInterval, ClockRate: 1e9,
		NumGVT: 10, RTInterval: 1000, VTInterval: 1e6, PEData: 1,
		BufferSize: 8000000, BufferFree: 15,
		SampleCount: 65536, IOFiles: 1, IOName: "checkpoint", IOKeep: 2,
		RNGsPerLP: 1, MaxChain: 1e6, WatchLimit: 1e4, Report: "full", Balance: settings.DefaultBalance,
		whole: true,
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
	to, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(DefaultConfig())
	for i := range to.NumField() {
		if field := to.Field(i); to.Type().Field(i).IsExported() && field.IsZero() {
			field.Set(from.Field(i))
		}
	}
	if mode := c.settings(); pes == 0 && !mode.Sequential() && c.Synch != Auto {
		c.PEs = 0
	}
	c.whole = true
}
