// This file pins numbered checkpoints and removing them.

package rio

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersAreThoseOfCheckpointsWholeOrNot(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	numbers, err := Numbers(prefix)
	require.NoError(t, err)
	require.Empty(t, numbers)
	for _, name := range []string{
		"run-000012.rio-md", "run-000012.rio-lp", "run-000003.rio-data-0.new", "run-1234567.rio-md.tmp", "run-000200.rio-data-17",
		"run-000005.txt", "run-6.rio-md", "run-00000x.rio-md", "run-000007.rio-data-", "run-000008.rio-data-1x", "other-000009.rio-md", "run-000010", "run.rio-md",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(prefix), name), nil, 0o644))
	}
	numbers, err = Numbers(prefix)
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 12, 200, 1234567}, numbers)
	require.Equal(t, "a/b-000012", Numbered("a/b", 12))
	numbers, err = Numbers(filepath.Join(prefix, "none", "run"))
	require.NoError(t, err)
	require.Empty(t, numbers)
}

func TestLatestIsTheHighestNumberThatIsWhole(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	_, err := Latest(prefix)
	require.ErrorIs(t, err, ErrNone)
	c := makeContent(seeded(1), tiny)
	for _, n := range []uint64{2, 9, 10, 1000000} {
		require.NoError(t, c.save(t, Numbered(prefix, n), false, Options{}))
	}
	latest := func() string {
		name, err := Latest(prefix)
		require.NoError(t, err)
		return name
	}
	require.Equal(t, prefix+"-1000000", latest())
	damage(t, prefix+"-1000000.rio-data-0", -1)
	require.NoError(t, os.Remove(prefix+"-000010.rio-lp"))
	require.Equal(t, prefix+"-000009", latest())
	name, refused, err := Newest(prefix)
	require.NoError(t, err)
	require.Equal(t, prefix+"-000009", name)
	require.Len(t, refused, 2)
	require.ErrorContains(t, refused[0], "run-1000000.rio-data-0: ")
	require.ErrorContains(t, refused[1], "run-000010.rio-lp: ")

	damage(t, prefix+"-000009.rio-md", 50)
	damage(t, prefix+"-000002.rio-lp", 50)
	_, err = Latest(prefix)
	require.ErrorIs(t, err, ErrNone)
	for _, file := range []string{"run-1000000.rio-data-0: ", "run-000010.rio-lp: ", "run-000009.rio-md: ", "run-000002.rio-lp: "} {
		require.ErrorContains(t, err, file)
	}
}

// damage changes a byte of a file; from the end if at is negative.
func damage(t *testing.T, path string, at int) {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[(at+len(b))%len(b)] ^= 0x10
	require.NoError(t, os.WriteFile(path, b, 0o644))
}

func TestRemoveLeavesOtherFilesAlone(t *testing.T) {
	c := makeContent(seeded(2), small)
	name := c.saved(t, false)
	others := []string{"ck.rio-md.old", "ck-1.rio-md", "ck.rio-data-x", "other.rio-lp", "ck2.txt"}
	for _, other := range others {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(name), other), nil, 0o644))
	}
	require.NoError(t, os.WriteFile(name+".rio-data-9.new", nil, 0o644))
	require.NoError(t, Remove(name))
	require.ElementsMatch(t, others, filesOf(t, name))
	require.ErrorIs(t, Remove(name), ErrNone)
}

func TestCheckpointThatIsOpenCanBeReadThoughItIsReplaced(t *testing.T) {
	a, b := named(1, "a", small), named(2, "b", small)
	name := a.saved(t, false)
	ck, err := Open(name)
	require.NoError(t, err)
	defer ck.Close()
	require.NoError(t, b.save(t, name, false, Options{}))
	require.NoError(t, ck.Verify())
	a.readParts(t, ck, 0, 0)
	requireSame(t, name, b)
	require.False(t, strings.Contains(ck.Info().Model, "b"))
}
