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

	// From and Until are the time of the job, in ns, in which its messages were counted: from its start, or
	// from Config.WarmUp, until its last rank has ended and its last message has come. It is until the end
	// of the run if the job could have gone on then, as patterns can, and until the last thing that
	// happened to it if it is stuck. A job that was over before From has counted nothing.
	From, Until float64
	// Accepted is the share of their links' bandwidth, 0 to 1, at which ranks received messages between From
	// and Until. It counts payload, without what fills up the last flit of a packet.
	Accepted float64

	Running int     // ranks that have not ended their program, 0 for a pattern
	Waiting int     // those of them that wait for a message
	Coming  uint64  // messages that have been sent and have not come
	End     float64 // ns, when the last rank ended its program; NaN if one runs, and for a pattern
	// Stuck describes why the job cannot go on, however long the run is, and who waits for what. It is "" if the job
	// has ended, or may go on in a longer run.
	Stuck string
}

// standing is how far the ranks of a job have come.
type standing struct {
	Running, Waiting int
	Since, Last      float64
	Coming           uint32
}

// Results returns the results of all jobs, after Run. In a run of several ranks of MPI all call it. If a job
// cannot go on, it returns the results and an error that wraps [ErrStuck].
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
	stand, err := ross.Reduce(sim, w.standing, func(a, b []standing) []standing {
		for i := range a {
			a[i] = standing{a[i].Running + b[i].Running, a[i].Waiting + b[i].Waiting, max(a[i].Since, b[i].Since),
				max(a[i].Last, b[i].Last), a[i].Coming + b[i].Coming}
		}
		return a
	})
	if err != nil {
		return nil, err
	}
	var all []Result
	for i := range w.jobs {
		j, s := &w.jobs[i], &stand[i]
		r := Result{Job: j.Name, Ranks: j.Ranks, End: math.NaN(), Coming: uint64(s.Coming)}
		r.Latency, _ = table.Row(j.Name, "latency")
		r.Hops, _ = table.Row(j.Name, "hops")
		bytes, _ := table.Row(j.Name, "bytes received")
		r.Messages, r.Bytes = r.Latency.Count, bytes.Count
		if j.Program != nil {
			if r.Running, r.Waiting = s.Running, s.Waiting; r.Running == 0 {
				r.End = s.Since
			}
		}
		all = append(all, r)
	}
	stuck := w.stuck(sim, all)
	for i := range all {
		r := &all[i]
		r.From, r.Until = max(w.jobs[i].Start, table.From()), table.Until()
		if w.jobs[i].Program != nil && (r.Running == 0 || r.Stuck != "" && r.Running == r.Waiting) {
			r.Until = max(stand[i].Since, stand[i].Last)
		}
		if r.Until > r.From {
			r.Accepted = float64(r.Bytes) / ((r.Until - r.From) * float64(r.Ranks) * w.net.Config.Terminal.Bandwidth)
		}
	}
	return all, stuck
}

// standing returns how far a rank has come, at the place of its job.
func (w *Workload) standing(lp *ross.LP, h *host) []standing {
	all := make([]standing, len(w.jobs))
	if at := w.seat(lp); at.job >= 0 {
		s := &all[at.job]
		s.Coming, s.Last = h.NIC.Sent()-h.Count, h.Last
		if h.Waits || h.Ended {
			s.Since = h.Since
		}
		if !h.Ended {
			s.Running = 1
		}
		if h.Waits {
			s.Waiting = 1
		}
	}
	return all
}

// WriteResults writes a table with a line for each job, and a line for each program that has not ended.
func WriteResults(to io.Writer, results []Result) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "job\tranks\tmessages\tmean latency\tmedian\t99 %\tgreatest\tlinks\taccepted load\tends at\t")
	for i := range results {
		r := &results[i]
		end := "-"
		switch {
		case r.Stuck != "" && r.Running > 0:
			end = fmt.Sprintf("%d stuck", r.Running)
		case r.Stuck != "":
			end = "stuck"
		case r.Running > 0:
			end = fmt.Sprintf("%d run", r.Running)
		case !math.IsNaN(r.End):
			end = fmt.Sprintf("%.0f ns", r.End)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%.4f\t%s\t\n", r.Job, r.Ranks, r.Messages,
			ns(r.Latency.Mean), ns(r.Latency.Quantile(0.5)), ns(r.Latency.Quantile(0.99)), ns(r.Latency.Max), links(r.Hops.Mean),
			r.Accepted, end)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i := range results {
		if text := results[i].unfinished(); text != "" {
			if _, err := fmt.Fprintln(to, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// unfinished returns a line about a job that has not ended, or "".
func (r *Result) unfinished() string {
	switch {
	case r.Stuck != "":
		return "A longer run is of no use: " + r.Stuck + "."
	case r.Running > 0:
		return fmt.Sprintf(
			"%s had not ended at %g ns: %d of its %d ranks ran, %d of them waited for messages, and %d messages were on their way: give the run a later end (Config.End, --end).",
			r.Job, r.Until, r.Running, r.Ranks, r.Waiting, r.Coming)
	}
	return ""
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
