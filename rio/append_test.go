// This file pins checkpoints that several runs have stored.

package rio

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppendedJobsAreOneCheckpoint(t *testing.T) {
	a, b, c := named(1, "first", small), named(2, "second", shape{parts: 3, lps: 7, events: 6, streams: 1, state: 5, msg: 2, files: 3}), named(3, "third", tiny)
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
