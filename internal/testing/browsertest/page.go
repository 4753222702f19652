// This file owns Page: a tab of the browser.

package browsertest

import (
	_ "embed" // axe-core
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Page is a tab.
type Page struct {
	b       *Browser
	session string
	look    Looks

	lock     sync.Mutex // guards the following fields
	troubles []string
}

// Looks is how a page is shown.
type Looks struct {
	Width, Height int  // of the window, in pixels
	Phone         bool // as a phone does
	Dark          bool // the user prefers dark pages
	Print         bool // as on paper
}

// Open opens a tab with a page. An address that does not answer is no error.
func (b *Browser) Open(url string, looks Looks) (*Page, error) {
	var target struct {
		ID string `json:"targetId"`
	}
	where := map[string]any{"url": "about:blank"}
	if b.context != "" {
		where["browserContextId"] = b.context
	}
	if err := b.call("", "Target.createTarget", where, &target); err != nil {
		return nil, err
	}
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := b.call("", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{b: b, session: attached.Session}
	b.lock.Lock()
	b.pages[p.session] = p
	b.lock.Unlock()
	for _, domain := range []string{"Page.enable", "Runtime.enable", "Log.enable"} {
		if err := p.call(domain, nil, nil); err != nil {
			return nil, err
		}
	}
	if err := p.Look(looks); err != nil {
		return nil, err
	}
	return p, p.call("Page.navigate", map[string]any{"url": url}, nil)
}

func (p *Page) call(method string, params, result any) error {
	return p.b.call(p.session, method, params, result)
}

// Look shows the page in another way.
func (p *Page) Look(l Looks) error {
	if err := p.resize(l); err != nil {
		return err
	}
	p.look = l
	scheme := "light"
	if l.Dark {
		scheme = "dark"
	}
	media := "" // of the window
	if l.Print {
		media = "print"
	}
	feature := map[string]string{"name": "prefers-color-scheme", "value": scheme}
	return p.call("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []any{feature}}, nil)
}

// resize sets the size of the window.
func (p *Page) resize(l Looks) error {
	return p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": l.Width, "height": l.Height,
		"deviceScaleFactor": 1, "mobile": l.Phone}, nil)
}

// Value stores the value of an expression in the page, which JSON can hold. It waits for a promise.
func (p *Page) Value(expression string, into any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text   string `json:"text"`
			Object struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	err := p.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true,
		"returnByValue": true}, &answer)
	if err != nil {
		return err
	}
	if e := answer.Exception; e != nil {
		return fmt.Errorf("browsertest: %s: %s %s", expression, e.Text, e.Object.Description)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, into)
}

// lookEvery is the time between two looks of Wait.
const lookEvery = 50 * time.Millisecond

// Wait waits until an expression is true. The error has the text of the page.
func (p *Page) Wait(condition string, atMost time.Duration) error {
	begin := time.Now()
	for {
		is := false
		err := p.Value("!!("+condition+")", &is)
		switch {
		case err == nil && is:
			return nil
		case time.Since(begin) > atMost && err != nil:
			return err
		case time.Since(begin) > atMost:
			var text string
			_ = p.Value("document.title + '\\n' + document.body.innerText", &text)
			return fmt.Errorf("browsertest: not within %v: %s; the page is\n%s", atMost, condition, text)
		}
		time.Sleep(lookEvery)
	}
}

// Key presses a key, by its name in the DOM, such as "ArrowLeft" or "Tab".
func (p *Page) Key(name string) error {
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
		"ArrowRight": 39, "ArrowDown": 40}
	for _, kind := range []string{"keyDown", "keyUp"} {
		if err := p.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name,
			"windowsVirtualKeyCode": codes[name]}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Drag moves the mouse to a place in the window, presses its button, moves to another place and lets it go there: a
