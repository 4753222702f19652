// This file owns Holder and Thing, and finding the holders in a type of state.

package held

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/deep"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Holder is implemented by pointers to fields of states that say what they hold. A field is inside of the state, not
// behind a pointer.
type Holder interface {
	// Held returns what the field holds at lp, in a fixed order. over says that the run has ended, and how.
	Held(lp *kernel.LP, over Ending) []Thing
	// Began returns the number of things that the field has ever held.
	Began() uint64
	// Name puts the names of a modeller into a difference, whose path begins in the field.
	Name(lp *kernel.LP, d *deep.Difference)
	// Ran says what the field has done in the event that lp has handled last, or "".
	Ran(lp *kernel.LP) string
}

// Ending says how a run has ended.
type Ending uint8

// The endings.
const (
	NotYet Ending = iota
	AtEnd         // there may have been events to come
	Dry           // no event was left
)

// Thing is what a field holds, such as a process.
type Thing struct {
	Kind   string // such as Bank.customer
	Number uint64
	Does   string // such as "sleeps"
	At     string // place in the source, such as bank.go:34; "" is unknown
	Since  float64
	By     string  // names the holder of what it waits for; "": nobody, or unknown
	Stuck  string  // why it will never do anything else; "": it may
	Locals []Local // its variables
}

// Local is a variable of a thing.
type Local struct {
	Name string
	Type reflect.Type
	At   unsafe.Pointer
}

// Name returns what a thing is called.
func (t *Thing) Name() string { return fmt.Sprintf("%s #%d", t.Kind, t.Number) }

// Field is a holder in a type of state, with its path from there, such as Processes.
type Field plain.Place

// Of returns the holder in a state.
func (f *Field) Of(state unsafe.Pointer) Holder {
	return reflect.NewAt(f.Type, unsafe.Add(state, f.Off)).Interface().(Holder)
}

var holder = reflect.TypeFor[Holder]()

// Is reports whether fields of a type are holders: it has the methods of Holder, and not from a field that it embeds.
func Is(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || !reflect.PointerTo(t).Implements(holder) {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && Is(f.Type) {
			return false
		}
	}
	return true
}

// Fields returns the holders in a type of state.
func Fields(t reflect.Type) (all []Field) {
	for _, p := range plain.Places(t, Is) {
		all = append(all, Field(p))
	}
	return all
}
