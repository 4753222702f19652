// States survive encoding as bytes, and invalid bytes are refused.

package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func someExchange(r *rand.Rand, orders int) exchange {
	s := exchange{Last: int32(r.Uint32()), Volume: int64(r.Uint64())}
	for i := range s.Book {
		s.Book[i] = make([]order, 0, orders)
		for range orders {
			s.Book[i] = append(s.Book[i], order{r.Uint64(), r.Uint32(), 1 + r.Int32N(math.MaxInt32), lowest + r.Int32N(highest)})
		}
		orders /= 2
	}
	return s
}

func someTrader(r *rand.Rand, orders int) trader {
	s := trader{Cash: int64(r.Uint64()), Stock: int64(r.Uint64()), Orders: r.Uint64(), Open: map[uint64]open{}}
	for range orders {
		s.Open[r.Uint64()] = open{r.Uint32(), 1 + r.Int32N(math.MaxInt32), side(r.IntN(2))}
	}
	return s
}

func TestStatesAreReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, orders := range []int{0, 1, 3, 100, 1000} {
		e := someExchange(r, orders)
		var got exchange
		require.NoError(t, got.read(e.append(nil)))
		require.Equal(t, e, got)

		d := someTrader(r, orders)
		var back trader
		require.NoError(t, back.read(d.append(nil)))
		require.Equal(t, d, back)
	}
}

func TestBytesCutOffOrTooManyAreNoState(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	e, d := someExchange(r, 3), someTrader(r, 3)
	for _, c := range []struct {
		all  []byte
		read func([]byte) error
	}{
		{e.append(nil), new(exchange).read},
		{d.append(nil), new(trader).read},
	} {
		for n := range c.all {
			require.ErrorIs(t, c.read(c.all[:n]), errState, "%d bytes of %d", n, len(c.all))
		}
		require.ErrorIs(t, c.read(append(c.all, 0)), errState)
	}
}

func FuzzStates(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, orders := range []int{0, 1, 5} {
		e, d := someExchange(r, orders), someTrader(r, orders)
		f.Add(e.append(nil))
		f.Add(d.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again exchange
		if e.read(b) == nil {
			require.NoError(t, again.read(e.append(nil)))
			require.Equal(t, e, again)
		}
		var d, back trader
		if d.read(b) == nil {
			require.NoError(t, back.read(d.append(nil)))
			require.Equal(t, d, back)
		}
	})
}
