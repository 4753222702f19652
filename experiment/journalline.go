// This file owns the lines of a journal: JSON objects whose last field is a checksum.

package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealing is what a line ends with after the bytes that its checksum covers.
func sealing(covered []byte) []byte {
	return fmt.Appendf(nil, `,"check":"%08x"}`, crc32.Checksum(covered, castagnoli))
}

// seal returns the line of an object, without its end: its JSON with the checksum of the bytes before it.
func seal(object any) ([]byte, error) {
	line, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	covered := line[:len(line)-1] // without the brace
	return append(covered, sealing(covered)...), nil
}

// errSeal tells that a line is not as it was written: a byte of it was changed, it was cut, or it was
// joined with another one.
var errSeal = errors.New("its checksum is wrong, so it was damaged or changed")

// unseal decodes a line into an object, unless a byte of it is not as it was written.
func unseal(line []byte, object any) error {
	at := len(line) - len(sealing(nil))
	if at < 0 || !bytes.Equal(line[at:], sealing(line[:at])) {
		return errSeal
	}
	return strictly(append(bytes.Clone(line[:at]), '}'), object)
}

// strictly decodes an object that must have no other fields.
func strictly(text []byte, object any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(object); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
}
