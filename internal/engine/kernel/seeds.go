// This file owns the seeds of a run: which of the settings they come from.

package kernel

import (
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/rng"
)

// seeders returns what makes the streams of the models and those that break ties.
func seeders(set *settings.Settings) (models, cores *rng.Seeder) {
	var m, c rng.Seeds
	if set.Seed != 0 {
		m, c = rng.RunSeeds(set.Seed)
	} else {
		m, _ = SeedsOf(set.Streams.Seeds, rng.DefaultSeeds)
		c, _ = SeedsOf(set.Streams.CoreSeeds, rng.DefaultCoreSeeds)
	}
	m, c = m.Replication(set.Replication), c.Replication(set.Replication)
	if set.Checkpoints.Branch {
		m, c = m.Branch(), c.Branch()
	}
	return rng.NewSeeder(m), rng.NewSeeder(c)
}

// SeedsOf returns the given seeds, clamped to what the generator can use, or the standard
// ones if none are given.
func SeedsOf(given [4]uint64, standard rng.Seeds) (seeds rng.Seeds, clamped bool) {
	if given == [4]uint64{} {
		return standard, false
	}
	return rng.ClampSeeds(given)
}
