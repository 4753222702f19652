// Package testkit is what tests of many packages share, below package ross: they read files and figures of a run, run a
// program of models as ROSS ran it, read what ROSS printed, and check what the program refuses; they compare runs,
// pages with programs, and models with versions by hand; and they end what hangs. Package rosstest has what needs
// package ross.
//
// # References
//
// A set is a folder testdata/<set> of the model with cmd.txt, the command line of ROSS, and the csv files of its event
// trace. ROSS's report of the same run is testdata/<set>/stats.txt of package report.
//
// A csv file has one of two forms, which differ in the first line:
//
//	src_lp,dest_lp,send_ts,recv_ts          events of all LPs, in the order of the run
//	dest_lp,seq,src_lp,send_ts,recv_ts      per receiving LP, numbered from 0 in its order
//
// The first is what a sequential run must give from beginning to end. The second is what every run of the model must
// give, on any number of PEs: between LPs the order has no meaning. Further columns hold the model's own payload. Times
// are printed with nine digits, which identify the float32 of a binary trace: comparing the texts is the same as
// comparing the float32s.
//
// Read the reference with [ReadCSV] and the trace of the run, the file ending in evtrace.bin, with [ReadBinary]; then
// [Compare] them as they are, or both through [ByDest] when only the order per LP counts:
//
//	want, err := testkit.ReadCSV("testdata/ties/trace.csv")
//	got, err := testkit.ReadBinary("stats-output/ross-stats-evtrace.bin", nil)
//	err = testkit.Compare(got, want)
//
// The error of Compare shows the first record that differs and those around it on both sides: where a run left the
// reference usually says why.
package testkit
