// This file owns the figures as metrics for Prometheus, in its text format.

package live

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

	"github.com/ross-go/ross"
)

// metricsType is the type of the text format: https://prometheus.io/docs/instrumenting/exposition_formats.
const metricsType = "text/plain; version=0.0.4; charset=utf-8"

const (
	counter = "counter"
	gauge   = "gauge"
)

// metric is a figure of the run.
type metric struct {
	kind, name, help string
	value            func(s *ross.Snapshot) float64
}

// peMetric is a figure of each PE; sums over them are those of the rank.
type peMetric struct {
	kind, name, help string
	label            string // besides pe, or ""
	value            func(p *ross.PESnapshot) float64
}

const rollbacks = "Rollbacks, by cause: a straggler (primary), an anti-message (secondary)."

var runMetrics = []metric{
	{gauge, "ross_elapsed_seconds", "Wall-clock time since the first event.",
		func(s *ross.Snapshot) float64 { return s.Elapsed }},
	{gauge, "ross_gvt_virtual_time", "Virtual time before which everything is committed.",
		func(s *ross.Snapshot) float64 { return s.GVT }},
	{gauge, "ross_end_virtual_time", "Virtual time at which the run ends.",
		func(s *ross.Snapshot) float64 { return s.End }},
	{counter, "ross_gvt_computations_total", "GVT computations.",
		func(s *ross.Snapshot) float64 { return float64(s.NumGVT) }},
	{counter, "ross_gvt_forced_total", "GVT computations that PEs started before their time.",
		func(s *ross.Snapshot) float64 { return float64(s.ForcedGVTs) }},
	{counter, "ross_kps_moved_total", "KPs that have moved to another PE (--balance).",
		func(s *ross.Snapshot) float64 { return float64(s.KPsMoved) }},
	{counter, "ross_one_pe_seconds_total", "Time in which one PE has handled the events of all (--balance).",
		func(s *ross.Snapshot) float64 { return s.OnePESeconds }},
	{gauge, "ross_memory_bytes", "Memory for events and states.",
		func(s *ross.Snapshot) float64 { return float64(s.MemoryUsed) }},
	{counter, "ross_memory_shortages_total", "Times that a PE waited for memory.",
		func(s *ross.Snapshot) float64 { return float64(s.Shortages) }},
	{gauge, "ross_memory_limit_bytes", "Limit on that memory (--max-memory).",
		func(s *ross.Snapshot) float64 { return float64(s.MemoryLimit) }},
}

