// This file owns Counters, the figures that a run, a PE and a moment of either have in common.

package report

// Counters count what became of events and of rollbacks: in a run, on a PE, or until now. The
// events of analysis LPs are left out.
type Counters struct {
	EventsProcessed    uint64 `json:"events_processed"`    // forward executions, including those undone later (s_nevent_processed)
	EventsRolledBack   uint64 `json:"events_rolled_back"`  // executions undone, at most EventsProcessed (s_e_rbs)
	EventsCommitted    uint64 `json:"events_committed"`    // executions that GVT has passed; at the end of a run, NetEvents
	EventsAborted      uint64 `json:"events_aborted"`      // executions that found no memory for a send; part of EventsRolledBack (s_nevent_abort)
	EventsRemote       uint64 `json:"events_remote"`       // sent to other PEs, of any rank, less those cancelled
	EventsPending      uint64 `json:"events_pending"`      // in the event queues, including cancelled ones not yet met
	EventsUncommitted  uint64 `json:"events_uncommitted"`  // executed, and may still be undone
	PrimaryRollBacks   uint64 `json:"primary_rollbacks"`   // rollbacks caused by a straggler (s_rb_primary)
	SecondaryRollBacks uint64 `json:"secondary_rollbacks"` // rollbacks caused by an anti-message (s_rb_secondary)
}

// Add adds the counters of another PE, or of another rank.
func (c *Counters) Add(o *Counters) {
	c.EventsProcessed += o.EventsProcessed
	c.EventsRolledBack += o.EventsRolledBack
	c.EventsCommitted += o.EventsCommitted
	c.EventsAborted += o.EventsAborted
	c.EventsRemote += o.EventsRemote
	c.EventsPending += o.EventsPending
	c.EventsUncommitted += o.EventsUncommitted
	c.PrimaryRollBacks += o.PrimaryRollBacks
	c.SecondaryRollBacks += o.SecondaryRollBacks
}

// RollBacks returns the number of rollbacks of either cause (s_rb_total).
func (c Counters) RollBacks() uint64 { return c.PrimaryRollBacks + c.SecondaryRollBacks }

// NetEvents returns the number of events that were executed and not undone: in a run that reached
// its end, the committed ones (s_net_events).
func (c Counters) NetEvents() uint64 { return c.EventsProcessed - c.EventsRolledBack }

// Efficiency returns 100 * (1 - undone / net) in percent: 100 when nothing was undone, below 0 when
// more was undone than stayed. If no event stayed, ROSS divides by zero and prints -nan or -inf.
// Here a run without events is at 100, and a run that undid all its events at 0, as in ROSS's own
// samples.
func (c Counters) Efficiency() float64 { return Efficiency(c.EventsProcessed, c.EventsRolledBack) }
