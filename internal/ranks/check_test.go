// This file pins what ranks must have in common, and that errors of some become errors of all.

package ranks

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/filehash"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// What ranks have to have in common.

// options is a description of options: names and values in turn.
func options(pairs ...any) (d Description) {
	for i := 0; i < len(pairs); i += 2 {
		d = append(d, Item{Section: "option", Name: fmt.Sprint(pairs[i]), Value: fmt.Sprint(pairs[i+1])})
	}
	return d
}

// check runs Check on ranks with these descriptions, and returns what is printed.
func check(t *testing.T, all ...Description) string {
	errs := errorsOf(t, newRanks(len(all)), func(w *rank) error { return Check(w, all[w.number]) })
	if errs[0] == nil {
		require.Equal(t, make([]error, len(all)), errs)
		return ""
	}
	for rank, err := range errs {
		require.ErrorIs(t, err, ErrDiffer)
		require.Equal(t, rank == 0, ShouldPrint(err))
		require.EqualError(t, err, errs[0].Error(), "all know the same")
		var f *Failure
		require.ErrorAs(t, err, &f)
		require.Equal(t, &RemoteError{Rank: 0, Text: err.Error(), Code: 2}, f.First)
	}
	return errs[0].Error()
}

func TestDifferencesAreNamed(t *testing.T) {
	a := options("--nlp", 8, "--end", 10)
	lps := Description{{"LP type 0", "message size (bytes)", "24"}, {"LP type 1", "message size (bytes)", "8"}}
	long := strings.Repeat("0123456789", 100000)
	for name, c := range map[string]struct {
		all  []Description
		want string
	}{
		"1 rank":        {[]Description{a}, ""},
		"none":          {[]Description{a, a, a, a, a}, ""},
		"empty":         {[]Description{nil, {}, nil}, ""},
		"another order": {[]Description{a, options("--end", 10, "--nlp", 8)}, ""},
		"a value": {[]Description{a, a, options("--nlp", 16, "--end", 10)},
			"rank 2 differs from rank 0: option --nlp: 16 there, 8 on rank 0"},
		"a name less": {[]Description{a, options("--nlp", 8)},
			"rank 1 differs from rank 0: option --end: missing there, 10 on rank 0"},
		"a name more": {[]Description{options("--nlp", 8), a},
			"rank 1 differs from rank 0: option --end: 10 there, missing on rank 0"},
		"nothing but rank 0's": {[]Description{nil, options("--nlp", 8)},
			"rank 1 differs from rank 0: option --nlp: 8 there, missing on rank 0"},
		"an empty value": {[]Description{options("--s", "missing"), options("--s", "")},
			`rank 1 differs from rank 0: option --s: "" there, "missing" on rank 0`},
		"not a word": {[]Description{options("--s", "a b"), options("--s", "\xff\n")},
			`rank 1 differs from rank 0: option --s: "\xff\n" there, "a b" on rank 0`},
		"sizes of messages": {[]Description{lps, lps[:1]},
			"rank 1 differs from rank 0: LP type 1 message size (bytes): missing there, 8 on rank 0"},
		"sections kept apart": {[]Description{{{"a", "bc", "1"}}, {{"ab", "c", "1"}}},
			"rank 1 differs from rank 0: a bc: missing there, 1 on rank 0; ab c: 1 there, missing on rank 0"},
		"the second of a name": {[]Description{options("--s", 1, "--s", 2), options("--s", 1, "--s", 3)},
			"rank 1 differs from rank 0: option --s (number 2): 3 there, 2 on rank 0"},
		"names in another order": {[]Description{options("--s", 1, "--s", 2), options("--s", 2, "--s", 1)},
			"rank 1 differs from rank 0: option --s: 2 there, 1 on rank 0; option --s (number 2): 1 there, 2 on rank 0"},
		"a name not to be printed": {[]Description{{{"", "\x00", "1"}}, nil},
			`rank 1 differs from rank 0: "\x00": missing there, 1 on rank 0`},
		"more than three": {
			[]Description{options("a", 1, "b", 1, "c", 1, "d", 1, "e", 1), options("a", 2, "b", 2, "c", 2, "d", 2, "f", 1)},
			"rank 1 differs from rank 0: option a: 2 there, 1 on rank 0; option b: 2 there, 1 on rank 0; option c: 2 there, 1 on rank 0; 3 more",
		},
		"equal ranks are one": {
			[]Description{options("a", 1), options("a", 2), options("a", 2), options("a", 2), options("a", 2)},
			"ranks 1, 2, 3 and 1 more differ from rank 0: option a: 2 there, 1 on rank 0",
		},
		"several kinds of ranks": {
			[]Description{
				options("a", 1), options("a", 2), options("a", 1), options("a", 3), options("a", 2),
				options("a", 4), options("a", 5), options("a", 6),
			},
			"ranks 1 and 4 differ from rank 0: option a: 2 there, 1 on rank 0; and rank 3 differs from rank 0: option a: 3 there, 1 on rank 0; " +
				"and rank 5 differs from rank 0: option a: 4 there, 1 on rank 0; and 2 more differ",
		},
		"a long value": {
			[]Description{options("a", long+"y"), options("a", long+"z")},
			"rank 1 differs from rank 0: option a: ...01234567890123456789z there, ...01234567890123456789y on rank 0",
		},
		"a value that goes on": {
			[]Description{options("a", long), options("a", long[:100])},
			"rank 1 differs from rank 0: option a: ...01234567890123456789 there, ..." + long[:80] + "... on rank 0",
		},
		"a long value that one lacks": {
			[]Description{options("a", long), nil},
			"rank 1 differs from rank 0: option a: missing there, " + long[:80] + "... on rank 0",
		},
		"bytes that are no text": {
			[]Description{options("a", strings.Repeat("\x80", 200)), nil},
			"rank 1 differs from rank 0: option a: missing there, \"" + strings.Repeat(`\x80`, 80) + "\"... on rank 0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if want != "" {
				want = "ross: start: " + want + ": give all ranks the same"
			}
			require.Equal(t, want, check(t, c.all...))
		})
	}
}

