// Order: the total order of events. csrc/order.c is its twin.

package event

// Compare orders two events by their signatures. Equal signatures need two equal
// random draws. Receiver, sender and send time then decide, and are the same in
// every run, so the order is total nevertheless. The result is negative, 0 or
// positive; 0 only for events that agree in everything but payload.
func (a *Arena) Compare(x, y *Event) int {
	if c := a.compareSignatures(x, y); c != 0 {
		return c
	}
	return compareSends(x, y)
}

// compareSignatures compares time, priority and tie-breakers (tw_event_sig_compare in ROSS).
func (a *Arena) compareSignatures(x, y *Event) int {
	if c := cmp(x.Time, y.Time); c != 0 {
		return c
	}
	if c := cmp(x.Prio, y.Prio); c != 0 {
		return c
	}
	if c := cmp(x.Tie, y.Tie); c != 0 {
		return c
	}
	return a.Lines.Compare(x.Lineage, y.Lineage)
}

// compareSends compares what decides between equal signatures.
func compareSends(x, y *Event) int {
	if c := cmp(x.Dst, y.Dst); c != 0 {
		return c
	}
	if c := cmp(x.Src, y.Src); c != 0 {
		return c
	}
	return cmp(x.SendTime, y.SendTime)
}

// Less orders keys as their events are ordered, and keys of events that agree
// in everything by index.
func (a *Arena) Less(x, y Key) bool {
	if x.Same(y) {
		if c := a.Compare(a.At(x.Index()), a.At(y.Index())); c != 0 {
			return c < 0
		}
	}
	return x.Less(y)
}

// Before is Less for the pending-event set: of two events that wait with equal signatures, it makes the later one
// Tied. Neighbours in an order have been compared with each other, so in the end all are Tied that have such an
// event before them, unless one that was cancelled is in between.
func (a *Arena) Before(x, y Key) bool {
	if !x.Same(y) || x == y {
		return x.Less(y)
	}
	ex, ey := a.At(x.Index()), a.At(y.Index())
	if c := a.compareSignatures(ex, ey); c != 0 {
		return c < 0
	}
	before := x.Less(y)
	if c := compareSends(ex, ey); c != 0 {
		before = c < 0
	}
	earlier, later := ex, ey
	if !before {
		earlier, later = ey, ex
	}
	if later.State == Pending && earlier.Waits() { // and is not the one that was undone and sent again
		later.State = Tied
	}
	return before
}

func cmp[T float64 | uint32 | uint64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
