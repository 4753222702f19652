// This file owns the test of what resources say of themselves.

package resource_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	. "github.com/ross-go/ross/resource"
)

func TestResourcesSayHowTheyAre(t *testing.T) {
	rosstest.Run(t, rosstest.Small(), once(nothing, func(s *yard, lp *ross.LP) {
		request(&s.Plain, lp)
		request(&s.Plain, lp)
		require.Equal(t, "1 of 1 busy, 1 wait", s.Plain.String())
		s.Cranes.Request(lp, client{}, Need{Least: 2})
		s.Cranes.Request(lp, client{}, Need{Least: 4})
		require.Equal(t, "2 of 4 busy, 1 wait", s.Cranes.String())
		s.Cranes.Break(lp, 3)
		require.Equal(t, "2 of 4 busy, 1 out of order, 1 wait", s.Cranes.String())
		s.Parts.Get(lp, 1)
		require.Equal(t, "0 items, 1 wait to get, 0 to put", s.Parts.String())
		s.Tank.Put(lp, 1, 7)
		s.Tank.Get(lp, 1, 2.5)
		require.Equal(t, "2.5 of 10, 0 wait to get, 1 to put", s.Tank.String())
	}))
}
