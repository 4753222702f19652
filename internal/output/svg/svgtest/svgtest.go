// Package svgtest reads SVG in tests of pictures.
package svgtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Element is an element of an SVG, and the text in it.
type Element struct {
	Name, Text string
	Attr       map[string]string
}

// Number returns an attribute that must be a number.
func (e Element) Number(t *testing.T, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(e.Attr[name], 64)
	require.NoError(t, err, "%s of %+v", name, e)
	return v
}

// Elements reads an SVG, which must be well-formed. Text that is only space is left out.
func Elements(t *testing.T, svg []byte) (all []Element) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := Element{Name: token.Name.Local, Attr: map[string]string{}}
			for _, a := range token.Attr {
				e.Attr[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			if len(all) > 0 && strings.TrimSpace(string(token)) != "" {
				all[len(all)-1].Text += string(token)
			}
		}
	}
}