// One list goes around, however many differ.
func TestCheckIsCheapWhereRanksAreAlike(t *testing.T) {
	big := options("a", strings.Repeat("x", 1<<20))
	all := newRanks(5)
	errorsOf(t, all, func(w *rank) error { return Check(w, big) })
	require.LessOrEqual(t, all[0].most, 1000)
	require.Equal(t, 2, all[0].made, "two reductions")
	all = newRanks(5)
	errorsOf(t, all, func(w *rank) error { return Check(w, append(big, options("b", w.number)...)) })
	require.Less(t, all[0].most, 2<<20)
}

// A machine of the other byte order sees all words swapped.
func TestRanksOfAnotherByteOrderAreNamed(t *testing.T) {
	for want, swapped := range map[string][]int{
		"rank 1":                    {1},
		"ranks 1 and 4":             {1, 4},
		"ranks 1, 2, 3 and 2 more":  {1, 2, 3, 4, 5},
		"ranks 1, 2, 3 and 2 more ": {0},
	} {
		all := newRanks(6)
		for _, i := range swapped {
			all[i].order = binary.BigEndian
		}
		errs := errorsOf(t, all, func(w *rank) error { return Check(w, options("a", w.number)) })
		for _, err := range errs {
			require.ErrorIs(t, err, ErrDiffer)
			require.EqualError(t, err, "ross: start: "+strings.TrimSpace(want)+
				": another byte order than rank 0: use machines of one byte order")
		}
		require.Len(t, said(errs), 1)
		require.Equal(t, 2, all[0].made, "and nothing else was said")
	}
}

func TestRanksOfTwoByteOrdersThatHaveNotBeenCheckedDoNotPart(t *testing.T) {
	for _, failing := range [][]int{{}, {0}, {1}, {0, 1}} {
		all := newRanks(2)
		all[1].order = binary.BigEndian
		errs := errorsOf(t, all, func(w *rank) error { return Agree(w, ownError(w.number, failing...), 2) })
		for rank, err := range errs {
			require.Equal(t, len(failing) > 0, err != nil, "all fail, or none")
			require.True(t, ownError(rank, failing...) == nil || errors.Is(err, errOwn))
		}
	}
}

