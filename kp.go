// This file owns KP: a group of LPs that are rolled back together.

package ross

import "github.com/ross-go/ross/internal/event"

// KP is a kernel process (tw_kp): the LPs of a KP share one list of processed
// events, which is what a rollback walks. Fewer KPs make commits cheap, more
// of them make rollbacks short. A scheduler without rollback has them for the
// mapping's sake.
type KP struct {
	pe      *PE
	hist    history
	notes   []note
	special bool      // of an LP of the KP
	newest  event.Key // of the event handled last, zero if that is committed
	id      uint64    // on its PE
	lps     uint64

	primary, secondary uint64 // rollbacks
}

// ID returns the index of the KP on its PE, 0 to Config.NKP - 1.
func (kp *KP) ID() uint64 { return kp.id }

// PE returns the PE that the KP is on.
func (kp *KP) PE() *PE { return kp.pe }

// NumLPs returns how many LPs the KP has, 0 for surplus ones.
func (kp *KP) NumLPs() uint64 { return kp.lps }
