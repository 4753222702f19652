// This file owns Ticket and Outcome, the errors, and the way to the engine.

package resource

import (
	"errors"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run/inside"
)

// Errors of models that use a resource wrongly. They end the run, wrapped in a [ross.ModelError]
// that names the LP, the resource and the way out.
var (
	// ErrTicket: a ticket of a customer who is not there, or not served, such as one who is released
	// for the second time.
	ErrTicket = errors.New("no such customer")
	// ErrAmount: an amount or a priority that is negative, NaN or infinite where it must not be.
	ErrAmount = errors.New("bad amount")
	// ErrRules: rules that contradict each other, or a resource that was not opened, or not for this.
	ErrRules = errors.New("against the rules of the resource")
)

// Ticket names a customer of one resource, from the request until he leaves. It is a number, so it
// may be sent in messages and kept in states. No two customers of a resource have the same ticket
// (until 2^32 have come), so one that is over is not taken for another. 0 is the ticket of nobody.
type Ticket uint64

// ticketOf returns the ticket of a customer by his handle and his number.
func ticketOf(h container.Handle, number uint32) Ticket {
	return Ticket(number)<<32 | Ticket(h)
}

// handle returns the handle of a customer, who may be gone.
func (t Ticket) handle() container.Handle { return container.Handle(t) }

// number returns the number of a customer.
func (t Ticket) number() uint32 { return uint32(t >> 32) }

// Outcome is what becomes of a request.
type Outcome uint8

// The outcomes.
const (
	Refused Outcome = iota // there is no room to wait: the customer is not there
	Waits                  // in the queue
	Starts                 // at once: with Servers, the handler has to begin the service
)

var outcomes = [...]string{"refused", "waits", "starts"}

// String returns the outcome in a word.
func (o Outcome) String() string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return "unknown"
}

// NoRoom is the Room of a resource at which nobody waits.
const NoRoom = -1

// NoServers is the number of Rules.Servers for servers that are all absent at first, such as those of a desk that
// opens later (Servers.SetServers).
const NoServers = -1

// roomFor reports whether one more may wait where n do; room is that of the rules.
func roomFor(room, n int32) bool { return room == 0 || n < room }

// edit returns p, whose value it saves if saves says so: it is going to be changed.
func edit[T any](k *kernel.LP, saves bool, p *T) *T {
	if saves && !kernel.SaveValue(&k.KP.History, p) {
		k.Save(unsafe.Pointer(p), unsafe.Sizeof(*p))
	}
	return p
}

// begin is called before the numbers of a resource are changed, which it saves. saves says whether
// what changes in blocks must be saved as well; if ok is false, nothing may change, and the engine
// reports why.
func begin[T any](k *kernel.LP, numbers *T) (saves, ok bool) {
	return k.BeginChange(unsafe.Pointer(numbers), unsafe.Sizeof(*numbers))
}

// blame reports a mistake of the model. first is a statistic of the resource, whose field in the
// state gives the resource its name.
func blame(lp *ross.LP, first unsafe.Pointer, err error, fix, what string) {
	k := inside.LP(lp)
	name := "a resource"
	for _, f := range k.Type().Figures {
		if f.Off == uintptr(first)-uintptr(k.State) {
			if i := strings.LastIndexByte(f.Path, '.'); i >= 0 {
				name = f.Path[:i]
			}
		}
	}
	k.Blame(err, fix, "%s: %s", name, what)
}
