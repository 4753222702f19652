// This file owns diff: its options, the steps of the comparison, and what it prints.

package checkpoint

import (
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/sys/labels"
	"github.com/ross-go/ross/rio"
)

const aboutDiff = `Shows how checkpoints A and B differ: which LPs, by gid, and in what (type, time of the last event,
suspension, critical path, digest, random streams, the engine's own stream, state), and which
pending events are only in one of them; also virtual time, types, and streams of each LP. Values
are printed as A | B. For states it prints the first byte that differs. If the model has names for
its LPs, they follow the gids: gid 7 "router (3,4,5)".

It does not matter how LPs and events are spread over partitions and files, in which order they are
stored, whether they are compressed, when they were stored and by which version. Types are matched
by name. Digests are compared unless only one of the two has them. Memory: 16 bytes for each LP,
some partitions, what is printed, and about 50 bytes for each event of an LP whose events differ.

Exit status: 0 equal, 1 different, 2 trouble.`

func diffCommand() *cobra.Command {
	f := cli.NoFlags("diff", "A B", "show how two checkpoints differ, by LPs and events", aboutDiff)
	most := f.Int("most", 100, "print at most this `NUMBER` of differences; all are counted")
	return f.Command(func(names []string, stdout, _ io.Writer) error {
		if len(names) != 2 {
			return cli.Usagef("%d checkpoints: name two", len(names))
		}
		if *most < 0 {
			return cli.Usagef("--most=%d: must not be negative", *most)
		}
		out, err := cli.Create("", stdout)
		if err != nil {
			return cli.Trouble(err)
		}
		equal, err := diff(nameOf(names[0]), nameOf(names[1]), *most, out)
		if err == nil {
			err = out.Close()
		}
		switch {
		case err != nil:
			return cli.Trouble(err)
		case !equal:
			return cli.ErrBad
		}
		return nil
	})
}

// diff compares two checkpoints and prints at most the given number of
// differences.
func diff(a, b string, most int, out io.Writer) (equal bool, err error) {
	d := &differ{names: [2]string{a, b}, most: most}
	for i, name := range d.names {
		c, err := rio.Open(name)
		if err != nil {
			return false, err
		}
		defer c.Close()
		if !c.Original() {
			if _, err := c.Index(); err != nil { // as a load does
				return false, err
			}
		}
		d.side[i] = newSide(name, c)
	}
	if err := d.compare(); err != nil {
		return false, err
	}
	return d.print(out), nil
}

// print prints the differences, and reports whether there are none.
func (d *differ) print(out io.Writer) (equal bool) {
	if d.side[A].info.Digests != d.side[B].info.Digests {
		which := A
		if d.side[B].info.Digests {
			which = B
		}
		fmt.Fprintf(out, "digests are not compared: only %s has them\n", d.names[which])
	}
	total := uint64(len(d.run)) + d.lpCount + uint64(len(d.only)) + d.eventLines
	if total == 0 {
		fmt.Fprintf(out, "equal: %d LPs, %d events\n", d.side[A].info.LPs, d.side[A].events)
		return true
	}
	fmt.Fprintf(out, "A: %s: %d LPs, %d events\nB: %s: %d LPs, %d events\n",
		d.names[A], d.side[A].info.LPs, d.side[A].events, d.names[B], d.side[B].info.LPs, d.side[B].events)
	printed := 0
	line := func(text string) {
		if printed < d.most {
			fmt.Fprintln(out, text)
			printed++
		}
	}
	for _, text := range d.run {
		line(text)
	}
	for _, text := range d.only {
		line(text)
	}
	for _, gid := range d.first {
		line(d.name(gid) + ": " + d.texts[gid])
	}
	for i := range d.found {
		line(d.eventText(&d.found[i]))
	}
	if more := total - uint64(printed); more > 0 {
		fmt.Fprintf(out, "differences not printed: %d, see --most\n", more)
	}
	fmt.Fprintf(out, "LPs that differ: %d. Events only in A: %d, only in B: %d.\n", d.lpCount, d.eventCount[A],
		d.eventCount[B])
	return false
}

