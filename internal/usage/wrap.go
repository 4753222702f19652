// This file owns the breaking of texts of --help into lines.

package usage

import "strings"

// HelpWidth is the length of the longest line of --help, in columns.
const HelpWidth = 99

// Wrap breaks a text into lines of at most width bytes, at spaces where there are any, but not within
// the default at its end.
func Wrap(text string, width int) (lines []string) {
	for len(text) > width {
		at := strings.LastIndexByte(text[:width+1], ' ')
		if start := strings.LastIndex(text, " (default "); start > 0 && start < at {
			at = start
		}
		if at <= 0 {
			if at = strings.IndexByte(text, ' '); at < 0 {
				break
			}
		}
		lines, text = append(lines, text[:at]), text[at+1:]
	}
	if text != "" {
		lines = append(lines, text)
	}
	return lines
}
