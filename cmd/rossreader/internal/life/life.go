// This file owns the command line of `rossreader life`: what is read, and which LPs are shown.

package life

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

const helpText = `Makes a page with the time lines of single LPs in virtual time: events that they received
and sent, their fields, queues, resources, statistics, timers and processes, and the text about
each event.

A FILE is the output of a run with --watch, such as run.txt of

  model --watch=7,12 --watch-limit=0 > run.txt

or several, one of each rank; - stands for standard input. A FOLDER is that of a run with
--event-trace=3 or --model-stats=3: it adds events of the trace, and samples of the model. --lp
chooses LPs, by id or by label; a folder alone needs it.`

// mostLPs is the number of LPs that a page has.
const mostLPs = 64

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("life", "FILE|FOLDER... -o PAGE.html", "show single LPs over virtual time: a page", helpText)
	out := f.StringP("output", "o", "", "`FILE` to write; - for standard output, the summary then goes to standard error")
	lps := f.StringArray("lp", nil, "show this `LP`, an id or a label, and others that are named (default: all in the text)")
	title := f.String("title", "", "`TITLE` of the page (default: names of the LPs)")
	f.AllowPartial()
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		if *out == "" {
			return cli.Usagef("no output: name a file with -o, or - for standard output")
		}
		s, inputs, err := gather(f, names, *lps)
		if err != nil {
			return err
		}
		s.Title = cmp.Or(*title, s.Title)
		err = cli.Write(*out, stdout, inputs, func(w io.Writer) error { return s.write(w, s.subtitle(names)) })
		if err != nil {
			return err
		}
		summary := cli.Summary(*out, stdout, stderr)
		for _, l := range s.LPs {
			fmt.Fprintf(summary, "%s: %d events, %d fields that change\n", l.Name, len(l.In.At)+len(l.TraceIn.At), len(l.Fields))
		}
		if s.Unknown > 0 {
			fmt.Fprintf(summary, "%d lines were not understood; the page shows the first of them\n", s.Unknown)
		}
		return nil
	})
}

// gather reads what is named and returns the data of the page.
func gather(f *cli.Flags, names, wanted []string) (*scene, []cli.Input, error) {
	if len(names) == 0 {
		return nil, nil, cli.Usagef("no file: name the output of a run with --watch, or the folder of a run")
	}
	h, s := newTexts(), &scene{Notes: []string{}, Unread: []unread{}, LPs: []*life{}}
	var inputs []cli.Input
	var run *recordedRun
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name != "-" && err != nil:
			return nil, nil, fmt.Errorf("ross: life: %w: %s", err, atomicfile.Remedy(err, "name a file or folder that can be read"))
		case name != "-" && info.IsDir() && run != nil:
			return nil, nil, cli.Usagef("%s is a second folder: name that of one run", name)
		case name != "-" && info.IsDir():
			if run, err = openFolder(f, name); err != nil {
				return nil, nil, err
			}
			for _, file := range run.Files {
				inputs = append(inputs, cli.Input{Name: file.Path})
			}
		default:
			if err := readText(h, name); err != nil {
				return nil, nil, err
			}
			inputs = append(inputs, cli.Input{Name: name, Stdin: name == "-"})
		}
	}
	if len(h.lps) == 0 && run == nil {
		return nil, nil, fmt.Errorf("ross: life: %s: there is no text about an event of an LP: name the output of a run with "+
			"--watch", strings.Join(names, ", "))
	}
	ids, err := choose(h, run, wanted)
	if err != nil {
		return nil, nil, err
	}
	if run != nil && !h.over {
		if h.end = run.end(); !math.IsInf(h.end, 0) {
			h.over = true
		}
	}
	for _, id := range ids {
		t := h.lps[id]
		if t != nil && t.repeated != "" {
			return nil, nil, fmt.Errorf("ross: life: %s and %s both have events of LP %d: name texts of one run", t.source,
				t.repeated, id)
		}
		if t != nil {
			s.LPs = append(s.LPs, h.tell(s, t))
			continue
		}
		l := &life{ID: id, Label: run.labels[id], Gaps: []span{}, listed: map[string]*field{}}
		l.Name = lpName(id, l.Label)
		if of := run.typeOf(id); of != nil {
			l.Type = of.Name
		}
		s.LPs = append(s.LPs, l)
	}
	if run != nil {
		if err := run.add(s); err != nil {
			return nil, nil, err
		}
	}
	s.Unread, s.Unknown = append(s.Unread, h.unread...), h.lost
	s.finish(run)
	return s, inputs, nil
}

