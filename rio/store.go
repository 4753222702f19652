// This file owns Store: a checkpoint that is being written.

package rio

// Options say how a checkpoint is written.
type Options struct {
	Files  int  // number of data files
	Append bool // add to the checkpoint of this name, if there is one
	// Fault is for tests: called before each step that changes a file (create, write,
	// sync, rename, remove, ...). An error stops it there as a crash would.
	Fault func(step string) error
}

// Store is a checkpoint that is being written. Several processes may write one, each with its
// own Store, one of them made by Begin, the others by Join.
type Store struct{}

// Begin starts a checkpoint. It completes or removes what a crash has left; for
// Options.Append it reads what is there.
func Begin(name string, o Options) (*Store, error) { return nil, errNotYet }

// Join is Begin in the other processes. The ticket is that of the Store of the first.
func Join(name string, ticket []byte, o Options) (*Store, error) { return nil, errNotYet }

// Ticket returns what Join needs, to be sent to the other processes.
func (s *Store) Ticket() []byte { return nil }

// Place sets File, Offset, Part and Job of the entries of all processes: entries in the order of
// partitions, file[i] is the data file (0 to Options.Files-1) of entry i. It only computes; all
// processes call it with the same and get the same.
func (s *Store) Place(entries []Entry, file []int) error { return errNotYet }

// Create makes data file (0 to Options.Files-1), under its temporary name, with its header. One
// process does it for each file, before anybody writes to it.
func (s *Store) Create(file int) error { return errNotYet }

// Write writes these parts at their places, and syncs the files; entries[i] belongs to parts[i].
func (s *Store) Write(parts []*Part, entries []Entry) error { return errNotYet }

// Commit makes the checkpoint the one of its name. One process calls it, when all have written,
// with the entries and the index of all.
func (s *Store) Commit(info *Info, entries []Entry, index []IndexEntry) error { return errNotYet }

// Abandon removes what was written under temporary names.
func (s *Store) Abandon() error { return errNotYet }

// Save stores a checkpoint from one process. It packs no part: see Part.Pack.
func Save(name string, info *Info, parts []*Part, file []int, o Options) error { return errNotYet }
