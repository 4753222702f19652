// This file pins what lines set, that patterns match what a naive matcher matches, that mistakes are
// errors with a place and a way out, and that checkpoints and options know the contents of the file. It owns the
// example, a hospital, and the benchmark.

package params_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/params"
)

type router struct {
	Delay   float64
	Ports   int8
	Name    string
	Open    bool
	Weights []float64
	Pair    [2]uint
	Every   time.Duration
	ID      int
	Nurse   struct{ Mean float64 }
	Old     int            `param:"former"`
	Left    map[string]int `param:"-"`
	hidden  int
}

func labelOf(i int) string { return fmt.Sprintf("net.router[%d]", i) }

// parsed reads lines.
func parsed(t *testing.T, text string) *params.File {
	t.Helper()
	f, err := params.Parse("net.yaml", []byte(text))
	require.NoError(t, err)
	return f
}

func TestTheFirstLineThatMatchesHolds(t *testing.T) {
	f := parsed(t, `
# exceptions first
"**.router[0..1].delay": 2.5
"net.router[*]":
  delay: 1
  ports: 4          # of all
  nurse:
    mean: 0.5
"net.router[{2..}].name": all others
"**":
  name: the rest
  open: yes
  weights: [1, 2.5]
  pair: [3, 4]
  every: 1m30s
  id: -7
  former: 9
`)
	all, err := params.Each(f, 4, labelOf, router{Delay: 9, hidden: 3})
	require.NoError(t, err)
	require.NoError(t, f.Done())
	for i, r := range all {
		want := router{Delay: 1, Ports: 4, Name: "all others", Open: true, Weights: []float64{1, 2.5}, Pair: [2]uint{3, 4},
			Every: 90 * time.Second, ID: -7, Old: 9, hidden: 3}
		want.Nurse.Mean = 0.5
		if i < 2 {
			want.Delay, want.Name = 2.5, "the rest"
		}
		require.Equal(t, want, r, "%d", i)
	}
}

func TestWithoutAFileTheValuesAreThoseOfTheProgram(t *testing.T) {
	for _, f := range []*params.File{new(params.File), parsed(t, ""), parsed(t, "# nothing\n")} {
		all, err := params.Each(f, 3, labelOf, router{Delay: 9})
		require.NoError(t, err)
		require.Equal(t, []router{{Delay: 9}, {Delay: 9}, {Delay: 9}}, all)
		require.NoError(t, f.Done())
	}
}

func TestOneHasTheParametersWithoutALabel(t *testing.T) {
	f := parsed(t, "delay: 3\nsource.delay: 4\n")
	one, err := params.One(f, "", router{})
	require.NoError(t, err)
	require.Equal(t, 3.0, one.Delay)
	require.ErrorContains(t, f.Done(), `net.yaml:2: "source.delay" sets nothing`)
	one, err = params.One(f, "source", router{})
	require.NoError(t, err)
	require.Equal(t, 4.0, one.Delay)
	require.NoError(t, f.Done())
}

