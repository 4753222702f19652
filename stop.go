// This file owns Stop, by which a model ends the run when it has what it wants.

package ross

// Stop ends the run at the event that is being handled, when the model has what it wants. Run
// returns nil, and Simulation.Stopped says who stopped it and when. The run ends at the same
// place under every scheduler: all events up to the current one are committed, and so are
// others of the same signature, but none after it. An event that the current one sends
// without delay is after it. Stop is undone with its event, so it takes effect when that event
// is committed; the handler goes on. If several LPs stop the run, the earliest one counts.
//
// Events that are left stay in the queue, and Simulation.StoreCheckpoint stores them: a run
// from that checkpoint goes on as if Stop had not been called. --io-on-exit is about runs that
// a signal stops, and stores nothing here.
//
// Stop may be called only in Event: anywhere else it is an ErrOutsideHandler. A conservative
// run of several PEs has already committed later events, up to its lookahead, so there Stop
// is an ErrLookahead, unless Config.ConsLookahead is 0.
func (lp *LP) Stop() { lp.k.Stop() }

// Stopped returns the LP that stopped the run (LP.Stop), and the virtual time of its event; ok
// is false if none did, or if Run has returned an error. If LPs stopped the run at the same
// signature, by is the lowest of their ids. All ranks return the same.
func (s *Simulation) Stopped() (by LPID, at float64, ok bool) {
	if stop := s.r.Stopped; stop != nil {
		return LPID(stop.By), stop.Time, true
	}
	return 0, 0, false
}
