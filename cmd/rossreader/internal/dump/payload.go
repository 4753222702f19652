// This file owns the forms of payloads: bytes, numbers, and fields by their layouts.

package dump

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
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
	word  numeric // of payloadWords: u32, f32 or f64
	count int     // of payloadWords: columns in CSV and Parquet
}

// payloadForms are the forms by their names in --payload.
var payloadForms = map[string]payloadForm{
	"none": {}, "hex": {style: payloadHex}, "fields": {style: payloadFields},
	"u32": {style: payloadWords, word: u32}, "f32": {style: payloadWords, word: f32},
	"f64": {style: payloadWords, word: f64},
}

// String returns the form's name, as --payload has it.
func (f *payloadForm) String() string {
	for name, form := range payloadForms {
		if form.style == f.style && form.word == f.word {
			return name
		}
	}
	return ""
}

// Type returns the word for the option's value.
func (f *payloadForm) Type() string { return "FORM" }

// Set sets the form by its name.
func (f *payloadForm) Set(name string) error {
	form, ok := payloadForms[name]
	if !ok {
		return fmt.Errorf("must be fields, hex, none, u32, f32 or f64")
	}
	f.style, f.word = form.style, form.word
	return nil
}

// size returns the bytes of a word.
func (f *payloadForm) size() int {
	if f.word == f64 {
		return 8
	}
	return 4
}

// wordAt returns the i-th word of a payload; ok is false beyond the last whole one.
func (f *payloadForm) wordAt(payload []byte, i int) (bits uint64, ok bool) {
	size := f.size()
	if len(payload) < (i+1)*size {
		return 0, false
	}
	if payload = payload[i*size:]; size == 8 {
		return binary.LittleEndian.Uint64(payload), true
	}
	return uint64(binary.LittleEndian.Uint32(payload)), true
}

// styleOf returns how the payloads of a kind are written: hexadecimal if no type has a layout.
func (o *options) styleOf(kind instr.Kind) payloadStyle {
	switch style := o.payload.style; {
	case !cli.HasPayload(kind):
		return payloadNone
	case style == payloadFields && o.tables[kind] == nil:
		return payloadHex
	default:
		return style
	}
}

// payloadsOf returns the columns with payloads of a kind.
func (o *options) payloadsOf(kind instr.Kind) (all []further) {
	switch o.styleOf(kind) {
	case payloadHex:
		return []further{{column{"payload", raw}, true, func(r *row) (value, bool) { return value{bytes: r.payload}, true }}}
	case payloadWords:
		for i := range o.payload.count {
			word := func(r *row) (value, bool) {
				bits, ok := o.payload.wordAt(r.payload, i)
				return value{bits: bits}, ok
			}
			all = append(all, further{column{"payload_" + strconv.Itoa(i), o.payload.word}, false, word})
		}
	case payloadFields:
		return o.tables[kind].columns()
	}
	return all
}
