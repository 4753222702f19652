// Package resource has what customers of a model wait for: servers with queues, pools of members, stores of
// items, and levels of a quantity. They are fields of the state of an LP, the engine undoes them with the event
// that changed them, and they keep their own statistics.
//
//	type Clinic struct {
//		Doctors resource.Servers[Patient] `ross:"doctors,h"`
//	}
//
//	func (c *Clinic) Init(lp *ross.LP) {
//		c.Doctors.Open(lp, resource.Rules{Servers: 3, Order: resource.ByPriority})
//	}
//
//	func (c *Clinic) Comes(lp *ross.LP, m *Comes) {
//		if t, o := c.Doctors.RequestPriority(lp, m.Patient, m.Patient.Class); o == resource.Starts {
//			c.treat(lp, t)
//		}
//	}
//
//	func (c *Clinic) treat(lp *ross.LP, t resource.Ticket) {
//		ross.Send(lp, lp.ID(), c.Doctors.Get(lp, t).Treatment, Treated{t})
//	}
//
//	func (c *Clinic) Treated(lp *ross.LP, m *Treated) {
//		patient, next := c.Doctors.Release(lp, m.Ticket)
//		if next != 0 {
//			c.treat(lp, next)
//		}
//		...
//	}
//
// The first example is a whole model. A resource belongs to one LP. Customers of other LPs send it
// messages, and get messages back.
//
// # Tickets
//
// A resource sends no events, because only the model knows which. It says who starts, by a [Ticket]: the
// handler begins his service, and the event at its end brings the ticket back. [Servers.Get] returns
// the customer with a ticket, [Servers.Served] does so if he is served, [Servers.Came] says when he
// came. A ticket that is over names nobody, so an event that comes too late does no harm where that is usual
// ([Servers.Renege]), and is an error where it is a mistake ([Servers.Release]).
//
// # Who is next
//
// [Rules] have the order: first or last come first served, by priority, or with preemption. [Servers.Release]
// has the freed server take the next customer. [Servers.SetServers] changes the number of servers;
// [Servers.Next] then has those who are free take customers, and [Servers.Evict] interrupts those who are
// too many. With Rules.Batch a server takes several customers at once, and [Servers.Batch] names them; with
// Rules.BatchMin it waits until enough are there, or one of them has waited too long ([Servers.Overdue]).
//
// Rules without a number of servers are an error; [NoServers] is for those who all come later. A run of one rank at
// whose end customers wait, and in which nobody has been served, has a note that says so.
//
// # Pools
//
// A [Pool] has members with numbers. A customer may have several of them ([Need]), of the groups that fit, at once or
// as they come; members break down and are repaired. [Pool.Next] returns those who go on after a member has become
// free. Choose Servers where nobody needs more than one, and it does not matter which: a call takes half the time.
//
// # Stores
//
// A [Store] has items that are alike, and a [FilterStore] items that differ: a customer takes the first that
// fits him by a method of his type, also if others wait before him for something else.
//
// # Interruptions
//
// A service that may be interrupted begins with [Serve] instead of ross.Send: it remembers when the service
// ends. An interruption cancels that event, and the customer waits in front of the others of his
// priority. When he starts again, [Servers.Left] says what is left, to resume the service; or the
// handler begins it anew:
//
//	time, interrupted := s.Machines.Left(lp, t)
//	if !interrupted {
//		time = s.Machines.Get(lp, t).Work
//	}
//	resource.Serve(lp, &s.Machines, t, time, Finished{t})
//
// # Patience
//
// [Patience] sends an event to a customer who still waits after a time; its handler calls
// [Servers.Renege], at a Store or a Level Leave. If he starts before, the event is cancelled.
//
// # Statistics
//
// The exported fields of a resource are statistics of package stats, with all that this package says:
// they count what is committed, begin at --warm-up, appear in the report (--statistics=1) and in
// stats.Collect, and have the same bits in every run. Their names are those of the fields, such as
// doctors.Wait for the state above; the tag of the resource gives a name and the unit of time, and of= in that of a
// Level or Store the unit of what it holds:
//
//	Tank resource.Level[ross.LPID] `ross:"tank,h,of=litres"`
//
// Then tank.WaitGet is in hours, tank.Amount in litres, and tank.Getters in customers. Without of= an amount has no
// unit, and a store has items.
//
// With every=60,q=0.9 in the tag of a resource, its levels, such as the length of its queue, have averages in intervals
// of 60 and quantiles over the time, as package stats says ("Over the time").
//
// Handlers do not read statistics: [Servers.Len], [Servers.Busy] and the like say what is so now. What is asked of
// some of the customers only is a statistic of the model, to which [Servers.Came] gives the time.
//
// # Undo
//
// A resource is made of containers, and what package container says holds for it, whatever the Saving of
// the type is: nothing to undo, nothing to save, checkpoints without Serialize. Do not copy a
// resource, and do not keep it behind a pointer or in a container. Customers are plain values without
// pointers.
//
// # Mistakes
//
// What a model does wrongly ends the run with a [ross.ModelError] that names the LP, the resource by its
// field, and the way out: [ErrTicket], [ErrAmount] or [ErrRules]. If memory is refused, the call does
// nothing, and the error is that of ross.Alloc. A change in other handlers than Init, PreRun and Event is a
// ross.ErrSave. Nothing panics.
//
// # Cost
//
// A call takes constant time, and a number of steps that grows with the logarithm of the length of the
// queue if the order is by priority. Nothing is allocated in Go. An event of an M/M/3 queue takes 60 ns
// longer with Servers than with a counter and a container.Queue (BenchmarkMMc), since Servers keep
// more statistics, and a record of 72 bytes and the size of C for each customer, also in service.
package resource
