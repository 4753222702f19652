// This file owns Parse: the text of a plan.

package calendar

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse returns the Calendar of a text: see the package. Errors name line and entry.
func Parse(text string) (Calendar, error) {
	p := parser{plan: Plan{Period: Week}}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, entry := range strings.Split(line, ";") {
			entry = strings.TrimSpace(entry)
			if entry == "" {
				continue
			}
			p.name = fmt.Sprintf("line %d, %q", i+1, entry)
			if what, fix := p.entry(entry); what != "" {
				return Calendar{}, failed(p.name, "%s: %s", what, fix)
			}
		}
	}
	if p.plan.Unit == 0 {
		return Calendar{}, failed("", "no unit of virtual time: begin with one, such as unit: h")
	}
	p.plan.Except = append(p.closed, p.plan.Except...)
	return New(p.plan)
}

// UnmarshalText sets the Calendar to that of a text, as Parse returns it. So YAML and JSON have calendars.
func (c *Calendar) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

// parser is the state of Parse. Its methods return what is wrong with an entry and how to correct it, or "".
type parser struct {
	name    string // of the entry, in errors
	plan    Plan
	date    time.Time     // of virtual time 0, without the hours; zero if no entry says it
	hour    time.Duration // of virtual time 0
	closed  []Shift       // the days that entries with on have
	started bool          // an entry that is no setting has come
	set     [3]bool       // settings that have come
}

// most is the number of shifts and exceptions that a text may stand for.
const most = 1 << 18

const day = 24 * time.Hour

var units = map[string]time.Duration{
	"ns": 1, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour,
	"d": day, "day": day, "days": day, "week": Week, "weeks": Week, "hour": time.Hour, "hours": time.Hour,
	"minute": time.Minute, "minutes": time.Minute, "second": time.Second, "seconds": time.Second,
}

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// entry reads an entry.
func (p *parser) entry(entry string) (what, fix string) {
	key, value, ok := strings.Cut(entry, ": ")
	if !ok {
		return "no value", "write a colon, a space and the number of servers behind it, such as mon-fri 08:00-17:00: 3"
	}
	key, value = strings.ToLower(strings.TrimSpace(key)), strings.ToLower(strings.TrimSpace(value))
	if i := slices.Index([]string{"unit", "period", "start"}, key); i >= 0 {
		switch {
		case p.started:
			return key + " after the first shift", "write it before"
		case p.set[i]:
			return key + " for the second time", "write it once"
		case p.set[2]:
			return key + " after start", "write start last"
		}
		p.set[i] = true
		return [...]func(string) (string, string){p.unit, p.period, p.start}[i](value)
	}
	if p.plan.Unit == 0 {
		return "no unit of virtual time before it", "begin with one, such as unit: h"
	}
	p.started = true
	s := Shift{text: p.name, Adds: value[0] == '+' || value[0] == '-'}
	if value != "closed" {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return fmt.Sprintf("%q is not a number of servers", value), fmt.Sprintf("write 0 to %d, or closed", MaxServers)
		}
		s.Servers = int(n)
	}
	head, rest, _ := strings.Cut(key, " ")
	switch head {
	case "on", "except":
		if s.Adds {
			return "a sign in an exception", "write how many servers there are"
		}
		if head == "on" {
			return p.on(strings.Fields(rest), s)
		}
		return p.except(rest, s)
	case "time":
		from, to, ok := strings.Cut(strings.TrimSpace(rest), "..")
		if !ok {
			return "no two times", "write them as in time 0..8"
		}
		if s.From, what, fix = p.number(from); what != "" {
			return what, fix
		}
		if s.To, what, fix = p.number(to); what != "" {
			return what, fix
		}
		p.plan.Shifts = append(p.plan.Shifts, s)
		return "", ""
	}
	return p.shifts(strings.Fields(key), s)
}

