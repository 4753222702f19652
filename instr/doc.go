// This file is the package documentation: the instrumentation files, their bytes, how to read and
// write them, and where they differ from the original's.

// Package instr writes and reads the instrumentation files of a simulation: what the engine
// counted, what models reported about themselves, and which events ran. They have the names and the
// format of ROSS's files, except for one that ROSS does not have: memory. The package knows records
// and files, not engines: the engine decides what to record and when.
//
// # Files
//
// A run puts its files into one folder ([MakeDir]), each under `<prefix>-<suffix>.bin`
// ([FileName]). The suffix names the content ([Content]):
//
//	suffix        content  records                  requested by
//	gvt           GVTFile  PE, KP, LP               --engine-stats=1 or 4
//	rt            RTFile   PE, KP, LP               --engine-stats=2 or 4
//	analysis-lps  VTFile   VTModel or PE, KP, LP    --model-stats or --engine-stats=3 or 4
//	vt            VTEngine PE, KP, LP               both of these options
//	model         Models   Model                    --model-stats=1, 2 or 4
//	evtrace       Trace    Event                    --event-trace=1, 2 or 3
//	memory        Memory   Memory                   rt, with --pe-data=1; ours: ROSS has no such file
//
// Samples at virtual times are in analysis-lps, as in ROSS. If both the engine and models are
// sampled, those of the engine are in vt instead, because no public reader reads a file with both.
//
// For each record of a PE in rt, memory has one with the same PE and times: what the PE and its process have
// in memory at that moment. ROSS's record of a PE has no room for it, and its readers stop at records that
// they do not know.
//
// If a type of LP has labels (ross.Type.Label), `<prefix>-labels.csv` ([LabelsSuffix]) has a line for
// each LP with one, after the header id,label. It is a text for people, written when the run begins.
//
// A run with --record=lps has `<prefix>-lps.digests` ([DigestsSuffix]), with the digests of each LP: of its committed
// events, and of its state at the end. Equal digests mean equal events in the same order and an equal state,
// whatever the scheduler, so two such files say which LPs two runs differ in. The file is written when the run is
// over:
//
//	offset  type     field
//	     0  bytes    ROSSLPD1
//	     8  uint64   number of LPs, n
//	    16  uint64   digest of the events of LP 0, 0 if there were none
//	    24  uint64   digest of its state, mixed with its id; 0 if its type has none
//	    32           LP 1, and so on
//	16+16n  uint32   CRC-32C of all bytes before
//
// The digests of the run in run.json follow from them ([SumLPDigests]).
//
// With --record, run.json has a record as well ([RunRecord]): the program by its hash, its build, the environment,
// hashes of the files that the command line names, and of those in the folder; and a seal ([RunSeal]), which names
// the member that is not as it was written ([CheckSealed]). The seal is made when the simulation is closed, and
// says nothing of who made it: another run proves the rest (rossreader verify).
//
// Samples by GVT are taken at every --num-gvt-th computation of GVT, samples by real time about
// every --rt-interval milliseconds, samples at virtual times every --vt-interval. An event trace
// records each execution (1), the events that caused a primary rollback (2), or the committed
// events (3).
//
// A file has no header and no footer, and nothing between its records. The records of the ranks of
// a distributed run follow each other in blocks, and so do those of the PEs of a rank. A file is
// thus in order only for each PE: sort it by the time in the metadata, stably, or by PE.
//
// # One sample of the engine
//
// At each sampling a PE writes its own record, then one for each KP that it handles, by number, then one
// for each of its LPs; options leave out each of the three. All have the same metadata except flag
// and size. The counters start from the previous sample of the same mode, so they can be added up;
// fields that are not such differences say so. The last sample of a run covers the rest of it, so
// the sums are those of the run. The counters of the LPs add up to those of their PE.
//
// If KPs move to other PEs (--balance), records keep the PE and KP that the mapping gives them, and are in the
// samples of the PE that handles them, ordered by PE and KP. The first sample after a move counts what
// the PE before has done, so counters add up over the whole file, but not in each sample.
//
// # Bytes
//
// All numbers are little endian, with no padding. The metadata ([Meta]) precedes
// each sample of a PE, a KP, an LP, or a model by GVT or real time, and of memory:
//
//	offset  type     field
//	     0  int32    flag: 0 PE, 1 KP, 2 LP, 3 model, 4 memory
//	     4  int32    size of the record that follows: 104, 44, 36 or 48, 24, 40
//	     8  float64  virtual time
//	    16  float64  real time, in seconds
//
// The records of a PE ([PEStats]: 13 uint32, 13 float32), a KP ([KPStats]: 9 uint32, 2 float32) and
// an LP ([LPStats]: 8 uint32, float32) are their fields in order. ROSS since 8.1.0 writes 48 bytes
// for an LP: eight more, which it leaves unset, before the efficiency, and four of padding at the
// end. The reader accepts both forms and skips these bytes; the package writes 36 bytes, as every
// other reader expects.
//
// A model's sample ([ModelStats]) has 24 bytes, which its metadata counts, and the payload, which
// its metadata does not count:
//
//	offset  type     field
//	     0  uint32   PE
//	     4  uint32   KP, on its PE
//	     8  uint32   LP
//	    12  float32  GVT
//	    16  int32    mode: 1 GVT, 2 real time
//	    20  uint32   size of the payload in bytes
//	    24  bytes    payload, as the model chose
//
// A sample of memory ([MemoryStats]), 64 bytes with its metadata, is
//
//	offset  type     field
//	     0  uint32   PE
//	     4  uint32   events in memory that the PE gave out
//	     8  uint64   event queue, in bytes
//	    16  uint64   what undoes events, in bytes
//	    24  uint64   in use in the process, in bytes
//	    32  uint64   limit of the process, in bytes
//
// A model's sample at a virtual time ([VTModel]) has no metadata before it:
//
//	offset  type     field
//	     0  uint64   LP
//	     8  uint64   KP, on its PE
//	    16  uint64   PE
//	    24  float64  virtual time
//	    32  float64  real time, in seconds
//	    40  int32    size of the payload in bytes
//	    44  int32    flag: 3
//	    48  bytes    payload
//
// An event ([Event]) has none either:
//
//	offset  type     field
//	     0  uint32   source LP
//	     4  uint32   destination LP
//	     8  float32  send time, in virtual time
//	    12  float32  receive time, in virtual time
//	    16  float32  real time, in seconds
//	    20  uint32   size of the payload in bytes, may be 0
//	    24  bytes    payload, whatever the model of the destination LP chose to add
//
// With --trace-exact the payload of each event ends with 48 bytes more ([Exact], [ExactLayout]): its exact times, the
// type of its message, and what tells its cause from all other events; and a trace of all executions (1) has a
// record for each that is undone as well.
//
// The types are narrow, with consequences. Ids of LPs are reduced to their low 32 bits, except in
// VTModel. A float32 has 24 significant bits: near virtual time 100,000, two times closer than
// 0.008 may look equal; near 2,000 seconds of real time the step is 0.12 ms. So rely on the order
// of the records instead of sorting by their times. Virtual times beyond the range of float32 are
// stored as infinities.
//
// # Files that mix
//
// An analysis-lps file of ROSS, or of this module before it had vt files, may hold samples of the
// engine, with metadata, and of models, without; rossreader split divides it. A
// record is the engine's if its first eight bytes are one of the four pairs of flag and size, and a
// model's if its flag, 44 bytes on, is 3. A model's record for an LP with an id like 1 + 44<<32
// satisfies both. Then its KP and PE decide: at their place the engine's record has two times.
// Integers read as such times are smaller than 1e-313, except that both may be 0. If they are, what
// follows decides: of the two possible ends of the record, one is followed by a record. If both
// are, the record is a model's if its time is not such a small value.
//
// # Reading
//
// [Open] opens a file by name, [NewReader] reads from any [io.Reader], and [Reader.Next]
// or [Reader.All] give the records, each in the same memory:
//
//	r, err := instr.Open("stats-output/ross-stats-gvt.bin")
//	defer r.Close()
//	for rec, err := range r.All() {
//		if err != nil { ... }
//		switch rec.Kind {
//		case instr.KindPE: // rec.Meta.TS, rec.PE.Processed, ...
//		case instr.KindKP: // rec.KP
//		case instr.KindLP: // rec.LP
//		}
//	}
//
// If the name does not show the content, the bytes do: they distinguish samples from each other and from
// events. No byte marks an event trace; whatever can be events and nothing else is taken for one.
// Gvt and rt files cannot be distinguished.
//
// The reader is strict. These are errors: a flag and a size that do not belong together, a payload
// above [MaxPayload], a virtual time that is not a number, a PE or KP above 32 bits, a truncated
// record, and a file whose content differs from its name. They name the file, the offset of the
// record, what was expected and what was found. The records before it are valid.
//
// [ReadTrace] reads a whole event trace at once, as a list.
//
// # Writing
//
// [Create] starts a [File] that the PEs of a process write together, each through its own [Buffer]:
//
//	f, err := instr.Create(path, instr.FileOptions{Buffers: pes})
//	defer f.Abort() // does nothing after a good Publish
//
//	b := f.Buffer(pe) // on each PE
//	if r := b.Reserve(instr.EventSize); r != nil {
//		instr.PutEvent(r, src, dest, send, recv, real, nil)
//	}
//	b.HandOver() // now and then, each PE as often as the others
//
//	err = f.Publish() // when all PEs are done
//
// [Buffer.Reserve] returns the room for a record, which must be filled at once: with [PutEvent],
// which is made for the event loop, or by appending to r[:0] with [AppendPE] and the other Append
// functions. If a record does not fit before the next hand-over, it is dropped as a whole and
// counted ([Buffer.Missed]), as in the original. So hand a buffer over long before it is full: in
// the engine all PEs do so at the GVT after one of them has used --buffer-free percent of its
// buffer.
//
// Flush k is what the buffers hand over for the k-th time, that of buffer 0 first, and a file is a
// sequence of flushes. A goroutine writes a flush when the last buffer has handed over its part;
// meanwhile the PEs fill other memory. [Buffer.HandOver] never waits for another PE. It waits for a
// disk that is slower than the simulation, so nothing is lost because of that.
//
// # What is written fast goes past the page cache
//
// An event trace of PHOLD on two PEs is several hundred MB a second. Through the page cache, the
// goroutine that writes it took half the rate of the simulation: it touches new pages, and replaces
// what the processors have in their caches. So parts of a file whose records have one size are
// handed over in whole blocks of 4096 bytes, while the few records beyond wait for the next flush,
// and are written with O_DIRECT from where they are. Disk space is reserved ahead, because a file
// that grows write by write costs four times as much. Files of other records, other systems and
// other file systems go the usual way.
//
// The other half of the cost was Go's scheduler: PEs hold all the processors it has. So the package
// gives it one more while files are written, and takes it back. bench/README.md,
// "Instrumentation", has what tracing then costs.
//
// # Several ranks
//
// Ranks share a file: one creates it, the others open it (FileOptions.Join), all with
// FileOptions.Shared. A flush is then written once [File.Place] has set its offset. The offset
// depends on the sizes of the other ranks' parts ([File.FlushSize]), which the ranks exchange. The
// rank that created the file publishes it.
//
// # Files that are not complete
//
// Until Publish the file has [PartSuffix] after its name. Publish writes the rest, forces
// everything to the disk and renames the file. So a file under its final name is complete, except
// for missed records.
//
// A failure (a full disk, for example) ends the collection but not the simulation:
// FileOptions.Failed is called once with the error, [File.Err] and Close return it, and later
// records are discarded. The file keeps its temporary name and is truncated to whole flushes; if
// ranks share it, [File.Cut] does this, once they know what all of them have written.
//
// If a run is killed, its files keep their temporary names and hold all flushes that were written,
// in order. A kill -9 in the middle of the kernel's write can truncate the last record; readers
// report where, and everything before it is valid. If ranks share the file, it may have a hole of
// zeros where one of them had not written yet; the reader does not take the hole for events. If the
// machine crashes, anything that Publish has not forced to the disk may be lost.
//
// # Differences from the original
//
// Names, folder, records and the order of records inside a sample are those of ROSS 8.1.1,
// so that its readers read what is written here. These things differ:
//
//   - Real times are seconds since the first event of the run. The original writes cycles of the
//     processor's counter divided by --clock-rate, and in VTModel whatever was in memory. Likewise
//     --rt-interval is in milliseconds here, there only with the right --clock-rate.
//   - LPs have 36 bytes; see above. Padding is zero.
//   - The number of GVT computations counts from the previous sample, like the other counters; the
//     original counts it from the start of the run. The number of all-reduces is kept for each
//     mode; in the original the modes share one.
//   - priority_queue_time is the time in which the queue's window is refilled. A push or a pop takes some
//     nanoseconds, less than to read the clock, and is in events_processed_time.
//   - lz4_time is the time of LZ4 alone, through which deltas of states go from 4 KiB on. The rest of
//     packing is in events_processed_time, of unpacking in rollback_time. The original has all of both in
//     lz4_time, since all its deltas go through LZ4. run.json has state_saving_seconds.
//   - avl_tree_time is the time of the index of events from other ranks, which is a log, and makes trees
//     of a part of it if searches need them (package avl). Entries are estimated from one in some 512,
//     which is too much by some nanoseconds each: 9 where 5 were measured, without a clock in between.
//   - all_reduce_count includes all-reduces in memory that the ranks of a machine share, which call no
//     function of MPI. The report and run.json have both apart.
//   - Event ties are events of equal signature, which random tie-breakers make improbable. The original
//     leaves them at 0 with its random tie-breaker (USE_RAND_TIEBREAKER).
//   - Events of analysis LPs, which take the samples at virtual times, are in no counter except the
//     queue size, but, as in the original, they are in the event trace. The original counts them
//     for PEs and KPs.
//   - If a process has several PEs, a PE counts what it exchanges with the others as network sends
//     and reads. In the original each PE is a process.
//   - Samples of the engine at virtual times are taken once for each PE and sampling point, soon
//     after this point has committed on KP 0, and have the time of the point. They count what the
//     PE has done by then, including work beyond the point; if several points commit together, the
//     first has all the counts. The original takes a sample of the PE at each execution of a point
//     on each of its KPs, including those it rolls back, with GVT as their time.
//   - The first sample by GVT is taken at the --num-gvt-th computation; in the original at the
//     first.
//   - One more sample of each mode, when the run is over, covers what came after the last one. Its
//     time is the end of the run, or GVT if the run did not get so far. The original has such a
//     sample only by real time, with 1.797e308 as its time, and KPs that are -Inf ahead of it.
//   - A model's sample by GVT or real time has the time of the LP's last event; in the original it
//     has that of the KP's last event.
//   - In a sequential run the original opens neither gvt nor rt files; here they are written, the
//     gvt file with the one sample at the end. --event-trace=3 records nothing there unless the run
//     is optimistic; here it records the committed events of any run. Schedulers that check leave
//     all files empty there; here only --synch=4 leaves its trace of committed events empty,
//     because it commits none.
//   - Samples of the engine at virtual times have a file of their own, vt, if models are sampled at
//     virtual times in the same run. The original mixes both in analysis-lps.
//   - Samples of memory, in a file of their own, are not in the original.
//   - KPs may move to other PEs; see above.
//   - Missed records are reported when the run is over, with their number in each file. The
//     original also warns when it happens, but does not report which records.
//   - A file has its name only when it is complete. The original writes under the final name.
//   - If a folder cannot be made, an error names it. The original continues without output, or
//     crashes. Missing parents are made.
//   - Two runs of one process in the same second get two folders.
//   - The original truncates an existing file when it runs sequentially and opens nothing when it
//     runs in parallel. Here an existing file is an error.
package instr