// TestNumbersAreWhatTheyLookLike has each form of a number, as a value of several types; "" stands for an error.
func TestNumbersAreWhatTheyLookLike(t *testing.T) {
	type numbers struct {
		I int
		F float64
		S float32
		B bool
		T string
		L []int
		M [1]float64
	}
	const refused = "refused"
	for text, want := range map[string]struct{ i, f, s, b string }{
		"10": {"10", "10", "10", refused}, "+5": {"5", "5", "5", refused}, "-5": {"-5", "-5", "-5", refused},
		"0": {"0", "0", "0", refused}, "1_000": {"1000", "1000", "1000", refused},
		"0x10": {"16", "16", "16", refused}, "0o10": {"8", "8", "8", refused}, "0b101": {"5", "5", "5", refused},
		"010": {refused, refused, refused, refused}, "-010": {refused, refused, refused, refused},
		"+010": {refused, refused, refused, refused},
		"007":  {refused, refused, refused, refused}, "08": {refused, refused, refused, refused},
		"0_10": {refused, refused, refused, refused}, "00": {refused, refused, refused, refused},
		"!!int 010": {refused, refused, refused, refused}, "'010'": {refused, refused, refused, refused},
		"1e3": {refused, "1000", "1000", refused}, "1E3": {refused, "1000", "1000", refused},
		"1.0": {refused, "1", "1", refused}, "0.5": {refused, "0.5", "0.5", refused},
		".5": {refused, "0.5", "0.5", refused}, "5.": {refused, "5", "5", refused},
		"-0.25": {refused, "-0.25", "-0.25", refused}, "010.5": {refused, "10.5", "10.5", refused},
		".nan": {refused, refused, refused, refused}, ".NaN": {refused, refused, refused, refused},
		"nan":  {refused, refused, refused, refused},
		".inf": {refused, "+Inf", "+Inf", refused}, "+.Inf": {refused, "+Inf", "+Inf", refused},
		"-.inf": {refused, refused, refused, refused}, "inf": {refused, refused, refused, refused},
		"1e400": {refused, refused, refused, refused}, "1e300": {refused, "1e+300", refused, refused},
		"-1e300":              {refused, "-1e+300", refused, refused},
		"9223372036854775808": {refused, "9.223372036854776e+18", "9.223372e+18", refused},
		"~":                   {refused, refused, refused, refused}, "null": {refused, refused, refused, refused},
		"": {refused, refused, refused, refused}, "1:30": {refused, refused, refused, refused},
		"yes": {refused, refused, refused, "true"}, "on": {refused, refused, refused, "true"},
		"no": {refused, refused, refused, "false"}, "off": {refused, refused, refused, "false"},
		"true": {refused, refused, refused, "true"}, "1": {"1", "1", "1", refused},
	} {
		got := func(field string) string {
			value := text
			if field == "l" || field == "m" {
				value = "[" + text + "]"
			}
			f, err := params.Parse("net.yaml", []byte(field+": "+value+"\n"))
			if err == nil {
				var p numbers
				if p, err = params.One(f, "", numbers{}); err == nil {
					v := reflect.ValueOf(p).FieldByName(strings.ToUpper(field))
					if field == "l" || field == "m" {
						if v.Len() == 0 {
							return refused
						}
						v = v.Index(0)
					}
					return fmt.Sprint(v)
				}
			}
			require.ErrorIs(t, err, ross.ErrUsage, text)
			return refused
		}
		require.Equal(t, []string{want.i, want.f, want.s, want.b}, []string{got("i"), got("f"), got("s"), got("b")}, text)
		if text != "" { // which makes an empty list
			require.Equal(t, []string{want.i, want.f}, []string{got("l"), got("m")}, text)
		}
	}
	for text, want := range map[string]string{
		"i: 010":     `net.yaml:1: "i": "010" begins with 0, which makes it a number to the base 8 for some readers of YAML and not for others: write 10, or 0o10 for the base 8`,
		"l: [1, 00]": `net.yaml:1: "l": "00" begins with 0, which makes it a number to the base 8 for some readers of YAML and not for others: write 0, or 0o0 for the base 8`,
		"f: .nan":    `net.yaml:1: "f": ".nan" is not a number: give one, or .inf for no limit`,
		"f: -.inf":   `net.yaml:1: "f": "-.inf" is below all numbers: give one, or .inf for no limit`,
		"s: 1e300":   `net.yaml:1: "s": "1e300" is too large for a float32: give a smaller number, or .inf for no limit`,
	} {
		_, err := params.One(parsed(t, text), "", numbers{})
		require.ErrorContains(t, err, want)
	}
	p, err := params.One(parsed(t, "t: 010"), "", numbers{})
	require.NoError(t, err)
	require.Equal(t, "010", p.T)
}

func TestMistakesInAFileAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"- 1\n":              "net.yaml:1: not a key and a value",
		"a: 1\nb: [1\n":      "net.yaml: line 1",
		"a: &x 1\n":          `net.yaml:1: "a": an anchor or an alias`,
		"a: 1\n---\nb: 2\n":  "net.yaml: more than one YAML document",
		"a:\n  b:\n":         `net.yaml:2: "a.b": no value: give one`,
		"[a, b]: 1\n":        "net.yaml:1: a key that is not a text",
		"\"r[3..1].x\": 1\n": `net.yaml:1: "r[3..1].x": the range "3..1" has no numbers`,
		"\"r[a..b].x\": 1\n": `net.yaml:1: "r[a..b].x": "a..b" is not a range`,
		"\"r{2}.x\": 1\n":    `net.yaml:1: "r{2}.x": braces are for numbers`,
		"\"r\\\\\": 1\n":     `net.yaml:1: "r\\": it ends with \`,
	} {
		_, err := params.Parse("net.yaml", []byte(text))
		require.ErrorIs(t, err, ross.ErrUsage, text)
		require.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{
		"\n\"**.delay\": fast\n":    `net.yaml:2: "**.delay": "fast" is not a value of type float64: give one`,
		"\"**.ports\": 1000\n":      `net.yaml:1: "**.ports": "1000" is not a value of type int8`,
		"\"**.ports\": 2.5\n":       `net.yaml:1: "**.ports": "2.5" is not a value of type int8`,
		"\"**.id\": 1e3\n":          `net.yaml:1: "**.id": "1e3" is not a value of type int`,
		"\"**.weights\": [1, ~]\n":  `net.yaml:1: "**.weights": a list is not a value of type []float64`,
		"\"**.pair\": [1, 2.5]\n":   `net.yaml:1: "**.pair": a list is not a value of type [2]uint`,
		"\"**.ports\": [1]\n":       `net.yaml:1: "**.ports": a list is not a value of type int8`,
		"\"**.pair\": [1, 2, 3]\n":  `net.yaml:1: "**.pair": a list is not a value of type [2]uint`,
		"\"**.weights\": [1, -x]\n": `net.yaml:1: "**.weights": a list is not a value of type []float64`,
	} {
		_, err := params.Each(parsed(t, text), 2, labelOf, router{})
		require.ErrorIs(t, err, ross.ErrUsage, text)
		require.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{
		"\"net.router[9].delay\": 1\n":                       `net.yaml:1: "net.router[9].delay" sets nothing: no parameter has that name: there are net.router[0]. to net.router[1]. (2) with delay, ports`,
		"\"**.delay\": 1\n\"net.router[1].delay\": 2\n":      `net.yaml:2: "net.router[1].delay" sets nothing: what it matches is set by line 1: put it before that line`,
		"\"**.delay\": 1\n\"**\":\n  ports: 1\n  delay: 2\n": `net.yaml:4: "**.delay" sets nothing: what it matches is set by line 1`,
		"\"**.left\": 1\n":                                   `"**.left" sets nothing`,
		"\"**.hidden\": 1\n":                                 `"**.hidden" sets nothing`,
	} {
		f := parsed(t, text)
		_, err := params.Each(f, 2, labelOf, router{})
		require.NoError(t, err)
		require.ErrorIs(t, f.Done(), ross.ErrUsage)
		require.ErrorContains(t, f.Done(), want)
	}
	require.ErrorContains(t, parsed(t, "a: 1").Done(), "call Each before Done")
	_, err := params.Read("does-not-exist.yaml")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorIs(t, err, ross.ErrUsage)
}

func TestStructsThatCannotBeReadAreErrors(t *testing.T) {
	var f params.File
	_, err := params.One(&f, "", 1)
	require.ErrorContains(t, err, "int is not a struct")
	_, err = params.One(&f, "", struct{ F func() }{})
	require.ErrorContains(t, err, "field F is a func()")
	_, err = params.One(&f, "", struct {
		A int
		B int `param:"a"`
	}{})
	require.ErrorContains(t, err, `two fields are named "a"`)
}

// naive reports whether a pattern matches, by trying everything. before is the text before the rest of the name.
func naive(pattern, before, name string) bool {
	split := func(n int) (string, string) { return before + name[:n], name[n:] }
	var low, high int
	switch {
	case pattern == "":
		return name == ""
	case pattern[0] == '*':
		rest, all := strings.CutPrefix(pattern[1:], "*")
		for n := 0; n <= len(name); n++ {
			if b, s := split(n); naive(rest, b, s) {
				return true
			}
			if !all && n < len(name) && name[n] == '.' {
				break
			}
		}
		return false
	case scans(pattern, "[%d..%d]", &low, &high):
		_, rest, _ := strings.Cut(pattern, "]")
		return strings.HasPrefix(name, "[") && naive(fmt.Sprintf("{%d..%d}", low, high)+"]"+rest, before+"[", name[1:])
	case scans(pattern, "{%d..%d}", &low, &high):
		_, rest, _ := strings.Cut(pattern, "}")
		for x := low; x <= high; x++ {
			text := fmt.Sprint(x)
			whole := strings.TrimRight(before, "0123456789") == before &&
				strings.HasPrefix(name, text) &&
				(len(name) == len(text) || !strings.ContainsAny(name[len(text):len(text)+1], "0123456789"))
			if whole && naive(rest, before+text, name[len(text):]) {
				return true
			}
		}
		return false
	case name == "" || pattern[0] == '?' && name[0] == '.' || pattern[0] != '?' && pattern[0] != name[0]:
		return false
	}
	b, rest := split(1)
	return naive(pattern[1:], b, rest)
}

func scans(text, format string, to ...any) bool {
	n, err := fmt.Sscanf(text, format, to...)
	return err == nil && n == len(to)
}

func TestPatternsMatchWhatANaiveMatcherMatches(t *testing.T) {
	r := testrand.New(t)
	parts := []string{"a", "b.", ".", "*", "**", "?", "[0..2]", "{1..12}", "-", "[*]", "a[", "ab"}
	texts := []string{"a", "b", ".", "[0]", "[2]", "[3]", "1", "12", "7-", "a.b", "[x]", "-", "aa"}
	pick := func(from []string) string {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	matched := 0
	for range 3000 {
		pattern, label := pick(parts), pick(texts)
		if r.IntN(2) == 0 { // more that match
			label = strings.NewReplacer("**", "a.b", "*", "-", "?", "a", "[0..2]", "[1]", "{1..12}", "7").Replace(pattern)
		}
		if strings.Contains(pattern, "***") { // two parts that have become one
			continue
		}
		f := parsed(t, fmt.Sprintf("%q: 1\n", pattern+".delay"))
		got, err := params.One(f, label, struct{ Delay int }{})
		require.NoError(t, err)
		want := naive(pattern+".delay", "", label+".delay")
		require.Equal(t, want, got.Delay == 1, "%q and %q", pattern, label)
		require.Equal(t, want, f.Done() == nil)
		if want {
			matched++
		}
	}
	require.Greater(t, matched, 300)
}

// options returns the options of a program with a file.
func options(t *testing.T, words ...string) (*params.File, ross.Config, error) {
	t.Helper()
	f := new(params.File)
	cfg := ross.DefaultConfig()
	o := ross.NewOptions("net")
	params.Option(o.Group("Net"), f, "params", "parameters of routers")
	cfg.Register(o)
	_, err := o.Parse(words)
	return f, cfg, err
}

func TestACheckpointKnowsTheParameters(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return "--params=" + path
	}
	one, same, other := write("one.yaml", "\"**.delay\": 1\n"), write("same.yaml", "\"**.delay\": 1\n"), write(
		"other.yaml", "\"**.delay\": 2\n")
	leg := func(load bool, words ...string) error {
		f, cfg, err := options(t, append(words, "--end="+map[bool]string{false: "5", true: "9"}[load])...)
		require.NoError(t, err)
		require.NotEmpty(t, f.Hash())
		cfg.Output, cfg.NLP, cfg.Checkpoints.AfterRun = io.Discard, 2, true
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(rosstest.Walkers()))
		if load {
			if err := sim.Load(filepath.Join(dir, "cp"), ross.LoadInit); err != nil {
				return err
			}
			return sim.Run(context.Background())
		}
		require.NoError(t, sim.Run(context.Background()))
		return sim.Store(filepath.Join(dir, "cp"))
	}
	require.NoError(t, leg(false, one))
	require.NoError(t, leg(true, same))
	err := leg(true, other)
	require.ErrorIs(t, err, ross.ErrCheckpoint)
	require.ErrorContains(t, err, "option --params is sha256:")
	require.NoError(t, leg(true, other, "--io-other-options"))
}

func TestTheOptionReadsTheFile(t *testing.T) {
	_, _, err := options(t, "--params=does-not-exist.yaml")
	require.ErrorIs(t, err, ross.ErrUsage)
	require.ErrorContains(t, err, "does-not-exist.yaml")
	f, _, err := options(t, "--params=")
	require.NoError(t, err)
	require.Empty(t, f.Hash())
	require.Empty(t, f.Name())
}

// ward is what the lines of a file set for each ward.
type ward struct {
	Beds int
	Stay float64 // mean, hours
}

// hospital has the parameters of all wards. Its methods are the handlers.
type hospital struct {
	file  params.File
	wards []ward
}

type (
	beds    struct{ Free int64 }
	patient struct{ Leaves bool }
)

func (h *hospital) init(s *beds, lp *ross.LP) {
	s.Free = int64(h.wards[lp.ID()].Beds)
	ross.Send(lp, lp.ID(), 0, patient{})
}

func (h *hospital) event(s *beds, lp *ross.LP, m *patient) {
	if m.Leaves {
		s.Free++
		return
	}
	if s.Free > 0 {
		s.Free--
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(h.wards[lp.ID()].Stay), patient{Leaves: true})
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), patient{})
}

const wards = 3

func name(i int) string { return fmt.Sprintf("ward[%d]", i) }

// run is all that a program does: its main is os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)).
func run(args []string, stdout, stderr io.Writer) int {
	var h hospital
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = wards, 1000
	return program.Program{
		Name:   "hospital",
		Config: cfg,
		Options: func(o *ross.Options, _ *ross.Config) {
			params.Option(o.Group("Hospital"), &h.file, "params", "parameters of the wards")
		},
		Prepare: func(*ross.Config) (err error) {
			if h.wards, err = params.Each(&h.file, wards, name, ward{Beds: 30, Stay: 20}); err != nil {
				return err
			}
			return h.file.Done()
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[beds]{Init: h.init, Event: ross.On(h.event),
				Label: func(id ross.LPID) string { return name(int(id)) }})
		},
		Finish: func(*ross.Simulation) error {
			fmt.Println(h.wards)
			return nil
		},
	}.Main(args, stdout, stderr)
}

func Example() {
	dir, err := os.MkdirTemp("", "params")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	here, err := os.Getwd()
	if err != nil || os.Chdir(dir) != nil {
		panic("no folder")
	}
	defer os.Chdir(here)
	for _, text := range []string{
		"\"ward[0].beds\": 60\n\"ward[*]\":\n  beds: 40\n  stay: 44.5\n",
		"\"ward[0].beds\": 60\n\"ward[1].bed\": 50\n",
		"\"ward[*].beds\": 40\n\"ward[2].beds\": 50\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "hospital.yaml"), []byte(text), 0o666); err != nil {
			panic(err)
		}
		fmt.Println("status", run([]string{"--params=hospital.yaml", "--synch=3"}, io.Discard, os.Stdout))
	}
	// Output:
	// [{60 44.5} {40 44.5} {40 44.5}]
	// status 0
	// hospital: ross: parameters: hospital.yaml:2: "ward[1].bed" sets nothing: no parameter has that name: there are ward[0]. to ward[2]. (3) with beds, stay
	// status 2
	// hospital: ross: parameters: hospital.yaml:2: "ward[2].beds" sets nothing: what it matches is set by line 1: put it before that line, or remove it
	// status 2
}

func BenchmarkEach(b *testing.B) {
	f, err := params.Parse("b.yaml", lines(20))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := params.Each(f, 10_000, name, struct{ Beds, Stay, Patience float64 }{}); err != nil {
			b.Fatal(err)
		}
	}
}

// lines returns n lines for a ward each, and one for all.
func lines(n int) []byte {
	text := ""
	for i := range n {
		text += fmt.Sprintf("\"**.ward[%d].beds\": %d\n", i, i)
	}
	return []byte(text + "\"**\": 3\n")
}
