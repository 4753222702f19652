// This file pins that a log that nobody wants allocates nothing.

//go:build !invariants && !asan

package ross

import (
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogThatNobodyWantsAllocatesNothing(t *testing.T) {
	for name, set := range map[string]func(*Config){
		"no handler": func(*Config) {},
		"level": func(c *Config) {
			c.ModelLog = slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError})
		},
		"LP": func(c *Config) {
			c.ModelLog = slog.NewTextHandler(io.Discard, nil)
			c.ModelLogOnly = func(id LPID, _ string) bool { return id == 1 }
		},
	} {
		t.Run(name, func(t *testing.T) {
			sims, errs := runOnRanks(t, nil, 1, func(_ int, cfg *Config) {
				cfg.NLP, cfg.End = 2, 1
				set(cfg)
			}, quiet(func(*LP, string) {}))
			require.NoError(t, errs[0])
			lp := sims[0].LP(0)
			n := 0
			require.Zero(t, testing.AllocsPerRun(100, func() {
				n++
				lp.Log().Info("nobody hears", "n", 3)
				lp.Log().LogAttrs(context.Background(), slog.LevelInfo, "nor this", slog.Int("n", n+1000), slog.Float64("at", lp.Now()))
			}))
		})
	}
}
