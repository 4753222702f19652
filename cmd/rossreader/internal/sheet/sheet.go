// This file owns the frame: what every page has, and how it is written.

// Package sheet is the frame of pages that show one picture, which the reader of the page moves, zooms and asks: its
// head, colours for light and dark, the way to paper, and what scripts of such pictures have in common. The page asks
// for nothing from a network and forbids itself to, unless it belongs to a server of its own.
//
// A script finds these in `sheet`:
//
//	data                 Page.Data
//	onTheme(f)           calls f whenever colours have changed, also for paper
//	colour(name)         the value of a colour of sheet.css: colour("ink"), colour("c0")
//	text(x), exact(x, step)  a number with three digits and a prefix; with the digits that tell it from x + step
//	save(name, type, text)   stores a text as a file of the reader
//	svg(element, name)   stores an SVG element as it is shown, with its colours, as a file
//	csv(rows)            rows as CSV, which no spreadsheet takes for formulas
//	address(values)      what is in the address after #, and sets what values names; null removes one
package sheet

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
)

var (
	//go:embed sheet.html
	sheetHTML string
	//go:embed sheet.css
	sheetCSS string
	//go:embed sheet.js
	sheetJS string
)

var frame = template.Must(template.New("sheet").Parse(sheetHTML))

// Page is a page with a picture.
type Page struct {
	Title    string
	Subtitle string        // below the title, may be ""
	Body     template.HTML // what is in main
	CSS, JS  string        // those of the picture, after those of the frame
	Data     any           // as JSON, for the script
	Served   bool          // by a server that the script asks for more
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	data, err := json.Marshal(p.Data)
	if err != nil {
		return fmt.Errorf("data of the page %q: %w", p.Title, err)
	}
	return frame.Execute(w, struct {
		Page
		Looks  template.CSS
		Script template.JS
		JSON   template.JS
	}{p, template.CSS(sheetCSS + p.CSS), template.JS(sheetJS + p.JS), template.JS(data)}) // json escapes <, > and &
}