// The two that are compared.
const (
	A = iota
	B
)

// differ compares A and B. See the package's documentation for how.
type differ struct {
	names  [2]string
	side   [2]*side
	most   int      // differences that are printed
	types  []string // names of types by their shared numbers
	common uint64   // number of LPs in both: gids 0 to common-1

	seed      maphash.Seed
	lpSums    []uint64 // by gid
	eventSums []uint64 // by gid of the destination

	run     []string // differences of the whole checkpoints
	only    []string // LPs in only one
	lpCount uint64   // LPs in both that differ
	first   []uint64 // gids of the first of them

	lock       sync.Mutex
	kept       map[uint64]rio.LP // of A, those of first
	texts      map[uint64]string // how they differ
	counts     map[eventKey]int64
	eventLines uint64    // different events in only one
	eventCount [2]uint64 // and how many there are
	found      []onlyEvent
	labels     labels.Labels // of the LPs that are printed
}

// eventKey stands for all equal events.
type eventKey struct{ dst, hash uint64 }

func (d *differ) compare() error {
	a, b := d.side[A], d.side[B]
	if a.c.Original() != b.c.Original() {
		return fmt.Errorf(
			"ross: checkpoint: %s and %s: only one of them was stored by ROSS itself, so they hold different data: compare two of a kind", a.name, b.name)
	}
	d.seed = maphash.MakeSeed()
	d.common = min(a.info.LPs, b.info.LPs)
	d.lpSums, d.eventSums = make([]uint64, d.common), make([]uint64, max(a.info.LPs, b.info.LPs))
	d.compareRuns()
	for _, s := range d.side {
		if err := d.sum(s); err != nil {
			return err
		}
	}
	eventsDiffer := d.choose()
	if len(d.first) == 0 && !eventsDiffer {
		return nil
	}
	d.kept, d.texts, d.counts = map[uint64]rio.LP{}, map[uint64]string{}, map[eventKey]int64{}
	for which := range d.side {
		if err := d.detail(which); err != nil {
			return err
		}
	}
	clear(d.kept)
	d.countEvents()
	for which := range d.side {
		if err := d.find(which); err != nil {
			return err
		}
	}
	d.readLabels()
	return nil
}

// compareRuns compares what the manifests state about the whole checkpoints.
func (d *differ) compareRuns() {
	a, b := d.side[A], d.side[B]
	d.compareTypes(a.info.Types, b.info.Types)
	if a, b := clockText(a.info), clockText(b.info); a != b {
		d.run = append(d.run, fmt.Sprintf("virtual time: %s | %s", a, b))
	}
	if a.info.Streams != b.info.Streams {
		d.run = append(d.run, fmt.Sprintf("streams of each LP: %d | %d", a.info.Streams, b.info.Streams))
	}
	for which, s := range d.side {
		if n := s.info.LPs; n > d.common {
			d.only = append(d.only, fmt.Sprintf("gids %d to %d: only in %s", d.common, n-1, letter(which)))
		}
	}
}

func clockText(info *rio.Info) string { return cli.FormatFloat(info.Clock, 64) }

func letter(which int) string { return string(rune('A' + which)) }

// sum adds the hashes of a side to the sums.
func (d *differ) sum(s *side) error {
	seen := make([]uint32, (s.info.LPs+31)/32)
	sign := uint64(1)
	if s == d.side[B] {
		sign = ^uint64(0) // -1
	}
	return s.each(func(r *rio.Contents) error {
		h := d.hasher(s)
		if err := h.eachLP(r, func() error {
			gid := h.lp.GID
			if bit := uint32(1) << (gid % 32); atomic.OrUint32(&seen[gid/32], bit)&bit != 0 {
				return fmt.Errorf("ross: checkpoint: %s: gid %d occurs twice: %w: load another checkpoint", s.name, gid,
					rio.ErrDamaged)
			}
			if gid < d.common {
				atomic.AddUint64(&d.lpSums[gid], sign*h.ofLP())
			}
			return nil
		}); err != nil {
			return err
		}
		return h.eachEvent(r, func(lineage []float64) {
			atomic.AddUint64(&d.eventSums[h.event.Dst], sign*h.ofEvent(lineage))
		})
	})
}

