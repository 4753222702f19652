// Package calendar has opening hours and shifts: how many servers there are from when to when, in a plan that repeats
// itself, such as a week, with exceptions such as holidays.
//
//	unit: h                            # of virtual time
//	start: mon 2026-11-30              # what virtual time 0 is
//	mon-fri 08:00-12:00,13:00-17:00: 3 # servers
//	sat 09:00-12:00: 1
//	on 2026-12-24 08:00-12:00: 1       # the plan of that day
//	on 2026-12-25..2026-12-27: closed
//	except 2026-12-30 15:00..2026-12-31 10:00: closed
//
// [Parse] reads such a text. A [Calendar] that is a field of parameters (program/parts/params) is read from YAML:
//
//	"desk[*].hours": |
//	  unit: h
//	  mon-fri 08:00-17:00: 3
//
// [New] makes a Calendar from a [Plan] in Go.
//
// # Lines
//
// Each line, or part of a line up to a semicolon, is an entry; # begins a comment. Settings come before the others:
//
//	unit: h                   of virtual time: ns, us, ms, s, min, h or d; always needed
//	period: 3 weeks           after which the plan repeats itself, in units as above or weeks; a week by default
//	start: wed 06:00          what virtual time 0 is: a weekday, a date or both, and an hour; Monday 00:00 by default
//
// The plan is what follows. Where it says nothing, there are no servers.
//
//	mon-fri,sun 08:00-17:00: 3   days and hours; daily or no days: each day; no hours: all day
//	fri 22:00-06:00: 1           ends on Saturday
//	week 2 mon: 3                in a period of several weeks
//	day 1..4 08:00-17:00: 3      days of the period, the first is 1
//	time 0..0.25: 3              in units of virtual time, from the beginning of the period
//	mon-fri 12:00-13:00: -2      two fewer than other entries say; +2 for two more
//	mon 17:00-18:00: closed      as 0
//
// Entries that overlap are an error, unless all but one of them begin with + or -. Exceptions override the plan, and a
// later one overrides those before it:
//
//	on 2026-12-24 08:00-12:00: 1                the plan of a day; several such lines are for several hours
//	on day 10..12: closed                       by numbers, the first day is that of virtual time 0
//	except 2026-12-30 15:00..2026-12-31: closed   from a time to another one; the rest of the days is as planned
//	except 100..124.5: 1                        in units of virtual time
//
// Dates need a start with a date. Days have 24 hours all year.
//
// # Times
//
// A number of servers holds from the time of its change on. That time is a whole number of ticks, the longest that
// all times of the plan have in common, divided by the ticks of a unit, and rounded once: 08:20 of a week is the
// float64 next to the exact time, in week 10,000 as well. Errors do not add up. From tick 2^53 on, nothing changes any
// more.
//
// # Servers that follow
//
// A handler sets the servers, and sends itself the event of the next change ([Keep]):
//
//	func (d *Desk) Hours(lp *ross.LP, _ *Hours) {
//		next := calendar.Keep(lp, &d.Clerks, &d.Staff, hours, calendar.Finish)
//		for t := d.Clerks.Next(lp); t != 0; t = d.Clerks.Next(lp) {
//			d.serve(lp, t)
//		}
//		if !math.IsInf(next, 1) {
//			ross.Send(lp, lp.ID(), next, Hours{})
//		}
//	}
//
// A service that only goes on in open hours ends at [Calendar.End], or after [Calendar.Takes].
package calendar
