// This file owns the text report: what a run prints before, between and after its events.
// Wording, order, tabs and widths are ROSS's, because scripts cut fields out of them, but for the title of the figures
// of GVT; additions come after its last line.

package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// EndLine follows the last event of a run, in every mode.
const EndLine = "*** END SIMULATION ***\n\n"

// auto is the scheduler that is chosen while the run goes on (ross.Auto), which ROSS does not have.
const auto = 100

// The schedulers that check rollback.
const (
	debugRun = 4
	checkRun = 6
)

// StartLine returns the line, with the blank one after it, that precedes the
// first event under the scheduler of that number (Summary.Synch). 0 stands for
// sequential, as it does on a ROSS command line for one PE.
func StartLine(synch int) string {
	mode := "SEQUENTIAL SIMULATION"
	switch synch {
	case 2:
		mode = "PARALLEL CONSERVATIVE SIMULATION"
	case 3:
		mode = "PARALLEL OPTIMISTIC SIMULATION WITH SUSPEND LP FEATURE"
	case 4:
		mode = "OPTIMISTIC DEBUG SIMULATION"
	case 5:
		mode = "PARALLEL OPTIMISTIC SIMULATION WITH SUSPEND LP FEATURE AND REAL TIME GVT"
	case 6:
		mode = "SEQUENTIAL ROLLBACK TEST SIMULATION"
	case auto:
		mode = "SIMULATION WITH A SCHEDULER CHOSEN WHILE IT RUNS"
	}
	return "*** START " + mode + " ***\n\n"
}

// Header is what a run prints before its model is set up.
type Header struct {
	Args    []string  // command line, program name first
	Now     time.Time // start of the run, printed in its own location
	Version string    // of the engine
	// Notes are printed between version and world size. Each is one or more whole lines:
	// arguments read from a file, seeds that were given.
	Notes []string
	Ranks uint64 // number of processes; 0 counts as 1
}

// WriteHeader writes h to w (the output of tw_init in ROSS).
func WriteHeader(w io.Writer, h Header) error {
	var r report
	for _, arg := range h.Args {
		r.printf("%s ", arg)
	}
	r.printf("\n\n%s\n\nROSS Version: %s\n\n", h.Now.Format(time.ANSIC), h.Version)
	for _, note := range h.Notes {
		r.printf("%s\n", strings.TrimSuffix(note, "\n"))
	}
	r.printf("tw_net_start: Found world size to be %d \n", max(h.Ranks, 1))
	return r.writeTo(w)
}

// WriteConfig writes the blocks that precede StartLine: the shape of the
// simulation and its event pool. It reads only the configuration in s.
func WriteConfig(w io.Writer, s *Summary) error {
	var r report
	r.block("ROSS Core Configuration: ")
	r.count("Total PEs", s.TotalPEs)
	r.text("Total KPs", fmt.Sprintf("[Nodes (%d) x KPs (%d)] %d", s.TotalPEs, s.KPsPerPE, s.TotalKPs()))
	r.count("Total LPs", s.TotalLPs)
	r.float("Simulation End Time", s.End, 2)
	r.text("LP-to-PE Mapping", fmt.Sprintf("%11s", s.Mapping))
	r.blank()

	r.block("ROSS Event Memory Allocation:")
	r.count("Model events", s.ModelEvents)
	r.count("Network events", s.NetworkEvents)
	r.count("Total events", s.TotalEvents)
	r.blank()
	return r.writeTo(w)
}

// WriteMissedBytes writes how many bytes of instrumentation data a rank dropped
// because its buffer was full. ROSS prints it after EndLine, for each rank that
// had a buffer.
func WriteMissedBytes(w io.Writer, rank, missed uint64) error {
	var r report
	r.printf("PE %d: There were %d bytes of data missed because of buffer overflow\n", rank, missed)
	return r.writeTo(w)
}

// WriteEnd writes the closing report, from the running time to the GVT
// statistics (tw_stats in ROSS). The digests and s.Extra, if any, follow in a
// block of their own.
func WriteEnd(w io.Writer, s *Summary) error {
	var r report
	r.printf("\n\t: Running Time = %s seconds\n", formatC(s.Runtime, 'f', 4))
	r.library(s)
	r.memory(s)
	r.sizes(&s.Sizes)
	r.clocks(s)
	r.gvt(s)
	r.analysis(s)
	r.extra(s)
	return r.writeTo(w)
}

// report collects text, so that each part of the report is one write.
type report struct{ bytes.Buffer }

