// Tests of the calls that ranks make after a run.

package ranks_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/world/worldtest"
)

// clusters calls f on each of n connected ranks, all at once, and closes them.
func clusters(t *testing.T, n int, f func(c *ranks.Cluster) error) []error {
	t.Helper()
	errs := make([]error, n)
	world := worldtest.New(n, 1, 0)
	var over sync.WaitGroup
	for rank := range n {
		over.Go(func() {
			c, err := ranks.Open(world.Rank(rank), nil, 1, func(error) int { return 1 })
			if err == nil {
				err = f(c)
				c.Leave()
				err = errors.Join(err, c.Close())
			}
			errs[rank] = err
		})
	}
	over.Wait()
	require.Equal(t, n, world.Closed)
	return errs
}

func TestExchangeGivesAllWhatEachHas(t *testing.T) {
	for _, size := range []int{0, 10, 100_000} {
		for _, err := range clusters(t, 3, func(c *ranks.Cluster) error {
			for range 2 {
				lists, err := c.Exchange("news", bytes.Repeat([]byte{byte(c.Rank)}, c.Rank*size), nil)
				if err != nil {
					return err
				}
				for rank, list := range lists {
					if !bytes.Equal(list, bytes.Repeat([]byte{byte(rank)}, rank*size)) {
						return fmt.Errorf("rank %d has %d bytes of rank %d", c.Rank, len(list), rank)
					}
				}
			}
			return nil
		}) {
			require.NoError(t, err)
		}
	}
	alone, err := ranks.Open(nil, nil, 1, func(error) int { return 1 })
	require.NoError(t, err)
	lists, err := alone.Exchange("news", []byte("mine"), nil)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("mine")}, lists)
	alone.Leave()
}

func TestRanksThatDoDifferentThingsDoNotWaitForEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		one  func(c *ranks.Cluster) error // what rank 1 does instead
		want string
	}{
		"another call": {func(c *ranks.Cluster) error {
			_, err := c.Exchange("weather", nil, nil)
			return err
		}, "ross: news: rank 1 calls weather at the same time: let all ranks make the same calls in the same order"},
		"an error": {func(c *ranks.Cluster) error {
			_, err := c.Exchange("news", nil, errors.New("no news"))
			return err
		}, "no news"},
		"nothing": {func(*ranks.Cluster) error { return nil }, "ross: rank 1: Close: called while other ranks wait for this one"},
	} {
		t.Run(name, func(t *testing.T) {
			speakers := 0
			for rank, err := range clusters(t, 2, func(cl *ranks.Cluster) error {
				if cl.Rank == 1 {
					return c.one(cl)
				}
				_, err := cl.Exchange("news", nil, nil)
				return err
			}) {
				if name != "nothing" || rank == 0 {
					require.ErrorContains(t, err, c.want, "rank %d", rank)
				}
				if ranks.Speaks(err) {
					speakers++
				}
			}
			require.Equal(t, 1, speakers)
		})
	}
}
