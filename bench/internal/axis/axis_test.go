package axis_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/bench/internal/axis"
)

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		least, greatest float64
		want            string
	}{
		{0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{0, 25.6, "0 10 20 30"},
		{0, 3, "0 1 2 3"},
		{0, 0.03, "0 0.01 0.02 0.03"},
		{1, 4, "1 2 4"},
		{1, 2, "1 1.2 1.4 1.6 1.8 2"},
		{5, 5, "5 5.2 5.4 5.6 5.8 6"},
		{3, 12, "4 8"},
		{16, 1 << 14, "16 64 256 1 Ki 4 Ki 16 Ki"},
		{16, 1 << 16, "16 256 4 Ki 64 Ki"},
		{1 << 10, 1 << 20, "1 Ki 4 Ki 16 Ki 64 Ki 256 Ki 1 Mi"},
	} {
		a := axis.New(c.least, c.greatest)
		var got []string
		for _, v := range a.Ticks() {
			got = append(got, a.Label(v))
			require.True(t, a.Place(v) > -1e-9 && a.Place(v) < 1+1e-9, "%v of %+v", v, a)
		}
		require.Equal(t, c.want, strings.Join(got, " "), "%v to %v", c.least, c.greatest)
	}
}