func (r *report) writeTo(w io.Writer) error {
	if _, err := r.WriteTo(w); err != nil {
		return fmt.Errorf("ross: report is incomplete: %w: give the run an output that can be written", err)
	}
	return nil
}

func (r *report) printf(format string, args ...any) { fmt.Fprintf(r, format, args...) }

func (r *report) blank()             { r.printf("\n") }
func (r *report) block(title string) { r.printf("\n%s\n", title) }

func (r *report) text(label, value string)       { r.printf("\t%-50s %s\n", label, value) }
func (r *report) count(label string, v uint64)   { r.printf("\t%-50s %11d\n", label, v) }
func (r *report) kib(label string, bytes uint64) { r.count(label, bytes/1024) }

func (r *report) float(label string, v float64, decimals int) {
	r.printf("\t%-50s %11s\n", label, formatC(v, 'f', decimals))
}

func (r *report) percent(label string, v float64) {
	r.printf("\t%-50s %11s %%\n", label, formatC(v, 'f', 2))
}

func (r *report) seconds(label string, v float64) { r.float(label, v, 4) }

func (r *report) library(s *Summary) {
	r.block("TW Library Statistics:")
	r.count("Total Events Processed", s.EventsProcessed)
	r.count("Events Aborted (part of RBs)", s.EventsAborted)
	r.count("Events Rolled Back", s.EventsRolledBack)
	r.count("Event Ties Detected in PE Queues", s.PEEventTies)
	if s.Synch == 2 || s.Synch == auto && s.MinOffset != math.MaxFloat64 {
		r.minOffset(s.MinOffset)
	}
	if s.Synch == debugRun || s.Synch == checkRun { // which undo each event, whatever the model does
		r.percent("Efficiency", math.NaN())
	} else {
		r.percent("Efficiency", s.Efficiency())
	}
	r.count("Total Remote (shared mem) Events Processed", s.SendLocRemote)
	r.percent("Percent Remote Events", s.PercentLocRemote())
	r.count("Total Remote (network) Events Processed", s.SendNetRemote)
	r.percent("Percent Remote Events", s.PercentNetRemote())
	r.blank()

	r.count("Total Roll Backs ", s.RollBacks())
	r.count("Primary Roll Backs ", s.PrimaryRollBacks)
	r.count("Secondary Roll Backs ", s.SecondaryRollBacks)
	r.count("Fossil Collect Attempts", s.FossilCollects)
	r.count("Total GVT Computations", s.NumGVT)
	r.blank()

	r.count("Net Events Processed", s.NetEvents())
	r.float("Event Rate (events/sec)", s.EventRate(), 1)
	r.count("Total Events Scheduled Past End Time", s.EventsPastEnd)
}

// minOffset returns MAX if nothing was measured, as in the progress lines; ROSS prints all
// 309 digits.
func (r *report) minOffset(v float64) {
	const label = "Minimum TS Offset Detected in Conservative Mode"
	if v == math.MaxFloat64 {
		r.text(label, fmt.Sprintf("%11s", "MAX"))
		return
	}
	r.float(label, v, 9)
}

func (r *report) memory(s *Summary) {
	r.block("TW Memory Statistics:")
	r.count("Events Allocated", s.EventsAllocated)
	r.kib("Memory Allocated", s.MemoryAllocated)
	r.kib("Memory Wasted", s.MemoryWasted)
	if s.Ranks > 1 {
		r.block("TW Network Statistics:")
		r.count("Remote sends", s.RemoteSends)
		r.count("Remote recvs", s.RemoteRecvs)
	}
}

func (r *report) sizes(z *StructSizes) {
	r.block("TW Data Structure sizes in bytes (sizeof):")
	r.count("PE struct", z.PE)
	r.count("KP struct", z.KP)
	r.count("LP struct", z.LP)
	r.count("LP Model struct", z.LPModel)
	r.count("LP RNGs", z.LPRNGs)
	r.count("Total LP", z.TotalLP)
	r.count("Event struct", z.Event)
	r.count("Event struct with Model", z.EventWithModel)
}

