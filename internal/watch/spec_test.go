// The option: what it may say, and what is said of one that cannot be.

package watch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/usage"
)

func TestAnOptionNamesLPsAndTimes(t *testing.T) {
	inf := math.Inf(1)
	for option, want := range map[string][]Item{
		"7":                     {{ID: 7, From: -inf, To: inf}},
		"18446744073709551615":  {{ID: math.MaxUint64, From: -inf, To: inf}},
		"7@10..20.5":            {{ID: 7, From: 10, To: 20.5}},
		"7@..":                  {{ID: 7, From: -inf, To: inf}},
		"7@1e3..":               {{ID: 7, From: 1000, To: inf}},
		"7@..inf":               {{ID: 7, From: -inf, To: inf}},
		"7@3..3":                {{ID: 7, From: 3, To: 3}},
		"door":                  {{Label: "door", From: -inf, To: inf}},
		"desk 7":                {{Label: "desk 7", From: -inf, To: inf}},
		`"7"`:                   {{Label: "7", From: -inf, To: inf}},
		`"a@b, \"c\" \\"@..5`:   {{Label: `a@b, "c" \`, From: -inf, To: 5}},
		"1,2@3..,door@..4":      {{ID: 1, From: -inf, To: inf}, {ID: 2, From: 3, To: inf}, {Label: "door", From: -inf, To: 4}},
		` 1 , "x" , y @ 1 .. 2`: {{ID: 1, From: -inf, To: inf}, {Label: "x", From: -inf, To: inf}, {Label: "y", From: 1, To: 2}},
		"-3":                    {{Label: "-3", From: -inf, To: inf}},
	} {
		got, err := Parse(option)
		require.NoError(t, err, option)
		require.Equal(t, want, got, option)
	}
}

func TestAnOptionThatCannotBeReadSaysWhy(t *testing.T) {
	for option, want := range map[string]string{
		"":                     "an LP has no name; give its id or its label, and a comma only between two LPs",
		"1,":                   "an LP has no name",
		",1":                   "an LP has no name",
		"@1..2":                "an LP has no name",
		`""`:                   "an LP has no name",
		`"door`:                `a label in double quotes has no end; give "label", with \" for a quote in it`,
		`"door"x`:              `"x" follows the label "door"; give a comma before another LP, or @from..to`,
		"7@5":                  "@5 is no interval; give @from..to, virtual times of which either may be left out",
		"7@":                   "@ is no interval",
		"7@a..b":               `@a..b: "b" is no virtual time; give @from..to`,
		"7@nan..":              `@nan..: "nan" is no virtual time`,
		"7@2..1":               "@2..1: ends before it begins; give the earlier time first",
		"7@1..2@3..4":          `"2@3..4" is no virtual time`,
		"18446744073709551616": "18446744073709551616 is beyond all ids",
	} {
		_, err := Parse(option)
		require.ErrorContains(t, err, "ross: option --watch="+option+": ")
		require.ErrorContains(t, err, want)
		require.ErrorIs(t, err, usage.Err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`1,"a\"b"@1..2,c@..`)
	f.Fuzz(func(t *testing.T, option string) {
		all, err := Parse(option)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%q: %v, %v", option, all, err)
		}
		for _, it := range all {
			if !(it.From <= it.To) {
				t.Fatalf("%q: %v", option, it)
			}
		}
	})
}
