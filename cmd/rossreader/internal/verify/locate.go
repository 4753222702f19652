// This file owns the search for what differs first: the LPs of two runs whose digests differ, the first event of exact
// traces if these are many, and two watched runs.

package verify

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/life"
	"github.com/ross-go/ross/instr"
)

// found is what is known of the cause of a difference.
type found struct {
	Between [2]string `json:"between"`         // the options of the two runs, A and B
	First   *place    `json:"first,omitempty"` // nil: not found
	Check   string    `json:"rollback_check,omitempty"`
	Note    string    `json:"note"`
}

// mostWatched is the largest number of LPs that are watched without a look at event traces.
const mostWatched = 64

// locate looks for what differs first between the record and a run that was made in a way.
func (s *stage) locate(ctx context.Context, r *recorded, w way, p *played) (*found, error) {
	own, err := s.play(ctx, r, way{})
	if err != nil {
		return nil, err
	}
	if own.status != 0 {
		return &found{Note: "with the recorded options the program fails: " + own.failure()}, nil
	}
	a, b := way{}, w
	f := &found{}
	if different, _ := r.compare(own, way{}, s.player.same); len(different) == 0 {
		f.Note = "with the recorded options the program gives what was recorded: the result depends on the " +
			"scheduler"
		if p.status != 0 {
			f.Note = "with the recorded options the program gives what was recorded, and in the other " +
				"way it fails"
			if w.number("synch", 0) == 6 {
				f.Note, f.Check = "an event is not undone as it was handled, or gives something "+
					"else when it is handled again", p.failure()
			}
			return f, nil
		}
		f.Check, err = s.checkRollback(ctx, r)
	} else {
		again, failed := s.play(ctx, r, way{})
		if failed != nil {
			return nil, failed
		}
		if again.info == nil || len(differing(own.lps, again.lps)) == 0 {
			return s.ofVersions(r, own), nil
		}
		f.Note = "two runs with the recorded options differ: the model depends on more than seeds, options " +
			"and files, such as a " +
			"clock, a variable of the program or the order of a Go map"
		b, p = way{}, again
	}
	if err != nil || p.info == nil {
		return f, err
	}
	f.Between = [2]string{a.String(), b.String()}
	lps := differing(own.lps, p.lps)
	spec := ""
	if len(lps) > mostWatched {
		lps, spec, err = s.suspects(ctx, r, a, b, lps)
		if err != nil {
			return nil, err
		}
	}
	f.First, err = s.watch(ctx, r, a, b, lps, spec)
	if f.First == nil && err == nil && spec != "" { // these runs differed later
		f.First, err = s.watch(ctx, r, a, b, lps, "")
	}
	if f.First == nil && f.Note != "" {
		f.Note += "; two runs that were watched did not differ in what they showed"
	}
	return f, err
}

// ofVersions says how a program that always gives the same differs from the record.
func (s *stage) ofVersions(r *recorded, own *played) *found {
	f := &found{Note: "the program gives the same whenever it runs with the recorded options, and something " +
		"else than was " +
		"recorded: the record was altered, or the program read something that is not in it"}
	if !s.player.same {
		f.Note = "the two versions of the program differ: each gives the same whenever it runs"
	}
	if lps := differing(r.lps, own.lps); r.lps != nil && len(lps) > 0 {
		f.Note += fmt.Sprintf("; LPs that differ: %s", list(lps))
	} else if r.lps == nil {
		f.Note += "; --record=lps of the recorded run would say which LPs differ"
	}
	return f
}

// list returns the first of some numbers, and how many there are.
func list(lps []uint64) string {
	const most = 8
	var words []string
	for _, lp := range lps[:min(most, len(lps))] {
		words = append(words, strconv.FormatUint(lp, 10))
	}
	text := strings.Join(words, ", ")
	if len(lps) > most {
		text += fmt.Sprintf(" and %d more", len(lps)-most)
	}
	return text
}