var peMetrics = []peMetric{
	{counter, "ross_events_processed_total", "Forward executions of events, including those undone later.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsProcessed) }},
	{counter, "ross_events_rolled_back_total", "Executions undone.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsRolledBack) }},
	{counter, "ross_events_committed_total", "Executions that are committed.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsCommitted) }},
	{counter, "ross_events_aborted_total", "Executions that found no memory.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsAborted) }},
	{gauge, "ross_remote_events", "Events sent to other PEs, less those cancelled.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsRemote) }},
	{gauge, "ross_pending_events", "Events in the queue.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsPending) }},
	{gauge, "ross_uncommitted_events", "Events executed that may still be undone.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsUncommitted) }},
	{counter, "ross_idle_seconds_total", "Wall-clock time without an event to handle.", "",
		func(p *ross.PESnapshot) float64 { return p.IdleSeconds }},
	{counter, "ross_processor_seconds_total", "Time for which the PE has had a processor; 0: not known.", "",
		func(p *ross.PESnapshot) float64 { return p.ProcessorSeconds }},
	{counter, "ross_processor_wait_seconds_total",
		"Time for which the PE has waited for a processor; 0: none, or not known.", "",
		func(p *ross.PESnapshot) float64 { return p.ProcessorWait }},
	{counter, "ross_preempted_total", "Times that the PE lost its processor although it had more to do.", "",
		func(p *ross.PESnapshot) float64 { return float64(p.Preempted) }},
	{gauge, "ross_pe_virtual_time", "Virtual time of the earliest pending event at the last GVT; +Inf: none.", "",
		func(p *ross.PESnapshot) float64 { return p.LVT }},
	{counter, "ross_rollbacks_total", rollbacks, `kind="primary"`,
		func(p *ross.PESnapshot) float64 { return float64(p.PrimaryRollBacks) }},
	{counter, "ross_rollbacks_total", rollbacks, `kind="secondary"`,
		func(p *ross.PESnapshot) float64 { return float64(p.SecondaryRollBacks) }},
}

// goMetrics are figures of the Go runtime, under the names that Prometheus's own library for Go gives them.
var goMetrics = []struct{ kind, name, help, of string }{
	{gauge, "go_goroutines", "Number of goroutines that currently exist.", "/sched/goroutines:goroutines"},
	{gauge, "go_sched_gomaxprocs_threads", "Number of threads that run Go code at the same time (GOMAXPROCS).",
		"/sched/gomaxprocs:threads"},
	{gauge, "go_memstats_alloc_bytes", "Bytes of objects on the Go heap.", "/memory/classes/heap/objects:bytes"},
	{gauge, "go_memstats_sys_bytes", "Bytes that the Go runtime has from the system.", "/memory/classes/total:bytes"},
	{counter, "go_gc_cycles_total", "Garbage collections.", "/gc/cycles/total:gc-cycles"},
}

// serveMetrics answers with the metrics of a run, of the Go runtime and of the program.
func serveMetrics(sim *ross.Simulation) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var e exposition
		e.run(sim)
		e.runtime()
		h := w.Header()
		h.Set("Content-Type", metricsType)
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(e.Bytes())
	}
}

// exposition is a text of metrics.
type exposition struct{ bytes.Buffer }

// family begins the samples of a name.
func (e *exposition) family(kind, name, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample adds a sample: labels are as label returns them, with commas between them.
func (e *exposition) sample(name, labels string, value float64) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(e, "%s%s %s\n", name, labels, strconv.FormatFloat(value, 'g', -1, 64))
}

// one adds a name with one sample.
func (e *exposition) one(kind, name, help, labels string, value float64) {
	e.family(kind, name, help)
	e.sample(name, labels, value)
}

// inLabels is the text of a label: every text, with what would end it.
var inLabels = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// label returns a label.
func label(name, value string) string {
	return name + `="` + inLabels.Replace(strings.ToValidUTF8(value, "\ufffd")) + `"`
}

// run adds the metrics of a run.
func (e *exposition) run(sim *ross.Simulation) {
	s, info := sim.Snapshot(), sim.RunInfo()
	e.one(gauge, "ross_info",
		"What runs: the program, the number (--synch) and name of its scheduler, the version of the engine.",
		strings.Join([]string{label("model", info.Model), label("scheduler", info.Scheduler),
			label("synch", strconv.Itoa(info.Synch)),
			label("version", info.Engine.Version)}, ","), 1)
	e.one(gauge, "ross_start_time_seconds", "When the program began the run, since the Unix epoch.", "",
		float64(info.Begin.UnixMilli())/1000)
	e.family(gauge, "ross_phase", "Whether the run is in this phase.")
	for p := ross.PhaseMade; p <= ross.PhaseEnded; p++ {
		is := 0.0
		if p == s.Phase {
			is = 1
		}
		e.sample("ross_phase", label("phase", p.String()), is)
	}
	for _, m := range runMetrics {
		e.one(m.kind, m.name, m.help, "", m.value(&s))
	}
	before := ""
	for _, m := range peMetrics {
		if m.name != before {
			e.family(m.kind, m.name, m.help)
		}
		before = m.name
		for i := range s.PEs {
			labels := label("pe", strconv.FormatUint(uint64(s.PEs[i].ID), 10))
			if m.label != "" {
				labels += "," + m.label
			}
			e.sample(m.name, labels, m.value(&s.PEs[i]))
		}
	}
}

// runtime adds the metrics of the Go runtime, and what the program was built of.
func (e *exposition) runtime() {
	samples := make([]metrics.Sample, len(goMetrics))
	for i := range goMetrics {
		samples[i].Name = goMetrics[i].of
	}
	metrics.Read(samples)
	for i, m := range goMetrics {
		if v := samples[i].Value; v.Kind() == metrics.KindUint64 {
			e.one(m.kind, m.name, m.help, "", float64(v.Uint64()))
		}
	}
	e.one(gauge, "go_info", "Information about the Go environment.", label("version", runtime.Version()), 1)
	if info, ok := debug.ReadBuildInfo(); ok {
		e.one(gauge, "go_build_info", "Build information about the main Go module.", label("path", info.Main.Path)+","+
			label("version", info.Main.Version), 1)
	}
}
