// Package classic is shared by the programs of ROSS's classic models: airport, pcs, traffic, torus,
// dragonfly, raid, qhold. It writes the events of a run, and the states of the LPs at its end, as
// text, in which runs can be compared with those of the original programs, and with one another.
//
// A program has a Recorder among its parameters:
//
//	type params struct {
//		record classic.Recorder
//		...
//	}
//
//	func (p *params) options(o *ross.Options, cfg *ross.Config) { p.record.Register(o) ... }
//	func (p *params) prepare(cfg *ross.Config) error           { p.record.Prepare(cfg) ... }
//	func (p *params) build(sim *ross.Simulation) error         { p.record.Open(sim) ... }
//	func (p *params) finish(sim *ross.Simulation) error {
//		return p.record.Finish(sim, classic.States(func(lp *ross.LP, a *airport) string { ... }))
//	}
//
// and each handler begins with a call of Event:
//
//	p.record.Event(lp, arrival)
//
// Without --trace that is a call which returns at once.
//
// # Design
//
// Events are written through the log of the model (ross.LP.Log), which has the events that are
// committed, in their order, in every scheduler. So a trace of an optimistic run is equal to that
// of a sequential one. The engine's own event trace (--event-trace) is for long runs: it is binary,
// has times as 32-bit floats, as that of ROSS, and costs less.
package classic

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/program/cmdline"
)

// Recorder: the trace of a run.

// PartSuffix ends the name of a file that is being written. A run that fails leaves what it had
// written under that name.
const PartSuffix = ".part"

// Recorder writes what --trace and --states ask for. The zero value is ready for Register.
type Recorder struct {
	trace, states string
	file          *file // of the trace; nil without one, and before Open
}

// Register adds the options.
func (r *Recorder) Register(o *ross.Options) {
	g := o.Group("Recording")
	g.File(&r.trace, "trace",
		"file for the committed events: dest,src,send,recv,type\nwith several ranks each adds its number to the name")
	g.File(&r.states, "states", "file for the states of all LPs at the end")
	g.MayVary("trace", "states")
}

// Prepare has the configuration log the events. Call it before ross.New.
func (r *Recorder) Prepare(cfg *ross.Config) {
	if r.trace != "" {
		cfg.ModelLog = (*handler)(r)
	}
}

// Open opens the file of the trace. Call it after ross.New.
func (r *Recorder) Open(sim *ross.Simulation) (err error) {
	if r.trace == "" {
		return nil
	}
	path := r.trace
	if sim.Ranks() > 1 {
		path += "." + strconv.Itoa(sim.Rank())
	}
	if r.file, err = create("trace", path); err == nil {
		r.file.w.WriteString("dest,src,send,recv,type\n")
	}
	return err
}

// Event records the event that is being handled, with the number that the original program gives
// its type. Call it once in every handler of an event, not in its Reverse.
func (r *Recorder) Event(lp *ross.LP, kind int) {
	if r.trace != "" {
		r.event(lp, lp.Sender(), kind)
	}
}

// EventFrom is Event for an event that shows another sender than its own.
func (r *Recorder) EventFrom(lp *ross.LP, src ross.LPID, kind int) {
	if r.trace != "" {
		r.event(lp, src, kind)
	}
}

func (r *Recorder) event(lp *ross.LP, src ross.LPID, kind int) {
	lp.Log().LogAttrs(context.Background(), slog.LevelInfo, "",
		slog.Uint64("src", uint64(src)), slog.Float64("send", lp.SentAt()), slog.Int("type", kind))
}

// Finish ends the trace and writes the states, which kinds have. Call it after a run without an
// error, on all ranks.
func (r *Recorder) Finish(sim *ross.Simulation, kinds ...Kind) error {
	if r.file != nil {
		if err := r.file.publish(); err != nil {
			return err
		}
	}
	if r.states == "" {
		return nil
	}
	return r.writeStates(sim, kinds)
}

// handler is the Recorder as what receives the log: it writes a line of the trace for each record.
type handler Recorder

// Enabled implements slog.Handler.
func (*handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler. Its records come from Recorder.Event.
func (h *handler) Handle(_ context.Context, rec slog.Record) error {
	var lp, src uint64
	var send, recv float64
	var kind int64
	rec.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "lp":
			lp = a.Value.Uint64()
		case "at":
			recv = a.Value.Float64()
		case "src":
			src = a.Value.Uint64()
		case "send":
			send = a.Value.Float64()
		case "type":
			kind = a.Value.Int64()
		}
		return true
	})
	h.file.event(lp, src, send, recv, kind)
	return nil // the writer keeps its first error
}

// WithAttrs implements slog.Handler.
func (h *handler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h *handler) WithGroup(string) slog.Handler { return h }

// file is a file that gets its name when it is complete.
type file struct {
	what, path string
	straight   bool // it has its name from the beginning
	f          *os.File
	w          *bufio.Writer
	line       []byte
}

