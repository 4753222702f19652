// This file owns Store: a checkpoint that is being written, up to its commit.

package rio

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
)

// Options determine how a checkpoint is written.
type Options struct {
	Files  int  // number of data files, at least 1
	Append bool // add to the checkpoint of this name, if it exists
	// Label returns what the model calls an LP of this run, or "", for the file with labels; nil if
	// the model has no names for LPs. It must not panic. Only the Store of Begin calls it.
	Label func(gid uint64) string
	// Fault is for tests: called before each step that changes a file (create, write, sync,
	// rename, remove) with its name and the file's. An error stops it there as a crash would:
	// nothing is changed any more.
	Fault func(step string) error
}

// Store is a checkpoint that is being written. Several processes may write one, each with its
// own Store, one of them made by Begin, the others by Join. One goroutine at a time may use it.
//
// Call in this order: Begin; in the other processes Join with its Ticket; Part.Pack; Place, with
// the entries of all; Create; Write; Commit, when all have written. After an error of any of them,
// call Abandon.
type Store struct {
	name      string
	o         Options
	disk      disk
	id        id
	first     uint32       // number of the first data file
	job       uint32       // number of this job
	parts     uint64       // partitions of the jobs before it
	began     bool         // made by Begin
	base      *manifest    // the checkpoint that is extended; nil if none, or if Join made this Store
	baseIndex []IndexEntry // with the gids of records
	baseLPs   uint64       // LPs of the jobs before it
	head      []byte       // of an index that is written in parts
	created   []string     // data files that this process created
	indexed   bool         // the index was written
	committed bool
}

