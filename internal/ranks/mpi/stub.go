// The replacement for MPI in a build without it, with the same names. Start
// fails, so none of the methods is ever called.

//go:build !mpi || !cgo || purego

package mpi

// Enabled reports whether this build contains MPI.
const Enabled = false

// Started reports whether MPI has been initialized.
func Started() bool { return false }

// Start returns ErrNotBuilt.
func Start(Options) (*World, error) { return nil, ErrNotBuilt }

// World, Mailbox, Reduction, Broadcast and Shared are never made.
type (
	World     struct{}
	Mailbox   struct{}
	Reduction struct{}
	Broadcast struct{}
	Shared    struct{}
)

func (*World) Close() error                             { return ErrNotBuilt }
func (*World) Abort(int) error                          { return ErrNotBuilt }
func (*World) Rank() int                                { return 0 }
func (*World) Size() int                                { return 1 }
func (*World) ThreadLevel() ThreadLevel                 { return Single }
func (*World) Split(int, int) (int32, error)            { return 0, ErrNotBuilt }
func (*World) Barrier() error                           { return ErrNotBuilt }
func (*World) Bcast([]byte, int) ([]byte, error)        { return nil, ErrNotBuilt }
func (*World) Gather([]byte) ([][]byte, error)          { return nil, ErrNotBuilt }
func (*World) AllGather([]byte) ([][]byte, error)       { return nil, ErrNotBuilt }
func (*World) Send([]byte, int) error                   { return ErrNotBuilt }
func (*World) Receive(int) ([]byte, error)              { return nil, ErrNotBuilt }
func (*World) AllGatherBytes([]byte) ([][]byte, error)  { return nil, ErrNotBuilt }
func (*World) NodeRanks() (rank, size int, err error)   { return 0, 1, ErrNotBuilt }
func (*World) AllReduceInt64(Op, []int64) error         { return ErrNotBuilt }
func (*World) AllReduceFloat64(Op, []float64) error     { return ErrNotBuilt }
func (*World) Mailbox(int) (*Mailbox, error)            { return nil, ErrNotBuilt }
func (*World) Reduction() (*Reduction, error)           { return nil, ErrNotBuilt }
func (*World) Broadcast() (*Broadcast, error)           { return nil, ErrNotBuilt }
func (*World) Share() (*Shared, error)                  { return nil, ErrNotBuilt }
func (*Mailbox) Room(int, int) bool                     { return false }
func (*Mailbox) Post(int, int, []uint64) bool           { return false }
func (*Mailbox) Buffer() []uint64                       { return nil }
func (*Mailbox) PostBuffer(int, int, int) bool          { return false }
func (*Mailbox) Poll(func(int, []uint64)) (bool, error) { return false, ErrNotBuilt }
func (*Mailbox) Sender() int                            { return 0 }
func (*Mailbox) Sent() uint64                           { return 0 }
func (*Mailbox) Received() uint64                       { return 0 }
func (*Mailbox) Idle() bool                             { return true }
func (*Mailbox) Counts() Counts                         { return Counts{} }
func (*Reduction) Start(*Record) error                  { return ErrNotBuilt }
func (*Reduction) Test() (*Record, bool, error)         { return nil, false, ErrNotBuilt }
func (*Reduction) StartWords([]uint64) error            { return ErrNotBuilt }
func (*Reduction) TestWords() ([]uint64, bool, error)   { return nil, false, ErrNotBuilt }
func (*Reduction) Wait() (*Record, error)               { return nil, ErrNotBuilt }
func (*Reduction) Calls() uint64                        { return 0 }
func (*Reduction) Shared() uint64                       { return 0 }
func (*Broadcast) Start(int, []byte) error              { return ErrNotBuilt }
func (*Broadcast) Test() ([]byte, bool, error)          { return nil, false, ErrNotBuilt }
func (*Broadcast) Calls() uint64                        { return 0 }
func (*Shared) Ranks() (ranks []int, own int)           { return nil, 0 }
func (*Shared) Allocate(int) bool                       { return false }
func (*Shared) Segment(int) []uint64                    { return nil }
func (*Shared) Free(bool)                               {}

// SharedRoom returns 0.
func SharedRoom() int64 { return 0 }
