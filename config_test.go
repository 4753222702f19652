// This file pins the defaults of Config and what Validate refuses.

package ross

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDefaultsAreValid(t *testing.T) {
	c := DefaultConfig()
	require.NoError(t, c.Validate())
	require.Equal(t, uint64(8), c.NLP)
	require.Equal(t, uint64(1), c.RNGsPerLP)
	require.Equal(t, uint64(math.MaxUint64), c.MaxOptLookahead)
}

func TestValidateNamesTheSettingItsValueAndTheWayOut(t *testing.T) {
	cases := []struct {
		change func(c *Config)
		want   string
	}{
		{func(c *Config) { c.Synch = 7 }, "ross: option --synch=7: out of range; give 0 to 6, or auto"},
		{func(c *Config) { c.Synch = -1 }, "ross: option --synch=-1: out of range; give 0 to 6, or auto"},
		{func(c *Config) { c.PEs = -2 }, "ross: option --pes=-2: out of range; give 1 or more, or 0 for one PE on each core"},
		{func(c *Config) { c.NLP = 0 }, "ross: option --nlp=0: out of range; give 1 or more"},
		{func(c *Config) { c.NKP = 0 }, "ross: option --nkp=0: out of range; give 1 or more"},
		{func(c *Config) { c.End = math.NaN() }, "ross: option --end=NaN: out of range; give a virtual time of 0 or more, or inf"},
		{func(c *Config) { c.End = -0.5 }, "ross: option --end=-0.5: out of range; give a virtual time of 0 or more, or inf"},
		{func(c *Config) { c.Batch = 0 }, "ross: option --batch=0: out of range; give 1 or more"},
		{func(c *Config) { c.BuddySize = 41 }, "ross: option --buddy-size=41: out of range; give 0 to 40: it is an exponent of 2"},
		{func(c *Config) { c.ConsLookahead = math.NaN() }, "ross: option --cons-lookahead=NaN: out of range; give 0 or more"},
		{func(c *Config) { c.AVLSize = 64 }, "ross: option --avl-size=64: out of range; give 0 to 40: it is an exponent of 2"},
		{func(c *Config) { c.GVTInterval = 0 }, "ross: option --gvt-interval=0: out of range; give 1 or more"},
		{func(c *Config) { c.ReportInterval = math.NaN() }, "ross: option --report-interval=NaN: out of range; give 0 or more"},
		{func(c *Config) { c.ReportInterval = -1 }, "ross: option --report-interval=-1: out of range; give 0 or more"},
		{func(c *Config) { c.ClockRate = 0 }, "ross: option --clock-rate=0: out of range; give 1 or more"},
		{func(c *Config) { c.EngineStats = 5 }, "ross: option --engine-stats=5: out of range; give 0 to 4"},
		{func(c *Config) { c.ModelStats = -1 }, "ross: option --model-stats=-1: out of range; give 0 to 4"},
		{func(c *Config) { c.NumGVT = 0 }, "ross: option --num-gvt=0: out of range; give 1 or more"},
		{func(c *Config) { c.VTInterval = 0 }, "ross: option --vt-interval=0: out of range; give a virtual time above 0"},
		{func(c *Config) { c.VTSampEnd = -1 }, "ross: option --vt-samp-end=-1: out of range; give 0 or more"},
		{func(c *Config) { c.EventTrace = 4 }, "ross: option --event-trace=4: out of range; give 0 to 3"},
		{func(c *Config) { c.BufferFree = 101 }, "ross: option --buffer-free=101: out of range; give a percentage, 0 to 100"},
		{func(c *Config) { c.IOFiles = 0 }, "ross: option --io-files=0: out of range; give 1 or more"},
		{func(c *Config) { c.IOInterval, c.IOName = 1, "" }, `ross: option --io-name="": out of range; give the path and the beginning of a file name`},
		{func(c *Config) { c.IOInterval = -1 }, "ross: option --io-interval=-1: out of range; give seconds, 0 or more, up to a billion"},
		{func(c *Config) { c.IOVirtualInterval = math.Inf(1) },
			"ross: option --io-virtual-interval=+Inf: out of range; give a finite virtual time of 0 or more"},
		{func(c *Config) { c.IOKeep = 0 }, "ross: option --io-keep=0: out of range; give 1 or more"},
		{func(c *Config) { c.MaxMemory = 128 << 10 },
			"ross: option --max-memory=128K: out of range; give 256K or more, or 0 for 80 % of free memory"},
		{func(c *Config) { c.PQ = "heap" }, "ross: option --pq=heap: out of range; give c or go, or leave it out for the best there is"},
		{func(c *Config) { c.RNGsPerLP = 0 }, "ross: Config.RNGsPerLP=0: out of range; give 1 to 2^32"},
		{func(c *Config) { c.Seeds = [4]uint64{1, 2, 0, 4} },
			"ross: option --rng-seed3: missing or 0; give all four of --rng-seed1 to 4, each 1 or more, or none of them"},
		{func(c *Config) { c.CoreSeeds = [4]uint64{0, 2, 0, 4} },
			"ross: option --core-rng-seed1, --core-rng-seed3: missing or 0; give all four of --core-rng-seed1 to 4, each 1 or more, or none of them"},
		{func(c *Config) { c.Seed, c.Seeds = 7, [4]uint64{1, 2, 3, 4} },
			"ross: option --seed=7: given together with --rng-seed or --core-rng-seed, which it replaces; give either"},
		{func(c *Config) { c.Seed, c.CoreSeeds = 7, [4]uint64{1, 2, 3, 4} },
			"ross: option --seed=7: given together with --rng-seed or --core-rng-seed, which it replaces; give either"},
		{func(c *Config) { c.Replication = 1 << 24 }, "ross: option --replication=16777216: out of range; give 0 to 16777215, or another --seed"},
	}
	for _, tc := range cases {
		c := DefaultConfig()
		tc.change(&c)
		err := c.Validate()
		require.EqualError(t, err, tc.want)
		require.ErrorIs(t, err, ErrUsage)
	}
}

func TestValidateAcceptsTheEdgesOfEachRange(t *testing.T) {
	changes := []func(c *Config){
		func(c *Config) { c.End = math.Inf(1) },
		func(c *Config) { c.End = 0 },
		func(c *Config) { c.PEs = 0 },
		func(c *Config) { c.Synch = 6 },
		func(c *Config) { c.MaxMemory = 1 << 20 },
		func(c *Config) { c.PQ = "c" },
		func(c *Config) { c.PQ = "go" },
		func(c *Config) { c.ReportInterval = 0 },
		func(c *Config) { c.Seed, c.Replication = math.MaxUint64, 1<<24-1 },
		func(c *Config) { c.Seeds = [4]uint64{1, 2, 3, 4} },
		func(c *Config) { c.CoreSeeds = [4]uint64{math.MaxUint64, 2, 3, 4} },
	}
	for i, change := range changes {
		c := DefaultConfig()
		change(&c)
		require.NoError(t, c.Validate(), "case %d", i)
	}
}
