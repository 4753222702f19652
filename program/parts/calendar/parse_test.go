// This file owns the tests of texts: what they mean, what is wrong with them, and fuzzed ones.

package calendar

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/usage"
)

// changes are the virtual times from 0 on at which numbers of servers begin.
type changes [][2]float64

func changesOf(c Calendar, n int) (all changes) {
	for t := 0.0; len(all) < n && !math.IsInf(t, 1); t = c.Next(t) {
		all = append(all, [2]float64{t, float64(c.At(t))})
	}
	return all
}

func TestTextsMeanWhatTheySay(t *testing.T) {
	for text, want := range map[string]changes{
		"unit: h\nmon-tue 08:00-17:00: 3": {{0, 0}, {8, 3}, {17, 0}, {32, 3}, {41, 0}, {176, 3}},
		"unit: min; 8:30-9:00,10:00-10:00:30: 2 # half a minute": {{0, 0}, {510, 2}, {540, 0}, {600, 2}, {600.5, 0},
			{1950, 2}},
		"UNIT: H; Start: sat 22:00; fri-sun 22:00-06:00: 1": {{0, 1}, {8, 0}, {24, 1}, {32, 0}, {144, 1}, {152, 0}},
		"unit: d; sat,mon: 4; fri: closed":                  {{0, 4}, {1, 0}, {5, 4}, {6, 0}, {7, 4}, {8, 0}},
		"unit: d; sun-mon: 4":                               {{0, 4}, {1, 0}, {6, 4}, {8, 0}, {13, 4}, {15, 0}},
		"unit: h; daily 0:00-24:00: 1":                      {{0, 1}},
		"unit: h; 00:00-12:00: 1; 12:00-24:00: 1":           {{0, 1}},
		"unit: d; period: 2 weeks; week 2 mon-tue: 1; wed: 2": {{0, 0}, {2, 2}, {3, 0}, {7, 1}, {9, 2}, {10, 0}, {16, 2},
			{17, 0}, {21, 1}},
		"unit: h; period: 4 d; day 2..3 12:00-13:00: 1":        {{0, 0}, {36, 1}, {37, 0}, {60, 1}, {61, 0}, {132, 1}},
		"unit: s; period: 1 s; time 0.25..0.5: 1":              {{0, 0}, {0.25, 1}, {0.5, 0}, {1.25, 1}, {1.5, 0}},
		"unit: h; period: 1 d; 8:00-17:00: 3; 12:00-13:00: -2": {{0, 0}, {8, 3}, {12, 1}, {13, 3}, {17, 0}, {32, 3}},
		"unit: h; period: 1 d; 6:00-14:00: 3; 13:30-22:00: +3": {{0, 0}, {6, 3}, {13.5, 6}, {14, 3}, {22, 0}, {30, 3}},
		"unit: d; start: 2026-12-23; daily: 5; on 2026-12-25: closed; on 2026-12-25 12:00-18:00: 1": {{0, 5}, {2, 0},
			{2.5, 1}, {2.75, 0}, {3, 5}},
		"unit: h; start: wed 2026-12-23 06:00; daily 0:00-24:00: 5; on 2026-12-22..2026-12-23: closed": {{0, 0}, {18, 5}},
		"unit: h; start: 18:00; daily: 5; on day 1..2 20:00-22:00: 2":                                  {{0, 0}, {2, 2}, {4, 0}, {26, 2}, {28, 0}, {30, 5}},
		"unit: h; daily: 5; except day 1 10:00..day 2: closed; except 12..13.5: 1": {{0, 5}, {10, 0}, {12, 1}, {13.5, 0},
			{24, 5}},
		"unit: h; start: 2026-12-23; daily: 1; except 2026-12-22..2026-12-23 08:00: 2": {{0, 2}, {8, 1}},
	} {
		c, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, changesOf(c, len(want)), text)
		if last := c.Next(want[len(want)-1][0]); len(want) < 6 && !strings.Contains(text, "0.25") {
			require.True(t, math.IsInf(last, 1), text)
		}
	}
}

