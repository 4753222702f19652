package svg_test

import (
	"os"
	"strings"

	"github.com/ross-go/ross/internal/output/svg"
)

func Example() {
	p := svg.New(100, 40, "A line & a label", "")
	p.Segment("axis", 10, 30, 90, 30)
	p.Text(10, 20, "start", "name", "a < b")
	text := string(p.End())
	_, _ = os.Stdout.WriteString(text[:strings.Index(text, "<style>")] + text[strings.Index(text, "<rect"):])
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40" width="100" height="40" role="img" aria-labelledby="t">
	// <title id="t">A line &amp; a label</title>
	// <rect class="ground" width="100" height="40"/>
	// <line class="axis" x1="10.0" y1="30.0" x2="90.0" y2="30.0"/>
	// <text class="name" x="10.0" y="20.0" text-anchor="start">a &lt; b</text>
	// </svg>
}
