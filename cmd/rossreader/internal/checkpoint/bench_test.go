// This file measures diff.

package checkpoint

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/rio"
)

// BenchmarkDiff compares checkpoints of 256 bytes of state for each LP and two events, in 16
// partitions: equal ones, and such of which all LPs and events differ.
func BenchmarkDiff(b *testing.B) {
	const lps = 50000
	l := layout{parts: 16, files: 2, share: true}
	sized := func() *content {
		c := makeContent(lps)
		for i := range c.lps {
			c.lps[i].State = append(make([]byte, 252), c.lps[i].State...)
			c.lps[i].Streams = c.lps[i].Streams[:1]
		}
		c.info.Streams = 1
		return c
	}
	c := sized()
	for i := range c.lps {
		c.lps[i].CriticalPath++
	}
	for i := range c.events {
		c.events[i].Bits++
	}
	first, other := sized().saved(b, l), c.saved(b, l)
	for name, second := range map[string]string{"equal": first, "different": other} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(2 * lps * int64(rio.LPSize(1, 256)+2*rio.EventSize(1, 2)))
			b.ReportAllocs()
			for b.Loop() {
				equal, err := diff(first, second, 100, io.Discard)
				require.NoError(b, err)
				require.Equal(b, name == "equal", equal)
			}
		})
	}
}
