// Errors of some ranks become errors of all, and are reported once.

package ranks_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/testrand"
)

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
		return ranks.Agree(w, err, 10+w.number)
	})
}

// said is what ranks print.
func said(errs []error) (printed []string) {
	for rank, err := range errs {
		if ranks.ShouldPrint(err) {
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
		"none, 1 rank":                        {[]string{""}, ""},
		"none":                                {[]string{"", "", "", "", ""}, ""},
		"1 rank":                              {[]string{"ross: a"}, "0 prints ross: a"},
		"the same on all ranks":               {[]string{"ross: a", "ross: a", "ross: a"}, "0 prints ross: a"},
		"rank 1 alone":                        {[]string{"", "ross: a", ""}, "1 prints ross: a"},
		"the last alone":                      {[]string{"", "", "", "", "a"}, "4 prints a"},
		"the same on two":                     {[]string{"", "a", "", "a"}, "1 prints a"},
		"another on a higher rank":            {[]string{"", "a", "", "ross: b"}, "1 prints a; and rank 3: b"},
		"some equal":                          {[]string{"b", "a", "b", "a", "c"}, "0 prints b; and rank 1: a; and rank 4: c"},
		"all different":                       {[]string{"a", "b", "c", "d", "e", "e", "f"}, "0 prints a; and rank 1: b; and rank 2: c; and rank 3: d; and 2 more"},
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
	errs := errorsOf(t, newRanks(5), func(w *rank) error { return ranks.Agree(w, ownError(w.number, 2, 4), 2) })
	for rank, err := range errs {
		var f *ranks.Failure
		require.ErrorAs(t, err, &f)
		require.Equal(t, &ranks.RemoteError{Rank: 2, Text: errOwn.Error(), Code: 2}, f.First)
		require.Empty(t, f.Others)
		require.Equal(t, rank == 2, f.Speaks)
		var remote *ranks.RemoteError
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
		for _, err := range errorsOf(t, newRanks(3), func(w *rank) error { return ranks.Agree(w, ownError(w.number, 1), code) }) {
			var f *ranks.Failure
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
			return ranks.Agree(w, nil, 0)
		}
		return ranks.Agree(w, errors.New(long), 1)
	})
	require.True(t, errs[2].Error() == "ross: rank 0: "+long)
	require.Len(t, said(errs), 1)
	for _, w := range all {
		require.Less(t, w.padded, 1000)
		require.Equal(t, 1<<20, w.most)
	}
}

// An error on which ranks have agreed may come to a second Agree, with a new one beside
// it.
func TestAnAgreedErrorIsToldOnceAgain(t *testing.T) {
	again := func(t *testing.T, second error) []error {
		return errorsOf(t, newRanks(3), func(w *rank) error {
			err := fmt.Errorf("wrapped: %w", ranks.Agree(w, ownError(w.number, 1), 2))
			if w.number == 2 && second != nil {
				err = second
			}
			return ranks.Agree(w, err, 2)
		})
	}
	require.Equal(t, []string{"0 prints wrapped: ross: rank 1: disk: full: delete something"}, said(again(t, nil)))
	errs := again(t, errors.New("ross: other"))
	require.Equal(t, []string{"0 prints wrapped: ross: rank 1: disk: full: delete something; and rank 2: other"}, said(errs))
	require.ErrorIs(t, errs[1], errOwn)
}

func TestNobodySpeaksForNoErrorAndAllForTheirOwn(t *testing.T) {
	require.False(t, ranks.ShouldPrint(nil))
	require.True(t, ranks.ShouldPrint(errOwn))
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
		told := want
		if more := len(want) - 4; more > 0 {
			told = append(append([]string{}, want[:4]...), fmt.Sprintf("%d more", more))
		}
		line := strings.Join(told, "; and ")
		line = strings.Replace(strings.TrimPrefix(line, "rank "), ": ", " prints ", 1)
		require.Equal(t, []string{line}, said(errs), "%q", texts)
		for i, err := range errs {
			require.Error(t, err, "rank %d of %q", i, texts)
		}
	}
}