func (p *parser) unit(value string) (what, fix string) {
	u, ok := units[value]
	if !ok || u == Week {
		return fmt.Sprintf("%q is not a unit", value), "write ns, us, ms, s, min, h or d"
	}
	p.plan.Unit = u
	return "", ""
}

func (p *parser) period(value string) (what, fix string) {
	const how = "write a number and one of ns, us, ms, s, min, h, d and weeks, such as 3 weeks"
	number, unit, _ := strings.Cut(value, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	u, ok := units[strings.TrimSpace(unit)]
	switch {
	case err != nil || !ok || n < 1:
		return fmt.Sprintf("%q is not a period", value), how
	case n > int64(century/u):
		return "more than 100 years", "write a shorter period"
	}
	p.plan.Period = time.Duration(n) * u
	return "", ""
}

// century bounds the times of a text. Two of them are less than the largest Duration.
const century = 36525 * day

func (p *parser) start(value string) (what, fix string) {
	const how = "write a weekday, a date or both, and an hour if it is not 00:00, such as wed 2026-12-02 06:00"
	weekday := -1
	for _, word := range strings.Fields(value) {
		w := slices.Index(weekdays, word)
		date, err := time.Parse(time.DateOnly, word)
		switch hour, ok := clock(word); {
		case w >= 0 && weekday < 0:
			weekday = w
		case err == nil && p.date.IsZero() && date.Year() > 1:
			p.date = date
		case ok && p.hour == 0 && hour < day:
			p.hour = hour
		default:
			return fmt.Sprintf("%q is not a start", word), how
		}
	}
	if !p.date.IsZero() {
		is := (int(p.date.Weekday()) + 6) % 7
		if weekday >= 0 && weekday != is {
			return fmt.Sprintf("that day is %s", weekdays[is]), "correct the weekday or the date"
		}
		weekday = is
	}
	p.plan.Start = p.hour
	if p.weeks() {
		p.plan.Start += time.Duration(max(weekday, 0)) * day
	}
	switch {
	case p.plan.Period%day != 0 && p.plan.Start > 0:
		return "a start, and a period that is not some days", "let the period begin at virtual time 0"
	case weekday >= 0 && !p.weeks() && p.date.IsZero():
		return "a weekday, and a period that is not some weeks", "write an hour only, or a date"
	}
	return "", ""
}

// weeks reports whether the period is some weeks.
func (p *parser) weeks() bool { return p.plan.Period%Week == 0 }

// shifts reads days and hours of the plan.
func (p *parser) shifts(words []string, s Shift) (what, fix string) {
	if p.plan.Period%day != 0 {
		return "days and hours in a period that is not some days", "write times such as time 0..8"
	}
	all := int64(p.plan.Period / day)
	first, after := int64(0), all
	if len(words) > 1 && words[0] == "week" {
		n, err := strconv.ParseInt(words[1], 10, 32)
		if err != nil || !p.weeks() || n < 1 || n > all/7 {
			return fmt.Sprintf("%q is not a week of the period", words[1]),
				fmt.Sprintf("write 1 to %d; %d weeks have period: %[2]d weeks", all/7, max(n, 2))
		}
		first, after, words = 7*(n-1), 7*n, words[2:]
	}
	var of [7]bool // weekdays, if there are any
	weekly := false
	switch {
	case len(words) > 1 && words[0] == "day":
		a, b, ok := days(words[1])
		if !ok || b > all {
			return fmt.Sprintf("%q are not days of the period", words[1]),
				fmt.Sprintf("write one such as day 1, or several such as day 1..%d", all)
		}
		first, after, words = a-1, b, words[2:]
	case len(words) > 0 && words[0] == "daily":
		words = words[1:]
	case len(words) > 0 && words[0][0] >= 'a':
		if of, what, fix = week(words[0]); what != "" {
			return what, fix
		}
		if weekly = true; !p.weeks() {
			return "weekdays in a period that is not some weeks", "write days such as day 1..3"
		}
		words = words[1:]
	}
	return p.hours(words, s, &p.plan.Shifts, func(yield func(time.Duration) bool) {
		for d := first; d < after; d++ {
			if (!weekly || of[d%7]) && !yield(time.Duration(d)*day) {
				return
			}
		}
	})
}

// hours adds the hours of an entry to a list, for each of some days.
func (p *parser) hours(words []string, s Shift, to *[]Shift, days func(func(time.Duration) bool)) (what, fix string) {
	spans := [][2]time.Duration{{0, day}}
	if len(words) > 1 {
		return fmt.Sprintf("%q is neither days nor hours", words[0]), "write both as in mon-fri 08:00-17:00: 3"
	}
	if len(words) == 1 {
		spans = nil
		for _, text := range strings.Split(words[0], ",") {
			a, b, _ := strings.Cut(text, "-")
			from, ok := clock(a)
			end, ends := clock(b)
			if !ok || !ends || from == day {
				return fmt.Sprintf("%q is not a time of day", text), "write it as in 08:00-17:00 or 22:00-06:00"
			}
			if end <= from {
				end += day
			}
			spans = append(spans, [2]time.Duration{from, end})
		}
	}
	for at := range days {
		for _, h := range spans {
			if s.From, s.To = at+h[0], at+h[1]; s.To-s.From > p.plan.Period {
				s.To = s.From + p.plan.Period
			}
			if len(*to) == most {
				return "too many shifts", fmt.Sprintf("%d is the most", most)
			}
			if to != &p.plan.Except {
				*to = append(*to, s)
			} else if s.From, s.To = max(s.From-p.hour, 0), s.To-p.hour; s.To > s.From {
				*to = append(*to, s)
			}
		}
	}
	return "", ""
}

// on reads an exception for days.
func (p *parser) on(words []string, s Shift) (what, fix string) {
	if len(words) == 0 {
		return "no days", "write them as in on 2026-12-24, or on day 3"
	}
	var from, after time.Duration // since the beginning of the day of virtual time 0
	if words[0] == "day" && len(words) > 1 {
		a, b, ok := days(words[1])
		if !ok {
			return fmt.Sprintf("%q are not days", words[1]), "write one such as day 1, or several such as day 1..3"
		}
		from, after, words = time.Duration(a-1)*day, time.Duration(b)*day, words[2:]
	} else {
		first, end, several := strings.Cut(words[0], "..")
		if from, what, fix = p.dateOf(first); what != "" {
			return what, fix
		}
		after = from
		if several {
			if after, what, fix = p.dateOf(end); what != "" {
				return what, fix
			}
		}
		if after < from {
			return "the last day is before the first", "write the earlier one first"
		}
		after, words = after+day, words[1:]
	}
	if after <= p.hour {
		return "before virtual time 0", "remove it, or correct the date or the start"
	}
	p.closed = append(p.closed, Shift{From: max(from-p.hour, 0), To: after - p.hour, text: s.text})
	return p.hours(words, s, &p.plan.Except, func(yield func(time.Duration) bool) {
		for at := from; at < after && yield(at); at += day {
		}
	})
}

// except reads an exception from a time to another one.
func (p *parser) except(text string, s Shift) (what, fix string) {
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		return "no two times", "write them as in except 2026-12-30 15:00..2026-12-31 10:00, or except 100..124"
	}
	if s.From, what, fix = p.point(from); what != "" {
		return what, fix
	}
	if s.To, what, fix = p.point(to); what != "" {
		return what, fix
	}
	if s.To <= 0 {
		return "before virtual time 0", "remove it, or correct the date or the start"
	}
	if s.From >= s.To {
		return "the end is not after the beginning", "write the earlier time first"
	}
	s.From = max(s.From, 0)
	if len(p.plan.Except) == most {
		return "too many exceptions", fmt.Sprintf("%d is the most", most)
	}
	p.plan.Except = append(p.plan.Except, s)
	return "", ""
}