// MPI may swap words for us, so that only what a rank states of itself shows it.
func TestProbesTellWhatRanksAreInAnyByteOrder(t *testing.T) {
	little := probeOf(protocol, 8, binary.LittleEndian)
	big := probeOf(protocol, 8, binary.BigEndian)
	small := probeOf(protocol, 4, binary.LittleEndian)
	newer := probeOf(protocol+1, 4, binary.BigEndian)
	sent := func(p probe) probe { return probe{swapped(p[0]), swapped(p[1])} }
	const (
		order = "another byte order than rank 0: use machines of one byte order"
		words = "words of another size than rank 0: build the program for one size of words"
		proto = "another version of the protocol than rank 0: start the same program on all ranks"
	)
	for name, c := range map[string]struct {
		probes []probe
		want   string
	}{
		"alike":                  {[]probe{little, little}, ""},
		"alike, big":             {[]probe{big, big}, ""},
		"words as they are":      {[]probe{little, little, sent(big)}, "start: rank 2: " + order},
		"the same, seen there":   {[]probe{sent(little), sent(little), big}, "start: rank 2: " + order},
		"words swapped by MPI":   {[]probe{big, little, big}, "start: rank 1: " + order},
		"word size":              {[]probe{little, small}, "start: rank 1: " + words},
		"byte order, then words": {[]probe{little, small, sent(big)}, "start: rank 2: " + order},
		"protocol first of all":  {[]probe{little, small, sent(newer)}, "start: rank 2: " + proto},
		"something else":         {[]probe{little, {0, 0}}, "start: rank 1: " + proto},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, judge(c.probes)) })
	}
}

// torn is a world in which the lists of rank 0 lose their end.
type torn struct{ *rank }

func (w torn) Bcast(data []byte, root int) ([]byte, error) {
	got, err := w.rank.Bcast(data, root)
	if root == 0 && err == nil {
		got = got[:len(got)-1]
	}
	return got, err
}

func TestADescriptionThatCannotBeReadIsAnErrorOnAllRanks(t *testing.T) {
	errs := errorsOf(t, newRanks(3), func(w *rank) error { return Check(torn{w}, options("a", w.number)) })
	for _, err := range errs {
		require.ErrorContains(t, err, "rank 1 differs from rank 0: its description cannot be read")
	}
}

// Descriptions of a few names and values: Check has to find exactly what differs.
func TestCheckFindsADifferenceExactlyIfThereIsOne(t *testing.T) {
	seed := testrand.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func() (d Description) {
		for range r.IntN(3) {
			d = append(d, options(r.IntN(2), r.IntN(2))...)
		}
		return d
	}
	valuesOf := func(d Description) string {
		var of [2][]string
		for _, item := range d {
			i := slices.Index([]string{"0", "1"}, item.Name)
			of[i] = append(of[i], item.Value)
		}
		return fmt.Sprint(of)
	}
	for range 500 {
		all := make([]Description, 1+r.IntN(5))
		differ := 0
		for i := range all {
			if all[i] = draw(); valuesOf(all[i]) != valuesOf(all[0]) {
				differ++
			}
		}
		text := check(t, all...)
		assert.Equal(t, differ > 0, text != "", "%v", all)
		assert.NotContains(t, text, "rank 0: :", "a difference is named: %v", all)
	}
}

func FuzzDescriptionsOnTheWire(f *testing.F) {
	f.Add(options("--nlp", 8, "", "\xff").encode())
	f.Add([]byte{1})
	f.Add(binary.AppendUvarint(nil, 1<<63))
	f.Fuzz(func(t *testing.T, wire []byte) {
		d, ok := decode(wire)
		if !ok {
			return
		}
		again, ok := decode(d.encode())
		if !ok || !slices.Equal(d, again) {
			t.Fatalf("%q became %q", d, again)
		}
		if got := d.encode(); len(got) > len(wire) || len(got) == len(wire) && !bytes.Equal(got, wire) {
			t.Fatalf("% x became % x", wire, got)
		}
	})
}

// How the program that runs is identified.

func hashOfTheTest(t *testing.T) string {
	path, err := os.Executable()
	require.NoError(t, err)
	binary, err := os.ReadFile(path)
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(binary))
}

func TestAProgramIsKnownByTheHashOfItsFile(t *testing.T) {
	for range 2 {
		hash, err := Program()
		require.NoError(t, err)
		require.Equal(t, hashOfTheTest(t), hash)
	}
}

// deletedEnv is set in the copy of this test that deletes itself.
const deletedEnv = "ROSS_TEST_DELETED"

