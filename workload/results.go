// This file owns the results of jobs.

package workload

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/stats"
)

// Result is what a job has done, since Config.WarmUp.
type Result struct {
	Job      string
	Ranks    int
	Messages uint64    // that came
	Bytes    uint64    // of these
	Latency  stats.Row // from Send to when the message has come whole, in ns
	Hops     stats.Row // links, with those to terminals
	// Accepted is the share of their links' bandwidth, 0 to 1, at which ranks received messages. It
	// counts payload, without what fills up the last flit of a packet.
	Accepted float64
	Running  int     // ranks that have not ended their program, 0 for a pattern
	End      float64 // ns, when the last rank ended its program; NaN if one runs, and for a pattern
}

// ending is how the ranks of a job have ended.
type ending struct {
	Running int
	End     float64
}

// Results returns the results of all jobs, after Run. In a run of several ranks of MPI all call it.
func (w *Workload) Results(sim *ross.Simulation) ([]Result, error) {
	table, err := stats.CollectBy(sim, func(lp *ross.LP) string {
		if t := w.net.TerminalOf(lp.ID()); t >= 0 && w.seats[t].job >= 0 {
			return w.jobs[w.seats[t].job].Name
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	ends, err := ross.Reduce(sim, func(lp *ross.LP, h *host) []ending {
		all := make([]ending, len(w.jobs))
		if at := w.seat(lp); at.job >= 0 {
			e := &all[at.job]
			if e.End = h.End; !h.Ended {
				e.Running = 1
			}
		}
		return all
	}, func(a, b []ending) []ending {
		for i := range a {
			a[i] = ending{a[i].Running + b[i].Running, max(a[i].End, b[i].End)}
		}
		return a
	})
	if err != nil {
		return nil, err
	}
	var all []Result
	for i := range w.jobs {
		j := &w.jobs[i]
		r := Result{Job: j.Name, Ranks: j.Ranks, End: math.NaN()}
		r.Latency, _ = table.Row(j.Name, "latency")
		r.Hops, _ = table.Row(j.Name, "hops")
		bytes, _ := table.Row(j.Name, "bytes received")
		r.Messages, r.Bytes = r.Latency.Count, bytes.Count
		if d := table.Until() - table.From(); d > 0 {
			r.Accepted = float64(r.Bytes) / (d * float64(j.Ranks) * w.net.Config.Terminal.Bandwidth)
		}
		if j.Program != nil {
			if r.Running = ends[i].Running; r.Running == 0 {
				r.End = ends[i].End
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// WriteResults writes a table with a line for each job.
func WriteResults(to io.Writer, results []Result) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "job\tranks\tmessages\tmean latency\tmedian\t99 %\tgreatest\tlinks\taccepted load\tends at\t")
	for i := range results {
		r := &results[i]
		end := "-"
		switch {
		case r.Running > 0:
			end = fmt.Sprintf("%d run", r.Running)
		case !math.IsNaN(r.End):
			end = fmt.Sprintf("%.0f ns", r.End)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%.4f\t%s\t\n", r.Job, r.Ranks, r.Messages,
			ns(r.Latency.Mean), ns(r.Latency.Quantile(0.5)), ns(r.Latency.Quantile(0.99)), ns(r.Latency.Greatest), links(r.Hops.Mean), r.Accepted, end)
	}
	return w.Flush()
}

// links returns a mean number of links, "-" of no message.
func links(mean float64) string {
	if math.IsNaN(mean) {
		return "-"
	}
	return fmt.Sprintf("%.2f", mean)
}

func ns(t float64) string {
	if math.IsNaN(t) {
		return "-"
	}
	return fmt.Sprintf("%.1f ns", t)
}
