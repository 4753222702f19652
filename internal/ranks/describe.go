// This file owns Description: a rank's description of itself, its encoding, and the comparison of two of them;
// and Program, which identifies the running binary.

package ranks

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/sys/filehash"
)

// Item is one setting that must be equal on all ranks: {"option", "--nlp", "8"}, {"LP
// type 0", "message size (bytes)", "24"}. Any text will do.
type Item struct{ Section, Name, Value string }

// Description is the list of all items of a rank. Differences are reported in the order of the
// list. The order may differ between ranks, because items are matched by name; where an order
// matters, the names include it ("LP type 0"). If several items have the same name, the first
// is compared with the first, and so on.
type Description []Item

// fingerprint returns a hash that is equal for equal descriptions, in any order of their
// items.
func (d Description) fingerprint() [sha256.Size]byte {
	sorted := slices.Clone(d)
	slices.SortStableFunc(sorted, func(a, b Item) int {
		return cmp.Or(strings.Compare(a.Section, b.Section), strings.Compare(a.Name, b.Name))
	})
	return sha256.Sum256(sorted.encode())
}

// encode returns the texts, each preceded by its length.
func (d Description) encode() (wire []byte) {
	for _, item := range d {
		for _, text := range [...]string{item.Section, item.Name, item.Value} {
			wire = append(binary.AppendUvarint(wire, uint64(len(text))), text...)
		}
	}
	return wire
}

// decode is the inverse of encode; ok is false if the bytes do not come from encode.
func decode(wire []byte) (d Description, ok bool) {
	for len(wire) > 0 {
		var item Item
		for _, text := range [...]*string{&item.Section, &item.Name, &item.Value} {
			n, used := binary.Uvarint(wire)
			if used <= 0 || n > uint64(len(wire)-used) {
				return nil, false
			}
			*text = string(wire[used : used+int(n)])
			wire = wire[used+int(n):]
		}
		d = append(d, item)
	}
	return d, true
}

// place identifies a value.
type place struct {
	section, name string
	nth           int // number among those with this name, from 0
}

// String returns the names as errors show them.
func (p place) String() string {
	name := excerptOf(strings.TrimSpace(p.section+" "+p.name), 0, printable)
	if p.nth > 0 {
		name += fmt.Sprintf(" (number %d)", p.nth+1)
	}
	return name
}

// places returns the places of all values in their order, and the value of each.
func (d Description) places() (order []place, values map[place]string) {
	count := map[place]int{}
	values = map[place]string{}
	for _, item := range d {
		p := place{item.Section, item.Name, 0}
		p.nth = count[p]
		count[place{item.Section, item.Name, 0}]++
		order = append(order, p)
		values[p] = item.Value
	}
	return order, values
}

// differences describes how d differs from the description of rank 0, or returns "" if it does
// not.
func (d Description) differences(zero Description) string {
	order, there := zero.places()
	own, here := d.places()
	for _, p := range own {
		if _, ok := there[p]; !ok {
			order = append(order, p)
		}
	}
	found := []string{}
	more := 0
	for _, p := range order {
		a, has := here[p]
		b, had := there[p]
		switch {
		case has && had && a == b:
			continue
		case len(found) == most:
			more++
			continue
		}
		if a, b = excerpts(a, b); !has {
			a = missing
		} else if !had {
			b = missing
		}
		found = append(found, fmt.Sprintf("%s: %s there, %s on rank 0", p, a, b))
	}
	if more > 0 {
		found = append(found, fmt.Sprintf("%d more", more))
	}
	return strings.Join(found, "; ")
}

// Program, which identifies the running binary.

// Program returns the SHA-256 of the file that the process runs, in 64 hexadecimal digits.
// Only the first call reads the file.
//
// If the file cannot be read, the value is instead "build info " with the Go version and the
// SHA-256 of the linker's data on modules, settings and revision. Two builds of one revision
// with local changes may have the same value. err is not nil only if these data are missing,
// too; it says why the file cannot be read.
func Program() (hash string, err error) { return identify(filehash.Executable, debug.ReadBuildInfo) }

// identify returns the hash of a file, or that of the build info.
func identify(file func() (filehash.Hash, error), note func() (*debug.BuildInfo, bool)) (string, error) {
	h, err := file()
	if err == nil {
		return h.SHA256, nil
	}
	info, ok := note()
	if !ok {
		return "", fmt.Errorf("ross: start: the program cannot be identified: %w: keep its file until the end of the run",
			err)
	}
	hash := sha256.Sum256([]byte(info.String()))
	return fmt.Sprintf("build info %s %x", runtime.Version(), hash), nil
}
