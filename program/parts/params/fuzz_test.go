// This file owns the fuzz target of files: nothing panics, errors have a place, and what has been read can be written
// and read again.

package params

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/ross-go/ross/internal/sys/usage"
)

// ward is what the fuzzed files are for.
type ward struct {
	Beds    int8
	Stay    float64
	Name    string
	Open    bool
	Shifts  []uint16
	Pair    [2]float32
	Every   time.Duration
	Nurses  struct{ Mean float64 }
	Patient string `param:"p.q"`
}

// place matches the errors of a file: those of YAML itself may have no line.
var place = regexp.MustCompile(`(?s)^ross: parameters: w\.yaml(?::(\d+): (".*)?|: )`)

// requirePlace requires that an error is one about the file, with a line that it has, and with the key of a line, if
// any.
func requirePlace(t *testing.T, err error, text []byte, keys map[int][]string) {
	t.Helper()
	require.ErrorAs(t, err, new(*usage.Error))
	found := place.FindStringSubmatch(err.Error())
	require.NotNil(t, found, "%v", err)
	if found[1] == "" {
		require.Nil(t, keys, "%v", err)
		return
	}
	at, err2 := strconv.Atoi(found[1])
	require.NoError(t, err2)
	require.True(t, at >= 1 && at <= 2+strings.Count(string(text), "\n")+strings.Count(string(text), "\r")+
		strings.Count(string(text), "\u2028")+strings.Count(string(text), "\u2029")+strings.Count(string(text), "\u0085"),
		"%v", err)
	if keys != nil {
		named := false
		for _, key := range keys[at] {
			named = named || strings.HasPrefix(found[2], strconv.Quote(key))
		}
		require.True(t, named, "%v: no key of line %d: %q", err, at, keys[at])
	}
}

// written returns a file with the lines of another one.
func written(t *testing.T, f *File) []byte {
	t.Helper()
	document := &yaml.Node{Kind: yaml.MappingNode}
	for i := range f.lines {
		l := &f.lines[i]
		value := *l.value
		value.HeadComment, value.LineComment, value.FootComment = "", "", ""
		document.Content = append(document.Content, &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle,
			Tag: "!!str", Value: l.key}, &value)
	}
	var out bytes.Buffer
	require.NoError(t, yaml.NewEncoder(&out).Encode(document))
	return out.Bytes()
}

// wards returns the wards of a file, and what Each or Done says.
func wards(f *File) (all []ward, err error) {
	all, err = Each(f, 3, func(i int) string { return fmt.Sprintf("ward[%d]", i) }, ward{Beds: 3, Name: "none"})
	if err == nil {
		err = f.Done()
	}
	return all, err
}

// withoutPlace returns the text of an error without file and line.
func withoutPlace(err error) string {
	if err == nil {
		return ""
	}
	lines := regexp.MustCompile(`w\.yaml:\d+|by line \d+`)
	return lines.ReplaceAllString(err.Error(), "")
}

func FuzzFile(f *testing.F) {
	for _, text := range []string{
		"", "# nothing\n", "\"ward[0..1].beds\": 60\n\"ward[*]\":\n  beds: 40\n  stay: 44.5\n\"**.every\": 1m30s\n",
		"\"**\":\n  shifts: [1, 2]\n  pair: [1, 2.5]\n  nurses:\n    mean: 0.5\n  open: yes\n  p.q: \"a\\nb\"\n",
		"\"ward[{1..}].name\": |\n  two\n  lines\n\"ward[?].name\": >\n  folded\n",
		"a: &x 1\nb: *x\n", "a: [*x]\n", "- 1\n", "? [a]\n: 1\n", "<<: {a: 1}\n", "a: !!binary aGk=\n", "a: !!null x\n",
		"\"**.beds\": 1e3\n",
		"\"**.beds\": 300\n", "a: 1\n---\nb: 2\n", "\"w{2\": 1\n", "\"w\\\\\": 1\n", "a:\n", "{a: 1, a: 2}\n",
		"\"**.stay\": .nan\n", "\"**.name\": 2001-01-01\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := Parse("w.yaml", text)
		if err != nil {
			require.Nil(t, read)
			requirePlace(t, err, text, nil)
			return
		}
		require.NotEmpty(t, read.Hash())
		again, err := Parse("w.yaml", written(t, read))
		require.NoError(t, err, "%q\n%q", text, written(t, read))
		require.Len(t, again.lines, len(read.lines))
		keys := map[int][]string{}
		for i := range read.lines {
			keys[read.lines[i].at] = append(keys[read.lines[i].at], read.lines[i].key)
			require.Equal(t, read.lines[i].key, again.lines[i].key)
			require.Equal(t, read.lines[i].pattern, again.lines[i].pattern)
		}
		all, err := wards(read)
		same, err2 := wards(again)
		require.Equal(t, withoutPlace(err), withoutPlace(err2), "%q\n%q", text, written(t, read))
		if err != nil {
			requirePlace(t, err, text, keys)
			return
		}
		// NaN is not itself
		require.True(t, reflect.DeepEqual(all, same) || fmt.Sprint(all) == fmt.Sprint(same), "%v, %v", all, same)
	})
}

func TestAFileIsWrittenAndReadAgain(t *testing.T) {
	read, err := Parse("w.yaml",
		[]byte("# beds\n\"ward[0]\":\n  beds: 60 # a comment\n\"**.shifts\": [1, 2]\n\"**.p.q\": \"1\"\n"))
	require.NoError(t, err)
	want := "\"ward[0].beds\": 60\n\"**.shifts\": [1, 2]\n\"**.p.q\": \"1\"\n"
	require.Equal(t, want, string(written(t, read)))
	all, err := wards(read)
	require.NoError(t, err)
	require.Equal(t, []ward{{Beds: 60, Name: "none", Shifts: []uint16{1, 2}, Patient: "1"},
		{Beds: 3, Name: "none", Shifts: []uint16{1, 2}, Patient: "1"},
		{Beds: 3, Name: "none", Shifts: []uint16{1, 2}, Patient: "1"}}, all)
}