func TestAProgramThatIsDeletedIsStillKnown(t *testing.T) {
	if path := os.Getenv(deletedEnv); path != "" {
		require.NoError(t, os.Remove(path))
		hash, err := Program()
		require.NoError(t, err)
		fmt.Printf("it is <%s>\n", hash)
		return
	}
	if runtime.GOOS == "windows" {
		return // a program that runs cannot be deleted
	}
	path := filepath.Join(t.TempDir(), "copy")
	from, err := os.Open(os.Args[0])
	require.NoError(t, err)
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	require.NoError(t, err)
	_, err = io.Copy(to, from)
	require.NoError(t, err)
	require.NoError(t, to.Close())
	cmd := exec.Command(path, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), deletedEnv+"="+path)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	if runtime.GOOS == "linux" {
		require.Contains(t, string(out), "<"+hashOfTheTest(t)+">")
	} else {
		require.Contains(t, string(out), "<build info go")
	}
}

func TestAProgramWithoutFileIsKnownByItsBuild(t *testing.T) {
	errNone := errors.New("no name")
	none := func() (filehash.Hash, error) { return filehash.Hash{}, errNone }
	revision := func(text string) func() (*debug.BuildInfo, bool) {
		return func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: text}}}, true
		}
	}
	a, err := identify(none, revision("a"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(a, "build info "+runtime.Version()+" "), a)
	b, err := identify(none, revision("b"))
	require.NoError(t, err)
	require.NotEqual(t, a, b)
	_, err = identify(none, func() (*debug.BuildInfo, bool) { return nil, false })
	require.ErrorIs(t, err, errNone)
	require.ErrorContains(t, err, "ross: start: the program cannot be identified: no name: keep its file")
}

// Errors of some ranks become errors of all, and are reported once.

var errOwn = errors.New("ross: disk: full: delete something")

// ownError is errOwn for those who fail.
func ownError(rank int, failing ...int) error {
	for _, f := range failing {
		if f == rank {
			return errOwn
		}
	}
	return nil
}

// agree has ranks with these texts agree, "" for no error; the exit status of rank i is
// 10 + i.
func agree(t *testing.T, texts ...string) []error {
	return errorsOf(t, newRanks(len(texts)), func(w *rank) error {
		var err error
		if text := texts[w.number]; text != "" {
			err = errors.New(text)
		}
		return Agree(w, err, 10+w.number)
	})
}

// said is what ranks print.
func said(errs []error) (printed []string) {
	for rank, err := range errs {
		if ShouldPrint(err) {
			printed = append(printed, fmt.Sprintf("%d prints %v", rank, err))
		}
	}
	return printed
}

func TestErrorsAreToldOnce(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"none, 1 rank":             {[]string{""}, ""},
		"none":                     {[]string{"", "", "", "", ""}, ""},
		"1 rank":                   {[]string{"ross: a"}, "0 prints ross: a"},
		"the same on all ranks":    {[]string{"ross: a", "ross: a", "ross: a"}, "0 prints ross: a"},
		"rank 1 alone":             {[]string{"", "ross: a", ""}, "1 prints ross: a"},
		"the last alone":           {[]string{"", "", "", "", "a"}, "4 prints a"},
		"the same on two":          {[]string{"", "a", "", "a"}, "1 prints a"},
		"another on a higher rank": {[]string{"", "a", "", "ross: b"}, "1 prints a; and rank 3: b"},
		"some equal": {[]string{"b", "a", "b", "a", "c"},
			"0 prints b; and rank 1: a; and rank 4: c"},
		"all different": {[]string{"a", "b", "c", "d", "e", "e", "f"},
			"0 prints a; and rank 1: b; and rank 2: c; and rank 3: d; and 2 more"},
		"invalid UTF-8":                       {[]string{"", "\xff\xc3"}, "1 prints \xff\xc3"},
		"several lines":                       {[]string{"", "a\nb\n"}, "1 prints a\nb\n"},
		"long text of another, cut at a rune": {[]string{"a", "x" + long}, "0 prints a; and rank 1: x" + long[:398] + "..."},
	} {
		t.Run(name, func(t *testing.T) {
			errs := agree(t, c.texts...)
			require.Equal(t, c.want, strings.Join(said(errs), "|"))
		})
	}
}