func create(what, path string) (*file, error) {
	at, err := atomicfile.Of(path)
	var f *os.File
	switch {
	case err != nil:
	case at.Straight: // a device, or a FIFO
		f, err = at.Open()
	default:
		f, err = os.Create(path + PartSuffix)
	}
	if err != nil {
		return nil,
			fmt.Errorf("--%s=%s: %w: %s", what, path, err, atomicfile.Remedy(err, "name a file in a folder that exists"))
	}
	return &file{what: what, path: path, f: f, straight: at.Straight, w: bufio.NewWriterSize(f, 1<<16)}, nil
}

// event writes a line of the trace. Times are as printf's %.17g has them.
func (f *file) event(lp, src uint64, send, recv float64, kind int64) {
	line := strconv.AppendUint(f.line[:0], lp, 10)
	line = strconv.AppendUint(append(line, ','), src, 10)
	line = AppendFloat(append(line, ','), send)
	line = AppendFloat(append(line, ','), recv)
	line = strconv.AppendInt(append(line, ','), kind, 10)
	f.line = append(line, '\n')
	f.w.Write(f.line)
}

// publish closes the file and gives it its name.
func (f *file) publish() error {
	err := f.w.Flush()
	if err = cmp.Or(err, f.f.Close()); err == nil && !f.straight {
		err = os.Rename(f.path+PartSuffix, f.path)
	}
	if err != nil {
		return fmt.Errorf("--%s=%s: %w: what was written is in %s", f.what, f.path, err, f.path+PartSuffix)
	}
	return nil
}

// AppendFloat appends x as C's printf writes it with %.17g.
func AppendFloat(b []byte, x float64) []byte {
	return fmt.Appendf(b, "%.17g", x)
}

// Memory adds the option --memory of the original programs, which has no effect.
func Memory(g *ross.Group) {
	cmdline.Idle(g, new(uint64), "memory", "additional memory buffers\nwithout effect")
	g.MayVary("memory")
}

// The states of LPs as text.

// Kind returns the lines of the LPs of one type.
type Kind func(sim *ross.Simulation) ([]line, error)

// line is the state of an LP.
type line struct {
	Number uint64
	Text   string
}

// States returns the Kind of LPs with an S as their state: text writes one, without the id.
func States[S any](text func(lp *ross.LP, s *S) string) Kind {
	return NumberedStates(func(lp *ross.LP) uint64 { return uint64(lp.ID()) }, text)
}

// NumberedStates is States with numbers that stand in place of the ids.
func NumberedStates[S any](number func(lp *ross.LP) uint64, text func(lp *ross.LP, s *S) string) Kind {
	return func(sim *ross.Simulation) ([]line, error) {
		return ross.Gather(sim, func(lp *ross.LP, s *S) line { return line{number(lp), text(lp, s)} })
	}
}

// writeStates writes "number text" for all LPs in the order of numbers. Only rank 0 writes.
func (r *Recorder) writeStates(sim *ross.Simulation, kinds []Kind) error {
	var all []line
	for _, kind := range kinds {
		of, err := kind(sim)
		if err != nil {
			return err
		}
		all = append(all, of...)
	}
	if sim.Rank() != 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.Number, b.Number) })
	f, err := create("states", r.states)
	if err != nil {
		return err
	}
	for _, l := range all {
		f.line = append(append(append(strconv.AppendUint(f.line[:0], l.Number, 10), ' '), l.Text...), '\n')
		f.w.Write(f.line)
	}
	return f.publish()
}

// What the models of networks print at the end.

// Network is what came of the messages of a run.
type Network struct {
	Generated         int64 // packets
	Packets, Messages int64 // that have arrived
	Hops              int64 // of these packets
	Travel, Max       float64
}

// means returns the means of the packets that have arrived.
func (n *Network) means() (hops, travel float64) {
	if n.Packets == 0 {
		return 0, 0
	}
	return float64(n.Hops) / float64(n.Packets), n.Travel / float64(n.Packets)
}

// PrintNetwork prints it in the words of the original programs.
func PrintNetwork(w io.Writer, n Network) {
	hops, travel := n.means()
	fmt.Fprintf(w, "\n ****************** \n total packets finished:         %d and %d; \n", n.Packets, n.Packets)
	fmt.Fprintf(w, " total MPI messages finished:         %d; \n total generate:       %d; \n", n.Messages, n.Generated)
	fmt.Fprintf(w, " total hops:           %f; \n average travel time:  %f; \nMax latency is %f\n", hops, travel, n.Max)
}

// Ignored adds options of the original programs that have no effect.
func Ignored(g *ross.Group, names ...string) {
	for _, name := range names {
		g.Float64(new(float64), name, "without effect")
	}
	g.MayVary(names...)
}

// PrintDragonfly prints it in the words of the original dragonfly.
func PrintDragonfly(w io.Writer, n Network) {
	hops, travel := n.means()
	fmt.Fprintf(w, " ****************** \n total finish:         %d and %d; \n total generate:       %d; \n", n.Packets,
		n.Packets, n.Generated)
	fmt.Fprintf(w, " total hops:           %f; \n average travel time:  %f; \nMax latency is %f\n", hops, travel, n.Max)
}