// checkRollback undoes each event and handles it again, and returns what that finds.
func (s *stage) checkRollback(ctx context.Context, r *recorded) (string, error) {
	p, err := s.play(ctx, r, way{words: []string{"--synch=6", "--pes=1", "--ranks=1"}})
	if err != nil || p.status == 0 || p.status == 2 {
		return "", err
	}
	return p.failure(), nil
}

// watch watches LPs in two runs, and returns where they differ first, nil if they do not.
func (s *stage) watch(ctx context.Context, r *recorded, a, b way, lps []uint64, until string) (*place, error) {
	if len(lps) == 0 {
		return nil, nil
	}
	var words []string
	for _, lp := range lps {
		words = append(words, strconv.FormatUint(lp, 10)+until)
	}
	var texts [2]map[uint64][]life.Block
	for i, w := range []way{a, b} {
		p, err := s.play(ctx, r, w, "--watch="+strings.Join(words, ","), "--watch-limit=0", "--report=full")
		if err != nil {
			return nil, err
		}
		if texts[i], err = life.Blocks(p.text); err != nil {
			return nil, err
		}
		_ = os.Remove(p.text) // it may be large
	}
	return firstPlace(texts[0], texts[1]), nil
}

// traced is an event of an exact trace.
type traced struct {
	recv, send, tie float64
	src             uint32
	message         uint16
}

// suspects returns the LPs whose events differ first in the traces of two runs, those that sent these events, and some
// others that differ; and the interval of virtual time up to there, as --watch has it.
func (s *stage) suspects(ctx context.Context, r *recorded, a, b way, lps []uint64) ([]uint64, string, error) {
	var traces [2]map[uint32][]traced
	for i, w := range []way{a, b} {
		p, err := s.play(ctx, r, w, "--event-trace=3", "--trace-exact=1")
		if err == nil {
			traces[i], err = readTrace(p.dir)
		}
		if err != nil {
			return nil, "", err
		}
		_ = os.RemoveAll(p.dir)
	}
	type at struct {
		time float64
		lps  []uint64
	}
	var all []at
	for lp := range keys(traces[0], traces[1]) {
		a, b := traces[0][lp], traces[1][lp]
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		d := at{math.Inf(1), []uint64{uint64(lp)}}
		for _, of := range [][]traced{a, b} {
			if i < len(of) {
				d.time, d.lps = min(d.time, of[i].recv), append(d.lps, uint64(of[i].src))
			}
		}
		if len(d.lps) > 1 {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(x, y at) int {
		return cmp.Or(cmp.Compare(x.time, y.time), slices.Compare(x.lps,
			y.lps))
	})
	var first []uint64
	until := ""
	for i, d := range all {
		if i == 0 {
			until = "@.." + strconv.FormatFloat(d.time, 'g', -1, 64)
		}
		if d.time == all[0].time {
			first = append(first, d.lps...)
		}
	}
	for _, lp := range lps {
		if len(first) < mostWatched {
			first = append(first, lp)
		}
	}
	slices.Sort(first)
	return slices.Compact(first), until, nil
}

func keys(a, b map[uint32][]traced) map[uint32]bool {
	all := map[uint32]bool{}
	for lp := range a {
		all[lp] = true
	}
	for lp := range b {
		all[lp] = true
	}
	return all
}

// readTrace reads the exact event trace in a folder, by LPs.
func readTrace(dir string) (map[uint32][]traced, error) {
	all := map[uint32][]traced{}
	names, _ := filepath.Glob(filepath.Join(dir, "*-"+instr.TraceSuffix+".bin"))
	for _, name := range names {
		in, err := instr.Open(name)
		if err != nil {
			return nil, err
		}
		for err == nil {
			var rec *instr.Record
			if rec, err = in.Next(); err != nil {
				break
			}
			if x, ok := instr.GetExact(rec.Event.Payload); ok {
				all[rec.Event.Dest] = append(all[rec.Event.Dest], traced{x.RecvTS, x.SendTS, x.Tie,
					rec.Event.Src, x.Message})
			}
		}
		_ = in.Close()
		if err != io.EOF {
			return nil, err
		}
	}
	return all, nil
}
