// This file owns Agree: an error of one rank becomes one of all, and is told once.

package ranks

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/ross-go/ross/internal/mpi"
)

// Failure is what Agree and Check return, on all ranks, when one of them cannot go on.
type Failure struct {
	// Err is this rank's own error, or First where it has none.
	Err error
	// First is the error of the lowest rank that failed. All ranks exit with its
	// Code, so that mpirun's status does not depend on who is first.
	First *RemoteError
	// Others are errors with other texts, each of the lowest rank that has it: at most
	// 3, and cut at 400 bytes. More says how many further texts there are.
	Others []*RemoteError
	More   int
	// Speaks is true on one rank: the one that prints the error.
	Speaks bool
}

// RemoteError is the error of another rank.
type RemoteError struct {
	Rank int    // that failed
	Text string // of its error
	Code int    // exit status, 1 to 255
}

// otherBytes is what is told of the texts of Others.
const otherBytes = 400

// Error returns the text of Err, on the rank that speaks with what other ranks have to
// say beside it.
func (f *Failure) Error() string {
	text := f.Err.Error()
	if !f.Speaks {
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

func (e *RemoteError) Error() string { return fmt.Sprintf("ross: rank %d: %s", e.Rank, bare(e.Text)) }

// Speaks reports whether this rank is to print err: the one rank of a Failure, and
// everybody who has an error on which nothing was agreed, such as one of MPI. Nobody
// speaks for nil.
func Speaks(err error) bool {
	var f *Failure
	if errors.As(err, &f) {
		return f.Speaks
	}
	return err != nil
}

// Agree returns nil if no rank has an error, and otherwise an error on all ranks: a
// *Failure that wraps the rank's own error, or a *RemoteError where it has none. The
// lowest rank that failed speaks. All ranks call Agree, with their errors or nil.
//
// code is the exit status for err, 1 to 255; anything else counts as 1, as 0 would be
// success. It does not matter where err is nil. An err that is a Failure already counts as
// the error on which the ranks agreed then, so that it is still told once.
//
// If MPI fails its error is wrapped, with err if there is one.
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
	claims, cause := w.AllGather(claimOf(err, code))
	if cause != nil {
		return untold(err, cause)
	}
	f, cause := hear(w, claims, err)
	if cause != nil {
		return untold(err, cause)
	}
	return f
}

// claimOf returns what a rank says about its error at first: exit status, 0 without an
// error, and hash of the text. 1000 ranks with one text of 1 MB send it once. Claims
// have one length: of ranks with different byte orders that have not been checked yet,
// each sees a length that cannot be, and none goes on to wait for the other.
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

func textOf(err error) string {
	var f *Failure
	if errors.As(err, &f) {
		return f.First.Text
	}
	return err.Error()
}

// hear has the texts that differ sent by the lowest rank that has each.
func hear(w World, claims [][]byte, own error) (*Failure, error) {
	f := &Failure{Err: own}
	heard := map[string]bool{}
	for rank, claim := range claims {
		code, hash := int(claim[0]), string(claim[1:])
		if code == 0 || heard[hash] {
			continue
		}
		heard[hash] = true
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
			f.First, f.Speaks = e, rank == w.Rank()
		} else {
			f.Others = append(f.Others, e)
		}
	}
	if own == nil {
		f.Err = f.First
	}
	return f, nil
}

// untold is the error of a rank that could not tell the others of its own.
func untold(own, cause error) error {
	cause = fault("agree on errors", cause)
	if own == nil {
		return cause
	}
	return &untoldError{own, cause}
}

type untoldError struct{ own, cause error }

func (u *untoldError) Error() string   { return u.own.Error() + "; and " + bare(u.cause.Error()) }
func (u *untoldError) Unwrap() []error { return []error{u.own, u.cause} }
