// This file owns the forms of a payload's bytes in the output.

package dump

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

type payloadStyle uint8

const (
	payloadNone payloadStyle = iota
	payloadHex
	payloadAuto // fields if their layouts are known, else hex
	payloadWords
	payloadFields
)

// payloadForm is how payloads are written.
type payloadForm struct {
	style payloadStyle
	word  numeric     // of payloadWords: u32, f32 or f64
	count int         // of payloadWords: columns in CSV and Parquet
	table *fieldTable // of payloadFields
}

// String returns the form's name, as --payload has it.
func (f *payloadForm) String() string {
	switch f.style {
	case payloadNone:
		return "none"
	case payloadHex:
		return "hex"
	case payloadFields:
		return "fields"
	case payloadAuto:
		return ""
	}
	return map[numeric]string{u32: "u32", f32: "f32", f64: "f64"}[f.word]
}

// Type returns the word for the option's value.
func (f *payloadForm) Type() string { return "FORM" }

// Set sets the form by its name.
func (f *payloadForm) Set(name string) error {
	forms := map[string]payloadForm{
		"none": {}, "hex": {style: payloadHex}, "fields": {style: payloadFields},
		"u32": {style: payloadWords, word: u32}, "f32": {style: payloadWords, word: f32},
		"f64": {style: payloadWords, word: f64},
	}
	form, ok := forms[name]
	if !ok {
		return fmt.Errorf("must be fields, hex, none, u32, f32 or f64")
	}
	form.count = f.count
	*f = form
	return nil
}

// size returns the bytes of a word.
func (f *payloadForm) size() int {
	if f.word == f64 {
		return 8
	}
	return 4
}

// names returns the names of the columns.
func (f *payloadForm) names() (names []string) {
	switch f.style {
	case payloadHex:
		return []string{"payload"}
	case payloadWords:
		for i := range f.count {
			names = append(names, "payload_"+strconv.Itoa(i))
		}
	case payloadFields:
		return f.table.names()
	}
	return names
}

// next removes the first word of a payload; ok is false if there is none.
func (f *payloadForm) next(payload *[]byte) (bits uint64, ok bool) {
	p, size := *payload, f.size()
	if len(p) < size {
		return 0, false
	}
	*payload = p[size:]
	if size == 8 {
		return binary.LittleEndian.Uint64(p), true
	}
	return uint64(binary.LittleEndian.Uint32(p)), true
}
