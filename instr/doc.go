// This file teaches the package: what an event trace is, its bytes, its files,
// and where it differs from the original.

// Package instr writes and reads the event trace of a simulation: one small
// binary record for each event, so that a run can be looked at afterwards. It
// knows records and files, not engines: whoever runs the events decides which
// of them to record (--event-trace in ROSS: 1 every execution, 2 stragglers that
// caused a rollback, 3 committed events) and calls [TraceWriter.Add].
//
// # Life of a trace
//
// [MakeDir] makes a folder for the output of one run, [FileName] names a file in
// it, [CreateTrace] opens the file, Add appends records, and Close completes it.
// Only process 0 of a distributed run makes the folder; the others are told its
// name.
//
//	dir, err := instr.MakeDir("")                        // stats-output
//	path := instr.FileName(dir, "", instr.TraceSuffix)   // stats-output/ross-stats-evtrace.bin
//	w, err := instr.CreateTrace(path, 0)
//	defer w.Abort()                                      // does nothing after a good Close
//	w.Add(src, dest, send, recv, elapsed, payload)       // once an event
//	err = w.Close()
//
// Add returns nothing and allocates nothing, because it stands in the event loop.
// A failure (a full disk, say) is kept: the records after it are not counted, Err
// tells of it at any time and Close returns it. Nothing but such a failure loses a
// record.
//
// # Bytes of a record
//
// A trace has no header and no footer, and nothing lies between its records. A
// record is 24 bytes, little endian, and the payload:
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
// 32 bits. A float32 has 24 significant bits: near virtual time 100,000 two times
// closer than 0.008 may look the same, near 2,000 seconds of real time the step is
// 0.12 ms. So rely on the order of the records, not on sorting by their times. Virtual
// times beyond the range of float32 are stored as infinities.
//
// # Reading
//
// [ReadTrace] reads a whole file, [TraceReader] one record after the other from any
// [io.Reader]. As nothing in a trace says that it is one, the reader can notice only
// a record that is cut short and a payload size above [MaxPayload]; either error
// names the file and the offset of the record. The records before it are good.
//
// # Complete or not there
//
// Until Close the records go to a file with [PartSuffix] after its name. Close
// writes the rest, forces everything to the disk and renames the file. So a file
// under its final name is complete. What an interrupted run leaves behind ends
// in PartSuffix and can be read as well: records are written in whole numbers, only
// a crash of the machine or a full disk cuts one in two.
//
// # Differences from the original
//
// Names, folder and record are those of ROSS 8.1.1, so that its readers read what
// is written here. These things differ:
//
//   - Real time is meant to be seconds since the start of the run. The original
//     writes cycles of the processor's counter divided by --clock-rate.
//   - A full buffer is written out. The original drops the record that does not fit
//     and prints a warning.
//   - A folder that cannot be made is an error that names it. The original
//     goes on without output, or crashes. Missing parents are made.
//   - Two runs of one process in the same second get two folders.
//   - The original truncates an existing file when it runs sequentially and opens
//     nothing when it runs in parallel. Here it is an error.
package instr