// point reads a time from virtual time 0 on: a number, or a day with or without an hour.
func (p *parser) point(text string) (at time.Duration, what, fix string) {
	words := strings.Fields(text)
	if len(words) == 1 && !strings.Contains(words[0], "-") {
		return p.number(words[0])
	}
	switch {
	case len(words) > 1 && words[0] == "day":
		a, b, ok := days(words[1])
		if !ok || a != b {
			return 0, fmt.Sprintf("%q is not a day", words[1]), "write one such as day 3"
		}
		at, words = time.Duration(a-1)*day, words[2:]
	case len(words) > 0:
		if at, what, fix = p.dateOf(words[0]); what != "" {
			return 0, what, fix
		}
		words = words[1:]
	}
	if len(words) == 1 {
		if hour, ok := clock(words[0]); ok {
			return at + hour - p.hour, "", ""
		}
	}
	if len(words) > 0 || strings.TrimSpace(text) == "" {
		return 0, fmt.Sprintf("%q is not a time", text), "write one as in 2026-12-30 15:00, day 3 15:00 or 100"
	}
	return at - p.hour, "", ""
}

// dateOf reads a date, and returns when its day begins, from the day of virtual time 0 on.
func (p *parser) dateOf(text string) (at time.Duration, what, fix string) {
	date, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Sprintf("%q is not a date", text), "write one as in 2026-12-24"
	}
	if p.date.IsZero() {
		return 0, "a date, and virtual time 0 has none", "give it one, such as start: 2026-11-30"
	}
	if at = date.Sub(p.date); max(at, -at) > century {
		return 0, "more than 100 years from virtual time 0", "leave it out"
	}
	return at, "", ""
}

