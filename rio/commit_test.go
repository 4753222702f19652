// This file pins that a crash at any step leaves the old checkpoint or the new one whole; that files and folders are
// synced: on a file system that cannot, this is an error; numbered checkpoints and removing them; and checkpoints
// that several runs have stored.

package rio

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
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

func TestNumbersAreThoseOfCheckpointsWholeOrNot(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "run")
	numbers, err := Numbers(prefix)
	require.NoError(t, err)
	require.Empty(t, numbers)
	for _, name := range []string{
		"run-000012.rio-md", "run-000012.rio-lp", "run-000003.rio-data-0.new", "run-1234567.rio-md.tmp",
		"run-000200.rio-data-17",
		"run-000005.txt", "run-6.rio-md", "run-00000x.rio-md", "run-000007.rio-data-", "run-000008.rio-data-1x",
		"other-000009.rio-md", "run-000010", "run.rio-md",
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
	for _, file := range []string{"run-1000000.rio-data-0: ", "run-000010.rio-lp: ", "run-000009.rio-md: ",
		"run-000002.rio-lp: "} {
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

func TestAppendedJobsAreOneCheckpoint(t *testing.T) {
	a, b, c := named(1, "first", small), named(2, "second", shape{parts: 3, lps: 7, events: 6, streams: 1, state: 5,
		msg: 2, files: 3}), named(3, "third", tiny)
	a.info.Digests = false
	c.info.Clock, c.info.End = 30, 40
	name := filepath.Join(t.TempDir(), "ck")
	appended := Options{Append: true}
	require.NoError(t, a.save(t, name, false, appended), "to nothing")
	require.NoError(t, b.save(t, name, true, appended))
	require.NoError(t, c.save(t, name, false, appended))
	requireFiles(t, name, a, b, c)

	c.info.Digests = false // not all kept them
	requireSame(t, name, a, b, c)
	ck, err := Open(name)
	require.NoError(t, err)
	defer ck.Close()
	require.Equal(t, []Job{
		{FirstGID: 0, LPs: 4, Clock: 10, End: 20, Engine: "go-test", Model: "first", Parts: 3},
		{FirstGID: 4, LPs: 7, Clock: 10, End: 20, Engine: "go-test", Model: "second", Parts: 3, Digests: true},
		{FirstGID: 11, LPs: 2, Clock: 30, End: 40, Engine: "go-test", Model: "third", Parts: 2, Digests: true},
	}, ck.Jobs())
	require.EqualValues(t, 13, ck.Info().LPs)
	for i, e := range ck.Entries() {
		require.EqualValues(t, i, e.Part)
		require.EqualValues(t, []int{0, 0, 0, 1, 1, 1, 2, 2}[i], e.Job)
	}
}

func TestJobsOfDifferentModelsAreNotPutTogether(t *testing.T) {
	a := named(1, "first", small)
	name := a.saved(t, false)
	for what, change := range map[string]func(info *Info){
		"1 streams in the checkpoint, 2 in this run":                  func(info *Info) { info.Streams = 2 },
		"2 types of LPs in the checkpoint, 1 in this run":             func(info *Info) { info.Types = info.Types[:1] },
		"Name:b State: Message: StateSize:0 MessageSize:0 Serialized": func(info *Info) { info.Types[1].Name = "c" },
	} {
		b := named(2, "second", small)
		change(&b.info)
		require.ErrorContains(t, b.save(t, name, false, Options{Append: true}), what)
		requireSame(t, name, a)
		requireFiles(t, name, a)
	}
}

func TestNothingIsAddedToCheckpointOfROSS(t *testing.T) {
	name := copyOriginal(t)
	c := named(1, "new", small)
	require.ErrorContains(t, c.save(t, name, false, Options{Append: true}), "ROSS itself wrote this checkpoint")
	ck, err := Open(name)
	require.NoError(t, err)
	require.True(t, ck.Original())
	require.NoError(t, ck.Close())
	require.NoError(t, c.save(t, name, false, Options{}))
	requireSame(t, name, c)
}

// TestSyncReachesTheFileSystem syncs what the system refuses to sync: a folder of /proc, and a pipe.
func TestSyncReachesTheFileSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems refuse other things")
	}
	var d disk
	require.ErrorContains(t, d.syncFolder("/proc/self/checkpoint"), "another file system")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	require.Error(t, d.sync(w))
	require.NoError(t, d.syncFolder(t.TempDir()+"/checkpoint"))
}