// choose counts the LPs that differ and records the first of them, which will be printed. It
// reports whether any events differ.
func (d *differ) choose() (eventsDiffer bool) {
	room := d.most - len(d.run) - len(d.only)
	for gid, sum := range d.lpSums {
		if sum != 0 {
			d.lpCount++
			if len(d.first) < room {
				d.first = append(d.first, uint64(gid))
			}
		}
	}
	for _, sum := range d.eventSums {
		eventsDiffer = eventsDiffer || sum != 0
	}
	return eventsDiffer
}

// detail keeps the LPs of A that will be printed, or compares those of B with them, and counts
// the events of LPs whose events differ.
func (d *differ) detail(which int) error {
	s := d.side[which]
	change := int64(1 - 2*which)
	return s.each(func(r *rio.Contents) error {
		h := d.hasher(s)
		if err := h.eachLP(r, func() error {
			if n := len(d.first); n == 0 || h.lp.GID > d.first[n-1] || d.lpSums[h.lp.GID] == 0 {
				return nil
			}
			d.lock.Lock()
			defer d.lock.Unlock()
			if which == A {
				d.kept[h.lp.GID] = clone(&h.lp)
			} else {
				kept := d.kept[h.lp.GID]
				d.texts[h.lp.GID] = d.lpText(&kept, &h.lp)
			}
			return nil
		}); err != nil {
			return err
		}
		return h.eachEvent(r, func(lineage []float64) {
			if d.eventSums[h.event.Dst] == 0 {
				return
			}
			key := eventKey{h.event.Dst, h.ofEvent(lineage)}
			d.lock.Lock()
			defer d.lock.Unlock()
			if d.counts[key] += change; d.counts[key] == 0 {
				delete(d.counts, key)
			}
		})
	})
}

// compareTypes gives types of the same name the same number, and compares them.
func (d *differ) compareTypes(a, b []rio.Type) {
	d.types = typeNames(a)
	for i := range a {
		d.side[A].types = append(d.side[A].types, uint32(i))
	}
	inA := len(a)
	found := make([]bool, inA)
	for i, name := range typeNames(b) {
		k := slices.Index(d.types[:inA], name)
		if k < 0 {
			k = len(d.types)
			d.types = append(d.types, name)
			d.run = append(d.run, fmt.Sprintf("type %s: only in B", name))
		} else {
			found[k] = true
			d.compareType(name, &a[k], &b[i])
		}
		d.side[B].types = append(d.side[B].types, uint32(k))
	}
	for k, ok := range found {
		if !ok {
			d.run = append(d.run, fmt.Sprintf("type %s: only in A", d.types[k]))
		}
	}
}

// typeNames returns the names of types, with a number if a name is repeated.
func typeNames(types []rio.Type) []string {
	seen := map[string]int{}
	var names []string
	for i := range types {
		name := types[i].Name
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		names = append(names, name)
	}
	return names
}

func (d *differ) compareType(name string, a, b *rio.Type) {
	l := lister{}
	l.add("state", a.State, b.State)
	l.add("bytes of state", a.StateSize, b.StateSize)
	l.add("message", a.Message, b.Message)
	l.add("bytes of message", a.MessageSize, b.MessageSize)
	l.add("the model's own form", a.Serialized, b.Serialized)
	if text := l.String(); text != "" {
		d.run = append(d.run, fmt.Sprintf("type %s: %s", name, text))
	}
}
