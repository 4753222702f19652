// This file owns the figures as metrics for Prometheus.

package live

import (
	"errors"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/ross-go/ross"
)

// newRegistry returns a registry with the metrics of a run, of the Go runtime and of the
// program.
func newRegistry(sim *ross.Simulation) (*prometheus.Registry, error) {
	r := prometheus.NewRegistry()
	err := errors.Join(
		r.Register(&collector{sim}),
		r.Register(collectors.NewGoCollector()),
		r.Register(collectors.NewBuildInfoCollector()),
	)
	return r, err
}

// collector reads the figures of a run on request.
type collector struct{ sim *ross.Simulation }

// metric is a figure of the run.
type metric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(s *ross.Snapshot) float64
}

// peMetric is a figure of each PE; sums over them are those of the rank.
type peMetric struct {
	desc   *prometheus.Desc
	kind   prometheus.ValueType
	value  func(p *ross.PESnapshot) float64
	labels []string // values of those after pe
}

const (
	counter = prometheus.CounterValue
	gauge   = prometheus.GaugeValue
)

func newMetric(kind prometheus.ValueType, name, help string, value func(s *ross.Snapshot) float64) metric {
	return metric{prometheus.NewDesc(name, help, nil, nil), kind, value}
}

func newPEMetric(kind prometheus.ValueType, name, help string, value func(p *ross.PESnapshot) float64) peMetric {
	return peMetric{desc: prometheus.NewDesc(name, help, []string{"pe"}, nil), kind: kind, value: value}
}

var metrics = []metric{
	newMetric(gauge, "ross_elapsed_seconds", "Wall-clock time since the first event.", func(s *ross.Snapshot) float64 { return s.Elapsed }),
	newMetric(gauge, "ross_gvt_virtual_time", "Virtual time before which everything is committed.", func(s *ross.Snapshot) float64 { return s.GVT }),
	newMetric(gauge, "ross_end_virtual_time", "Virtual time at which the run ends.", func(s *ross.Snapshot) float64 { return s.End }),
	newMetric(counter, "ross_gvt_computations_total", "GVT computations.", func(s *ross.Snapshot) float64 { return float64(s.NumGVT) }),
	newMetric(counter, "ross_gvt_forced_total", "GVT computations that PEs started before their time.", func(s *ross.Snapshot) float64 { return float64(s.ForcedGVTs) }),
	newMetric(counter, "ross_kps_moved_total", "KPs that have moved to another PE (--balance).", func(s *ross.Snapshot) float64 { return float64(s.KPsMoved) }),
	newMetric(counter, "ross_one_pe_seconds_total", "Time in which one PE has handled the events of all (--balance).", func(s *ross.Snapshot) float64 { return s.OnePESeconds }),
	newMetric(gauge, "ross_memory_bytes", "Memory for events and states.", func(s *ross.Snapshot) float64 { return float64(s.MemoryUsed) }),
	newMetric(counter, "ross_memory_shortages_total", "Times that a PE waited for memory.", func(s *ross.Snapshot) float64 { return float64(s.Shortages) }),
	newMetric(gauge, "ross_memory_limit_bytes", "Limit on that memory (--max-memory).", func(s *ross.Snapshot) float64 { return float64(s.MemoryLimit) }),
}

// infoDesc is always 1: its labels name what runs.
var infoDesc = prometheus.NewDesc("ross_info", "What runs: the program, the number (--synch) and name of its scheduler, the version of the engine.",
	[]string{"model", "synch", "scheduler", "version"}, nil)

// phaseDesc is 1 for the phase that the run is in, and 0 for the others.
var phaseDesc = prometheus.NewDesc("ross_phase", "Whether the run is in this phase.", []string{"phase"}, nil)

var startDesc = prometheus.NewDesc("ross_start_time_seconds", "When the program began the run, since the Unix epoch.", nil, nil)

var rollbackDesc = prometheus.NewDesc("ross_rollbacks_total", "Rollbacks, by cause: a straggler (primary), an anti-message (secondary).",
	[]string{"pe", "kind"}, nil)

var peMetrics = []peMetric{
	newPEMetric(counter, "ross_events_processed_total", "Forward executions of events, including those undone later.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsProcessed) }),
	newPEMetric(counter, "ross_events_rolled_back_total", "Executions undone.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsRolledBack) }),
	newPEMetric(counter, "ross_events_committed_total", "Executions that are committed.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsCommitted) }),
	newPEMetric(counter, "ross_events_aborted_total", "Executions that found no memory.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsAborted) }),
	newPEMetric(gauge, "ross_remote_events", "Events sent to other PEs, less those cancelled.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsRemote) }),
	newPEMetric(gauge, "ross_pending_events", "Events in the queue.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsPending) }),
	newPEMetric(gauge, "ross_uncommitted_events", "Events executed that may still be undone.",
		func(p *ross.PESnapshot) float64 { return float64(p.EventsUncommitted) }),
	newPEMetric(counter, "ross_idle_seconds_total", "Wall-clock time without an event to handle.",
		func(p *ross.PESnapshot) float64 { return p.IdleSeconds }),
	newPEMetric(counter, "ross_processor_seconds_total", "Time for which the PE has had a processor; 0: not known.",
		func(p *ross.PESnapshot) float64 { return p.ProcessorSeconds }),
	newPEMetric(counter, "ross_processor_wait_seconds_total", "Time for which the PE has waited for a processor; 0: none, or not known.",
		func(p *ross.PESnapshot) float64 { return p.ProcessorWait }),
	newPEMetric(counter, "ross_preempted_total", "Times that the PE lost its processor although it had more to do.",
		func(p *ross.PESnapshot) float64 { return float64(p.Preempted) }),
	newPEMetric(gauge, "ross_pe_virtual_time", "Virtual time of the earliest pending event at the last GVT; +Inf: none.",
		func(p *ross.PESnapshot) float64 { return p.LVT }),
	{rollbackDesc, counter, func(p *ross.PESnapshot) float64 { return float64(p.PrimaryRollBacks) }, []string{"primary"}},
	{rollbackDesc, counter, func(p *ross.PESnapshot) float64 { return float64(p.SecondaryRollBacks) }, []string{"secondary"}},
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{infoDesc, phaseDesc, startDesc} {
		to <- d
	}
	for _, m := range metrics {
		to <- m.desc
	}
	for _, m := range peMetrics {
		to <- m.desc
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	s, info := c.sim.Snapshot(), c.sim.RunInfo()
	to <- prometheus.MustNewConstMetric(infoDesc, gauge, 1, info.Model, strconv.Itoa(info.Synch), info.Scheduler, info.Engine.Version)
	to <- prometheus.MustNewConstMetric(startDesc, gauge, float64(info.Begin.UnixMilli())/1000)
	for p := ross.PhaseMade; p <= ross.PhaseEnded; p++ {
		is := 0.0
		if p == s.Phase {
			is = 1
		}
		to <- prometheus.MustNewConstMetric(phaseDesc, gauge, is, p.String())
	}
	for _, m := range metrics {
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(&s))
	}
	for i := range s.PEs {
		p := &s.PEs[i]
		id := strconv.FormatUint(uint64(p.ID), 10)
		for _, m := range peMetrics {
			to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(p), append([]string{id}, m.labels...)...)
		}
	}
}