func TestWrongTextsSayHowToCorrectThem(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "no unit of virtual time: begin with one, such as unit: h",
		"mon: 3":                                `line 1, "mon: 3": no unit of virtual time before it: begin with one, such as unit: h`,
		"unit: h\n\nmon 8:00-9:00":              `line 3, "mon 8:00-9:00": no value: write a colon, a space and the number of servers`,
		"unit: fortnight":                       `"fortnight" is not a unit: write ns, us, ms, s, min, h or d`,
		"unit: h; unit: h":                      `line 1, "unit: h": unit for the second time: write it once`,
		"unit: h; mon: 3; period: 3 weeks":      `period after the first shift: write it before`,
		"unit: h; start: mon; period: 3 d":      `period after start: write start last`,
		"unit: h; period: 0 weeks":              `"0 weeks" is not a period: write a number and one of ns`,
		"unit: h; period: 5300 weeks":           `more than 100 years: write a shorter period`,
		"unit: h; start: noon":                  `"noon" is not a start: write a weekday, a date or both`,
		"unit: h; start: tue 2026-11-30":        `that day is mon: correct the weekday or the date`,
		"unit: h; period: 8 d; start: mon":      `a weekday, and a period that is not some weeks: write an hour only, or a date`,
		"unit: h; period: 5 h; start: 1:00":     `a start, and a period that is not some days: let the period begin at`,
		"unit: h; mon: many":                    `"many" is not a number of servers: write 0 to 2147483647, or closed`,
		"unit: h; mon: 3000000000":              `"3000000000" is not a number of servers`,
		"unit: h; mom: 3":                       `"mom" is not a weekday: write mon, tue,`,
		"unit: h; mon-fry: 3":                   `"mon-fry" is not a weekday`,
		"unit: h; mon 8-17: 3":                  `"8-17" is not a time of day: write it as in 08:00-17:00 or 22:00-06:00`,
		"unit: h; mon 8:00-25:00: 3":            `"8:00-25:00" is not a time of day`,
		"unit: h; mon at 8:00-9:00: 3":          `"at" is neither days nor hours: write both as in mon-fri 08:00-17:00: 3`,
		"unit: h; week 2 mon: 3":                `"2" is not a week of the period: write 1 to 1; 2 weeks have period: 2 weeks`,
		"unit: h; day 8: 3":                     `"8" are not days of the period: write one such as day 1, or several such as day 1..7`,
		"unit: h; period: 8 d; mon: 3":          `weekdays in a period that is not some weeks: write days such as day 1..3`,
		"unit: h; period: 5 h; 1:00-2:00: 3":    `days and hours in a period that is not some days: write times such as time 0..8`,
		"unit: h; time 8: 3":                    `no two times: write them as in time 0..8`,
		"unit: h; time 8..x: 3":                 `"x" is not a time: write a number of units of virtual time, such as 100 or 2.5`,
		"unit: h; time 8..169: 3; time 8..7: 1": `from 8h0m0s to 7h0m0s: let it begin within the period of 168h0m0s`,
		"unit: ns; time 0..0.5: 3":              `"0.5" is not a whole number of nanoseconds: write it with fewer digits`,
		"unit: d; time 0..40000: 3":             `more than 100 years: leave it out`,
		"unit: h\nmon 8:00-12:00: 3\nmon-fri 11:00-13:00: 1": `line 3, "mon-fri 11:00-13:00: 1": overlaps with line 2, ` +
			`"mon 8:00-12:00: 3": let one end when the other begins, or write +1 for that many more or fewer`,
		"unit: h; mon: 3; mon: 2; mon: 1":                              `"mon: 2": overlaps with line 1, "mon: 3"`,
		"unit: h; mon: 1; tue: -1":                                     `"tue: -1": leaves -1 servers at some time: take away fewer`,
		"unit: h; mon: 2147483647; mon: +1":                            `"mon: +1": makes 2147483648 servers at some time: 2147483647 is the most`,
		"unit: h; on mon: 3":                                           `"mon" is not a date: write one as in 2026-12-24`,
		"unit: h; on 2026-12-24: 3":                                    `a date, and virtual time 0 has none: give it one, such as start: 2026-11-30`,
		"unit: h; on : 3":                                              `no days: write them as in on 2026-12-24, or on day 3`,
		"unit: h; on day 0: 3":                                         `"0" are not days: write one such as day 1, or several such as day 1..3`,
		"unit: h; on day 1: +3":                                        `a sign in an exception: write how many servers there are`,
		"unit: h; except day 1: 3":                                     `no two times: write them as in except 2026-12-30 15:00..2026-12-31 10:00`,
		"unit: h; except 5..5: 3":                                      `the end is not after the beginning: write the earlier time first`,
		"unit: h; except ..5: 3":                                       `"" is not a time: write one as in 2026-12-30 15:00, day 3 15:00 or 100`,
		"unit: h; except day 1..day 1 9:00 x: 3":                       `"day 1 9:00 x" is not a time`,
		"unit: h; except day 1..day x: 3":                              `"x" is not a day: write one such as day 3`,
		"unit: d; start: 2026-12-24; on 2026-12-23: 1":                 `before virtual time 0: remove it, or correct the date or the start`,
		"unit: d; start: 2026-12-24; except 2026-12-23..2026-12-24: 1": `before virtual time 0: remove it`,
		"unit: d; start: 2026-12-24; on 2127-12-23: 1":                 `more than 100 years from virtual time 0: leave it out`,
		"unit: d; start: 2026-12-24; on 2027-01-02..2027-01-01: 1":     `the last day is before the first: write the earlier one first`,
		"unit: d; period: 36525 d; 1:00-2:00,3:00-4:00,5:00-6:00,7:00-8:00,9:00-9:01,9:02-9:03,9:04-9:05,9:06-9:07: 1": `too many shifts: 262144 is the most`,
		"unit: us; period: 36525 d; time 0..0.001: 1": `a unit of 1µs, a period of 876600h0m0s and times such as 1ns: ` +
			`give rounder times`,
	} {
		c, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		require.Regexp(t, "^ross: calendar: ", err.Error())
		require.ErrorIs(t, err, usage.Err)
		require.Equal(t, Calendar{}, c)
	}
}