// number reads a virtual time in its units.
func (p *parser) number(text string) (at time.Duration, what, fix string) {
	text = strings.TrimSpace(text)
	if !decimal.MatchString(text) {
		return 0, fmt.Sprintf("%q is not a time", text), "write a number of units of virtual time, such as 100 or 2.5"
	}
	x, _ := new(big.Rat).SetString(text)
	x.Mul(x, new(big.Rat).SetInt64(int64(p.plan.Unit)))
	switch {
	case x.Cmp(new(big.Rat).SetInt64(int64(century))) > 0:
		return 0, "more than 100 years", "leave it out"
	case !x.IsInt():
		return 0, fmt.Sprintf("%q is not a whole number of nanoseconds", text), "write it with fewer digits"
	}
	return time.Duration(x.Num().Int64()), "", ""
}

var decimal = regexp.MustCompile(`^[0-9]{1,20}(\.[0-9]{1,20})?$`)

var timeOfDay = regexp.MustCompile(`^([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?$`)

// clock reads a time of the day, 0:00 to 24:00.
func clock(text string) (at time.Duration, ok bool) {
	m := timeOfDay.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	h, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	s, _ := strconv.Atoi(m[3]) // 0 without
	at = time.Duration(h)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(s)*time.Second
	return at, minute < 60 && s < 60 && at <= day
}

// days reads numbers of days from 1 on, a..b or a.
func days(text string) (first, end int64, ok bool) {
	from, to, several := strings.Cut(text, "..")
	first, err := strconv.ParseInt(from, 10, 64)
	end = first
	if several && err == nil {
		end, err = strconv.ParseInt(to, 10, 64)
	}
	return first, end, err == nil && first >= 1 && first <= end && end <= int64(century/day)
}

// week reads weekdays, such as mon-fri,sun.
func week(text string) (of [7]bool, what, fix string) {
	for _, part := range strings.Split(text, ",") {
		a, b, several := strings.Cut(part, "-")
		if !several {
			b = a
		}
		i, k := slices.Index(weekdays, a), slices.Index(weekdays, b)
		if i < 0 || k < 0 {
			return of, fmt.Sprintf("%q is not a weekday", part), "write mon, tue, wed, thu, fri, sat or sun, or two with - between"
		}
		for ; i != k; i = (i + 1) % 7 {
			of[i] = true
		}
		of[k] = true
	}
	return of, "", ""
}
