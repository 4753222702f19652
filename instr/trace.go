// This file reads an event trace as a list of events.

package instr

import "bytes"

// ReadTrace reads the event trace called path, whatever its name. With an error it also
// returns the records before it, which are valid; see [Reader.Next] for the errors. For a
// long trace a [Reader] takes less memory.
func ReadTrace(path string) ([]Event, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	r.content, r.rules = Trace, Trace
	var events []Event
	for rec, err := range r.All() {
		if err != nil {
			return events, err
		}
		e := rec.Event
		e.Payload = bytes.Clone(e.Payload)
		events = append(events, e)
	}
	return events, nil
}
