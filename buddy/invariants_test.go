// What the assertions of the build tag invariants catch.

//go:build invariants

package buddy_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
)

func TestMistakesOfTheCallerAreCaught(t *testing.T) {
	var outside [64]byte
	for _, c := range []struct {
		name, says string
		free       func(p *buddy.Pool, b unsafe.Pointer)
	}{
		{"twice", "freed before", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(b, 100); p.Free(b, 100) }},
		{"twice, merged in between", "freed before", func(p *buddy.Pool, b unsafe.Pointer) {
			p.Free(b, 100)
			p.Drain()
			p.Free(b, 100)
		}},
		{"another size", "it is a block of 128", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(b, 200) }},
		{"the middle", "never handed out", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(unsafe.Add(b, 64), 100) }},
		{"not aligned", "not a block of this pool", func(p *buddy.Pool, b unsafe.Pointer) { p.Free(unsafe.Add(b, 1), 100) }},
		{"foreign", "not a block of this pool", func(p *buddy.Pool, _ unsafe.Pointer) { p.Free(unsafe.Pointer(&outside), 64) }},
	} {
		for _, impl := range buddy.Impls() {
			p, err := buddy.NewCharged(impl, 16, 1<<20, nil)
			require.NoError(t, err)
			b, err := p.Alloc(100)
			require.NoError(t, err)
			func() {
				defer func() { require.Contains(t, recover(), c.says, "%s: %s", impl, c.name) }()
				c.free(p, b)
			}()
			p.Close()
		}
	}
}

func TestFreedBlocksArePoisoned(t *testing.T) {
	for _, impl := range buddy.Impls() {
		p, err := buddy.NewCharged(impl, 16, 1<<20, nil)
		require.NoError(t, err)
		b, err := p.Alloc(100)
		require.NoError(t, err)
		bytes := unsafe.Slice((*byte)(b), 128)
		clear(bytes)
		p.Free(b, 100)
		for i, x := range bytes {
			require.EqualValues(t, 0xDB, x, "byte %d", i)
		}
		p.Close()
	}
}
