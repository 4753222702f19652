// This file owns the tests of where the number of LPs comes from.

package ross_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// ticker counts its events.
type ticker struct{ N int64 }

func tickers(lps int) ross.Type[ticker] {
	return ross.Type[ticker]{
		LPs:  lps,
		Init: func(_ *ticker, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, ross.None{}) },
		Event: ross.On(func(s *ticker, lp *ross.LP, _ *ross.None) {
			s.N++
			ross.Send(lp, lp.ID(), 1, ross.None{})
		}),
	}
}

// counted makes a run, and returns the configuration after Define.
func counted(t *testing.T, cfg ross.Config, types ...ross.LPType) (after ross.Config, err error) {
	t.Helper()
	cfg.End = 5
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer func() { require.NoError(t, sim.Close()) }()
	if err := sim.Define(types...); err != nil {
		return cfg, err
	}
	require.NoError(t, sim.Run(context.Background()))
	require.EqualValues(t, 4*sim.TotalLPs(), sim.Summary().NetEvents(), "an event at each of the times 1 to 4")
	require.EqualValues(t, sim.TotalLPs(), sim.RunInfo().LPs)
	return sim.Config(), nil
}

// TestTypesSayHowManyLPsThereAre: their sum counts without Config.LPs, on any number of PEs.
func TestTypesSayHowManyLPsThereAre(t *testing.T) {
	for _, pes := range []int{1, 3} {
		cfg := ross.DefaultConfig()
		if cfg.PEs = pes; pes > 1 {
			cfg.Synch = ross.Optimistic
		}
		types := []ross.LPType{tickers(7), tickers(17)}
		after, err := counted(t, cfg, types...)
		require.NoError(t, err)
		require.Equal(t, 24, after.LPs)
		cfg.NLP = 5 // counts only if nothing else says it
		after, err = counted(t, cfg, types...)
		require.NoError(t, err)
		require.Equal(t, 24, after.LPs)
		cfg.LPs = 25
		_, err = counted(t, cfg, types...)
		require.ErrorIs(t, err, ross.ErrModel)
		require.EqualError(t, err,
			"ross: Define: the types have 24 LPs together, the configuration has 25: unusable model: leave out --lps, --nlp and Config.LPs, and the types count")
		cfg.LPs = 0
		_, err = counted(t, cfg, tickers(7), tickers(0))
		require.EqualError(t, err,
			"ross: Define: type 1 of 2 has no number of LPs, others have one: unusable model: set LPs of each type, or of none")
	}
	// --nlp asks for another number than the types have.
	cfg := ross.DefaultConfig()
	o := ross.NewOptions("test")
	cfg.RegisterLPs(o.Group("Model"))
	_, err := o.Parse([]string{"--nlp=4"})
	require.NoError(t, err)
	_, err = counted(t, cfg, tickers(24))
	require.ErrorContains(t, err, "the types have 24 LPs together, the configuration has 4")
}
