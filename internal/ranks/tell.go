// This file owns the text of ranks and values in messages: short, on one line, and
// readable whatever they contain.

package ranks

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
