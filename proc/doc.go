// Package proc has processes: models written as code that waits, as in SimPy, simmer and OMNeT++, which the engine
// rolls back as it does handlers.
//
//	type Bank struct {
//		proc.Processes
//		Counter proc.Servers `ross:"counter,min"`
//	}
//
//	func (b *Bank) Init(lp *ross.LP) {
//		b.Counter.Open(lp, resource.Rules{Servers: 1})
//		proc.Do(lp, b, func(p *proc.Self) { proc.Go(p, (*Bank).source) })
//	}
//
//	func (b *Bank) source(p *proc.Self) {
//		for {
//			p.Sleep(p.RNG().Exponential(10))
//			needs, patience := p.RNG().Exponential(12), 5+10*p.RNG().Unif()
//			proc.Go2(p, (*Bank).customer, needs, patience)
//		}
//	}
//
//	func (b *Bank) customer(p *proc.Self, needs, patience float64) {
//		turn, ok := b.Counter.RequestWithin(p, patience)
//		if !ok {
//			return
//		}
//		p.Sleep(needs)
//		b.Counter.Release(p, turn)
//	}
//
//	//go:generate go tool rossproc
//	var bank = proc.Type(ross.Type[Bank]{LPs: 1, Init: (*Bank).Init})
//
// A process is a method of the state of an LP, whose first parameter is [*Self]. [Go] starts it, at the LP where it
// is called; it runs until it waits, and ends when it returns. Processes of an LP share its state, and nothing runs
// at the same time as they do: between two waits a process is alone.
//
// # Generating
//
// Goroutines cannot be rolled back. So the program rossproc turns each process into a frame, which holds what its
// variables need after a wait, and a function that goes on behind each wait:
//
//	go get -tool github.com/ross-go/ross/cmd/rossproc
//	go generate ./...
//
// The source stays as it is, and in the build: rossproc adds a file, zz_proc.go, whose lines lead to the source in
// panics and debuggers. In a continuous build, rossproc -check says whether the file is up to date, and proctest.Run
// compares what was generated with the source.
//
// Without generating, a model runs at once, sequentially, each process being a coroutine. Other schedulers then end
// with [ErrGenerated].
//
// # What waits
//
//	p.Sleep, p.Work                         for a time; Work ends before if the process is interrupted
//	p.Join, p.Any                           for the end of a process; for a time, signal, turn or end, whichever is first
//	Servers.Request, RequestWithin, Serve   for a server; at most for a time; while being served
//	Store.Put, Get, GetWithin               for room, for an item
//	Level.Put, Get, GetWithin               for room, for an amount
//	Signal.Wait, WaitWithin                 until Fire
//	Mailbox.Receive, ReceiveWithin          for a message of another LP
//	At                                      travels to another LP
//
// Also a process that waits may be called by a process, as a function: it may have results then. It is in the frame
// of its caller, so it cannot call itself.
//
// A model adds what waits by a convention. A method X whose first parameter is *Self, with siblings BeginX and EndX,
// is a wait: BeginX begins it and reports whether there is nothing to wait for, EndX ends it, has p alone as its
// parameter and returns the results. X itself is for processes that were not generated:
//
//	func (d *Door) Pass(p *proc.Self) bool {
//		if !d.BeginPass(p) {
//			p.Suspend()
//		}
//		defer p.Continue()
//		return d.EndPass(p)
//	}
//
// BeginX keeps the [Ref] that [Self.Wait] returns, [Self.Resume] ends the wait that it names, and EndX asks
// [Self.Value] what has ended it. EndX is called in any case, also for a process that is killed, and so undoes there
// what BeginX has done.
//
// # Order
//
// A process that is started or woken is ready, and goes on within the same event, when those that were ready before
// it wait. Interruptions and starts have no precedence, which they have in SimPy. Events of the same time happen in
// the order of package ross.
//
// # Variables
//
// After a wait a process has its numbers, and arrays and structs of numbers. What holds a pointer may be used between
// two waits, and not over one, since a frame is bytes: rossproc refuses it with file and line. So keep an index
// instead of a pointer, and containers and strings in the state. The pointer to the state itself is found again,
// apart from that to a state which a process has left by travelling. So are the parameters of the model, which [Given]
// gives a type: a variable that is defined as m := proc.Param[params](p), and is not assigned to again.
//
// Loops, switch, labels, shadowing, defer outside of loops, and waits within expressions are as they are in Go. Not
// in processes are goroutines, channels, recover, waits in closures and in functions of other packages, and processes
// with type parameters. A variable of a loop is one for all turns, where a closure could see the difference.
//
// Draws come from the stream of the LP, [Self.RNG], or from one of the process's own, [Self.Stream].
//
// Under SaveByLog a process saves what it changes in the state, as a handler does (ross.Save, ross.Write). Its
// variables, and all of this package and of package resource, undo themselves.
//
// # Travelling
//
// [At] takes a process to another LP, with its variables, after a delay: the message is its frame. That is how
// processes of different LPs meet. [GoAt] starts one elsewhere. The lookahead that types promise (ross.Type) is the
// least delay of both. Processes and handlers send messages as ever, with ross.Send(p.LP(), ...), and a [Mailbox]
// receives them. A process may keep a server while it is away, and releases it with its turn when it is back.
//
// # Ends
//
// [Self.Interrupt] ends a wait that can be interrupted: [Self.Work] and [Self.Any]. Elsewhere it stays until the next
// such wait. [Self.Kill] ends a process: it stops waiting, runs its deferred calls, and nothing else.
// Who holds a server or an amount, therefore defers its Release or Return, if he may be killed.
//
// # What is left
//
// The report of a run lists the processes that are left, with what they wait for and where in the source. It names
// those that can never go on: who waits for one another, for one that has ended, or for anything when no event is left.
// It also names servers that a process has kept beyond its end: the one that has asked for them. A process that may
// still come back from another LP has not kept them: only when no event is left, it is named. --watch shows what
// each process does in an event, and errors of the checks of rollback name process, line and variable.
//
// # Checkpoints
//
// Checkpoints hold the processes that wait. A process that has changed since, in its variables or its waits, is not
// loaded: the run ends with [ErrGenerated] when its LP handles its first event. Processes are numbered by their
// names, so the order of packages does not matter.
//
// # Limits
//
// A process costs 1.2 to 1.6 times the processor time of handlers made for the same (bench/README.md). A loop without
// a wait hangs, also in a state that is impossible and would be undone. Processes that an LP has at the end of a run
// without generated code keep some KiB each, as long as the program runs.
package proc