// click, if the places are the same. Places are in pixels from the upper left corner.
func (p *Page) Drag(fromX, fromY, toX, toY float64) error {
	for _, step := range []struct {
		kind    string
		x, y    float64
		buttons int
	}{
		{"mouseMoved", fromX, fromY, 0}, {"mousePressed", fromX, fromY, 1},
		{"mouseMoved", (fromX + toX) / 2, (fromY + toY) / 2, 1},
		{"mouseMoved", toX, toY, 1}, {"mouseReleased", toX, toY, 0},
	} {
		if err := p.Mouse(step.kind, step.x, step.y, step.buttons); err != nil {
			return err
		}
	}
	return nil
}

// Mouse does one thing with the mouse, by its name in the protocol: mouseMoved, mousePressed or mouseReleased. buttons
// is 1 while the left one is down.
func (p *Page) Mouse(kind string, x, y float64, buttons int) error {
	button := "none"
	if kind != "mouseMoved" || buttons > 0 {
		button = "left"
	}
	return p.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": button,
		"buttons": buttons, "clickCount": 1}, nil)
}

// Throttle makes the processor of the page slower by a factor; 1 ends that.
func (p *Page) Throttle(factor float64) error {
	return p.call("Emulation.setCPUThrottlingRate", map[string]any{"rate": factor}, nil)
}

// Print returns the page as it is printed, as a PDF of A4.
func (p *Page) Print() (pdf []byte, err error) {
	var answer struct {
		Data []byte `json:"data"`
	}
	err = p.call("Page.printToPDF", map[string]any{"printBackground": true, "preferCSSPageSize": true}, &answer)
	return answer.Data, err
}

// Picture returns the whole page as a PNG.
func (p *Page) Picture() (png []byte, err error) {
	var size struct {
		Content struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	if err := p.call("Page.getLayoutMetrics", nil, &size); err != nil {
		return nil, err
	}
	// The window is made as high as the page. A picture beyond the window would have charts of no width.
	whole := p.look
	whole.Height = max(whole.Height, int(size.Content.Height))
	if err := p.resize(whole); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.resize(p.look)) }()
	if err := p.Value(twoFrames, nil); err != nil {
		return nil, err
	}
	var answer struct {
		Data []byte `json:"data"` // base64, as encoding/json has it
	}
	err = p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &answer)
	return answer.Data, err
}

// twoFrames is a promise of two frames, after which what depends on the size has been drawn.
const twoFrames = "new Promise(then => requestAnimationFrame(() => requestAnimationFrame(() => then(true))))"

// Close closes the tab.
func (p *Page) Close() error { return p.call("Page.close", nil, nil) }

// take handles an event of the page.
func (p *Page) take(m message) {
	text := ""
	switch m.Method {
	case "Runtime.exceptionThrown":
		text = string(m.Params)
	case "Log.entryAdded":
		var e struct {
			Entry struct{ Level, Text, URL, Source string }
		}
		if json.Unmarshal(m.Params, &e) == nil && e.Entry.Level == "error" {
			text = e.Entry.Source + ": " + e.Entry.Text + " " + e.Entry.URL
		}
	}
	if text != "" {
		p.lock.Lock()
		defer p.lock.Unlock()
		p.troubles = append(p.troubles, text)
	}
}

// Troubles returns the errors of the page since the last call: exceptions, violations of its policy, and
// requests that failed. expected are parts of texts that are left out.
func (p *Page) Troubles(expected ...string) (all []string) {
	p.lock.Lock()
	defer p.lock.Unlock()
next:
	for _, text := range p.troubles {
		for _, e := range expected {
			if strings.Contains(text, e) {
				continue next
			}
		}
		all = append(all, text)
	}
	p.troubles = nil
	return all
}

//go:embed axe/axe.min.js
var axe string

// Barriers returns what axe-core finds on the page that keeps people from using it: violations of WCAG 2.2
// A and AA, and of good practice.
func (p *Page) Barriers() (all []string, err error) {
	if err = p.Value(axe+"; true", nil); err != nil {
		return nil, err
	}
	err = p.Value(`axe.run(document, { resultTypes: ['violations'] }).then(r => r.violations.map(v =>
		v.id + ': ' + v.help + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join('; ')))`, &all)
	return all, err
}
