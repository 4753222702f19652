// This file owns File: what was read, line by line, and which lines have been used.

package params

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/usage"
)

// File has the lines of a file of parameters. The zero File has no lines, so all parameters have the values that the
// program gives them. Several goroutines may use a File at once.
type File struct {
	name  string
	hash  string
	lines []line

	lock   sync.Mutex
	groups []group // what Each was called for
}

// line is a line of a file.
type line struct {
	at      int    // its number
	key     string // with the keys that it is below
	pattern pattern
	value   *yaml.Node
	used    bool
	hidden  int // the line before it that holds for what it matches, 0 if it matches nothing
	decoded map[reflect.Type]reflect.Value
}

// group is a call of Each: names of LPs and of their parameters.
type group struct {
	n           int
	first, last string
	fields      []string
}

// Read reads a file.
func Read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil,
			&usage.Error{Text: fmt.Sprintf("parameters: %v: %s", err, atomicfile.Remedy(err, "name a file that can be read")),
				Cause: err}
	}
	return Parse(path, text)
}

// Parse reads the contents of a file; name is that of the file in errors.
func Parse(name string, text []byte) (*File, error) {
	f := &File{name: name}
	sum := sha256.Sum256(text)
	f.hash = "sha256:" + hex.EncodeToString(sum[:16])
	in := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	err := in.Decode(&document)
	switch {
	case errors.Is(err, io.EOF):
		return f, nil // nothing, or comments only
	case err != nil:
		return nil, usage.Errorf("parameters: %s: %s: correct the YAML", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := f.add("", document.Content[0]); err != nil {
		return nil, err
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, usage.Errorf("parameters: %s: more than one YAML document: put all into one, without ---", name)
	}
	return f, nil
}

// fail returns an error about a line.
func (f *File) fail(at int, format string, args ...any) error {
	return usage.Errorf("parameters: %s:%d: %s", f.name, at, fmt.Sprintf(format, args...))
}

// add adds the lines of a node, whose keys begin with prefix.
func (f *File) add(prefix string, node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" && prefix == "" {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return f.fail(node.Line, "not a key and a value: write lines such as \"ward[*].beds\": 40")
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		k, v := node.Content[i], node.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Tag == "!!merge" || k.Value == "" {
			return f.fail(k.Line, "a key that is not a text: give the name of an LP and a parameter, or a pattern")
		}
		key := prefix + k.Value
		if v.Kind == yaml.AliasNode || v.Anchor != "" {
			return f.fail(v.Line, "%q: an anchor or an alias of YAML: write the value itself", key)
		}
		if v.Kind == yaml.MappingNode {
			if err := f.add(key+".", v); err != nil {
				return err
			}
			continue
		}
		if v.Kind == yaml.ScalarNode && v.Tag == "!!null" {
			return f.fail(k.Line, "%q: no value: give one", key)
		}
		p, err := parsePattern(key)
		if err != nil {
			return f.fail(k.Line, "%q: %v", key, err)
		}
		f.lines = append(f.lines, line{at: k.Line, key: key, pattern: p, value: v, decoded: map[reflect.Type]reflect.Value{}})
	}
	return nil
}

// Hash returns a hash of the contents, "" for a zero File.
func (f *File) Hash() string { return f.hash }

// Name returns the name of the file, "" for a zero File.
func (f *File) Name() string { return f.name }

// Done returns an error about the first line that has set nothing in any call of Each and One before it: there is no LP
// or no parameter of that name, or lines before it hold for all of them.
func (f *File) Done() error {
	f.lock.Lock()
	defer f.lock.Unlock()
	for i := range f.lines {
		l := &f.lines[i]
		switch {
		case l.used:
		case l.hidden > 0:
			return f.fail(l.at, "%q sets nothing: what it matches is set by line %d: put it before that line, or remove it",
				l.key, l.hidden)
		default:
			return f.fail(l.at, "%q sets nothing: no parameter has that name: there are %s", l.key, f.names())
		}
	}
	return nil
}

// names says which names there are.
func (f *File) names() string {
	var all []string
	for _, g := range f.groups {
		fields := strings.Join(g.fields, ", ")
		switch {
		case g.first == "":
			all = append(all, fields)
		case g.n == 1:
			all = append(all, fmt.Sprintf("%s. with %s", g.first, fields))
		default:
			all = append(all, fmt.Sprintf("%s. to %s. (%d) with %s", g.first, g.last, g.n, fields))
		}
	}
	if all == nil {
		return "no parameters: call Each before Done"
	}
	return strings.Join(all, "; ")
}
