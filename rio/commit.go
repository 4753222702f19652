// This file owns the commit: files get their final names so that at any moment the old
// checkpoint or the new one is whole.

package rio

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Commit makes the checkpoint the one of its name, and so replaces the previous one. The
// process that called Begin calls it, when all processes have written, with the entries and
// the index of all, unless that was written in parts. Info.LPs is the number of LPs of this job; a zero Created stands
// for now.
//
// If it fails before the checkpoint was committed, the old one stays, though perhaps without its
// labels. If it fails later, Open finds the new one, and the next Begin completes it.
func (s *Store) Commit(info *Info, entries []Entry, index []IndexEntry) error {
	m, err := s.manifest(info, entries, index)
	if err != nil {
		return err
	}
	if !s.indexed {
		if err := s.WriteIndex(index); err != nil {
			return err
		}
	}
	// Missing files are detected while the old checkpoint is still the one of this name.
	files, err := locate(s.name, m, true)
	if err != nil {
		return err
	}
	files.close()
	if err := s.dropLabels(); err != nil {
		return err
	}
	if err := s.disk.syncFolder(s.name); err != nil {
		return err
	}
	path := s.name + manifestSuffix
	if err := s.disk.create(path+tmpSuffix, m.encode()); err != nil {
		return err
	}
	if err := s.disk.rename(path+tmpSuffix, path+newSuffix); err != nil {
		return err
	}
	s.committed = true
	if err := s.disk.syncFolder(s.name); err != nil {
		return err
	}
	return s.finish(m)
}

// manifest makes the manifest of the whole checkpoint, and checks it as if it had been read.
func (s *Store) manifest(info *Info, entries []Entry, index []IndexEntry) (*manifest, error) {
	if !s.began || s.committed {
		return nil, misuse(s.name, "Commit was called twice, or not by the process that called Begin")
	}
	if len(info.Model) > MaxModel {
		return nil, misuse(s.name, "the version of the model has %d bytes, %d are allowed", len(info.Model), MaxModel)
	}
	m := &manifest{id: s.id, created: info.Created, streams: info.Streams, settings: info.Settings, types: info.Types}
	if m.created.IsZero() {
		m.created = time.Now()
	}
	if s.base != nil {
		if err := s.sameModel(info); err != nil {
			return nil, err
		}
		m.jobs, m.files, m.entries = slices.Clone(s.base.jobs), slices.Clone(s.base.files), slices.Clone(s.base.entries)
	}
	job := Job{
		LPs: info.LPs, Clock: info.Clock, End: info.End, Engine: info.Engine, Model: info.Model,
		Parts: uint64(len(entries)), Digests: info.Digests,
	}
	if s.base != nil {
		job.FirstGID = s.base.lps()
	}
	m.jobs = append(m.jobs, job)
	m.entries = append(m.entries, entries...)
	for range s.o.Files {
		m.files = append(m.files, dataFile{id: s.id, size: dataHead})
	}
	for i := range entries {
		if e := &entries[i]; e.File-s.first < uint32(s.o.Files) {
			m.files[e.File].size += e.Size
		}
	}
	if err := m.check(); err != nil {
		return nil, misuse(s.name, "%v", err)
	}
	if s.head != nil { // written in parts
		if got := order.Uint64(s.head[indexHead-8:]); got != s.baseLPs+info.LPs || !s.indexed {
			return nil, misuse(s.name, "%d LPs, and an index of %d that was not completed", info.LPs, got-s.baseLPs)
		}
		return m, nil
	}
	if uint64(len(index)) != info.LPs {
		return nil, misuse(s.name, "%d LPs, and an index of %d", info.LPs, len(index))
	}
	if i, ok := eachOnce(index); !ok {
		return nil, misuse(s.name, "gid %d occurs twice or is not below %d", index[i].GID, info.LPs)
	}
	return m, nil
}

// sameModel checks that the LPs of this job can be in one checkpoint with those of earlier
// jobs.
func (s *Store) sameModel(info *Info) error {
	if s.base.streams != info.Streams {
		return misuse(s.name, "each LP has %d streams in the checkpoint, %d in this run", s.base.streams, info.Streams)
	}
	if len(s.base.types) != len(info.Types) {
		return misuse(s.name, "there are %d types of LPs in the checkpoint, %d in this run", len(s.base.types),
			len(info.Types))
	}
	for i, old := range s.base.types {
		if old != info.Types[i] {
			return misuse(s.name, "type %d of LPs is %+v in the checkpoint, %+v in this run", i, old, info.Types[i])
		}
	}
	return nil
}

// finish gives the files of a committed checkpoint their final names, the manifest last, and
// removes files that do not belong to it. It can be repeated after a crash at any step.
func (s *Store) finish(m *manifest) error {
	files, err := locate(s.name, m, true)
	if err != nil {
		return err
	}
	files.close()
	for _, path := range files.paths() {
		if final, isNew := strings.CutSuffix(path, newSuffix); isNew {
			if err := s.disk.rename(path, final); err != nil {
				return err
			}
		}
	}
	if err := s.finishLabels(); err != nil {
		return err
	}
	text := s.name + textSuffix
	if err := s.disk.create(text+tmpSuffix, m.describe(s.name)); err != nil {
		return err
	}
	if err := s.disk.rename(text+tmpSuffix, text); err != nil {
		return err
	}
	if err := s.disk.syncFolder(s.name); err != nil {
		return err
	}
	path := s.name + manifestSuffix
	if err := s.disk.rename(path+newSuffix, path); err != nil {
		return err
	}
	if err := s.disk.syncFolder(s.name); err != nil {
		return err
	}
	return s.removeStale(len(m.files))
}

// removeStale removes data files of an older checkpoint with numbers from files on.
func (s *Store) removeStale(files int) error {
	found, err := list(s.name)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.temporary || f.isData() && f.data >= uint64(files) {
			if err := s.disk.removeAll(f.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle completes a committed checkpoint, and removes other leftovers.
func (s *Store) settle() error {
	m, err := readManifest(s.name + manifestSuffix + newSuffix)
	switch {
	case err == nil:
		err = s.finish(m)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	// A damaged checkpoint cannot be completed, but it can be replaced.
	if err != nil && (s.o.Append || !unreadable(err)) {
		return err
	}
	return s.removeTemporary()
}

// unreadable reports whether the error means that a checkpoint is itself unreadable.
func unreadable(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion)
}

// removeTemporary removes the files with temporary names. The manifest goes first: without it
// the others do not belong to anything.
func (s *Store) removeTemporary() error {
	found, err := list(s.name)
	if err != nil {
		return err
	}
	path := s.name + manifestSuffix + newSuffix
	if _, err := os.Lstat(path); err == nil {
		if err := s.disk.removeAll(path); err != nil {
			return err
		}
		if err := s.disk.syncFolder(s.name); err != nil {
			return err
		}
	}
	for _, f := range found {
		if f.temporary {
			if err := s.disk.removeAll(f.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// readBase reads the checkpoint to which this one is added.
func (s *Store) readBase() error {
	c, err := Open(s.name)
	if errors.Is(err, ErrNone) && !errors.Is(err, ErrDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	defer c.Close()
	if c.Original() {
		return misuse(s.name, "ROSS itself wrote this checkpoint, so nothing can be added to it")
	}
	s.base = c.m
	s.baseIndex, err = c.ownIndex()
	s.first, s.job, s.parts = uint32(len(c.m.files)), uint32(len(c.m.jobs)), uint64(len(c.m.entries))
	return err
}
