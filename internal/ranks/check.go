// This file owns Check, which verifies that all ranks run the same program with the same settings, the probe
// before it, and the text of ranks and values in its messages.

package ranks

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ross-go/ross/internal/ranks/mpi"
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
	excuse(w)
	err := &differError{text}
	return &Failure{
		Err:    err,
		First:  &RemoteError{Rank: 0, Text: err.Error(), Code: usageStatus},
		Prints: w.Rank() == 0,
	}
}

// Check returns nil if all ranks have the same description, byte order, word size and
// version of the protocol. Otherwise all ranks get the same error, a *Failure with exit
// status 2 that is an ErrDiffer and names ranks and differences. Rank 0, with which the
// others were compared, prints it. All ranks call Check.
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

// The probe, which checks whether the ranks understand each other's words: the
// byte order, the word size and the version of the protocol.

// protocol is the version of the messages between ranks. Increase it when these messages
// change so that old programs do not understand them.
const protocol = 1

// probe consists of two words. The first has its bytes in the machine's order: if MPI sends
// words unchanged, a rank of the other order sees them swapped. The second is the same in
// either byte order. It describes the machine, in case MPI swaps the bytes of words.
//
//	0x0102030405060708
//	mark, protocol, word size, order, order, word size, protocol, mark
type probe [2]int64

const (
	probeOrder = 0x0102030405060708
	probeMark  = 'R'
)

// probeOf returns the probe of a machine; size is that of a word, in bytes.
func probeOf(protocol, size byte, order binary.ByteOrder) probe {
	which := byte(order.Uint16([]byte{1, 2})) // 1: little-endian, 2: big-endian
	half := binary.BigEndian.Uint32([]byte{probeMark, protocol, size, which})
	return probe{probeOrder, int64(uint64(half)<<32 | uint64(bits.ReverseBytes32(half)))}
}

// field returns a byte of the second word.
func (p probe) field(at int) int64 { return p[1] >> (56 - 8*at) & 0xff }

// traits are the ways in which probes can differ; each is only meaningful if those
// before it agree.
var traits = [...]struct {
	of        func(p probe) [2]int64
	what, fix string
}{
	{
		func(p probe) [2]int64 { return [2]int64{p.field(0), p.field(1)} },
		"another version of the protocol than", "start the same program on all ranks",
	},
	{
		func(p probe) [2]int64 { return [2]int64{p[0], p.field(3)} },
		"another byte order than", "use machines of one byte order",
	},
	{
		func(p probe) [2]int64 { return [2]int64{p.field(2)} },
		"words of another size than", "build the program for one size of words",
	},
}

// judge describes how the probes of ranks differ from that of rank 0, or returns "" if they do
// not. All ranks get the same result, even if they see words swapped.
func judge(probes []probe) string {
	for _, trait := range traits {
		differ := []int{}
		for rank, p := range probes {
			if trait.of(p) != trait.of(probes[0]) {
				differ = append(differ, rank)
			}
		}
		if len(differ) > 0 {
			return fmt.Sprintf("start: %s: %s rank 0: %s", listOf(differ), trait.what, trait.fix)
		}
	}
	return ""
}

// exchange returns the probes of all ranks. It uses a sum in which each word has one
// summand that is not 0, so the result is that summand in any byte order. AllGather cannot be
// used, because it begins with lengths that other ranks might misread.
func exchange(w World, own probe) ([]probe, error) {
	words := make([]int64, len(own)*w.Size())
	copy(words[len(own)*w.Rank():], own[:])
	if err := w.AllReduceInt64(mpi.Sum, words); err != nil {
		return nil, fault("compare byte orders", err)
	}
	probes := make([]probe, w.Size())
	for rank := range probes {
		copy(probes[rank][:], words[len(own)*rank:])
	}
	return probes, nil
}

// ownProbe returns the probe of this process.
func ownProbe() probe { return probeOf(protocol, strconv.IntSize/8, binary.NativeEndian) }

// The text of ranks and values in messages: short, on one line, and
// readable whatever they contain.

// most is the maximum number of ranks, texts or differences that are listed, before "and 5
// more".
const most = 3

// valueBytes is the maximum length of the text of a value.
const valueBytes = 80

// listOf returns the numbers of ranks as text.
func listOf(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	names := []string{}
	for _, rank := range ranks[:min(len(ranks), most)] {
		names = append(names, strconv.Itoa(rank))
	}
	if more := len(ranks) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	return "ranks " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// excerpts returns the texts of two values: whole, or, if they are long, the part
// where they begin to differ.
func excerpts(a, b string) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := 0
	if max(len(a), len(b)) > valueBytes && same > valueBytes/2 {
		from = same - valueBytes/4
	}
	return excerptOf(a, from, word), excerptOf(b, from, word)
}

// excerptOf returns the excerpt of a text that begins at a given byte.
func excerptOf(text string, from int, show func(text string) string) string {
	rest := text[len(prefix(text, from)):]
	part := prefix(rest, valueBytes)
	shown := show(part)
	if from > 0 {
		shown = "..." + shown
	}
	if len(part) < len(rest) {
		shown += "..."
	}
	return shown
}

// prefix returns at most the first n bytes, without an incomplete character at the end.
func prefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for back := 0; back < utf8.UTFMax && n-back > 0; back++ {
		if utf8.RuneStart(text[n-back]) {
			return text[:n-back]
		}
	}
	return text[:n]
}

// missing stands for the value of a rank that does not have the name.
const missing = "missing"

// word returns a value that is one word as it is, and quotes any other.
func word(text string) string {
	if text == "" || text == missing || strings.Contains(text, " ") {
		return strconv.Quote(text)
	}
	return printable(text)
}

// printable quotes a text that contains unprintable characters or quotes.
func printable(text string) string {
	if quoted := strconv.Quote(text); len(quoted) != len(text)+2 {
		return quoted
	}
	return text
}
