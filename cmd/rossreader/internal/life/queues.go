// This file owns lists: containers and blocks, what came into them, and what left them.

package life

import "strings"

// list returns what came into a list and left it.
func (n *narrator) list(path string) *field {
	f := n.items[path]
	if f == nil {
		f = &field{Path: path}
		n.items[path] = f
	}
	return f
}

// What has become of a value of a list.
const (
	left = iota
	came
	altered
)

// item notes a value that came or left. Lines[1] is a list in an array, or a value with a key in the list Lines, which
// counted decides if the text about the event has the number of values of one of them.
func (n *narrator) item(i int, at float64, l line, counted map[string]bool) {
	path, value := cutItem(l.text)
	key := ""
	if open := openingOf(path); open > 0 && !counted[path] && (counted[path[:open]] || n.items[path] == nil) {
		n.part(path, i, at, false)
		m := mention{i, at, "absent", value}
		if l.kind == "removed" {
			m.before, m.after = value, "absent"
		}
		n.entries[path] = append(n.entries[path], m)
		path, key = path[:open], path[open+1:len(path)-1]
	}
	what := left
	if l.kind == "added" {
		what = came
	}
	n.list(path).note(at, what, key, value)
}

// note notes what has become of a value.
func (f *field) note(at float64, what int, key, value string) {
	f.When, f.What, f.Key, f.Item = append(f.When, at), append(f.What, what), append(f.Key, key), append(f.Item, value)
}

// inside notes that a value with a key is not what it was when it came, if a path leads into one: Map[3].Size.
func (n *narrator) inside(at float64, path string) {
	parents(path, func(parent string) {
		open := openingOf(parent)
		if open <= 0 || n.items[parent] != nil {
			return
		}
		if f := n.items[parent[:open]]; f != nil {
			f.note(at, altered, parent[open+1:len(parent)-1], path)
		}
	})
}

// openingOf returns where the key at the end of a path begins.
func openingOf(path string) int {
	if !strings.HasSuffix(path, "]") {
		return -1
	}
	depth := 0
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '"':
			i += max(quoted(path[i:])-1, 0)
		}
		if depth == 1 && path[i] == '[' {
			if closes := closing(path[i:]); i+closes == len(path)-1 {
				return i
			}
		}
	}
	return -1
}

// closing returns where the bracket at the beginning of a text is closed.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			i += max(quoted(text[i:])-1, 0)
		}
	}
	return -1
}
