// This file owns Agree, which makes an error of one rank an error of all ranks that is reported once, and
// the calls that all ranks make together.

package ranks

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/ranks/launch"
	"github.com/ross-go/ross/internal/ranks/mpi"
)

// Failure is the error of Agree and Check on all ranks, if one of them cannot continue.
type Failure struct {
	// Err is this rank's own error, or First if it has none.
	Err error
	// First is the error of the lowest rank that failed. All ranks exit with its Code, so the
	// status of mpirun does not depend on which rank exits first.
	First *RemoteError
	// Others are errors with other texts, each from the lowest rank that has it: at most
	// 3, and cut at 400 bytes. More is the number of further texts.
	Others []*RemoteError
	More   int
	// Prints is true on one rank: the one that prints the error.
	Prints bool
}

// RemoteError is the error of another rank.
type RemoteError struct {
	Rank int    // rank that failed
	Text string // text of its error
	Code int    // exit status, 1 to 255
}

// otherBytes is the maximum length of the texts of Others.
const otherBytes = 400

// Error returns the text of Err, followed, on the rank that prints it, by the other texts.
func (f *Failure) Error() string {
	text := f.Err.Error()
	if !f.Prints {
		return text
	}
	for _, other := range f.Others {
		text += "; and " + bare(other.Error())
	}
	if f.More > 0 {
		text += fmt.Sprintf("; and %d more", f.More)
	}
	return text
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Error returns the text with the number of the rank.
func (e *RemoteError) Error() string { return fmt.Sprintf("ross: rank %d: %s", e.Rank, bare(e.Text)) }

// ShouldPrint reports whether this rank must print err: the one rank of a Failure, and every
// rank with an error on which the ranks did not agree, such as one of MPI. It is false for
// nil.
func ShouldPrint(err error) bool {
	var f *Failure
	if errors.As(err, &f) {
		return f.Prints
	}
	var l *launch.Loss
	var own *unreportedError
	if errors.As(err, &l) && !errors.As(err, &own) {
		return l.Tells()
	}
	return err != nil
}

// LossStatus returns the exit status of a program that ends because a rank that it has started has ended before the
// others, as that rank's process gave it, or 128 + a signal; 0 for any other error.
func LossStatus(err error) int {
	var l *launch.Loss
	if errors.As(err, &l) {
		return l.Code()
	}
	return 0
}

// Agree returns nil if no rank has an error, and otherwise an error on all ranks: a
// *Failure that wraps the rank's own error, or a *RemoteError if it has none. The lowest
// rank that failed prints it. All ranks call Agree, with their errors or nil.
//
// code is the exit status for err, 1 to 255; anything else counts as 1, because 0 would be
// success. It is ignored if err is nil. An err that is already a Failure counts as the
// error on which the ranks agreed, so it is still reported once.
//
// If MPI fails, the result wraps its error, and err if there is one.
func Agree(w World, err error, code int) error {
	failed := []int64{0}
	if err != nil {
		failed[0] = 1
	}
	if cause := w.AllReduceInt64(mpi.Max, failed); cause != nil {
		return untold(err, cause)
	}
	if failed[0] == 0 {
		return nil
	}
	return tell(w, err, code)
}

// tell is Agree when the ranks know that one of them has an error.
func tell(w World, err error, code int) error {
	excuse(w)
	claims, cause := w.AllGather(claimOf(err, code))
	if cause != nil {
		return untold(err, cause)
	}
	f, cause := gatherTexts(w, claims, err)
	if cause != nil {
		return untold(err, cause)
	}
	return f
}

// claimOf returns a rank's first message about its error: the exit status, which is 0 without
// an error, and the hash of the text. So 1000 ranks with the same text of 1 MB send it once.
// Claims have a fixed length: if ranks have different byte orders, which may not have been
// checked yet, each sees an impossible length, and none keeps waiting for the other.
func claimOf(err error, code int) []byte {
	if err == nil {
		return make([]byte, 1+sha256.Size)
	}
	if code < 1 || code > 255 {
		code = 1
	}
	hash := sha256.Sum256([]byte(textOf(err)))
	return append([]byte{byte(code)}, hash[:]...)
}

// textOf returns the text of an error that the ranks compare: of a Failure, that of First.
func textOf(err error) string {
	var f *Failure
	if errors.As(err, &f) {
		return f.First.Text
	}
	return err.Error()
}

// gatherTexts collects the different texts, each from the lowest rank that has it.
func gatherTexts(w World, claims [][]byte, own error) (*Failure, error) {
	f := &Failure{Err: own}
	known := map[string]bool{}
	for rank, claim := range claims {
		if len(claim) != 1+sha256.Size {
			return nil, broken(w, lengthError(rank, len(claim)))
		}
		code, hash := int(claim[0]), string(claim[1:])
		if code == 0 || known[hash] {
			continue
		}
		known[hash] = true
		if len(f.Others) == most {
			f.More++
			continue
		}
		text := ""
		if rank == w.Rank() {
			text = textOf(own)
		}
		if f.First != nil && len(text) > otherBytes {
			text = prefix(text, otherBytes) + "..."
		}
		if err := shareFrom(w, &text, rank); err != nil {
			return nil, err
		}
		e := &RemoteError{Rank: rank, Text: text, Code: code}
		if f.First == nil {
			f.First, f.Prints = e, rank == w.Rank()
		} else {
			f.Others = append(f.Others, e)
		}
	}
	if own == nil {
		f.Err = f.First
	}
	return f, nil
}

// untold returns the error of a rank that could not report its own error to the others.
func untold(own, cause error) error {
	cause = fault("agree on errors", cause)
	if own == nil {
		return cause
	}
	return &unreportedError{own, cause}
}

// unreportedError joins a rank's own error and the reason why the other ranks do not know of it.
type unreportedError struct{ own, cause error }

func (u *unreportedError) Error() string   { return u.own.Error() + "; and " + bare(u.cause.Error()) }
func (u *unreportedError) Unwrap() []error { return []error{u.own, u.cause} }

// The calls that all ranks make together: the first step of each compares what they call, so
// that ranks get an error and do not wait if they call different things, or if one of them leaves.

// Leaving is the call of a rank that makes no further calls.
const Leaving = "Close"

// Call begins a call that all ranks make, and which must not have begun to exchange anything. call states what
// this rank does, such as "Reduce of main.Sum". Call returns an error on all ranks if another one does
// something else, which names the calls of both, or if one has an error of its own. After a rank has left, each
// call of another one returns the same error at once.
func (c *Cluster) Call(call string, own error) error {
	switch {
	case c.Ranks <= 1 || c.World == nil:
		return own
	case c.over != nil && own != nil:
		return own
	case c.over != nil:
		return c.over
	}
	hash := sha256.Sum256([]byte(call))
	tag := int64(binary.LittleEndian.Uint64(hash[:]))
	words := []int64{0, tag, ^tag} // equal if the largest is that of all
	if own != nil {
		words[0] = 1
	}
	if cause := c.World.AllReduceInt64(mpi.Max, words); cause != nil {
		return untold(own, cause)
	}
	switch {
	case words[1] != ^words[2]:
		f, cause := c.differentCalls(call, own)
		if cause != nil {
			return untold(own, cause)
		}
		return f
	case words[0] != 0:
		return tell(c.World, own, c.exitCode(own))
	}
	return nil
}

// differentCalls returns the error of ranks that do not call the same. The lowest rank that does not leave
// prints it, since one that leaves may have had its say.
func (c *Cluster) differentCalls(call string, own error) (*Failure, error) {
	if call != Leaving { // the others may end in any way, and this rank has no error
		excuse(c.World)
	}
	text := ""
	if own != nil {
		text = own.Error()
	}
	lists, err := AllGatherBytes(c.World, append(append([]byte(call), 0), text...))
	if err != nil {
		return nil, err
	}
	calls, texts := make([]string, len(lists)), make([]string, len(lists))
	for rank, list := range lists {
		name, text, _ := bytes.Cut(list, []byte{0})
		calls[rank], texts[rank] = string(name), string(text)
	}
	differ := fmt.Errorf("ross: %s: %s at the same time: let all ranks make the same calls in the same order", calls[0],
		others(calls))
	printer := slices.IndexFunc(calls, func(call string) bool { return call != Leaving })
	f := &Failure{Err: differ, First: &RemoteError{Rank: printer, Text: differ.Error(), Code: c.exitCode(differ)},
		Prints: printer == c.Rank}
	if own != nil {
		f.Err = &unreportedError{own: differ, cause: own}
	}
	if slices.Contains(calls, Leaving) {
		c.over = f
	}
	for rank, text := range texts {
		switch {
		case text == "" || rank == c.Rank || slices.Contains(texts[:rank], text):
		case len(f.Others) == most:
			f.More++
		default:
			if len(text) > otherBytes {
				text = prefix(text, otherBytes) + "..."
			}
			f.Others = append(f.Others, &RemoteError{Rank: rank, Text: text, Code: 1})
		}
	}
	return f, nil
}

// others states what ranks call that do not call what rank 0 calls.
func others(calls []string) string {
	var texts []string
	for rank, call := range calls {
		if slices.Index(calls, call) != rank || rank == 0 {
			continue
		}
		var same []int
		for i, other := range calls {
			if other == call {
				same = append(same, i)
			}
		}
		verb := "call"
		if len(same) == 1 {
			verb = "calls"
		}
		texts = append(texts, listOf(same)+" "+verb+" "+call)
	}
	if n := len(texts) - most; n > 0 {
		texts = append(texts[:most], fmt.Sprintf("others make %d other calls", n))
	}
	return strings.Join(texts, ", and ")
}

// Gather returns the bytes of all ranks, by rank, to all of them. It is for a call that has begun.
func (c *Cluster) Gather(own []byte) (lists [][]byte, err error) {
	if c.Ranks <= 1 {
		return [][]byte{own}, nil
	}
	if c.alone() {
		return nil, c.over
	}
	return AllGatherBytes(c.World, own)
}

// Leave lets the other ranks know that this one makes no further calls. It is no error here that they do something
// else, only that they cannot be reached.
func (c *Cluster) Leave() error {
	if c.over != nil { // which has been reported
		return nil
	}
	if err := c.Call(Leaving, nil); c.Broken.Load() {
		return err
	}
	return nil
}
