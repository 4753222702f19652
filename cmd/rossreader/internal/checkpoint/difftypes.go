// This file matches the types of LPs of A and B.

package checkpoint

import (
	"fmt"
	"slices"

	"github.com/ross-go/ross/rio"
)

// compareTypes gives types of the same name the same number, and compares them.
func (d *differ) compareTypes(a, b []rio.Type) {
	d.types = typeNames(a)
	for i := range a {
		d.side[A].types = append(d.side[A].types, uint32(i))
	}
	inA := len(a)
	found := make([]bool, inA)
	for i, name := range typeNames(b) {
		k := slices.Index(d.types[:inA], name)
		if k < 0 {
			k = len(d.types)
			d.types = append(d.types, name)
			d.run = append(d.run, fmt.Sprintf("type %s: only in B", name))
		} else {
			found[k] = true
			d.compareType(name, &a[k], &b[i])
		}
		d.side[B].types = append(d.side[B].types, uint32(k))
	}
	for k, ok := range found {
		if !ok {
			d.run = append(d.run, fmt.Sprintf("type %s: only in A", d.types[k]))
		}
	}
}

// typeNames returns the names of types, with a number if a name is repeated.
func typeNames(types []rio.Type) []string {
	seen := map[string]int{}
	var names []string
	for i := range types {
		name := types[i].Name
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		names = append(names, name)
	}
	return names
}

func (d *differ) compareType(name string, a, b *rio.Type) {
	l := lister{}
	l.add("state", a.State, b.State)
	l.add("bytes of state", a.StateSize, b.StateSize)
	l.add("message", a.Message, b.Message)
	l.add("bytes of message", a.MessageSize, b.MessageSize)
	l.add("the model's own form", a.Serialized, b.Serialized)
	if text := l.String(); text != "" {
		d.run = append(d.run, fmt.Sprintf("type %s: %s", name, text))
	}
}
