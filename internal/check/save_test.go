// This file pins that the check tells Save from what Reverse undoes.

package check_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// dial is a state of which an event changes a field in two ways.
type dial struct{ A int64 }

func TestCheckNamesSaveAfterAChangeThatReverseUndoes(t *testing.T) {
	model := ross.Type[dial, word]{
		Init: func(_ *dial, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: func(s *dial, lp *ross.LP, _ *ross.Bits, _ *word) {
			if s.A++; lp.ID() == 3 {
				ross.Save(lp, &s.A)
				s.A = 0
			}
		},
		Reverse: func(s *dial, _ *ross.LP, _ *ross.Bits, _ *word) { s.A-- },
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch = 8, 10, 6
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(model))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, ross.ErrReverse)
	require.ErrorContains(t, err, "dial.A at 1, it was 0 before")
	require.ErrorContains(t, err, "leave to Save the fields that Event saves before it first changes them")
}
