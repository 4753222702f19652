// This file owns labels: what the model calls its LPs.

package kernel

import (
	"fmt"
	"math"
	"slices"
)

// LabelOf returns what the model calls an LP of the type, or "" if it has no name for it. A
// panic of the model's function counts as none: the text that the label is for matters more.
func (t *Type) LabelOf(gid uint64) (label string) {
	if t.Label == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			label = ""
		}
	}()
	return t.Label(gid)
}

// LabelOf returns what the model calls an LP, of any rank, or "" if it has no name for it or if
// there is no such LP.
func (r *Run) LabelOf(gid uint64) string {
	if r.Layout == nil || gid >= r.Total {
		return ""
	}
	return r.TypeAt(gid).LabelOf(gid)
}

// HasLabels reports whether a type of LP has labels.
func (r *Run) HasLabels() bool {
	return slices.ContainsFunc(r.Types, func(t *Type) bool { return t.Label != nil })
}

// NameOf returns how texts name an LP: LP 7, or LP 7 "router (3,4,5)" with its label.
func (r *Run) NameOf(gid uint64) string { return NameOf(gid, r.LabelOf(gid)) }

// NameFor returns how a text about lp names an LP. A text that has named lp with its label does not
// repeat the label.
func (lp *LP) NameFor(gid uint64) string {
	if gid == lp.ID {
		return NameOf(gid, "")
	}
	return lp.PE.Run.NameOf(gid)
}

// Name returns how texts name the LP, see Run.NameOf.
func (lp *LP) Name() string { return NameOf(lp.ID, lp.Type().LabelOf(lp.ID)) }

// NameOf returns how texts name an LP with a label, which may be "".
//
// An id above all that can be is shown as the negative number that the model probably computed.
func NameOf(gid uint64, label string) string {
	if gid > math.MaxInt64 {
		return fmt.Sprintf("LP %d", int64(gid))
	}
	if label == "" {
		return fmt.Sprintf("LP %d", gid)
	}
	return fmt.Sprintf("LP %d %q", gid, label)
}
