// This file owns a run of a cell: a process, what it says about itself, and whether it came to the right result.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/ross-go/ross/instr"
)

// oneRun is what a run came to. Shares are of the time of all PEs together.
type oneRun struct {
	Seconds    float64 `json:"seconds"` // from the first event to the last
	Rate       float64 `json:"rate"`    // millions of committed events per second
	NetEvents  uint64  `json:"net_events"`
	Digest     string  `json:"digest,omitempty"`       // of the committed events
	States     string  `json:"state_digest,omitempty"` // of the final states
	Undone     float64 `json:"undone_share"`           // events rolled back, of all that were handled
	GVT        float64 `json:"gvt_share"`              // of the PE that spent most on it
	GVTs       uint64  `json:"gvt_computations"`
	Idle       float64 `json:"idle_share"`
	Waited     float64 `json:"waited_share"` // for a processor
	Remote     float64 `json:"remote_share"` // events to other PEs or messages to other ranks, of committed events
	Placement  string  `json:"placement,omitempty"`
	Others     *share  `json:"others_share,omitempty"` // of the processors, used by other programs; nil: not known
	MemoryPeak uint64  `json:"memory_peak_bytes"`

	queue string // which event queue there was
}

// share is a part of something, from 0 to 1.
type share float64

// runner runs cells.
type runner struct {
	programs  string // the folder of dragonfly
	scratch   string // folder for what runs write
	workloads []workload
	// references are first runs of sequential cells, by workload and size.
	references map[string]*oneRun
	ran        int
	queue      string // of the last run
}

func (r *runner) workload(name string) *workload {
	for i := range r.workloads {
		if r.workloads[i].name == name {
			return &r.workloads[i]
		}
	}
	return nil
}

// run runs a cell, and adds the run to it. It is an error if the run did not come to the result of the sequential
// run.
func (r *runner) run(ctx context.Context, c *cell, first bool) error {
	got, err := r.start(ctx, c, first)
	if err != nil {
		return err
	}
	key := fmt.Sprintf("%s %d", c.Workload, c.Size)
	if c.Scheduler == sequential && first {
		r.references[key] = got
	}
	if err := got.compare(r.references[key]); err != nil {
		return err
	}
	if first {
		c.First = got
	} else {
		c.Runs = append(c.Runs, *got)
	}
	return nil
}

// compare returns an error if a run came to another result than the sequential one.
func (o *oneRun) compare(with *oneRun) error {
	switch {
	case with == nil:
		return fmt.Errorf("there is no sequential run to compare with")
	case o.NetEvents != with.NetEvents:
		return fmt.Errorf("%d events were committed, and %d in the sequential run", o.NetEvents, with.NetEvents)
	case o.Digest != "" && (o.Digest != with.Digest || o.States != with.States):
		return fmt.Errorf("digests are %s of events and %s of states, and %s and %s in the sequential run", o.Digest, o.States,
			with.Digest, with.States)
	}
	return nil
}

// command returns the program of a cell, and the words of its command line.
func (r *runner) command(c *cell) (program string, args []string, err error) {
	w := r.workload(c.Workload)
	if w.args == nil {
		program, err = os.Executable()
	} else {
		program = filepath.Join(r.programs, w.name)
	}
	return program, c.args(w), err
}

// start runs the program of a cell.
func (r *runner) start(ctx context.Context, c *cell, digest bool) (*oneRun, error) {
	program, args, err := r.command(c)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(program)
	r.ran++
	dir := filepath.Join(r.scratch, strconv.Itoa(r.ran))
	defer os.RemoveAll(dir)
	if digest {
		args = append(args, "--digest")
	}
	cmd := exec.CommandContext(ctx, program, append(args, "--stats-path="+dir, "--report-path=")...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	cmd.Dir = r.scratch
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends the ranks, too
	cmd.WaitDelay = 10 * time.Second
	before := usageNow()
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s %v: %w: %s", name, args, err, lastOf(text.Bytes()))
	}
	own := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	info, err := os.ReadFile(filepath.Join(dir, instr.RunName))
	if err != nil {
		return nil, fmt.Errorf("%s %v: it has not described its run: %w", name, args, err)
	}
	got, err := readRun(info, text.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w", name, args, err)
	}
	r.queue = got.queue
	got.Others = usageNow().othersSince(before, own)
	return got, nil
}

// lastOf returns the end of a text that a program has printed.
func lastOf(text []byte) []byte {
	const most = 2000
	text = bytes.TrimSpace(text)
	return text[max(len(text)-most, 0):]
}

var gvtLine = regexp.MustCompile(`GVT Share of Running Time, Largest of a PE\s+([\d.]+) %`)

// readRun returns what a run came to, from its description and its report.
func readRun(description, printed []byte) (*oneRun, error) {
	var info instr.RunInfo
	if err := json.Unmarshal(description, &info); err != nil {
		return nil, err
	}
	f := info.Result
	if f == nil || info.State != instr.RunComplete || f.Runtime <= 0 || f.NetEvents == 0 {
		return nil, fmt.Errorf("the run is not complete: %s %s", info.State, info.Reason)
	}
	all := f.Runtime * float64(max(info.PEs, 1))
	o := &oneRun{
		Seconds: f.Runtime, Rate: float64(f.NetEvents) / f.Runtime / 1e6, NetEvents: f.NetEvents, Digest: f.Digest,
		States: f.StateDigest, Undone: float64(f.RolledBack) / float64(max(f.Processed, 1)), GVTs: f.GVTs,
		Idle: min(f.IdleSeconds/all, 1), Remote: float64(max(f.RemoteSends, f.NetworkSends)) / float64(f.NetEvents),
		Placement: f.Placement, MemoryPeak: f.MemoryPeak, queue: info.Engine.Queue,
	}
	if p := f.Processors; p != nil {
		o.Waited = min(p.Waited/all, 1)
	}
	if found := gvtLine.FindSubmatch(printed); found != nil {
		percent, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return nil, err
		}
		o.GVT = percent / 100
	}
	return o, nil
}

// probe has each workload run for a short time, and returns how many seconds that takes. It leaves out those that
// fail. These runs also warm the machine up.
func (r *runner) probe(ctx context.Context, size int, failed func(*workload, error)) (seconds map[string]float64) {
	seconds = map[string]float64{}
	var able []workload
	for i := range r.workloads {
		w := &r.workloads[i]
		c := cell{Workload: w.name, Size: size, variant: variant{Scheduler: sequential}, PEs: 1, End: w.probe}
		switch got, err := r.start(ctx, &c, false); {
		case err == nil:
			seconds[w.name] = got.Seconds
			able = append(able, *w)
		case ctx.Err() != nil:
			able = append(able, *w)
		default:
			failed(w, err)
		}
	}
	r.workloads = able
	return seconds
}

// endFor returns the virtual time until which a model runs, so that it takes some seconds if it took others until
// probe.
func (w *workload) endFor(seconds, probed float64) float64 {
	if probed <= 0 {
		return w.probe
	}
	end := max(math.Floor(w.probe*seconds/probed), w.probe)
	if w.most > 0 {
		end = min(end, w.most)
	}
	return end
}