func TestARankKeepsItsOwnErrorAndOthersKnowWhoFailed(t *testing.T) {
	errs := errorsOf(t, newRanks(5), func(w *rank) error { return Agree(w, ownError(w.number, 2, 4), 2) })
	for rank, err := range errs {
		var f *Failure
		require.ErrorAs(t, err, &f)
		require.Equal(t, &RemoteError{Rank: 2, Text: errOwn.Error(), Code: 2}, f.First)
		require.Empty(t, f.Others)
		require.Equal(t, rank == 2, f.Prints)
		var remote *RemoteError
		if rank == 2 || rank == 4 {
			require.ErrorIs(t, err, errOwn)
			require.EqualError(t, err, errOwn.Error())
			require.False(t, errors.As(err, &remote))
		} else {
			require.ErrorAs(t, err, &remote)
			require.EqualError(t, err, "ross: rank 2: disk: full: delete something")
		}
	}
}

func TestAnErrorWithoutExitStatusEndsWith1(t *testing.T) {
	for code, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 2, 130: 130, 255: 255, 256: 1, 512: 1} {
		for _, err := range errorsOf(t, newRanks(3), func(w *rank) error { return Agree(w, ownError(w.number, 1), code) }) {
			var f *Failure
			require.ErrorAs(t, err, &f)
			require.Equal(t, want, f.First.Code, "of %d", code)
		}
	}
}

// 1 MB, the same on all ranks but one: it goes around once.
func TestLongTextsGoAroundOnce(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	all := newRanks(5)
	errs := errorsOf(t, all, func(w *rank) error {
		if w.number == 2 {
			return Agree(w, nil, 0)
		}
		return Agree(w, errors.New(long), 1)
	})
	require.True(t, errs[2].Error() == "ross: rank 0: "+long)
	require.Len(t, said(errs), 1)
	for _, w := range all {
		require.Less(t, w.padded, 1000)
		require.Equal(t, 1<<20, w.most)
	}
}

// An error on which ranks have agreed may come to a second Agree, with a new one next to
// it.
func TestAnAgreedErrorIsToldOnceAgain(t *testing.T) {
	again := func(t *testing.T, second error) []error {
		return errorsOf(t, newRanks(3), func(w *rank) error {
			err := fmt.Errorf("wrapped: %w", Agree(w, ownError(w.number, 1), 2))
			if w.number == 2 && second != nil {
				err = second
			}
			return Agree(w, err, 2)
		})
	}
	require.Equal(t, []string{"0 prints wrapped: ross: rank 1: disk: full: delete something"}, said(again(t, nil)))
	errs := again(t, errors.New("ross: other"))
	require.Equal(t, []string{"0 prints wrapped: ross: rank 1: disk: full: delete something; and rank 2: other"},
		said(errs))
	require.ErrorIs(t, errs[1], errOwn)
}

func TestNobodySpeaksForNoErrorAndAllForTheirOwn(t *testing.T) {
	require.False(t, ShouldPrint(nil))
	require.True(t, ShouldPrint(errOwn))
}

// Which ranks fail with which texts is drawn; a plain implementation of the rules gives
// the expected report.
func TestAnyMixtureOfErrorsIsToldByTheLowestRank(t *testing.T) {
	seed := testrand.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		texts := make([]string, 1+r.IntN(8))
		for i := range texts {
			texts[i] = []string{"", "", "a", "b", "c", "d", "e", "f"}[r.IntN(2+r.IntN(7))]
		}
		want := []string{}
		known := map[string]bool{"": true}
		for i, text := range texts {
			if !known[text] {
				known[text] = true
				want = append(want, fmt.Sprintf("rank %d: %s", i, text))
			}
		}
		errs := agree(t, texts...)
		if len(want) == 0 {
			require.Equal(t, make([]error, len(texts)), errs)
			continue
		}
		shown := want
		if more := len(want) - 4; more > 0 {
			shown = append(append([]string{}, want[:4]...), fmt.Sprintf("%d more", more))
		}
		line := strings.Join(shown, "; and ")
		line = strings.Replace(strings.TrimPrefix(line, "rank "), ": ", " prints ", 1)
		require.Equal(t, []string{line}, said(errs), "%q", texts)
		for i, err := range errs {
			require.Error(t, err, "rank %d of %q", i, texts)
		}
	}
}
