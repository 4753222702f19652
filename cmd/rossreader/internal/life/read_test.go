// This file tests the reading of texts: every form of a line, texts of several ranks, and what is no text of a watch.

package life

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// watch is the folder of the package whose text is read.
const watch = "../../../../internal/output/watch/"

func TestATextWithEveryKindOfLineIsReadAsAWhole(t *testing.T) {
	text, err := os.ReadFile(watch + "testdata/everything.txt")
	require.NoError(t, err)
	h := newTexts()
	require.NoError(t, h.read("x", strings.NewReader(string(text))))
	require.Empty(t, h.unread)
	var blocks []string
	for _, id := range []uint64{0, 1} {
		l := h.lps[id]
		for _, b := range l.blocks {
			block := fmt.Sprintf("Watch: %s (%s) at %s\n", lpName(l.id, l.label), l.typ, strconv.FormatFloat(b.at, 'g', -1, 64))
			for _, line := range b.lines {
				require.Contains(t, kinds, line.kind)
				block += line.String() + "\n"
			}
			blocks = append(blocks, block)
		}
	}
	for _, block := range blocks {
		require.True(t, strings.Contains(string(text), block), block)
	}
	require.Len(t, blocks, strings.Count(string(text), "Watch: LP "))
	for kind := range kinds {
		if !strings.Contains("began goes on", kind) { // those are of processes
			require.True(t, strings.Contains(string(text), "\n  "+kind), "the text has no line %q", kind)
		}
	}

	s := lives(t, string(text))
	require.Equal(t, []span{{math.Inf(-1), 6.5}}, h.watched(h.lps[1]))
	require.Equal(t, []float64{8, 6.5}, []float64{s.LPs[0].To, s.LPs[1].To})
	require.Equal(t, "the text ends", s.LPs[0].Ends)
	l := s.LPs[0]
	require.Equal(t, field{Path: "N", Group: "N", Kind: "number", At: []float64{0, 1, 2, 3, 4, 5, 6},
		Value: []any{0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}}, *find(t, l, "N"))
	require.Equal(t, []any{0.0, "+Inf", "NaN(0x7ff8000000000001)", -1.0}, find(t, l, "X").Value[:4])
	require.Equal(t, "count", find(t, l, "len(List)").Kind)
	require.Equal(t, []any{nil, 4.0, 5.0, nil}, find(t, l, "List[0]").Value,
		"it was not there before the list was, and is not known after an event with more changes than are shown")
}

// The lines that the watch's own tests expect are in their source.
func TestLinesThatTheWatchExpectsAreUnderstood(t *testing.T) {
	files, err := filepath.Glob(watch + "*_test.go")
	require.NoError(t, err)
	form := regexp.MustCompile(`^(?:  )?(order|received|from|ignored|changed|added|removed|began|goes on|ended|drew|sent|set|cancelled|recorded|suspended) *`)
	seen := map[string]int{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if _, parts := n.(*ast.BinaryExpr); parts {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			found := form.FindString(text)
			if len(strings.TrimPrefix(found, "  ")) != width || strings.ContainsAny(text, "%`") || strings.HasSuffix(text, " ") ||
				strings.HasSuffix(text, `"`) && !strings.Contains(text, ": ") {
				return true
			}
			l, ok := parseLine("  " + strings.TrimPrefix(text, "  "))
			require.True(t, ok, "%s: %q", name, text)
			seen[l.kind]++
			return true
		})
	}
	require.Greater(t, seen["changed"], 20)
	require.Greater(t, len(seen), 6, seen)
}

