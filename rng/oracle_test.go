// This file owns the comparison with the numbers that the original printed:
// testdata/rng.csv, written by ROSS 8.1.1 on x86-64 with glibc. The draws are those
// of main stream 5; each distribution starts it anew, and the odd cases of
// integer and ulong continue where the group before them stopped.

package rng

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A draw of the file: the value as a float64 or the integer as its bits. Both are compared exactly.
type oracleDraw struct {
	real  func(*Stream) float64
	whole func(*Stream) uint64
	keep  bool // continues the stream of the group before
}

var oracleDraws = map[string]oracleDraw{
	"unif":                    {real: (*Stream).Unif},
	"unifrev":                 {real: (*Stream).Reverse, keep: true},
	"integer(0;9)":            {whole: integer(0, 9)},
	"integer(5;4)":            {whole: integer(5, 4), keep: true},
	"integer(5;5)":            {whole: integer(5, 5), keep: true},
	"integer(9;2)":            {whole: integer(9, 2), keep: true},
	"integer(-10;-1)":         {whole: integer(-10, -1), keep: true},
	"integer(0;LONG_MAX)":     {whole: integer(0, math.MaxInt64), keep: true},
	"ulong(0;ULONG_MAX)":      {whole: ulong(0, math.MaxUint64), keep: true},
	"ulong(1;1000)":           {whole: ulong(1, 1000), keep: true},
	"ulong(5;4)":              {whole: ulong(5, 4), keep: true},
	"binomial(10;0.3)":        {whole: func(s *Stream) uint64 { return uint64(s.Binomial(10, 0.3)) }},
	"geometric(0.3)":          {whole: func(s *Stream) uint64 { return uint64(s.Geometric(0.3)) }},
	"poisson(3.5)":            {whole: func(s *Stream) uint64 { return uint64(s.Poisson(3.5)) }},
	"exponential(2.5)":        {real: func(s *Stream) float64 { return s.Exponential(2.5) }},
	"pareto(shape=3;scale=2)": {real: func(s *Stream) float64 { return s.Pareto(3, 2) }},
	"gamma(2.5;1.5)":          {real: func(s *Stream) float64 { return s.Gamma(2.5, 1.5) }},
	"gamma(1;1.5)":            {real: func(s *Stream) float64 { return s.Gamma(1, 1.5) }},
	"gamma(0.5;1.5)":          {real: func(s *Stream) float64 { return s.Gamma(0.5, 1.5) }},
	"weibull(2;1.5)":          {real: func(s *Stream) float64 { return s.Weibull(2, 1.5) }},
	"normal01":                {real: (*Stream).Normal01},
	"normal_sd(10;2)":         {real: func(s *Stream) float64 { return s.NormalSD(10, 2) }},
	"lognormal(0.5;0.25)":     {real: func(s *Stream) float64 { return s.LogNormal(0.5, 0.25) }},
}

func integer(lo, hi int64) func(*Stream) uint64 {
	return func(s *Stream) uint64 { return uint64(s.Integer(lo, hi)) }
}

func ulong(lo, hi uint64) func(*Stream) uint64 {
	return func(s *Stream) uint64 { return s.Ulong(lo, hi) }
}

func TestEveryNumberOfTheOriginal(t *testing.T) {
	file, err := os.Open("testdata/rng.csv")
	require.NoError(t, err)
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 354)

	var group string
	var stream Stream
	for i, row := range rows {
		switch kind := row[0]; kind {
		case "const":
			checkConstants(t, row)
		case "seed":
			checkSeed(t, row)
		case "state":
			checkState(t, row, &stream)
		default:
			draw, known := oracleDraws[kind]
			require.True(t, known, "row %d: %s", i+1, kind)
			if kind != group && !draw.keep {
				stream = NewSeeder(DefaultSeeds).Stream(5)
			}
			group = kind
			before := stream.Count()
			checkDraw(t, row, draw, &stream)
			checkCounts(t, row, before, stream.Count())
		}
	}
}

func checkDraw(t *testing.T, row []string, draw oracleDraw, s *Stream) {
	t.Helper()
	if draw.whole != nil {
		got := draw.whole(s)
		if strings.HasPrefix(row[2], "-") {
			require.Equal(t, row[2], strconv.FormatInt(int64(got), 10), "%v", row)
		} else {
			require.Equal(t, row[2], strconv.FormatUint(got, 10), "%v", row)
		}
		return
	}
	want, err := strconv.ParseFloat(row[2], 64)
	require.NoError(t, err)
	if got := draw.real(s); got != want {
		t.Errorf("%v: got %.17g, %d ulps off", row, got, ulps(got, want))
	}
}

// checkCounts compares the last field, draws=n for one call or count=n for all.
func checkCounts(t *testing.T, row []string, before, after uint64) {
	t.Helper()
	name, value, found := strings.Cut(row[len(row)-1], "=")
	if !found {
		return
	}
	want := parse(t, value)
	if name == "draws" {
		require.Equal(t, want, after-before, "%v", row)
	} else {
		require.Equal(t, want, after, "%v", row)
	}
}

func checkConstants(t *testing.T, row []string) {
	t.Helper()
	j := parse(t, row[1])
	p := components[j]
	for _, field := range row[2:] {
		name, value, _ := strings.Cut(field, "=")
		got, known := map[string]uint64{
			"m": p.m, "a": p.a, "avw": p.avw, "b": p.b,
			"aw":   powMod(p.a, 1<<41, p.m),
			"seed": uint64(DefaultSeeds[j]), "coreseed": uint64(DefaultCoreSeeds[j]),
		}[name]
		require.True(t, known, field)
		require.Equal(t, parse(t, value), got, "component %d: %s", j, field)
	}
}

func checkSeed(t *testing.T, row []string) {
	t.Helper()
	seeds := DefaultSeeds
	if row[1] == "core" {
		seeds = DefaultCoreSeeds
	}
	g := NewSeeder(seeds).CLCG4(parse(t, row[2]))
	require.Equal(t, components32(t, row[3:]), g.State().C, "%v", row)
}

func checkState(t *testing.T, row []string, s *Stream) {
	t.Helper()
	count := parse(t, strings.TrimPrefix(row[6], "count="))
	require.Equal(t, State{C: components32(t, row[2:6]), Count: count}, s.State().State, "%v", row)
}

func components32(t *testing.T, fields []string) (c [4]uint32) {
	t.Helper()
	for j := range c {
		c[j] = uint32(parse(t, fields[j]))
	}
	return c
}

func parse(t *testing.T, field string) uint64 {
	t.Helper()
	value, err := strconv.ParseUint(field, 10, 64)
	require.NoError(t, err)
	return value
}
