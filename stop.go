// This file owns Stop and StopAfter, by which a model ends the run when it has what it wants.

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
// is an ErrLookahead, unless Config.ConsLookahead is 0; StopAfter ends such runs. Under Auto it is
// one if all types say NeverStops and there is a lookahead, on any number of PEs.
func (lp *LP) Stop() { lp.k.Stop() }

// StopAfter ends the run at a virtual time, a delay after the current event, as if that time were
// Config.End: all events before it are committed, and none at it or after it, under every
// scheduler. A time at or after Config.End has no effect. A delay of 0, or one too small to change
// the time, is Stop. If LPs call it several times, the earliest end counts. Where Stop is about
// its event, StopAfter is about that time: Simulation.Stopped returns it, calls of the GVT hook
// up to it still come, and a run from a checkpoint stored in between ends at it, too. In all else
// StopAfter is like Stop.
//
// A conservative run of several PEs needs a delay of at least Config.ConsLookahead to tell all of
// them, or StopAfter is an ErrLookahead; so does Auto where Stop is one. A delay that is negative, NaN or infinite is an ErrDelay.
func (lp *LP) StopAfter(delay float64) { lp.k.StopAfter(delay) }

// Stopped returns the LP that stopped the run, and the virtual time at which the run ended: that
// of the event which called LP.Stop, or the one that LP.StopAfter chose. ok is false if no LP
// stopped it, or if Run has returned an error. If several LPs stopped the run at the same
// signature, or with StopAfter at the same time, by is the lowest of their ids. All ranks return
// the same.
func (s *Simulation) Stopped() (by LPID, at float64, ok bool) {
	if stop := s.r.Stopped; stop != nil {
		return LPID(stop.By), stop.Time, true
	}
	return 0, 0, false
}
