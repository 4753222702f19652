// This file pins that a crash at any step leaves the old checkpoint or the new one whole.

package rio

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var errCrash = errors.New("crash")

// crashAt returns a fault at step n, from 0; before that it counts. In the middle of a write there
// is something else in the file than before or after.
func crashAt(n int, count *int) func(string) error {
	return func(step string) error {
		*count++
		if *count <= n {
			return nil
		}
		if path, ok := strings.CutPrefix(step, "write "); ok {
			if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
				f.WriteAt([]byte("half"), 7)
				f.Close()
			}
		}
		return errCrash
	}
}

func named(seed uint64, model string, s shape) *content {
	c := makeContent(seeded(seed), s)
	c.info.Model, c.label = model, model
	return c
}

func copyFiles(t *testing.T, from, to string) {
	for _, f := range filesOf(t, from) {
		b, err := os.ReadFile(filepath.Join(filepath.Dir(from), f))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(to), f), b, 0o644))
	}
}

// crash stores a checkpoint, with labels or without, over an older one (none if nil), and crashes at
// each step in turn. What is there then, whole, and that the next, without labels, can be stored, is
// checked.
func crash(t *testing.T, old *content, appended, labelled bool) {
	fresh := named(2, "new", shape{parts: 3, lps: 5, events: 4, streams: 1, state: 9, msg: 3, files: 2})
	next := named(3, "next", tiny)
	next.label = ""
	if !labelled {
		fresh.label = ""
	}
	var before string
	if old != nil {
		before = old.saved(t, false)
	}
	committed := false
	for n := 0; ; n++ {
		name := filepath.Join(t.TempDir(), "ck")
		if old != nil {
			copyFiles(t, before, name)
		}
		count := 0
		err := fresh.save(t, name, false, Options{Append: appended, Fault: crashAt(n, &count)})
		if err == nil {
			require.Equal(t, n, count)
			require.Greater(t, n, 20, "there are more steps")
			if !appended {
				requireFiles(t, name, fresh)
			}
			break
		}
		require.ErrorIs(t, err, errCrash)
		require.Equal(t, n+1, count, "nothing is tried after a crash")
		var found []*content
		if old != nil {
			found = []*content{old}
		}
		ck, err := Open(name)
		switch {
		case errors.Is(err, ErrNone):
			require.Nil(t, old)
			require.False(t, committed)
		case err == nil && ck.Info().Model == "new":
			require.NoError(t, ck.Close())
			committed = true
			if appended {
				found = append(found, fresh)
			} else {
				found = []*content{fresh}
			}
			requireSame(t, name, found...)
		default:
			require.NoError(t, err)
			require.NoError(t, ck.Close())
			require.False(t, committed, "step %d: once it is there it stays", n)
			requireSame(t, name, found...)
		}
		require.NoError(t, next.save(t, name, false, Options{Append: appended}))
		if !appended {
			found = nil
		}
		found = append(found, next)
		requireSame(t, name, found...)
		requireFiles(t, name, found...)
	}
	require.True(t, committed)
}

// requireFiles requires that there are the files of a checkpoint of these jobs and no other.
func requireFiles(t *testing.T, name string, jobs ...*content) {
	want := []string{"ck.rio-lp", "ck.rio-md", "ck.txt"}
	files := 0
	for _, c := range jobs {
		files += c.files
	}
	for i := range files {
		want = append(want, filepath.Base(dataName(name, i)))
	}
	labels := labelsOf(jobs...)
	if len(labels) > 0 {
		want = append(want, "ck.rio-labels")
	}
	require.ElementsMatch(t, want, filesOf(t, name))
	ck, err := Open(name)
	require.NoError(t, err)
	defer ck.Close()
	require.Len(t, ck.Labels(nil), len(labels))
}

func TestCrashWithoutOlderCheckpoint(t *testing.T) { crash(t, nil, false, true) }

func TestCrashOverCheckpointWithMoreFiles(t *testing.T) {
	crash(t, named(1, "old", shape{parts: 5, lps: 6, events: 4, streams: 1, state: 9, msg: 3, files: 4}), false, true)
}

func TestCrashOverCheckpointWithFewerFiles(t *testing.T) {
	crash(t, named(1, "old", tiny), false, true)
}

