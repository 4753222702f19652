// This file owns the watch of a run: finding the LPs, and printing no more than was asked for.

package watch

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
)

// Start watches the LPs of a run that a value of the option names. Texts go to out, each in one Write, until they are
// more than limit lines on this rank; 0 means no limit. The LPs have been made, and none has been initialised.
func Start(r *kernel.Run, option string, limit uint64, out io.Writer) error {
	items, err := Parse(option)
	if err != nil {
		return err
	}
	lps, err := find(r, option, items)
	if err != nil {
		return err
	}
	if r.Set.Synch == settings.SynchDebug {
		r.Caution(
			"--watch=%s shows events when they are committed, and --synch=4 commits none; use --synch=6, which commits them",
			option)
		return nil
	}
	p := &printer{out: out, limit: limit}
	r.Watch = kernel.NewWatch(p.print, len(r.PEs))
	p.end = r.Watch.End
	if text := limited(items); text != "" {
		p.print(text)
	}
	foreign := map[uint16]bool{}
	for gid, spans := range lps {
		if lp := r.LP(gid); lp != nil { // otherwise it is one of another rank
			r.Watch.Add(lp, wants(spans), newViewer(r, lp.Type()))
			foreign[lp.Type().ID] = lp.Type().Life != nil
		}
	}
	for _, t := range r.Types {
		if foreign[t.ID] {
			r.Caution(
				"--watch=%s: LP type %q is one of C, whose fields are not known: what events change in its states, and what its "+
					"messages hold, is not shown", option, t.Name)
		}
	}
	return nil
}

// limited returns a line with the watched LPs if some are watched for a part of the run, otherwise "": who reads the
// text needs to know when it says nothing.
func limited(items []Item) string {
	part, texts := false, make([]string, len(items))
	for i, it := range items {
		part = part || !math.IsInf(it.From, -1) || !math.IsInf(it.To, 1)
		texts[i] = it.String()
	}
	if !part {
		return ""
	}
	return "Watch: only " + strings.Join(texts, ",") + "\n"
}

// printer prints up to a limit of lines.
type printer struct {
	out          io.Writer
	limit, lines uint64
	ended        bool
	end          func() // is called when the limit is reached
}

// print prints the text about an event as a whole, or the line that says that there are no more.
func (p *printer) print(text string) {
	if p.ended {
		return
	}
	n := uint64(strings.Count(text, "\n"))
	if p.limit > 0 && p.lines+n > p.limit {
		p.ended = true
		p.end()
		text = fmt.Sprintf("Watch: ended after %d lines, since the next event would have exceeded the limit; "+
			"raise --watch-limit=%d, 0 means none, or watch less, with @from..to\n", p.lines, p.limit)
	}
	p.lines += n
	fmt.Fprint(p.out, text)
}