// clocks prints ROSS's times. ROSS's line of the AVL tree has the time of trees alone: what other ranks send is in a
// log, which makes trees of a part of it when searches need them, and the lines that follow ROSS's have the whole of
// that index. So a script that looks for the line finds it, and it says what it names.
func (r *report) clocks(s *Summary) {
	t := &s.Times
	r.block(fmt.Sprintf("TW Clock Cycle Statistics (MAX values in secs at %.4f GHz):", s.clockRate()/1e9))
	r.seconds("Initialization", t.Init)
	r.seconds("Priority Queue (enq/deq)", t.PQ)
	r.seconds("AVL Tree (insert/delete)", t.Trees)
	r.seconds("LZ4 (de)compression", t.LZ4)
	r.seconds("Buddy system", t.Buddy)
	r.seconds("RIO Loading", t.RIOLoad)
	r.seconds("RIO LP Init", t.RIOLPInit)
	r.seconds("Event Processing", t.EventProcess)
	r.seconds("Event Cancel", t.EventCancel)
	r.seconds("Event Abort", t.EventAbort)
	r.blank()

	r.seconds("GVT", t.GVT)
	r.seconds("Fossil Collect", t.FossilCollect)
	r.seconds("Primary Rollbacks", t.PrimaryRollback)
	r.seconds("Network Read", t.NetRead)
	r.seconds("Other Network", t.NetOther)
	r.seconds("Instrumentation (computation)", t.InstComp)
	r.seconds("Instrumentation (write)", t.InstWrite)
	r.seconds("Total Time (Note: Using Running Time above for Speedup)", t.Total)
}

// gvt prints ROSS's figures of GVT. The title names the way in which ranks agree on it, as in ROSS, where it is that of
// the build: MPI, unless they share memory. Total All Reduce Calls has all operations, whichever way they went.
func (r *report) gvt(s *Summary) {
	title := "MPI AllReduce"
	switch {
	case s.SharedReduces > 0 && s.SharedReduces == s.AllReduceCalls:
		title = "AllReduce in Shared Memory"
	case s.SharedReduces > 0:
		title = "AllReduce in Shared Memory and MPI AllReduce"
	}
	r.block("TW GVT Statistics: " + title)
	r.count("GVT Interval", s.GVTInterval)
	r.text("GVT Real Time Interval (cycles)", strconv.FormatUint(s.GVTRealTimeInterval, 10))
	r.float("GVT Real Time Interval (sec)", float64(s.GVTRealTimeInterval)/s.clockRate(), 8)
	r.count("Batch Size", s.Batch)
	r.blank()

	r.count("Forced GVT", s.ForcedGVT)
	r.count("Total GVT Computations", s.NumGVT)
	r.count("Total All Reduce Calls", s.AllReduceCalls)
	r.float("Average Reduction / GVT", s.AverageReduction(), 2)
}

// analysis prints the events of the model's LPs next to those of analysis LPs, if there are
// any.
func (r *report) analysis(s *Summary) {
	if s.AnalysisProcessed == 0 {
		return
	}
	r.block("Separate Statistics for Model and Analysis LPs")
	of := func(whose string, processed, undone uint64) {
		net := processed - undone
		r.count(whose+" LPs: Events Processed", processed)
		r.count(whose+" LPs: Events Rolled Back", undone)
		r.count(whose+" LPs: Events Committed", net)
		r.float(whose+" LPs: Event Rate (events/sec)", float64(net)/s.Runtime, 1)
	}
	of("Model", s.EventsProcessed, s.EventsRolledBack)
	of("Analysis", s.AnalysisProcessed, s.AnalysisRolledBack)
}

func (r *report) extra(s *Summary) {
	digest, states := s.Digest, s.StateDigest
	if s.Synch == debugRun { // no event is committed, and the states are those before the first
		digest, states = nil, nil
	}
	if digest == nil && states == nil && len(s.Extra) == 0 {
		return
	}
	r.block("Additional Statistics:")
	if digest != nil {
		r.text("Committed Event Digest", formatDigest(*digest))
	}
	for _, f := range s.Extra {
		r.text(f.Label, fmt.Sprintf("%11s", f.Value))
	}
	if states != nil {
		r.text("Final State Digest", formatDigest(*states))
	}
}

// formatDigest gives all 16 digits, so that digests compare as texts.
func formatDigest(d uint64) string { return fmt.Sprintf("%016x", d) }

// formatC formats as C's printf does. Go differs only for infinities and NaN; the sign of
// nan is that of 0.0/0.0 on x86.
func formatC(v float64, verb byte, decimals int) string {
	return string(appendC(nil, v, verb, decimals))
}

// appendC appends what formatC returns to text.
func appendC(text []byte, v float64, verb byte, decimals int) []byte {
	switch {
	case math.IsNaN(v):
		return append(text, "-nan"...)
	case math.IsInf(v, 1):
		return append(text, "inf"...)
	case math.IsInf(v, -1):
		return append(text, "-inf"...)
	}
	return strconv.AppendFloat(text, v, verb, decimals, 64)
}
