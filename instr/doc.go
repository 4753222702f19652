// This file teaches the package: the instrumentation files, their bytes, how to read and
// write them, and where they differ from the original's.

// Package instr writes and reads the instrumentation files of a simulation: what the
// engine counted, what models told about themselves, and which events ran. They are
// ROSS's, by name and byte. The package knows records and files, not engines: whoever
// runs the events decides what to record and when.
//
// # Files
//
// A run puts its files into one folder ([MakeDir]), each under `<prefix>-<suffix>.bin`
// ([FileName]). The suffix tells what is in it ([Content]):
//
//	suffix        content  records                  asked for with
//	gvt           GVTFile  PE, KP, LP               --engine-stats=1 or 4
//	rt            RTFile   PE, KP, LP               --engine-stats=2 or 4
//	analysis-lps  VTFile   PE, KP, LP and VTModel   --engine-stats, --model-stats=3 or 4
//	model         Models   Model                    --model-stats=1, 2 or 4
//	evtrace       Trace    Event                    --event-trace=1, 2 or 3
//
// Samples by GVT are taken at every --num-gvt-th computation of GVT, those by real time
// about every --rt-interval milliseconds, those at virtual times every --vt-interval.
// An event trace records each execution (1), the events that caused a primary rollback (2),
// or the committed events (3).
//
// A file has no header and no footer, and nothing lies between its records. The ranks of a
// distributed run follow each other in blocks, and so do its PEs: a file is in order for each PE only:
// sort by the time in the metadata, stably, or by PE.
//
// # One sample of the engine
//
// At each sampling a PE writes its own record, then one for each of its KPs, by number,
// then one for each of its LPs; options leave out each of the three. All have the same
// metadata but for flag and size. The counters are those since the sample before it of the
// same mode, so they may be added up; what is no difference is named at its field. The last
// sample of a run covers the rest of it, so the sums are those of the run.
// The counters of the LPs add up to those of their PE.
//
// # Bytes
//
// All numbers are little endian, with no padding. The metadata ([Meta]) precedes
// each sample of a PE, a KP, an LP, or a model by GVT or real time:
//
//	offset  type     field
//	     0  int32    flag: 0 PE, 1 KP, 2 LP, 3 model
//	     4  int32    size of the record that follows: 104, 44, 36 or 48, 24
//	     8  float64  virtual time
//	    16  float64  real time, in seconds
//
// The records of a PE ([PEStats]: 13 uint32, 13 float32), a KP ([KPStats]: 9 uint32, 2
// float32) and an LP ([LPStats]: 8 uint32, float32) are their fields in order. An LP's of 48
// bytes, as ROSS has them since 8.1.0, has eight more before the efficiency, which ROSS
// does not set, and four of padding at its end: the reader takes both and skips these,
// the package writes 36, as every other reader expects.
//
// A model's sample ([ModelStats]) is 24 bytes, which its metadata counts, and the payload,
// which it does not:
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
// The types are narrow and this has consequences. Ids of LPs lose all but their low
// 32 bits, except in VTModel. A float32 has 24 significant bits: near virtual time 100,000
// two times closer than 0.008 may look the same, near 2,000 seconds of real time the step
// is 0.12 ms. So rely on the order of the records, not on sorting by their times. Virtual
// times beyond the range of float32 are stored as infinities.
//
// # Files that mix
//
// An analysis-lps file may hold samples of the engine, with metadata, and of models,
// without. A record is the engine's if its first eight bytes are one of the four pairs of
// flag and size, and a model's if its flag, 44 bytes on, is 3. An LP with an id
// like 1 + 44<<32 has both. Then its KP and PE decide: they lie where the engine's
// record has two times, of which integers make values smaller than 1e-313, except
// that both may be 0. Then what follows decides: of the two ends that the record would have,
// one is followed by a record. If both are, a model's time, if it is no such small value
// itself, makes it a model's.
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
// A name that says nothing is no obstacle: the bytes tell samples from each other well, and
// from events. That something is an event trace no byte says; whatever can be
// events and nothing else is taken for one. And nothing tells a gvt from an rt file.
//
// The reader is strict. A flag and a size that do not belong together, a payload above
// [MaxPayload], a virtual time that is not a number, a PE or KP above 32 bits, a record
// that is cut short, and a file that holds something else than its name says are errors.
// They name the file, the offset of the record, what was expected and what was
// found. The records before it are good.
//
// [ReadTrace] reads a whole event trace at once, as a list.
//
// # Writing
//
// [Create] starts a [File] that the PEs of a process write together, each through a [Buffer]
// of its own:
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
// [Buffer.Reserve] gives the room for a record, which is to be filled at once: with
// [PutEvent], which is made for the event loop, or by appending to r[:0] with [AppendPE] and
// the other Append functions. A record that does not fit before the next hand-over is missed
// whole and counted ([Buffer.Missed]), as in the original. So a buffer is handed over long
// before it is full: in the engine all PEs do so at the GVT after one of them has used
// --buffer-free percent of it.
//
// What the buffers hand over for the k-th time, that of buffer 0 first, is flush k, and a file
// is one flush after the other. A goroutine writes a flush when the last buffer has handed over
// its part; meanwhile the PEs fill other memory. [Buffer.HandOver] never waits for another PE.
// It waits for a disk that is slower than the simulation: nothing is lost to that.
//
// Ranks share a file: one creates it, the others open it (FileOptions.Join), all
// with FileOptions.Shared. Then a flush is written once [File.Place] has said where. That
// depends on the sizes of the others' parts ([File.FlushSize]), on which the ranks agree. The
// rank that has created the file publishes it.
//
// # Files that are not complete
//
// Until Publish the file has [PartSuffix] after its name. Publish writes the rest,
// forces everything to the disk and renames the file. So a file under its final name is
// complete, but for the records that were missed.
//
// A failure (a full disk, say) ends the collection and not the simulation: FileOptions.Failed
// is told of it once, [File.Err] and Close return it, and what comes later is thrown away.
// The file keeps its temporary name and is cut back to whole flushes; if ranks share it,
// [File.Cut] does this, once they know what all of them have written.
//
// A run that is killed leaves its files under their temporary names with all flushes that
// were written, in order. A kill -9 in the middle of the kernel's write can cut the last
// record; readers say where, and everything before it is right. If ranks share the file,
// there may be a hole of zeros where one of them had not written yet, which the reader does
// not take for events. And
// if the machine crashes, anything that Publish has not forced to the disk may be lost.
//
// # Differences from the original
//
// Names, folder, records and the order of records inside a sample are those of ROSS 8.1.1,
// so that its readers read what is written here. These things differ:
//
//   - Real times are seconds since the first event of the run. The original writes cycles of
//     the processor's counter divided by --clock-rate, and in VTModel whatever was in memory.
//     So is --rt-interval in milliseconds here, and there only with the right --clock-rate.
//   - LPs have 36 bytes; see above. What is padding is zero.
//   - The number of GVT computations is one since the sample before, like its neighbours;
//     the original counts it from the start of the run. That of all-reduces is kept for each
//     mode; in the original the modes share one.
//   - Events of analysis LPs, which take the samples at virtual times, are in no counter, but
//     in the queue size and, as in the original, in the event trace. The original counts them
//     for PEs and KPs.
//   - A PE of a process with several counts what it exchanges with the others as network
//     sends and reads. In the original each PE is a process.
//   - Samples of the engine at virtual times are taken once for a PE and sampling point, soon
//     after this point has committed on KP 0, and have it as their time. They count what the PE
//     has done by then, beyond the point too; if several points commit together, the first
//     has all the counts. The original takes a sample of the PE at each execution of a point
//     on each of its KPs, also those it rolls back, with GVT as their time.
//   - The first sample by GVT is that of the --num-gvt-th computation, in the original that
//     of the first.
//   - What came after the last sample of a mode is in one more, when the run is over. Its time
//     is the end of the run, or GVT if the run has not come so far. The original has
//     such a sample by real time only, with 1.797e308 as its time, and KPs that are -Inf
//     ahead of it.
//   - A model's sample by GVT or real time has the time of the LP's last event; in the
//     original that of its KP's.
//   - In a sequential run the original opens neither gvt nor rt files. Here they are written, the
//     gvt file with the one sample of the end. --event-trace=3 records nothing there unless the
//     run is optimistic, here the committed events of any run. Schedulers that check leave all
//     files empty there, here only --synch=4 leaves a trace of committed events so: there are none.
//   - Records that are missed are told of when the run is over, with their number in each file.
//     The original also warns at the time, and does not say what they were.
//   - A file has its name only when it is complete. The original writes under the final name.
//   - A folder that cannot be made is an error that names it. The original
//     goes on without output, or crashes. Missing parents are made.
//   - Two runs of one process in the same second get two folders.
//   - The original truncates an existing file when it runs sequentially and opens
//     nothing when it runs in parallel. Here it is an error.
package instr
