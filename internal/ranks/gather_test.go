package ranks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks"
)

func TestAllRanksKnowWhatEachHasToSay(t *testing.T) {
	type news struct {
		From  int
		Words []byte
		mine  string // stays
	}
	for _, err := range errorsOf(t, newRanks(3), func(w *rank) error {
		all, err := ranks.Gather(w, &news{w.Rank(), make([]byte, 10*w.Rank()), "mine"})
		if err != nil {
			return err
		}
		for i, n := range all {
			if n.From != i || len(n.Words) != 10*i || n.mine != "" {
				return fmt.Errorf("rank %d has %+v of rank %d", w.Rank(), n, i)
			}
		}
		return nil
	}) {
		require.NoError(t, err)
	}
}

func TestWhatCannotTravelIsAnError(t *testing.T) {
	for i, err := range errorsOf(t, newRanks(2), func(w *rank) error {
		_, err := ranks.Gather(w, &struct{ F func() }{})
		return err
	}) {
		require.ErrorContains(t, err, fmt.Sprintf("ross: rank %d: encode its value for the others: ", i))
	}
}
