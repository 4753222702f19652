package buddy_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/buddy"
)

type cell struct {
	at    [3]float64
	links [4]uint32
}

func TestObjectsAreZeroAndApart(t *testing.T) {
	for _, impl := range buddy.Impls() {
		pool, err := buddy.New(impl, 1<<20)
		require.NoError(t, err)
		cells, err := buddy.NewObjects[cell](pool)
		require.NoError(t, err)
		none, err := buddy.NewObjects[struct{}](pool)
		require.NoError(t, err)
		live := map[*cell]uint32{}
		for i := range uint32(2000) {
			c, err := cells.New()
			require.NoError(t, err)
			require.Equal(t, cell{}, *c)
			_, taken := live[c]
			require.False(t, taken)
			*c, live[c] = cell{[3]float64{1: 0.5}, [4]uint32{i, i, i, i}}, i
			nothing, err := none.New()
			require.NoError(t, err)
			for old, want := range live {
				if i%3 > 0 {
					require.Equal(t, cell{[3]float64{1: 0.5}, [4]uint32{want, want, want, want}}, *old)
					delete(live, old)
					cells.Free(old)
				}
				break
			}
			none.Free(nothing)
		}
		require.EqualValues(t, len(live), pool.Live())
		require.NoError(t, pool.Check())
		for c := range live {
			cells.Free(c)
		}
		require.Zero(t, pool.Live())
		pool.Close()
	}
}

func TestBytesHaveTheirLengthAndGoBackWhenCutShort(t *testing.T) {
	for _, impl := range buddy.Impls() {
		pool, err := buddy.New(impl, 1<<20)
		require.NoError(t, err)
		for _, n := range []int{0, 1, 32, 33, 4096, 4097, 100_000} {
			b, err := pool.AllocBytes(n)
			require.NoError(t, err)
			require.Len(t, b, n)
			require.Equal(t, n, cap(b))
			clear(b)
			require.EqualValues(t, buddy.Size(uintptr(n)), pool.Used())
			pool.FreeBytes(b[:n/2])
			require.Zero(t, pool.Live())
		}
		_, err = pool.AllocBytes(-1)
		require.ErrorContains(t, err, "at least 0")
		_, err = pool.AllocBytes(64 << 20)
		require.ErrorIs(t, err, buddy.ErrLimit)
		require.NoError(t, pool.Check())
		pool.Close()
	}
}

func TestTypesThatTheCollectorWouldHaveToSeeAreRefused(t *testing.T) {
	pool, err := buddy.New("", 1<<20)
	require.NoError(t, err)
	defer pool.Close()
	_, err = buddy.NewObjects[*cell](pool)
	require.ErrorContains(t, err, "*buddy_test.cell is a ")
	type named struct {
		Cell  cell
		Names [2]struct{ First string }
	}
	_, err = buddy.NewObjects[named](pool)
	require.ErrorContains(t, err, "named.Names[0].First is a string")
	_, err = buddy.NewObjects[unsafe.Pointer](pool)
	require.Error(t, err)
	_, err = buddy.NewObjects[any](pool)
	require.Error(t, err)
}
