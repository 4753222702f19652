// This file is the package documentation: what a checkpoint is, its files and their bytes, and how
// they get their names.

// Package rio stores checkpoints of simulations in files, and reads them: the LPs with their states
// and random streams, and the pending events (ROSS's RIO). It also reads the files that ROSS itself
// wrote. The package knows records and files, not engines: the engine decides what is in the
// records.
//
// # Storing and loading
//
// A partition consists of the LPs of one KP and the events for them. Append its records to one
// slice of bytes, with [AppendLP] for each LP, then [AppendEvent] for each event. Together with
// counts and an index this is a [Part], which [Part.Pack] may compress. [Save] stores parts from
// one process. If several processes store one checkpoint, one of them calls [Begin], sends
// [Store.Ticket] to the others, which call [Join], and all of them call the methods of [Store] in
// order.
//
// [Open] finds a checkpoint, [Checkpoint.Read] reads a partition of it, and [Contents] decodes the
// records. [Checkpoint.Verify] checks a whole checkpoint. For a series of checkpoints [Numbered]
// makes names, and [Latest] finds the last whole one.
//
// # Files
//
// A checkpoint has a name, which is a path. Its files are
//
//	name.rio-md       manifest: data about the run, and where partitions are
//	name.rio-lp       index: gid and size of the state of each LP, in the order of partitions
//	name.rio-data-0   data: partitions back to back; and -1, -2, ... if more were requested
//	name.rio-labels   what the model calls its LPs, if it has names for them (Options.Label)
//	name.txt          description for people, which is never read back
//
// The labels are a text too: CSV with the header id,label and a line for each LP that has one. No
// simulation reads them, so a checkpoint without its labels is whole ([Checkpoint.Labels]).
//
// In the other files all numbers are little-endian on every machine, and nothing is padded. Every
// byte is covered by a checksum, the CRC-32C (polynomial of Castagnoli) of the bytes before it, and
// every file begins with 16 bytes:
//
//	offset  type      field
//	     0  8 bytes   ROSSckpt (manifest), ROSSlpix (index), ROSSdata (data)
//	     8  uint32    0x01020304
//	    12  uint32    version of the format, 1
//
// A reader compares every count and size with the size of the file before it allocates memory for
// it. Errors name the file and the offset, and wrap [ErrNone], [ErrForeign], [ErrVersion] or
// [ErrDamaged].
//
// # Manifest
//
// A text is its length as uint32, then its bytes. An id is 16 random bytes, the same in all files
// of a checkpoint.
//
//	offset  type      field
//	    16  id        of the checkpoint
//	    32  uint64    bytes of the manifest
//	    40  int64     time of creation, in seconds since 1970
//	    48  uint32    nanoseconds of it
//	    52  uint32    streams of each LP
//	    56  text      options of the run
//
// Four tables follow. The number of rows precedes each: uint32, but uint64 for the partitions. The
// checksum (uint32) comes last.
//
//	types of LPs   texts: name, state, message; uint64: size of state, of message; uint32: 1 if serialized
//	jobs           uint64: LPs, partitions; float64: clock, end; uint32: 1 with digests; texts: engine, model
//	data files     id in its header; uint64: size
//	partitions     uint32: data file; uint32: 1 if compressed;
//	               uint64: offset, size, size when decompressed, LPs, events; uint32: checksum
//
// An LP type with several messages has a row for each message after its first. Its text about the
// state is empty.
//
// Partitions are those of job 0, then those of job 1, and so on. In a data file they lie in this
// order, without gaps, from the header to the end.
//
// # Index
//
//	offset  type      field
//	    16  id        of the checkpoint
//	    32  uint64    number of LPs
//	    40  uint64    gid of the first LP
//	    48  uint64    bytes of its state
//	        ...       the same of the others; at the end the checksum (uint32)
//
// # Data
//
// A data file has a header of 40 bytes, and then partitions.
//
//	offset  type      field
//	    16  id        of the checkpoint that it was first part of
//	    32  uint32    number of the file
//	    36  uint32    checksum of the header
//
// A partition is its LPs, then its events. It may be compressed, as one block of LZ4; the
// checksum in the manifest is that of the bytes in the file. An LP:
//
//	offset  type       field
//	     0  uint64     gid
//	     8  uint64     bytes of its state
//	    16  uint32     type
//	    20  uint32     1 if suspended, plus 2 if there are timers, plus 4 if it ends the run
//	    24  int64      why
//	    32  float64    virtual time of its last event
//	    40  uint64     digest of its committed events
//	    48  uint32     critical path
//	    52  uint32     number of streams
//	    56  4 uint32   the engine's stream: components
//	    72  uint64     its count of draws
//	    80  44 each    the streams, as below
//	        ...        the state
//	        ...        with timers: uint64: their bytes; these
//	        ...        if it ends the run: float64: the virtual time at which it does
//
// A state without Go pointers is stored as in memory, in the byte order of the machine, with zeros
// for padding. If it has Blocks, their contents follow, one block after the other, likewise as in
// memory and without gaps. Each Block in the state or in another block is 16 bytes:
//
//	offset  type       field
//	     0  uint64     number of the block, 0 if it has no memory, 2^64 - 1 if it has been freed
//	     8  uint64     number of values
//
// Blocks are numbered from 1 in the order in which they follow, which is that of the first Block
// that refers to each: those of the state first, then those in block 1, and so on. So a block that
// is referred to twice is stored once. Whether the types agree is decided by the text about the
// state in the manifest, a digest of its layout and of those of the values in its Blocks. A state
// that the model serializes is what the model wrote.
//
//	offset  type       field of a stream
//	     0  4 uint32   components
//	    16  uint64     count of draws
//	    24  float64    the second normal value of a pair
//	    32  uint64     count of draws after that pair
//	    40  uint32     1 if that value is still to come
//
// An event:
//
//	offset  type       field
//	     0  uint64     gid of the sender
//	     8  uint64     gid of the destination
//	    16  float64    virtual time of receipt
//	    24  float64    virtual time of sending
//	    32  float64    priority
//	    40  uint64     bytes of its message
//	    48  uint32     bit field: 1 if a timer sent it
//	    52  uint32     critical path
//	    56  uint32     type of the destination, or the row of its message if that is a further one
//	    60  uint32     tie-breakers that it shares with the event before it
//	    64  uint32     number of its own tie-breakers
//	    68  float64s   these
//	        ...        the message
//
// In a zero-delay chain each event has the tie-breakers of its cause and one more, so without
// sharing a deep chain would take the square of its depth.
//
// # Several jobs
//
// With Options.Append a checkpoint is added to the one of the same name, so that a model can be
// assembled from several runs. Existing data files stay as they are; new ones are numbered after
// them. In the files the gids of each job begin with 0; the reader adds the LPs of the jobs before
// it. Types and number of streams must be the same in all jobs.
//
// # Commit
//
// A checkpoint has several files, and there is no renaming them together. So the id in their headers
// distinguishes old and new files, and renaming one file is the commit; everything after it
// can be completed by any later run. At any moment, whatever crashes, either the old checkpoint of
// the name or the new one can be opened whole, and a test crashes at every step. Files are forced
// to the disk before they are renamed.
//
//  1. Data files, index and labels are written with ".new" after their names. The labels of the old
//     checkpoint are removed, because those of another model would mislead.
//  2. The manifest is written as name.rio-md.tmp and renamed to name.rio-md.new: from now on the
//     new checkpoint is the one of this name. [Open] takes each of its files under its final name
//     if the id there is right, else with ".new".
//  3. The other files get their final names, the .txt is written, and at last the
//     manifest gets its own.
//  4. Data files with higher numbers, of an older checkpoint, are removed.
//
// [Begin] completes steps 3 and 4 if it finds name.rio-md.new, and removes other files with
// temporary names. So only one run at a time may store under a name.
//
// [Remove] first renames the manifest to name.rio-md.tmp, and removes that last. So files with
// final names but no manifest are a checkpoint that has lost it, not the remains of an interrupted
// removal.
//
// # ROSS's own files
//
// ROSS's files have no mark, no version and no checksum. Open takes a manifest for one of ROSS if
// all its records make sense. The sizes of LPs (which depend on a build setting, RAND_NORMAL) and
// of messages follow from the sizes of partitions. What such a checkpoint lacks is zero: clock and
// end, types, the engine's streams (LP.Core), counts of draws. It has one stream for each LP. Its
// events have times relative to the end of the run, a send time of 0, priority 1 and no
// tie-breakers, and may be for LPs of any partition; when ROSS loads a partition it sends its
// events in reverse order.
package rio
