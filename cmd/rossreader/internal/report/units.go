// This file owns the text of counts, bytes, durations and command lines.

package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// grouped returns a whole number with commas between groups of three digits.
func grouped[N int | int64 | uint64](n N) string {
	digits := strconv.FormatUint(uint64(n), 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", strconv.FormatUint(-uint64(n), 10)
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// bytesText returns a number of bytes in the largest binary unit of which there is one.
func bytesText(n uint64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n), ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size /= 1024; size < 1023.5 {
			break
		}
	}
	return short(size) + " " + unit
}

// secondsText returns a duration in s, ms or µs, or from two minutes on in hours and minutes.
func secondsText(seconds float64) string {
	if seconds >= 120 && seconds < 1e9 {
		return time.Duration(seconds * 1e9).Round(time.Second).String()
	}
	unit, scale := timeUnit(seconds)
	return short(seconds*scale) + " " + unit
}

// commandText returns a command line as a shell takes it.
func commandText(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsFunc(word, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=+./:,@%", r))
		}) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// withOptions returns a command with some options of the form --name=value, which replace those
// of the same names.
func withOptions(command []string, options ...string) []string {
	if len(command) == 0 {
		command = []string{"PROGRAM", "..."}
	}
	own := map[string]bool{}
	for _, option := range options {
		name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
		own[name] = true
	}
	var kept, rest []string
	for i := 0; i < len(command); i++ {
		word := command[i]
		if word == "--" {
			rest = command[i:]
			break
		}
		name, _, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if i > 0 && strings.HasPrefix(word, "-") && own[name] {
			if !joined && i+1 < len(command) && !strings.HasPrefix(command[i+1], "-") {
				i++ // its value
			}
			continue
		}
		kept = append(kept, word)
	}
	return append(append(kept, options...), rest...)
}