func TestWrongPlansSayHowToCorrectThem(t *testing.T) {
	for want, p := range map[string]Plan{
		"unit of virtual time is 0s: give one above 0, such as time.Hour":    {},
		"period is -1ns: give one above 0":                                   {Unit: 1, Period: -1},
		"start is 168h0m0s: give a time of the period, 0 to before 168h0m0s": {Unit: 1, Start: Week},
		"shift 2: from 168h0m0s to 169h0m0s: let it begin within the period": {Unit: 1,
			Shifts: []Shift{{To: 1}, {From: Week, To: Week + time.Hour}}},
		"shift 1: -1 servers: give 0 to 2147483647":                     {Unit: 1, Shifts: []Shift{{To: 1, Servers: -1}}},
		"exception 1: from 1ns to 1ns: let it end later":                {Unit: 1, Except: []Shift{{From: 1, To: 1}}},
		"exception 1: +1 servers: give 0 to 2147483647, without a sign": {Unit: 1, Except: []Shift{{To: 1, Servers: 1, Adds: true}}},
	} {
		_, err := New(p)
		require.ErrorContains(t, err, "ross: calendar: "+want)
	}
}

func TestCalendarsAreReadAsTexts(t *testing.T) {
	var read struct{ Hours Calendar }
	require.NoError(t, json.Unmarshal([]byte(`{"Hours": "unit: h; mon: 3"}`), &read))
	require.Equal(t, 24., read.Hours.Next(0))
	before := read.Hours
	require.Error(t, json.Unmarshal([]byte(`{"Hours": "mon: 3"}`), &read))
	require.Equal(t, before, read.Hours)
}

// FuzzParse looks for texts that break Parse, or whose calendars contradict themselves.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"unit: h\nstart: mon 2026-11-30\nmon-fri 08:00-12:00,13:00-17:00: 3 # servers\nsat 09:00-12:00: 1\n" +
			"on 2026-12-24 08:00-12:00: 1\non 2026-12-25..2026-12-27: closed\n" +
			"except 2026-12-30 15:00..2026-12-31 10:00: closed",
		"unit: min; period: 3 weeks; week 2 mon: 3; fri 22:00-06:00: 1; mon-fri 12:00-13:00: +2; except 100..124.5: 1",
		"unit: d; period: 9 days; start: 06:30; day 1..4 08:00-17:00: 3; on day 10..12 1:00-2:00: 9; time 0..0.25: +3",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			require.True(t, errors.Is(err, usage.Err) && strings.HasPrefix(err.Error(), "ross: calendar: "), "%v", err)
			return
		}
		open, from := 0.0, 0.0
		for range 30 {
			next := c.Next(from)
			require.Greater(t, next, from)
			if math.IsInf(next, 1) {
				break
			}
			servers := c.At(from)
			require.Equal(t, servers, c.At(math.Nextafter(next, 0)))
			require.NotEqual(t, servers, c.At(next))
			require.LessOrEqual(t, servers, c.Most())
			if servers > 0 {
				open += next - from
			}
			require.InDelta(t, open, c.Open(0, next), 1e-12*next)
			if open > 0 {
				require.InDelta(t, open, c.Open(0, c.End(0, open)), 1e-12*next)
			}
			from = next
		}
	})
}