func readText(h *texts, name string) error {
	if name == "-" {
		return h.read("standard input", cli.Stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("ross: life: %w: %s", err, atomicfile.Remedy(err, "name a file that can be read"))
	}
	defer file.Close()
	return h.read(filepath.Base(name), file)
}

// choose returns the ids of the LPs that are wanted, in the order of their names.
func choose(h *texts, run *recordedRun, wanted []string) (ids []uint64, err error) {
	if len(wanted) == 0 {
		if len(h.lps) == 0 {
			return nil, cli.Usagef("name LPs of the folder with --lp, by id or by label")
		}
		ids = slices.Sorted(slices.Values(h.order))
		if len(ids) > mostLPs {
			return nil, cli.Usagef("the text has %d LPs, and a page at most %d: choose some with --lp", len(ids), mostLPs)
		}
		return ids, nil
	}
	for _, name := range wanted {
		var found []uint64
		for _, id := range h.order {
			if h.lps[id].label == name {
				found = append(found, id)
			}
		}
		if id, err := strconv.ParseUint(name, 10, 64); err == nil && len(found) == 0 && h.lps[id] != nil {
			found = []uint64{id}
		}
		if len(found) == 0 && run != nil {
			found = run.find(name)
		}
		if len(found) == 0 {
			return nil, cli.Usagef("--lp=%s: no such LP; %s", name, known(h, run))
		}
		for _, id := range found {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) > mostLPs {
		return nil, cli.Usagef("%d LPs are chosen, and a page has at most %d", len(ids), mostLPs)
	}
	return ids, nil
}

// known names LPs that there are.
func known(h *texts, run *recordedRun) string {
	var names []string
	for _, id := range h.order[:min(len(h.order), 5)] {
		names = append(names, lpName(id, h.lps[id].label))
	}
	if len(names) > 0 {
		return "the text has " + strings.Join(names, ", ")
	}
	if run != nil && run.Info != nil && run.Info.LPs > 0 {
		return fmt.Sprintf("the run has LPs 0 to %d", run.Info.LPs-1)
	}
	return "give an id or a label"
}

// subtitle returns what is below the title.
func (s *scene) subtitle(names []string) string {
	base := make([]string, len(names))
	for i, name := range names {
		base[i] = filepath.Base(name)
	}
	return "Time lines in virtual time, from " + strings.Join(base, ", ")
}

// finish sets what depends on all LPs.
func (s *scene) finish(run *recordedRun) {
	from, to := math.Inf(1), math.Inf(-1)
	see := func(all ...float64) {
		for _, x := range all {
			if !math.IsInf(x, 0) && math.Abs(x) < math.MaxFloat64 {
				from, to = min(from, x), max(to, x)
			}
		}
	}
	changed := map[string][]string{} // fields that LPs of a type have changed
	for _, l := range s.LPs {
		if l.Text {
			see(l.From, l.To)
			for _, f := range l.Fields {
				changed[l.Type] = append(changed[l.Type], f.Path)
			}
		}
		see(l.TraceIn.At...)
		see(l.TraceOut.At...)
		for _, f := range l.Samples {
			see(f.At...)
		}
	}
	if run != nil {
		see(run.end())
	}
	if from > to {
		from, to = 0, 1
		s.Notes = append(s.Notes, "There is nothing about these LPs in what was read.")
	}
	s.From, s.To = min(from, 0), to
	if s.To <= s.From {
		s.To = s.From + 1
	}
	var titles []string
	for _, l := range s.LPs {
		if !l.Text { // nothing ends before the page does
			l.From, l.To = s.From, s.To
		}
		l.Quiet = []string{}
		own := map[string]bool{}
		for _, f := range l.Fields {
			own[f.Path] = true
		}
		for _, path := range changed[l.Type] {
			if l.Text && !own[path] {
				own[path] = true
				l.Quiet = append(l.Quiet, path)
			}
		}
		if len(titles) < 3 {
			titles = append(titles, l.Name)
		}
	}
	if s.Title = "Life of " + strings.Join(titles, ", "); len(s.LPs) > 3 {
		s.Title = fmt.Sprintf("Lives of %d LPs", len(s.LPs))
	}
}
