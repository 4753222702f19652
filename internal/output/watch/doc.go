// Package watch prints what committed events of some LPs did (--watch), so that a modeller sees why an LP did
// something without a debugger.
//
//	Watch: LP 3 "desk 3" (desk) at 12.5
//	  order     priority 1, tie-breakers 0.30410
//	  received  main.arrive{Customer:7}
//	  from      LP 0 "door", sent at 12.25
//	  changed   Busy: false -> true
//	  changed   Queue: 3 -> 4 values
//	  added     Queue: {Customer:7 Since:12.5}
//	  drew      1 from stream 0: 0.8371
//	  sent      LP 4 "exit" for 13.1, delay 0.6: main.leave{Customer:7}
//	  set       timer 1.3 for 14.5, delay 2: main.timeout{}
//	  recorded  Waiting: 0.5
//
// The option is a list of LPs, each with an interval of virtual time if need be; spec.go has the rules. If there is an
// interval, the text begins with the list: "Watch: only 3@10..20".
//
// Programs read the text as well (rossreader life). Lines of a block begin with two spaces and a kind, 10 bytes wide.
// Outside of quotes, the first colon and space end the path of a field, and the first arrow the value before. In a text
// that was cut, and may lack a quote, arrows are written as →, and in a path no space follows a colon.
//
// # Files
//
//	spec.go     the option, and the LPs that it names
//	watch.go    the start, and the limit of lines
//	view.go     the text about an event
//	blocks.go   blocks of Alloc and containers that a state leads to, before and after
//	lists.go    what has come into them, and what has left
//	things.go   what fields say themselves that they hold, such as processes
//	memory.go   how containers of package container lie in memory
//	values.go   values as text
//
// # How it works
//
// Package kernel calls a viewer before and after the handler of a watched LP (watch.go there), with what the event
// sent and recorded. Everything else is a comparison: package deep has that of a state, and this package that of what
// is outside of the Go heap, where addresses differ from run to run. The text is made when the event is handled, is
// dropped if the event is undone, and is printed when it is committed, in the order of signatures.
//
// # The same text everywhere
//
// A block of text has no address, no PE and no time of the wall clock, and draws are those of the streams. The message
// is as it was sent: a run with a watch keeps copies of messages, as one with a digest does. What Commit writes to the
// state comes at other times in other schedulers, so it shows only if Event writes to the same field.
package watch
