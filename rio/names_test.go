// This file pins numbered checkpoints and removing them.

package rio

import (
	"errors"
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

// TestWhatACrashLeavesOfARemovedCheckpointIsNoCheckpoint crashes at each step of Remove.
func TestWhatACrashLeavesOfARemovedCheckpointIsNoCheckpoint(t *testing.T) {
	c := makeContent(seeded(2), small)
	c.label = "LP"
	for n := 0; ; n++ {
		name := c.saved(t, false)
		files, err := list(name)
		require.NoError(t, err)
		count := 0
		err = (&disk{fault: crashAt(n, &count)}).remove(name, files)
		if err == nil {
			require.Greater(t, n, 6, "there are more steps")
			require.Empty(t, filesOf(t, name))
			break
		}
		require.ErrorIs(t, err, errCrash)
		if Exists(name) {
			require.NoError(t, Verify(name))
			require.Zero(t, n, "the first step takes the manifest away")
		} else {
			_, err := Open(name)
			require.ErrorIs(t, err, ErrNone)
		}
		if err := Remove(name); !errors.Is(err, ErrNone) { // in the last step all are gone
			require.NoError(t, err)
		}
		require.Empty(t, filesOf(t, name))
	}
}

func TestTextOfSomebodyElseIsNotReplaced(t *testing.T) {
	c := makeContent(seeded(2), tiny)
	name := filepath.Join(t.TempDir(), "results")
	own := name + ".txt"
	require.NoError(t, os.WriteFile(own, []byte("what I found out\n"), 0o644))
	err := c.save(t, name, false, Options{})
	require.ErrorIs(t, err, ErrForeign)
	require.ErrorContains(t, err, own+": ")
	require.Equal(t, []string{"results.txt"}, filesOf(t, name))

	require.NoError(t, os.Remove(own))
	require.NoError(t, c.save(t, name, false, Options{}))
	require.NoError(t, c.save(t, name, false, Options{}), "its own text is replaced")
	require.NoError(t, os.WriteFile(own, []byte("what I found out\n"), 0o644))
	require.NoError(t, Remove(name))
	require.Equal(t, []string{"results.txt"}, filesOf(t, name))
}

func TestCheckpointThatHasLostItsManifestIsDamaged(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	c := makeContent(seeded(1), tiny)
	for _, n := range []uint64{1, 2} {
		require.NoError(t, c.save(t, Numbered(prefix, n), false, Options{}))
	}
	require.NoError(t, os.Remove(prefix+"-000002.rio-md"))
	require.NoError(t, os.WriteFile(prefix+"-000003.rio-data-0.new", nil, 0o644)) // one that was being written
	require.True(t, Exists(prefix+"-000002"))
	require.False(t, Exists(prefix+"-000003"))
	name, refused, err := Newest(prefix)
	require.NoError(t, err)
	require.Equal(t, prefix+"-000001", name)
	require.Len(t, refused, 2)
	require.ErrorIs(t, refused[0], ErrNone)
	require.ErrorIs(t, refused[1], ErrDamaged)
	require.ErrorContains(t, refused[1], "run-000002.rio-md: the file is missing")
	var why *RefusedError
	require.ErrorAs(t, refused[1], &why)
	require.Equal(t, prefix+"-000002", why.Name)
}

func TestOpenTellsOfANewerCheckpointThatIsDamaged(t *testing.T) {
	name := makeContent(seeded(1), tiny).saved(t, false)
	c, err := Open(name)
	require.NoError(t, err)
	require.NoError(t, c.Newer())
	require.NoError(t, c.Close())
	b, err := os.ReadFile(name + ".rio-md")
	require.NoError(t, err)
	b[len(b)-1]++
	require.NoError(t, os.WriteFile(name+".rio-md.new", b, 0o644))
	c, err = Open(name)
	require.NoError(t, err)
	require.ErrorIs(t, c.Newer(), ErrDamaged)
	require.ErrorContains(t, c.Newer(), name+".rio-md.new")
	require.NoError(t, c.Close())
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
