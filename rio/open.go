// This file owns Checkpoint: one that can be read.

package rio

// Checkpoint is one that can be read.
type Checkpoint struct{}

// Open reads and checks the manifest, and that the data files are there, with the right id and
// size.
func Open(name string) (*Checkpoint, error) { return nil, errNotYet }

// Info returns what the checkpoint says of the run.
func (c *Checkpoint) Info() *Info { return nil }

// Original reports whether ROSS itself has written it.
func (c *Checkpoint) Original() bool { return false }

// Jobs returns the runs that it comes from.
func (c *Checkpoint) Jobs() []Job { return nil }

// Entries returns the partitions, in their order.
func (c *Checkpoint) Entries() []Entry { return nil }

// Index reads and checks the index: all LPs in the order of partitions.
func (c *Checkpoint) Index() ([]IndexEntry, error) { return nil, errNotYet }

// Read reads partition i, checks its CRC and decompresses it. Several goroutines may call it at
// once.
func (c *Checkpoint) Read(i int) (*Contents, error) { return nil, errNotYet }

// Verify reads and checks everything.
func (c *Checkpoint) Verify() error { return errNotYet }

// Close closes the files.
func (c *Checkpoint) Close() error { return errNotYet }
