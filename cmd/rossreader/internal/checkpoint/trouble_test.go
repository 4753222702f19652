// This file tests what diff does when there is trouble, with the original's files, and with
// content made at random.

package checkpoint

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

func TestTroubleHasStatus2(t *testing.T) {
	c := makeContent(4)
	whole, damaged := c.saved(t, plain), c.saved(t, layout{parts: 2, files: 2})
	damage(t, damaged+".rio-data-1")
	c.lps[3].GID = 2
	twice := c.saved(t, layout{parts: 1, files: 1, numbered: true})
	for _, x := range []struct{ a, b, says string }{
		{whole, damaged, damaged + ".rio-data-1: offset 40: partition 1: CRC-32C is "},
		{damaged, whole, damaged + ".rio-data-1: offset 40: partition 1: CRC-32C is "},
		{whole, whole + "x", whole + "x.rio-md: there is no checkpoint of this name"},
		{whole + "x", whole, whole + "x.rio-md: there is no checkpoint of this name"},
		{twice, whole, twice + ": gid 2 occurs twice: "},
		{whole, originalName, whole + " and " + originalName + ": only one of them was stored by ROSS itself"},
	} {
		r := run("diff", x.a, x.b)
		require.Equal(t, 2, r.Status)
		require.Empty(t, r.Stdout)
		require.Contains(t, r.Stderr, "rossreader checkpoint diff: ross: checkpoint: "+x.says)
	}
	for _, args := range [][]string{{}, {whole}, {whole, whole, whole}, {whole, whole, "--most=-1"}, {whole, whole, "--most=x"}, {"--nonsense"}} {
		require.Equal(t, 2, run(append([]string{"diff"}, args...)...).Status, args)
	}
	var stderr bytes.Buffer
	require.Equal(t, 2, cli.Run(Command(), []string{"diff", whole, whole}, full{}, &stderr))
	require.Contains(t, stderr.String(), "no space")
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space") }

func TestOriginalsAreCompared(t *testing.T) {
	same := copyOriginal(t, "", nil)
	require.Equal(t, "equal: 8 LPs, 8 events\n", good(t, originalName, same))

	changed := copyOriginal(t, ".rio-data-0", func(b []byte) []byte {
		b[80]++  // the first byte of the state of gid 0, which has 8
		b[671]++ // the last one of the first partition's last message
		return b
	})
	lines := differences(t, originalName, changed)
	require.Equal(t, "gid 0: state from byte 0 on, lengths 8 | 8", lines[0])
	require.Regexp(t, "^event only in A: .*, message .{14}00$", lines[1])
	require.Regexp(t, "^event only in B: .*, message .{14}01$", lines[2])
	require.Equal(t, "LPs that differ: 1. Events only in A: 1, only in B: 1.", lines[3])
}

// TestCountsAreThoseOfAComparisonOneByOne changes content at random, and compares with what a
// comparison of everything with everything finds.
func TestCountsAreThoseOfAComparisonOneByOne(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		a, b := makeContent(40), makeContent(40)
		for range rnd.IntN(6) {
			b.lps[rnd.IntN(40)].Digest = rnd.Uint64N(3) + 1000
		}
		for _, c := range []*content{a, b} {
			for range rnd.IntN(6) {
				c.events[rnd.IntN(80)].Bits = rnd.Uint32N(4)
			}
			for range rnd.IntN(6) {
				c.events = append(c.events, c.events[rnd.IntN(len(c.events))])
			}
			for range rnd.IntN(6) {
				at := rnd.IntN(len(c.events))
				c.events = append(c.events[:at], c.events[at+1:]...)
			}
		}
		lps, onlyA, onlyB := 0, 0, 0
		for gid := range a.lps {
			if !reflect.DeepEqual(a.lps[gid], b.lps[gid]) {
				lps++
			}
		}
		taken := make([]bool, len(b.events))
		onlyB = len(b.events)
	next:
		for _, e := range a.events {
			for k, f := range b.events {
				if !taken[k] && reflect.DeepEqual(e, f) {
					taken[k] = true
					onlyB--
					continue next
				}
			}
			onlyA++
		}
		nameA := a.saved(t, layout{parts: 1 + rnd.IntN(9), files: 1, backwards: rnd.IntN(2) == 0, share: true})
		nameB := b.saved(t, layout{parts: 1 + rnd.IntN(9), files: 1, compress: true})
		if lps+onlyA+onlyB == 0 {
			good(t, nameA, nameB)
			continue
		}
		lines := differences(t, nameA, nameB)
		require.Equal(t, fmt.Sprintf("LPs that differ: %d. Events only in A: %d, only in B: %d.", lps, onlyA, onlyB), lines[len(lines)-1])
	}
}
