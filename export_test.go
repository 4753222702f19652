// This file owns what the external tests see of the inside.

package ross

import "github.com/ross-go/ross/internal/world"

// WithoutModel returns c without what it notes of the model's options, and of those without effect.
func (c Config) WithoutModel() Config {
	c.modelOptions, c.varying, c.ignored = nil, nil, nil
	return c
}

// InWorld returns c with other ranks.
func (c Config) InWorld(ranks world.World) Config {
	c.knobs.world = ranks
	return c
}
