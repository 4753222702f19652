// This file owns options that are lists: of numbers, and of kinds of records.

package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
)

// IDs is an option that is a list of numbers and ranges, such as 0,4-7. The empty list
// contains all numbers.
type IDs struct{ ranges [][2]uint64 }

// String returns the list as it was given.
func (s *IDs) String() string {
	var parts []string
	for _, r := range s.ranges {
		part := strconv.FormatUint(r[0], 10)
		if r[1] != r[0] {
			part += "-" + strconv.FormatUint(r[1], 10)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}

// Type returns the word for the option's value.
func (s *IDs) Type() string { return "LIST" }

// Set adds the list in text.
func (s *IDs) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, errA := strconv.ParseUint(low, 10, 64)
		b, errB := strconv.ParseUint(high, 10, 64)
		if errA != nil || errB != nil || b < a {
			return fmt.Errorf("%q: must be a number or a range such as 4-7", part)
		}
		s.ranges = append(s.ranges, [2]uint64{a, b})
	}
	return nil
}

// All reports whether no list was given.
func (s *IDs) All() bool { return len(s.ranges) == 0 }

// Contains reports whether id is in the list, or there is no list.
func (s *IDs) Contains(id uint64) bool {
	for _, r := range s.ranges {
		if r[0] <= id && id <= r[1] {
			return true
		}
	}
	return s.All()
}

// AllKinds are the kinds of records in the order of their values.
var AllKinds = []instr.Kind{
	instr.KindPE, instr.KindKP, instr.KindLP, instr.KindModel, instr.KindVTModel, instr.KindEvent, instr.KindMemory,
}

// NumKinds is the number of kinds of records, which are its indices.
const NumKinds = instr.KindMemory + 1

// KindsOf returns the kinds of records that a content may have.
func KindsOf(c instr.Content) []instr.Kind {
	switch c {
	case instr.GVTFile, instr.RTFile, instr.VTEngine:
		return AllKinds[:3]
	case instr.VTFile:
		return []instr.Kind{instr.KindPE, instr.KindKP, instr.KindLP, instr.KindVTModel}
	case instr.Models:
		return []instr.Kind{instr.KindModel}
	case instr.Trace:
		return []instr.Kind{instr.KindEvent}
	case instr.Memory:
		return []instr.Kind{instr.KindMemory}
	}
	return AllKinds
}

// Kinds is an option that is a list of kinds of records.
type Kinds struct{ set map[instr.Kind]bool }

// String returns the list.
func (k *Kinds) String() string {
	var names []string
	for _, kind := range AllKinds {
		if k.set[kind] {
			names = append(names, kind.String())
		}
	}
	return strings.Join(names, ",")
}

// Type returns the word for the option's value.
func (k *Kinds) Type() string { return "LIST" }

// Set adds the list in text.
func (k *Kinds) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		known := false
		for _, kind := range AllKinds {
			if kind.String() == name {
				if k.set == nil {
					k.set = map[instr.Kind]bool{}
				}
				k.set[kind], known = true, true
			}
		}
		if !known {
			return fmt.Errorf("%q: must be pe, kp, lp, model, vt-model, event or memory", name)
		}
	}
	return nil
}

// Contains reports whether kind is in the list, or there is no list.
func (k *Kinds) Contains(kind instr.Kind) bool { return k.set == nil || k.set[kind] }