// Begin starts a checkpoint of this name, a path whose folder must exist. The remains of a crash
// are completed, if they were committed, or else removed. With Options.Append it reads the existing
// checkpoint; it is an error if that is damaged or was written by ROSS itself.
//
// A file with the name of the .txt that does not come from a checkpoint is an error. An existing
// checkpoint of the same name stays as it is until Commit. Only one may be written under a name at
// a time.
func Begin(name string, o Options) (*Store, error) {
	if o.Files < 1 || o.Files > math.MaxInt32 {
		return nil, misuse(name, "%d data files, expected at least 1", o.Files)
	}
	s := &Store{name: name, o: o, disk: disk{fault: o.Fault}, began: true}
	if _, err := rand.Read(s.id[:]); err != nil {
		return nil, fmt.Errorf("ross: checkpoint: %s: %w: try again", name, err)
	}
	if err := ownText(name); err != nil {
		return nil, err
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	if o.Append {
		if err := s.readBase(); err != nil {
			return nil, err
		}
		if s.base != nil {
			s.baseLPs = s.base.lps()
		}
	}
	return s, nil
}

const (
	ticketMagic = "ROSStick"
	ticketSize  = prologue + idSize + 3*4 + 2*8 + crcSize
)

// Ticket returns the bytes that Join needs, to be sent to the other processes.
func (s *Store) Ticket() []byte {
	b := appendPrologue(make([]byte, 0, ticketSize), ticketMagic)
	b = append(b, s.id[:]...)
	b = order.AppendUint32(b, s.first)
	b = order.AppendUint32(b, s.job)
	b = order.AppendUint32(b, uint32(s.o.Files))
	b = order.AppendUint64(order.AppendUint64(b, s.parts), s.baseLPs)
	return order.AppendUint32(b, checksum(b))
}

// Join is Begin in the other processes, with the ticket of its Store and the same name and
// Options.Files. It does not touch any file.
func Join(name string, ticket []byte, o Options) (*Store, error) {
	if len(ticket) != ticketSize || checkPrologue("ticket", ticket, ticketMagic) != nil ||
		checkTail("ticket", "it", ticket) != nil {
		return nil, misuse(name, "%d bytes are not a ticket", len(ticket))
	}
	d := &decoder{b: ticket, at: prologue}
	s := &Store{name: name, o: o, disk: disk{fault: o.Fault}, id: id(d.take(idSize)), first: d.u32(), job: d.u32()}
	if files := d.u32(); int64(files) != int64(o.Files) {
		return nil, misuse(name, "%d data files, and %d in another process", o.Files, files)
	}
	s.parts, s.baseLPs = d.u64(), d.u64()
	return s, nil
}

// Place sets File, Offset, Part and Job of the entries of all processes. entries are in the order
// of partitions, and file[i] is the data file (0 to Options.Files-1) of entry i. It only computes:
// all processes call it with the same arguments and get the same result.
func (s *Store) Place(entries []Entry, file []int) error {
	return s.PlaceAfter(entries, file, 0, make([]uint64, s.o.Files))
}

// PlaceAfter is Place for the entries of one process. parts is the number of partitions of the
// processes before it, and bytes what they have in each data file, by file.
func (s *Store) PlaceAfter(entries []Entry, file []int, parts uint64, bytes []uint64) error {
	if len(bytes) != s.o.Files {
		return misuse(s.name, "sizes of %d data files of %d", len(bytes), s.o.Files)
	}
	if len(file) != len(entries) {
		return misuse(s.name, "%d partitions, and data files for %d", len(entries), len(file))
	}
	ends := make([]uint64, s.o.Files)
	for i, n := range bytes {
		ends[i] = dataHead + min(n, math.MaxInt64-dataHead)
	}
	for i := range entries {
		e := &entries[i]
		if file[i] < 0 || file[i] >= len(ends) {
			return misuse(s.name, "partition %d: data file %d of %d", i, file[i], len(ends))
		}
		end := &ends[file[i]]
		if e.Size > math.MaxInt64-*end {
			return misuse(s.name, "partition %d: %d bytes after %d are too many", i, e.Size, *end)
		}
		e.Part, e.Job = s.parts+parts+uint64(i), s.job
		e.File, e.Offset = s.first+uint32(file[i]), *end
		*end += e.Size
	}
	return nil
}

// Create creates data file number file (0 to Options.Files-1) under its temporary name, with its
// header. For each file, including those without partitions, one process must do so before any
// process writes to it.
func (s *Store) Create(file int) error {
	if file < 0 || file >= s.o.Files {
		return misuse(s.name, "data file %d of %d", file, s.o.Files)
	}
	number := s.first + uint32(file)
	path := dataName(s.name, int(number)) + newSuffix
	s.created = append(s.created, path)
	return s.disk.create(path, dataHeader(s.id, number))
}

// Write writes the given parts, which must be packed, at their places, and syncs the files;
// entries[i] belongs to parts[i].
func (s *Store) Write(parts []*Part, entries []Entry) error {
	if len(parts) != len(entries) {
		return misuse(s.name, "%d partitions, and entries for %d", len(parts), len(entries))
	}
	byFile := map[uint32][]int{}
	var files []uint32
	for i, p := range parts {
		e := &entries[i]
		if !p.packed || e.Size != uint64(len(p.file)) || e.CRC != p.crc || e.File-s.first >= uint32(s.o.Files) ||
			e.Offset < dataHead {
			return misuse(s.name, "partition %d: its entry does not come from Pack and Place", i)
		}
		if byFile[e.File] == nil {
			files = append(files, e.File)
		}
		byFile[e.File] = append(byFile[e.File], i)
	}
	slices.Sort(files)
	if s.o.Fault != nil { // so that the steps come one after the other
		for _, number := range files {
			if err := s.writeFile(number, byFile[number], parts, entries); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, len(files))
	var over sync.WaitGroup
	for i, number := range files {
		over.Go(func() { errs[i] = s.writeFile(number, byFile[number], parts, entries) })
	}
	over.Wait()
	return cmp.Or(errs...)
}

// WriteIndex writes the index of all LPs, and the labels of those that have one. The process that
// commits may call it, also during Write; otherwise Commit writes the index.
func (s *Store) WriteIndex(index []IndexEntry) error {
	err := s.disk.create(s.name+indexSuffix+newSuffix, encodeIndex(s.id, slices.Concat(s.baseIndex, index)))
	if err == nil {
		err = s.writeLabels(uint64(len(index)))
	}
	s.indexed = err == nil
	return err
}

func (s *Store) writeFile(number uint32, which []int, parts []*Part, entries []Entry) error {
	f, err := os.OpenFile(dataName(s.name, int(number))+newSuffix, os.O_WRONLY, 0)
	if err != nil {
		return fileError(err, "name a folder that all processes share, and create the file first")
	}
	for _, i := range which {
		if err == nil && len(parts[i].file) > 0 {
			err = s.disk.writeAt(f, parts[i].file, entries[i].Offset)
			if w := parts[i].Written; w != nil {
				w()
			}
			startWriting(f, int64(entries[i].Offset), int64(len(parts[i].file)))
		}
	}
	if err == nil {
		err = s.disk.sync(f)
	}
	return errors.Join(err, closeFile(f))
}

// Abandon removes the files under temporary names: the Store of Begin removes all of them, that of
// Join only the data files that it created. After Commit has committed the checkpoint it does
// nothing. It must not be called while another process commits.
func (s *Store) Abandon() error {
	if s.committed {
		return nil
	}
	if s.began {
		return s.removeTemporary()
	}
	return s.disk.removeAll(s.created...)
}

// Save stores a checkpoint from one process: partition i in data file file[i]. It packs, without
// compression, the parts that are not packed.
func Save(name string, info *Info, parts []*Part, file []int, o Options) error {
	s, err := Begin(name, o)
	if err != nil {
		return err
	}
	if err := s.save(info, parts, file); err != nil {
		if s.disk.dead != nil {
			return err
		}
		return errors.Join(err, s.Abandon())
	}
	return nil
}

func (s *Store) save(info *Info, parts []*Part, file []int) error {
	entries := make([]Entry, len(parts))
	var index []IndexEntry
	for i, p := range parts {
		if !p.packed {
			if err := p.Pack(false); err != nil {
				return err
			}
		}
		entries[i] = p.Entry()
		index = append(index, p.Index...)
	}
	if err := s.Place(entries, file); err != nil {
		return err
	}
	for i := range s.o.Files {
		if err := s.Create(i); err != nil {
			return err
		}
	}
	if err := s.Write(parts, entries); err != nil {
		return err
	}
	return s.Commit(info, entries, index)
}