func TestCrashOverCheckpointWithLabels(t *testing.T) {
	crash(t, named(1, "old", tiny), false, false)
}

func TestCrashWhileAppending(t *testing.T) { crash(t, named(1, "old", small), true, true) }

func TestCrashWhileAppendingToNothing(t *testing.T) { crash(t, nil, true, true) }

func TestCrashWhileAppendingToLabels(t *testing.T) {
	crash(t, named(1, "old", tiny), true, false)
}

func TestFilesAreOnTheDiskBeforeTheyAreRenamedAndNamesBeforeTheNextStep(t *testing.T) {
	old, fresh := named(1, "old", small), named(2, "new", tiny)
	name := old.saved(t, false)
	dir := filepath.Dir(name)
	var steps []string
	require.NoError(t, fresh.save(t, name, false, Options{Fault: func(step string) error {
		steps = append(steps, strings.ReplaceAll(step, dir+"/", ""))
		return nil
	}}))
	at := func(step string) int {
		i := slices.Index(steps, step)
		require.GreaterOrEqual(t, i, 0, "%s in %q", step, steps)
		return i
	}
	folder := "sync " + dir
	syncBetween := func(a, b string) {
		require.Contains(t, steps[at(a):at(b)], folder, "between %s and %s", a, b)
	}
	for i, step := range steps {
		file, ok := strings.CutPrefix(step, "rename ")
		if !ok || file == "ck.rio-md.new" {
			continue // that was renamed before
		}
		// The last change before is the sync.
		synced := ""
		for _, earlier := range steps[:i] {
			if strings.HasSuffix(earlier, " "+file) {
				synced = earlier
			}
		}
		require.Equal(t, "sync "+file, synced)
	}
	const commit = "rename ck.rio-md.tmp"
	syncBetween("remove ck.rio-labels", commit)
	for _, file := range []string{"ck.rio-data-0.new", "ck.rio-lp.new", "ck.rio-labels.new"} {
		syncBetween("create "+file, commit)
		syncBetween(commit, "rename "+file)
		syncBetween("rename "+file, "rename ck.rio-md.new")
	}
	syncBetween("rename ck.rio-md.new", "remove ck.rio-data-1")
}

// A crash of the run that repairs a crash: each step of both.
func TestCrashDuringRepair(t *testing.T) {
	old, fresh := named(1, "old", small), named(2, "new", tiny)
	before := old.saved(t, false)
	for n := 0; ; n++ {
		for k := 0; ; k++ {
			name := filepath.Join(t.TempDir(), "ck")
			copyFiles(t, before, name)
			count := 0
			first := fresh.save(t, name, false, Options{Fault: crashAt(n, &count)})
			if first == nil {
				return
			}
			count = 0
			s, err := Begin(name, Options{Files: 1, Fault: crashAt(k, &count)})
			if err == nil {
				require.NoError(t, s.Abandon())
			}
			ck, openErr := Open(name)
			require.NoError(t, openErr)
			if ck.Info().Model == "new" {
				requireSame(t, name, fresh)
			} else {
				requireSame(t, name, old)
			}
			require.NoError(t, ck.Close())
			if err == nil {
				break
			}
		}
	}
}

func TestFullDiskLeavesTheOldCheckpointAndNoStrayFiles(t *testing.T) {
	old, fresh := named(1, "old", small), named(2, "new", small)
	name := old.saved(t, false)
	// A folder is where a data file should be made.
	require.NoError(t, os.MkdirAll(name+".rio-data-1.new/x", 0o755))
	require.Error(t, fresh.save(t, name, false, Options{}))
	require.NoError(t, os.RemoveAll(name+".rio-data-1.new"))
	requireFiles(t, name, old)
	requireSame(t, name, old)
}

func TestDamagedNewManifestDoesNotHideTheOldCheckpoint(t *testing.T) {
	old, fresh := named(1, "old", small), named(2, "new", small)
	name := old.saved(t, false)
	require.NoError(t, os.WriteFile(name+".rio-md.new", []byte("ROSSckpt and no more"), 0o644))
	requireSame(t, name, old)
	require.Error(t, fresh.save(t, name, false, Options{Append: true}))
	require.NoError(t, fresh.save(t, name, false, Options{}))
	requireSame(t, name, fresh)
	requireFiles(t, name, fresh)
}
