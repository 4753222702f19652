// Package tracetest compares event traces with reference traces, record for
// record. Tests of models use it to show that a run handled the events that
// ROSS handled, in its order.
//
// # References
//
// A reference is a csv file in one of two forms, told apart by the first line:
//
//	src_lp,dest_lp,send_ts,recv_ts          events of all LPs, in the order of the run
//	dest_lp,seq,src_lp,send_ts,recv_ts      per receiving LP, numbered from 0 in its order
//
// The first is what a sequential run must give from beginning to end. The second is what
// every run of the model must give, on any number of PEs: between LPs the order has no
// meaning. Further columns hold the model's own payload. Times are printed with nine
// digits, which identify the float32 of a binary trace: comparing the texts is the same
// as comparing the float32s.
//
// # Use
//
// Read the reference with [ReadCSV] and the trace of the run, the file ending in
// evtrace.bin, with [ReadBinary]; then [Compare] them as they are, or both
// through [ByDest] when only the order per LP counts:
//
//	want, err := tracetest.ReadCSV("testdata/ties/trace.csv")
//	got, err := tracetest.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
//	err = tracetest.Compare(got, want)
//
// The error of Compare shows the first record that differs and those around it
// on both sides: where a run left the reference usually says why.
package tracetest
