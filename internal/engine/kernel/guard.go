// This file owns the one place that catches panics of the model and of the engine, and
// goroutines that the model ends.

package kernel

import "cmp"

// goexit is the reason reported when a model calls runtime.Goexit, as testing.T.FailNow
// does. That ends the goroutine of a PE, which then only runs deferred functions. Because
// other PEs would wait for this one forever, it goes on in these.
const goexit = "runtime.Goexit was called"

// Crash says why a function did not return.
type Crash struct {
	Err   error // the panic or the call of runtime.Goexit, as an error
	Exits bool  // the goroutine is ending
}

// Catch calls f. If f panics or ends the goroutine, Catch calls then with the reason, in a
// deferred function. After a panic Catch returns; if the goroutine ends, it does not.
// Afterwards no function of the model counts as running on the PE.
func (pe *PE) Catch(f func(), then func(c Crash)) {
	ended := false
	defer func() {
		r := recover()
		c := Crash{Exits: r == nil && !ended}
		if c.Exits {
			r = goexit
		}
		if r != nil {
			c.Err = pe.panicked(r)
			then(c)
		}
		pe.noModel()
	}()
	f()
	ended = true
}

// Guard calls a function of the model after the run. It returns the error of that call, or
// else of the PE.
func (pe *PE) Guard(f func()) (err error) {
	pe.Catch(f, func(c Crash) { err = c.Err })
	return cmp.Or(err, pe.Err)
}

// noModel records that no function of the model runs: the next panic may be the engine's.
func (pe *PE) noModel() {
	pe.AddUp()
	pe.Rest()
	pe.Hide()
	pe.Hook.Runs = false
}
