// This file owns Check, which verifies that all ranks run the same program with the
// same settings.

package ranks

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/ross-go/ross/internal/mpi"
)

// ErrDiffer matches the error of Check (errors.Is) if ranks differ.
var ErrDiffer = errors.New("ross: ranks differ: give all ranks the same program and options")

// usageStatus is the exit status for unusable settings, as in package ross.
const usageStatus = 2

// differError is the error of ranks that differ. It matches ErrDiffer.
type differError struct{ text string }

func (e *differError) Error() string        { return "ross: " + e.text }
func (e *differError) Is(target error) bool { return target == ErrDiffer }

// differ returns an error that all ranks know: a Failure that rank 0 reports.
func differ(w World, text string) error {
	err := &differError{text}
	return &Failure{
		Err:    err,
		First:  &RemoteError{Rank: 0, Text: err.Error(), Code: usageStatus},
		Speaks: w.Rank() == 0,
	}
}

// Check returns nil if all ranks have the same description, byte order, word size and
// version of the protocol. Otherwise all ranks get the same error, a *Failure with exit
// status 2 that is an ErrDiffer and names ranks and differences. Rank 0, with which the
// others were compared, speaks. All ranks call Check.
//
// If MPI fails, the result wraps its error.
func Check(w World, d Description) error {
	probe := ownProbe()
	same, err := alike(w, probe[:])
	if err != nil {
		return fault("compare byte orders", err)
	}
	if !same {
		probes, err := exchange(w, probe)
		if err != nil {
			return err
		}
		if text := judge(probes); text != "" {
			return differ(w, text)
		}
	}
	own := d.fingerprint()
	var words [sha256.Size / 8]int64
	for i := range words {
		words[i] = int64(binary.LittleEndian.Uint64(own[8*i:]))
	}
	if same, err = alike(w, words[:]); err != nil || same {
		return faultIf("compare descriptions", err)
	}
	prints, err := w.AllGather(own[:]) // of all ranks, since the run does not begin
	if err != nil {
		return fault("compare descriptions", err)
	}
	groups, more := groupsOf(prints)
	if len(groups) == 0 {
		return nil
	}
	text, err := compare(w, d, groups)
	if err != nil {
		return fault("compare descriptions", err)
	}
	if more > 0 {
		text += fmt.Sprintf("; and %d more differ", more)
	}
	return differ(w, "start: "+text+": give all ranks the same")
}

// alike reports whether all ranks have the same words: then the largest of each is its own, and so
// is the largest of its complement. Ranks that see the words swapped come to the same result.
func alike(w World, words []int64) (bool, error) {
	most := make([]int64, 0, 2*len(words))
	for _, v := range words {
		most = append(most, v, ^v)
	}
	if err := w.AllReduceInt64(mpi.Max, most); err != nil {
		return false, err
	}
	same := true
	for i := range words {
		same = same && most[2*i] == ^most[2*i+1]
	}
	return same, nil
}

// groupsOf returns the ranks that differ from rank 0, grouped by fingerprint: the first
// groups, and the number of ranks in the others.
func groupsOf(prints [][]byte) (groups [][]int, more int) {
	at := map[string]int{}
	for rank, print := range prints {
		key := string(print)
		if key == string(prints[0]) {
			continue
		}
		i, known := at[key]
		switch {
		case known:
			groups[i] = append(groups[i], rank)
		case len(groups) == most:
			more++
		default:
			at[key] = len(groups)
			groups = append(groups, []int{rank})
		}
	}
	return groups, more
}

// compare sends the list of rank 0 to all ranks; the first rank of each group compares it with
// its own and informs the others. So only one list is sent, however many ranks there are.
func compare(w World, d Description, groups [][]int) (string, error) {
	list := string(d.encode())
	if err := shareFrom(w, &list, 0); err != nil {
		return "", err
	}
	texts := []string{}
	for _, group := range groups {
		text := ""
		if w.Rank() == group[0] {
			text = "its description cannot be read"
			if zero, ok := decode([]byte(list)); ok {
				text = d.differences(zero)
			}
		}
		if err := shareFrom(w, &text, group[0]); err != nil {
			return "", err
		}
		verb := "differ"
		if len(group) == 1 {
			verb = "differs"
		}
		texts = append(texts, fmt.Sprintf("%s %s from rank 0: %s", listOf(group), verb, text))
	}
	return strings.Join(texts, "; and "), nil
}
