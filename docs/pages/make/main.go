// This file owns the program: it opens a page in a browser and stores pictures of it.

// Command make takes pictures of a page in light and in dark colours:
//
//	tools/need.sh chromium
//	go run ./docs/pages/make file:///path/report.html docs/pages/report
//	go run ./docs/pages/make live ./phold docs/pages/live
//	go run ./docs/pages/make runs BIN docs/pages
//	go run ./docs/pages/make pictures BIN docs/gallery/pictures.md docs/gallery
//	go run ./docs/pages/make studies ./processes docs/gallery/studies.md docs/gallery
//
// The first stores docs/pages/report-desktop.png and so on, in 64 colours, which is enough for charts. The second
// runs the program of models/phold, and takes pictures of its live page: -run-desktop.png in the midst of the run,
// and -end-desktop.png after it. The third makes runs that are in trouble, with programs phold, queueing and
// rossreader of a folder, and takes pictures of their reports. The fourth runs the commands of a page, with
// programs of a folder, and takes pictures of what they make. The fifth runs the program of models/processes: it
// makes the studies whose commands are on a page, and stores a picture of the upper part of each, such as
// port-study.png of --page=port-study.html.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/png"
	"os"
	"slices"
	"time"

	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/internal/testing/browsertest"
)

var looks = []struct {
	name string
	look browsertest.Looks
}{
	{"desktop", browsertest.Looks{Width: 1400, Height: 1900}},
	{"dark", browsertest.Looks{Width: 1400, Height: 1900, Dark: true}},
}

// How long a page has for its drawing, which no event of all pages ends.
const (
	settleReport = 3 * time.Second
	settleLive   = 700 * time.Millisecond
)

func main() {
	var err error
	switch {
	case buildinfo.Asked("make", os.Args[1:], os.Stdout):
	case len(os.Args) == 3:
		err = pages(os.Args[1], os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "runs":
		err = runPictures(os.Args[2], os.Args[3])
	case len(os.Args) == 4 && os.Args[1] == "live":
		err = livePages(os.Args[2], os.Args[3])
	case len(os.Args) == 5 && os.Args[1] == "pictures":
		err = drawingPictures(os.Args[2], os.Args[3], os.Args[4])
	case len(os.Args) == 5 && os.Args[1] == "studies":
		err = studyPictures(os.Args[2], os.Args[3], os.Args[4])
	default:
		fmt.Fprintln(os.Stderr, "usage: make URL PREFIX, make live PHOLD PREFIX, make runs BIN FOLDER, "+
			"make pictures BIN PAGE FOLDER, or make studies PROCESSES PAGE FOLDER")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

// pages stores the pictures of a page that does not change.
func pages(url, prefix string) (err error) {
	b, err := browsertest.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	page, err := b.Open(url, looks[0].look)
	if err != nil {
		return err
	}
	return pictures(page, prefix, settleReport)
}

// pictures stores the pictures of a page that is open. It draws itself within a time.
func pictures(page *browsertest.Page, prefix string, settle time.Duration) error {
	for _, l := range looks {
		if err := picture(page, l.look, prefix+"-"+l.name+".png", settle, mostHigh); err != nil {
			return err
		}
	}
	return nil
}

// picture stores a picture of the upper part of a page that is open, with at most high pixels from top to bottom.
func picture(page *browsertest.Page, look browsertest.Looks, file string, settle time.Duration, high int) error {
	if err := page.Look(look); err != nil {
		return err
	}
	time.Sleep(settle)
	whole, err := page.Picture()
	if err != nil {
		return err
	}
	small, err := reduced(whole, high)
	if err != nil {
		return err
	}
	return os.WriteFile(file, small, 0o644)
}

// mostHigh is how much of a page is in a picture, in pixels.
const mostHigh = 1900

// reduced returns the upper part of a picture with the colours that it has most.
func reduced(data []byte, high int) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	counts := map[color.RGBA]int{}
	bounds := from.Bounds()
	bounds.Max.Y = min(bounds.Max.Y, bounds.Min.Y+high)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b, _ := from.At(x, y).RGBA()
			counts[color.RGBA{uint8(r>>8) &^ 7, uint8(g>>8) &^ 7, uint8(b>>8) &^ 7, 255}]++
		}
	}
	var most []color.RGBA
	for c := range counts {
		most = append(most, c)
	}
	slices.SortFunc(most, func(a, b color.RGBA) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - int(b.R)<<16 - int(b.G)<<8 - int(b.B)
	})
	var few color.Palette
	for _, c := range most[:min(len(most), 64)] {
		few = append(few, c)
	}
	if len(few) == 0 {
		few = palette.WebSafe
	}
	to := image.NewPaletted(bounds, few)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			to.Set(x, y, from.At(x, y))
		}
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to)
	return out.Bytes(), err
}
