// Package sheettest has what browser tests of pages with one picture share: a browser, and a tab with such a page,
// which catches the files that the page stores.
package sheettest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

// Wide is a window of a desktop.
var Wide = browsertest.Looks{Width: 1400, Height: 1000}

// Tab is a page in a browser.
type Tab struct {
	*browsertest.Page
	T *testing.T
}

// Open opens the page of a file, with an address after #, and waits until it is ready. What the page stores comes into
// its variable saved: the names of files, and their texts.
func Open(t *testing.T, b *browsertest.Browser, looks browsertest.Looks, file, hash, ready string) Tab {
	t.Helper()
	p, err := b.Open("file://"+file+hash, looks)
	require.NoError(t, err)
	tb := Tab{p, t}
	tb.Until(ready)
	tb.Run(`window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((x) => saved.push(x)); return "#"; };
		HTMLAnchorElement.prototype.click = function () { saved.push(this.download); }`)
	return tb
}

// Until waits until an expression is true.
func (tb Tab) Until(condition string) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Wait(condition, testkit.Limit(tb.T)))
}

// Run runs a script.
func (tb Tab) Run(script string) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value(script+"; true", nil))
}

// Text returns the value of an expression as a text.
func (tb Tab) Text(expression string) (text string) {
	tb.T.Helper()
	require.NoError(tb.T, tb.Value("String("+expression+")", &text))
	return text
}
