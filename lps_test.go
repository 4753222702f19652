// This file owns the tests of where the number of LPs comes from.

package ross_test

import (
	"bytes"
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

// counted makes a run, and returns its report and the configuration after Define.
func counted(t *testing.T, cfg ross.Config, types ...ross.LPType) (report string, after ross.Config, err error) {
	t.Helper()
	var out bytes.Buffer
	cfg.Output, cfg.End, cfg.Digest, cfg.ShortReport = &out, 5, true, true
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer func() { require.NoError(t, sim.Close()) }()
	if err := sim.Define(types...); err != nil {
		return "", cfg, err
	}
	require.NoError(t, sim.Run(context.Background()))
	require.EqualValues(t, 4*sim.TotalLPs(), sim.Summary().NetEvents(), "an event at each of the times 1 to 4")
	require.EqualValues(t, sim.TotalLPs(), sim.RunInfo().LPs)
	return out.String(), sim.Config(), nil
}

// TestTypesSayHowManyLPsThereAre: their sum counts without Config.LPs, on any number of PEs.
func TestTypesSayHowManyLPsThereAre(t *testing.T) {
	for _, pes := range []int{1, 3} {
		cfg := ross.DefaultConfig()
		if cfg.PEs = pes; pes > 1 {
			cfg.Synch = ross.Optimistic
		}
		types := []ross.LPType{tickers(7), tickers(17)}
		report, after, err := counted(t, cfg, types...)
		require.NoError(t, err)
		require.Equal(t, 24, after.LPs)
		require.NotContains(t, report, "nothing says how many LPs")
		cfg.NLP = 5 // counts only if nothing else says it
		_, after, err = counted(t, cfg, types...)
		require.NoError(t, err)
		require.Equal(t, 24, after.LPs)
		cfg.LPs = 25
		_, _, err = counted(t, cfg, types...)
		require.ErrorIs(t, err, ross.ErrModel)
		require.EqualError(t, err, "ross: Define: the types have 24 LPs together, the configuration has 25: unusable model: leave out --lps, --nlp and Config.LPs, and the types count")
		cfg.LPs = 0
		_, _, err = counted(t, cfg, tickers(7), tickers(0))
		require.EqualError(t, err, "ross: Define: type 1 of 2 has no number of LPs, others have one: unusable model: set LPs of each type, or of none")
	}
	// --nlp asks for another number than the types have.
	cfg := ross.DefaultConfig()
	o := ross.NewOptions("test")
	cfg.RegisterLPs(o.Group("Model"))
	_, err := o.Parse([]string{"--nlp=4"})
	require.NoError(t, err)
	_, _, err = counted(t, cfg, tickers(24))
	require.ErrorContains(t, err, "the types have 24 LPs together, the configuration has 4")
}

// TestANumberOfLPsThatNobodySaysIsNoted: it is that of ROSS.
func TestANumberOfLPsThatNobodySaysIsNoted(t *testing.T) {
	const note = "Note: nothing says how many LPs there are, so each PE has 8, as in ROSS; set LPs of the type"
	report, _, err := counted(t, ross.DefaultConfig(), tickers(0))
	require.NoError(t, err)
	require.Contains(t, report, note)
	for name, set := range map[string]func(c *ross.Config){
		"LPs": func(c *ross.Config) { c.LPs = 8 }, "NLP": func(c *ross.Config) { c.NLP = 3 },
		"TypeMap": func(c *ross.Config) { c.TypeMap = func(ross.LPID) int { return 0 } },
		"flags":   func(c *ross.Config) { c.RegisterLPs(ross.NewOptions("test").Group("Model")) },
	} {
		cfg := ross.DefaultConfig()
		set(&cfg)
		report, _, err := counted(t, cfg, tickers(0))
		require.NoError(t, err)
		require.NotContains(t, report, note, name)
	}
}
