// This file owns Brief: fields of states that say in a few words how they are.

package held

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/sys/plain"
)

// Brief is implemented by pointers to fields of states whose words say more than what is in them, such as those of
// package resource: "2 of 3 busy, 4 wait". What such a field holds is not shown besides.
type Brief interface {
	fmt.Stringer
	// IsBrief tells the type from others that have a String.
	IsBrief()
}

var brief = reflect.TypeFor[Brief]()

// IsBrief reports whether fields of a type say in a few words how they are.
func IsBrief(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && reflect.PointerTo(t).Implements(brief)
}

// Brevity is such a field in a type of state, with its path from there.
type Brevity plain.Place

// Text returns what the field in a state says.
func (b *Brevity) Text(state unsafe.Pointer) string {
	return reflect.NewAt(b.Type, unsafe.Add(state, b.Off)).Interface().(Brief).String()
}

// Brevities returns those in a type of state.
func Brevities(t reflect.Type) (all []Brevity) {
	for _, p := range plain.Places(t, IsBrief) {
		all = append(all, Brevity(p))
	}
	return all
}