func TestLinesHaveParts(t *testing.T) {
	long := strings.Repeat("a", 70)
	for text, want := range map[string]change{
		`Busy: false -> true`:                               {changeValue, "Busy", "false", "true"},
		`Queue: 3 -> 4 values`:                              {changeCount, "Queue", "3", "4"},
		`Ring: freed, with 8 values`:                        {changeFreed, "Ring", "8", "freed"},
		`Stack: and 180 more of its values`:                 {how: changeMore, path: "Stack"},
		`and perhaps more: the first 20 are shown`:          {how: changeAll},
		`Staff: 0 of 4 busy, 0 wait -> 1 of 4 busy, 0 wait`: {changeValue, "Staff", "0 of 4 busy, 0 wait", "1 of 4 busy, 0 wait"},
		`Names["a: \" -> b"]: absent -> 5`:                  {changeValue, `Names["a: \" -> b"]`, "absent", "5"},
		`Name: "x -> y" -> "z: -> "`:                        {changeValue, "Name", `"x -> y"`, `"z: -> "`},
		`Name: "x" -> "` + long + ` → b ->…`:                {changeValue, "Name", `"x"`, `"` + long + ` → b ->…`},
		`Name: …aaa → b" -> …aaa → c"`:                      {changeValue, "Name", `…aaa → b"`, `…aaa → c"`},
		`Name: "…" -> "a… -> b"`:                            {changeValue, "Name", `"…"`, `"a… -> b"`},
		`Names["` + long + `:-> aaa…]: absent -> "x"`:       {changeValue, `Names["` + long + `:-> aaa…]`, "absent", `"x"`},
		`Names["a…]b"]: 1 -> 2`:                             {changeValue, `Names["a…]b"]`, "1", "2"},
		`Last: no block -> the new block at First`:          {changeValue, "Last", "no block", "the new block at First"},
		`Any: nil -> main.pair[string]({A:"->" B:2})`:       {changeValue, "Any", "nil", `main.pair[string]({A:"->" B:2})`},
		`C: (1, 2i) -> (1, -2i)`:                            {changeValue, "C", "(1, 2i)", "(1, -2i)"},
		`Busy: true`:                                        {},
		`Busy`:                                              {},
		``:                                                  {},
	} {
		require.Equal(t, want, parseChange(text), text)
	}
	f, ok := parseFrom(`LP 4 "a, sent at 3, timer 1.2", timer 7.12, sent at 1.5`)
	require.True(t, ok)
	require.Equal(t, from{`LP 4 "a, sent at 3, timer 1.2"`, "7.12", 1.5}, f)
	f, ok = parseFrom("itself, sent at 0")
	require.True(t, ok)
	require.Equal(t, from{"itself", "", 0}, f)
	for text, want := range map[string]send{
		`itself for 6.5, delay 4.5: main.done{A:1}`:                        {"itself", 6.5, 4.5, "", false, "main.done{A:1}"},
		`LP 4 "a for 1, delay 2: x" for 13.1, delay 0.6, priority 0.5: m`:  {`LP 4 "a for 1, delay 2: x"`, 13.1, 0.6, "0.5", false, "m"},
		`LP -1 for 13, delay 1: m{}`:                                       {"LP -1", 13, 1, "", false, "m{}"},
		`timer 1.3 for 14, delay 2, not before the end of the run: main.x`: {"timer 1.3", 14, 2, "", true, "main.x"},
		`LP 1 for +Inf, delay +Inf, priority 2, not before the end of the run: a message that the LP does not receive`: {
			"LP 1", math.Inf(1), math.Inf(1), "2", true, "a message that the LP does not receive"},
	} {
		got, ok := parseSend(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]recording{
		"Waiting: -0.5": {"Waiting", "value", -0.5}, "Wait[0]: +Inf": {"Wait[0]", "value", math.Inf(1)}, "Done: +3": {"Done", "count", 3},
		"Line: set to 4": {"Line", "set", 4}, "Using: by -1": {"Using", "by", -1}, "Using: by +Inf": {"Using", "by", math.Inf(1)},
	} {
		got, ok := parseRecording(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for text, want := range map[string]string{
		"main.visit{who:{Class:1}}": "main.visit", "proc.Move[a/b.frame[struct { A int }]]{F:{}}": "proc.Move[a/b.frame[struct { A int }]]",
		"struct { A int }{A:1}": "struct { A int }", "main.done": "main.done", "[4]int32[1 2 3 4]": "[4]int32[1 2 3 4]",
	} {
		require.Equal(t, want, messageName(text))
	}
	name, does, ok := parseThing("bank.Unit.door #1: hospital.go:49, sleeps since 0.1 {a:1}")
	require.Equal(t, []any{"bank.Unit.door #1", "hospital.go:49, sleeps since 0.1 {a:1}", true}, []any{name, does, ok})
}

func TestPathsHaveParents(t *testing.T) {
	for path, want := range map[string][]string{
		"A": nil, "A.B": {"A"}, `Names["a.b[c"].N`: {"Names", `Names["a.b[c"]`}, "*P": {"P"}, "(*P)[1].X": {"P[1].X", "P", "P[1]"},
		"Any.(main.T).N": {"Any", "Any.(main", "Any.(main.T)"},
	} {
		var got []string
		parents(path, func(p string) { got = append(got, p) })
		require.Equal(t, want, got, path)
	}
	require.Equal(t, "Ports", groupOf("Ports[3].Busy"))
}

func TestResourcesAreTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		"2 of 6 busy, 1 out of order, 4 wait": "busy=2 capacity=6 out of order=1 wait=4",
		"3 items, 0 wait to get, 2 to put":    "items=3 wait to get=0 wait to put=2",
		"2.5 of 10, 0 wait to get, 1 to put":  "now=2.5 capacity=10 wait to get=0 wait to put=1",
	} {
		names, values, ok := brief(text)
		require.True(t, ok)
		for i := range names {
			names[i] += "=" + values[i]
		}
		require.Equal(t, want, strings.Join(names, " "))
	}
	for _, text := range []string{"", "full", "a of b busy", `"x y"`, "len 1: [4]"} {
		_, _, ok := brief(text)
		require.False(t, ok, text)
	}
	h := block1("Pool: 0 of 2 busy, 0 wait -> 1 of 2 busy, 1 out of order, 0 wait")
	s := lives(t, h)
	require.Equal(t, []any{0.0, 1.0}, find(t, s.LPs[0], "Pool out of order").Value, "what is left out is 0")
	require.Equal(t, []any{2.0}, find(t, s.LPs[0], "Pool capacity").Value)
}

func TestAListInAnArrayIsNoValueOfAList(t *testing.T) {
	text := block1("Lines[1]: 0 -> 1 values") + "  added     Lines[1]: {N:5}\n  changed   Ring: 0 -> 2 values\n  added     Ring[1]: {N:6}\n" +
		"  added     Set[[1 -1]]\n  added     Names[\"a]: [\"]: 7\n" +
		block1("By: 0 -> 1 values") + "  added     By[3]: []\n" + block1("By[3]: 0 -> 1 values") + "  added     By[3]: 12\n" +
		block1("Ring[1].N: 6 -> 7", "Parts[1].N: 6 -> 7")
	l := lives(t, text).LPs[0]
	var got []string
	for _, f := range l.Fields {
		if f.When != nil {
			got = append(got, fmt.Sprintf("%s %v %v %q %q", f.Path, f.Value, f.What, f.Key, f.Item))
		}
	}
	require.Equal(t, []string{`Lines[1] [0 1] [1] [""] ["{N:5}"]`, `Ring [0 2] [1 2] ["1" "1"] ["{N:6}" "Ring[1].N"]`, `By [0 1] [1] ["3"] ["[]"]`,
		`By[3] [<nil> 0 1] [1] [""] ["12"]`, `Names [<nil>] [1] ["\"a]: [\""] ["7"]`, `Set [<nil>] [1] ["[1 -1]"] [""]`}, got)
}

func TestProcessesLiveFromTheirBeginningToTheirEnd(t *testing.T) {
	later := func(at, line string) string {
		return "Watch: LP 3 (desk) at " + at + "\n  received  proc.wake{}\n  from      itself, sent at 1\n" + line
	}
	text := block1("Staff: 0 of 2 busy, 0 wait -> 1 of 2 busy, 0 wait") +
		"  goes on   a.Bank.door #1: bank.go:3, sleeps since 1\n  began     a.Bank.guest #2: bank.go:7, waits for Staff since 1 {n: 1}\n" +
		later("2", "  goes on   a.Bank.guest #2: bank.go:9, sleeps since 2\n") +
		later("4", "  ended     a.Bank.guest #2: it was at bank.go:9, sleeps since 2\n") + "Run   x, until time 9\n"
	s := lives(t, text)
	require.Zero(t, s.Unknown)
	p := s.LPs[0].Processes
	require.Len(t, p, 2)
	require.Equal(t, "a.Bank.door #1", p[0].Name)
	require.Nil(t, p[0].From, "it was there before")
	require.Nil(t, p[0].To)
	require.Equal(t, []any{"a.Bank.guest #2", 1.0, 4.0, []float64{1, 2}}, []any{p[1].Name, *p[1].From, *p[1].To, p[1].At})
	require.Equal(t, "bank.go:9, sleeps since 2", p[1].Does[1])
}

func TestAValueWithAKeyIsAbsentBeforeItComesAndAfterItLeaves(t *testing.T) {
	at := func(time, line string) string {
		return strings.ReplaceAll(block1(), " at 1\n", " at "+time+"\n") + line + "\n"
	}
	l := lives(t, at("1", "  changed   Map: 0 -> 1 values\n  added     Map[3]: 5")+at("2", "  changed   Map[3]: 5 -> 6")+
		at("4", "  changed   Map: 1 -> 0 values\n  removed   Map[3]: 6")+at("5", "")).LPs[0]
	require.Equal(t, field{Path: "Map[3]", Group: "Map", Kind: "number", At: []float64{0, 1, 2, 4}, Value: []any{"absent", 5.0, 6.0, "absent"}},
		*find(t, l, "Map[3]"))
}

// block1 is a text with an event.
func block1(changes ...string) string {
	text := "Watch: LP 3 (desk) at 1\n  order     priority 1, tie-breakers 0.5\n  received  main.go{}\n  from      itself, sent at 0\n"
	for _, c := range changes {
		text += "  changed   " + c + "\n"
	}
	return text
}

func TestLinesThatAreNotUnderstoodAreCountedAndShown(t *testing.T) {
	text := "Watch: hello\n" + block1("no arrow") + "  turned    round\n  x\nWatch: LP x\n*** END SIMULATION ***\n  not a line of a block\n"
	h := newTexts()
	require.NoError(t, h.read("run.txt", strings.NewReader(text)))
	require.Equal(t, 5, h.lost)
	require.Equal(t, []unread{{"run.txt:1", "Watch: hello"}, {"run.txt:6", "  changed   no arrow"}, {"run.txt:7", "  turned    round"},
		{"run.txt:8", "  x"}, {"run.txt:9", "Watch: LP x"}}, h.unread)
	s := lives(t, text)
	require.Contains(t, s.LPs[0].In.Text[0], "  turned    round\n  x", "the text about the event has them")
	many := newTexts()
	require.NoError(t, many.read("", strings.NewReader(strings.Repeat("Watch: ?\n", 1000))))
	require.Equal(t, []int{1000, mostUnread}, []int{many.lost, len(many.unread)})
	half := newTexts() // a run that was killed
	require.NoError(t, half.read("", strings.NewReader(block1("Busy: 1 -> 2", "Busy: 2 -> 12345")[:len(block1("Busy: 1 -> 2"))+20])))
	require.Equal(t, 1, half.lost)
}

func TestReportsSayWhenTheRunEnded(t *testing.T) {
	block := block1("Busy: 1 -> 2")
	for name, c := range map[string]struct {
		text string
		to   float64
		ends string
	}{
		"full":         {"desk --end=5.125 --watch=3 \n\n\tSimulation End Time                  5.12\n" + block + "*** END SIMULATION ***\n", 5.125, "the run ended"},
		"other":        {"desk --end=7 \n\tSimulation End Time                  5.12\n" + block + "*** END SIMULATION ***\n", 5.12, "the run ended"},
		"short":        {block + "Run         desk: 4 LPs on 1 PE of 1 rank, sequential (--synch=1), until time 20.5\n", 20.5, "the run ended"},
		"stopped":      {"\tSimulation End Time  50.00\n" + block + "*** END SIMULATION ***\n\tStopped by the Model at Time     17.5\n", 17.5, "the run ended"},
		"for ever":     {block + "Run   x, until time +Inf\n", 1, "the text has no later event of it, and the run has no end time"},
		"killed":       {"\tSimulation End Time  50.00\n" + block, 1, "the text ends"},
		"by itself":    {block + "  ended     the run, after this event\nRun   x, until time 50\n", 1, "it ended the run"},
		"another":      {block + strings.ReplaceAll(block, "LP 3", "LP 4") + "  ended     the run, at 2.5\nRun   x, until time 50\n", 2.5, "the run ended"},
		"later":        {block + "  ended     the run, at 2.5\nRun   x, until time 50\n", 2.5, "it ended the run"},
		"no report":    {block, 1, "the text ends"},
		"carriage":     {strings.ReplaceAll(block, "\n", "\r\n") + "Run   x, until time 4\r\n", 4, "the run ended"},
		"after others": {block + strings.ReplaceAll(strings.ReplaceAll(block, "LP 3", "LP 4"), " at 1\n", " at 9\n"), 9, "the text ends"},
	} {
		l := lives(t, c.text).LPs[0]
		require.Equal(t, []any{c.to, c.ends}, []any{l.To, l.Ends}, name)
	}
	restarted := lives(t, "desk --io-restart=x --end=9 \n"+block+"Run   x, until time 9\n").LPs[0]
	require.Equal(t, []float64{1, 9}, []float64{restarted.From, restarted.To})
}

func TestTextsOfSeveralRanks(t *testing.T) {
	first, second := block1("Busy: 1 -> 2"), strings.ReplaceAll(block1("Busy: 5 -> 6"), "LP 3", "LP 4")
	limit := "Watch: ended after 5 lines, since the next event would have exceeded the limit; raise --watch-limit=5, 0 means none\n"
	end := "Run   x, until time 9\n"
	tagged := func(rank int, text string) (out string) {
		for line := range strings.Lines(text) {
			out += fmt.Sprintf("[1,%d]<stdout>: %s", rank, line)
		}
		return out
	}
	a, b := strings.SplitAfter(tagged(0, first+end), "\n"), strings.SplitAfter(tagged(1, second), "\n")
	mixed := ""
	for i := range max(len(a), len(b)) {
		for _, lines := range [][]string{a, b} {
			if i < len(lines) {
				mixed += lines[i]
			}
		}
	}
	s := lives(t, mixed)
	require.Zero(t, s.Unknown)
	require.Len(t, s.LPs, 2)
	require.Equal(t, []any{9.0, 9.0}, []any{s.LPs[0].To, s.LPs[1].To})

	h := newTexts() // a file for each rank; one has reached its limit
	require.NoError(t, h.read("rank0", strings.NewReader(first+end)))
	require.NoError(t, h.read("rank1", strings.NewReader(second+limit)))
	p := &scene{}
	require.Equal(t, 9.0, h.tell(p, h.lps[3]).To)
	require.Equal(t, 1.0, h.tell(p, h.lps[4]).To)

	s = lives(t, first+limit+strings.ReplaceAll(second, " at 1\n", " at 2\n")+end) // both in one
	require.Equal(t, []float64{1, 2}, []float64{s.LPs[0].To, s.LPs[1].To}, "it is not known which of them has reached it")
}

func TestItemsAreThoseOfTheOption(t *testing.T) {
	inf := math.Inf(1)
	got, ok := parseItems(`7,"station, \"7\""@..2,12@1.5..,"7"@-1e3..+Inf,3@2..2`)
	require.True(t, ok)
	require.Equal(t, []item{{7, "", -inf, inf}, {0, `station, "7"`, -inf, 2}, {12, "", 1.5, inf}, {0, "7", -1000, inf}, {3, "", 2, 2}}, got)
	for _, text := range []string{"x", "7@", "7@a..b", "7@NaN..", "7@3..2", "7@..-Inf", `"`, `"\x"`, "7,,8", "99999999999999999999"} {
		_, ok := parseItems(text)
		require.False(t, ok, text)
	}
}

func FuzzRead(f *testing.F) {
	text, err := os.ReadFile(watch + "testdata/everything.txt")
	require.NoError(f, err)
	f.Add(string(text))
	f.Add(block1("Pool: 0 of 2 busy, 0 wait -> 1 of 2 busy, 1 out of order, 0 wait", "Map[3].A: 1 -> 2") +
		"  began     a.b #1: x.go:3, sleeps since 1\n  removed   Map[3]: 4\n  sent      LP 1 for +Inf, delay +Inf: m\n  set       timer 1.1 for 1e400, delay 2: m\n[1,0]<stdout>: Watch: only 3@2..4\nRun  x, until time 9\n")
	for _, at := range []string{"NaN", "+Inf", "1e300", "-5", "0x1p-3"} {
		f.Add(strings.ReplaceAll(block1("Busy: 1 -> 2"), " at 1\n", " at "+at+"\n"))
		f.Add(strings.ReplaceAll(block1("Busy: 1 -> 2"), " at 0\n", " at "+at+"\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := newTexts()
		if err := h.read("x", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		s := &scene{}
		for _, id := range h.order {
			s.LPs = append(s.LPs, h.tell(s, h.lps[id]))
		}
		s.finish(nil)
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		ours := 0 // lines that are ours are in a block, or not understood, or about the text
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			if strings.HasPrefix(line[len(tag.FindString(line)):], "Watch: ") {
				ours++
			}
		}
		kept := h.lost + len(h.only)
		for _, l := range h.lps {
			kept += len(l.blocks)
		}
		if limits := strings.Count(text, "Watch: ended after ") + strings.Count(text, "Watch: only "); kept+limits < ours {
			t.Fatalf("%d of %d lines", kept+limits, ours)
		}
		for _, l := range s.LPs {
			for _, f := range l.Fields {
				for i := 1; i < len(f.At); i++ {
					if f.At[i] < f.At[i-1] && ordered(l.In.At) {
						t.Fatalf("%s: %v", f.Path, f.At)
					}
				}
			}
		}
	})
}

// ordered reports whether events are in the order of time, as in texts of a watch.
func ordered(at []float64) bool {
	for i := 1; i < len(at); i++ {
		if at[i] < at[i-1] {
			return false
		}
	}
	return true
}
