// This file owns the option: which LPs are watched, and when.

package watch

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/usage"
)

// Item is a part of the option: an LP, or those with a label, and an interval of virtual time.
type Item struct {
	ID       uint64
	Label    string // what the model calls them; ID counts if it is ""
	From, To float64
}

// String returns the item as an option has it: 7, "station 7"@..2 or 12@1.5..2.
func (it Item) String() string {
	text := strconv.FormatUint(it.ID, 10)
	if it.Label != "" {
		text = strconv.Quote(it.Label)
	}
	from, to := "", ""
	if !math.IsInf(it.From, -1) {
		from = number(it.From)
	}
	if !math.IsInf(it.To, 1) {
		to = number(it.To)
	}
	if from+to == "" {
		return text
	}
	return text + "@" + from + ".." + to
}

// Parse reads a value of the option. The error says what is wrong with it.
func Parse(option string) (all []Item, err error) {
	for rest := option; ; {
		var it Item
		if it, rest, err = parseItem(rest); err != nil {
			return nil, usage.Errorf("option --watch=%s: %v", option, err)
		}
		if all = append(all, it); rest == "" {
			return all, nil
		}
		rest = rest[1:] // the comma
	}
}

// parseItem reads an item up to the end or a comma, which is left.
func parseItem(s string) (it Item, rest string, err error) {
	name := s
	quoted := strings.HasPrefix(strings.TrimLeft(s, " "), `"`)
	if quoted {
		s = strings.TrimLeft(s, " ")
		if name, err = strconv.QuotedPrefix(s); err != nil {
			return it, "", errors.New(`a label in double quotes has no end; give "label", with \" for a quote in it`)
		}
		s = s[len(name):]
		name, _ = strconv.Unquote(name) // QuotedPrefix has looked at it
	} else {
		end := strings.IndexAny(s, ",@")
		if end < 0 {
			end = len(s)
		}
		name, s = strings.TrimSpace(s[:end]), s[end:]
	}
	if name == "" {
		return it, "", errors.New("an LP has no name; give its id or its label, and a comma only between two LPs")
	}
	if it.Label = name; !quoted {
		if it.ID, err = strconv.ParseUint(name, 10, 64); err == nil {
			it.Label = ""
		} else if errors.Is(err, strconv.ErrRange) {
			return it, "", fmt.Errorf(`%s is beyond all ids; give the id of an LP, or a label of digits in double quotes`, name)
		}
	}
	it.From, it.To = math.Inf(-1), math.Inf(1)
	s = strings.TrimLeft(s, " ")
	if strings.HasPrefix(s, "@") {
		end := strings.IndexByte(s, ',')
		if end < 0 {
			end = len(s)
		}
		if it.From, it.To, err = interval(strings.TrimSpace(s[1:end])); err != nil {
			return it, "", err
		}
		s = s[end:]
	}
	if s != "" && s[0] != ',' {
		return it, "", fmt.Errorf(`%q follows the label %q; give a comma before another LP, or @from..to`, s, name)
	}
	return it, s, nil
}

// interval reads from..to.
func interval(s string) (from, to float64, err error) {
	const want = "give @from..to, virtual times of which either may be left out"
	a, b, found := strings.Cut(s, "..")
	if !found {
		return 0, 0, fmt.Errorf("@%s is no interval; %s", s, want)
	}
	end := func(text string, without float64) float64 {
		if text = strings.TrimSpace(text); text == "" {
			return without
		}
		x, e := strconv.ParseFloat(text, 64)
		if e != nil || math.IsNaN(x) {
			err = fmt.Errorf("@%s: %q is no virtual time; %s", s, text, want)
		}
		return x
	}
	from, to = end(a, math.Inf(-1)), end(b, math.Inf(1))
	if err == nil && from > to {
		err = fmt.Errorf("@%s: ends before it begins; give the earlier time first", s)
	}
	return from, to, err
}

// span is an interval of virtual time. Both ends are in it.
type span struct{ from, to float64 }

// wants returns what reports whether a time is in one of several spans.
func wants(spans []span) func(time float64) bool {
	return func(time float64) bool {
		for _, s := range spans {
			if time >= s.from && time <= s.to {
				return true
			}
		}
		return false
	}
}

// find returns the watched LPs of all ranks, and when they are. The error, which names the option, says which LP does
// not exist.
func find(r *kernel.Run, option string, items []Item) (map[uint64][]span, error) {
	found := map[uint64][]span{}
	add := func(gid uint64, it *Item) { found[gid] = append(found[gid], span{it.From, it.To}) }
	labelled := map[string][]*Item{}
	for i := range items {
		it := &items[i]
		switch {
		case it.Label != "":
			labelled[it.Label] = append(labelled[it.Label], it)
		case it.ID >= r.Total:
			return nil, usage.Errorf("option --watch=%s: there is no LP %d; ids go from 0 to %d", option, it.ID, r.Total-1)
		default:
			add(it.ID, it)
		}
	}
	if len(labelled) == 0 {
		return found, nil
	}
	if !r.HasLabels() {
		return nil, usage.Errorf("option --watch=%s: the LPs of this model have no labels; give ids, from 0 to %d", option,
			r.Total-1)
	}
	seen := map[string]bool{}
	for gid := range r.Total {
		label := r.LabelOf(gid)
		for _, it := range labelled[label] {
			add(gid, it)
			seen[label] = true
		}
	}
	for i := range items {
		if label := items[i].Label; label != "" && !seen[label] {
			return nil, usage.Errorf("option --watch=%s: no LP has the label %q; %s", option, label, nearest(r, label))
		}
	}
	return found, nil
}

// nearest returns advice that names the label nearest to one that no LP has.
func nearest(r *kernel.Run, label string) string {
	best, at, least := "", uint64(0), math.MaxInt
	for gid := range r.Total {
		if l := r.LabelOf(gid); l != "" && l != best {
			if d := usage.Distance(label, l, least); d < least {
				best, at, least = l, gid, d
			}
		}
	}
	if best == "" {
		return fmt.Sprintf("none has a label; give ids, from 0 to %d", r.Total-1)
	}
	return fmt.Sprintf("the nearest is %q, of LP %d; a label with a comma or @ needs double quotes", best, at)
}
