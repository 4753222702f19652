// This file owns how the events are drawn: the scenes next to each other, time from left to right.

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ross-go/ross/internal/output/svg"
)

// Sizes in units of the view box.
const (
	wide, high = 840, 262
	left       = 66  // of the first scene, right of the names of the LPs
	sceneWide  = 252 // from the beginning of a scene to that of the next
	plotWide   = 228
	laneTop    = 84 // of A
	laneGap    = 44
	bottom     = laneTop + 2*laneGap + 22 // of GVT
	timeEnd    = 7.0
	radius     = 6.5
)

// picture is the picture that is being drawn, with the place of a scene.
type picture struct {
	*svg.Picture
	from float64
}

func (p picture) x(at float64) float64 { return p.from + float64(at*(plotWide/timeEnd)) }

func y(lp int) float64 { return laneTop + float64(lp)*laneGap }

// draw returns the picture.
func draw() []byte {
	p := picture{svg.New(wide, high, "Time Warp: three LPs run ahead, a straggler rolls two of them back, and GVT says what is final",
		"Three scenes with the LPs A, B and C, each on a PE. In the first, A and B have handled events up to 6, and C none. "+
			"In the second, C sends A an event for 3: A undoes its event at 4.5, and the event at 6 that it had sent to B is cancelled. "+
			"In the third, A has handled both in order, and sends B an event for 5.5. GVT moves from 2 to 3 to 5.5."), left}
	fmt.Fprintf(p, `<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">`+
		"<path class=\"f5\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n")
	for lp := range lps {
		p.Text(8, y(lp)+4, "start", "name", "LP "+string(rune('A'+lp)))
		p.Text(8, y(lp)+18, "start", "note", "PE "+strconv.Itoa(lp+1))
	}
	w := first()
	for i, s := range scenes {
		p.from = left + float64(i)*sceneWide
		w.forget()
		for _, lp := range s.turns {
			w.handle(lp)
		}
		p.scene(&s, w)
	}
	p.Text(left+plotWide, bottom+15, "end", "note", "virtual time \u2192")
	p.legend()
	return p.End()
}

// scene draws the world after the turns of a scene.
func (p picture) scene(s *scene, w *world) {
	gvt := w.gvt()
	fmt.Fprintf(p, "<rect class=\"f3\" opacity=\"0.13\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", p.from, laneTop-22,
		p.x(gvt)-p.from, bottom-laneTop+22)
	p.Text(p.from, 22, "start", "head", s.title)
	p.Text(p.from, 42, "start", "note", s.text)
	for lp := range lps {
		p.Segment("axis", p.from, y(lp), p.from+plotWide, y(lp))
	}
	fmt.Fprintf(p, "<line class=\"s3\" stroke-width=\"2\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", p.x(gvt), laneTop-22, p.x(gvt),
		bottom)
	p.Text(p.x(gvt), bottom+15, "middle", "name", "GVT "+strconv.FormatFloat(gvt, 'g', 3, 64))
	for _, e := range w.events {
		p.arrow(e)
	}
	for _, e := range w.events {
		down := slices.ContainsFunc(w.events, func(sent *event) bool { return sent.cause == e && sent.to > e.to })
		p.event(e, e.at < gvt, down)
	}
	if i := len(w.events) - 1; s.turns[0] == lpC { // the straggler came last
		p.Text(p.x(w.events[i].at), laneTop-26, "middle", "note", "straggler")
	}
}

// arrow draws the sending of an event.
func (p picture) arrow(e *event) {
	if e.cause == nil {
		return
	}
	colour, dash := "s5", ""
	if e.is == cancelled {
		colour, dash = "s2", ` stroke-dasharray="4 3"`
	}
	x1, y1, x2, y2 := p.x(e.cause.at), y(e.cause.to), p.x(e.at), y(e.to)
	bend := (y1 + y2) / 2
	if y1 == y2 {
		bend = y1 - 26
	}
	// The arrow ends at the circle, on the way from the bend.
	mx := (x1 + x2) / 2
	dx, dy := x2-mx, y2-bend
	length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	x2, y2 = x2-float64(dx/length*(radius+1)), y2-float64(dy/length*(radius+1))
	fmt.Fprintf(p, "<path class=%q fill=\"none\" stroke-width=\"1.5\"%s marker-end=\"url(#a)\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n",
		colour, dash, x1, y1, mx, bend, x2, y2)
}

// event draws an event as a circle, with its time next to it: on the left if an arrow is on the right.
func (p picture) event(e *event, committed, left bool) {
	look := `class="ground s1" stroke-width="2"`
	switch {
	case e.is == cancelled:
		look = `class="ground s2" stroke-width="1.5" stroke-dasharray="3 2"`
	case e.undone:
		look = `class="ground s2" stroke-width="2.5"`
	case e.is == handled && committed:
		look = `class="f3 s3"`
	case e.is == handled:
		look = `class="f1 s1"`
	}
	p.circle(look, p.x(e.at), y(e.to))
	x, anchor := p.x(e.at)+5, "start"
	if left {
		x, anchor = p.x(e.at)-1, "end"
	}
	p.Text(x, y(e.to)+19, anchor, "tick", strconv.FormatFloat(e.at, 'g', 3, 64))
}

func (p picture) circle(look string, x, y float64) {
	fmt.Fprintf(p, "<circle %s cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", look, x, y, radius)
}

// legend draws what the looks mean.
func (p picture) legend() {
	x := float64(left)
	const at = high - 14
	for _, l := range []struct {
		look, name string
		wide       float64
	}{
		{`class="f3 s3"`, "committed: final", 146},
		{`class="f1 s1"`, "handled: may be undone", 190},
		{`class="ground s1" stroke-width="2"`, "pending", 88},
		{`class="ground s2" stroke-width="2.5"`, "rolled back", 112},
		{`class="ground s2" stroke-width="1.5" stroke-dasharray="3 2"`, "cancelled by an anti-message", 190},
	} {
		p.circle(l.look, x+radius, at-4)
		p.Text(x+2*radius+5, at, "start", "note", l.name)
		x += l.wide
	}
}
