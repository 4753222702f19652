// This file tests the frame of pages.

package sheet

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPageIsWholeAndItsDataCannotEndTheScript(t *testing.T) {
	var out bytes.Buffer
	p := Page{Title: "a <b>", Body: "<p id=\"own\"></p>", CSS: ".own { margin: 0 }", JS: "// own script",
		Data: map[string]string{"name": "</script><script>alert(1)</script>"}}
	require.NoError(t, p.Write(&out))
	text := out.String()
	require.Equal(t, 2, strings.Count(text, "</script>"), "of the data and of the script")
	for _, part := range []string{"<title>a &lt;b&gt;</title>", `<p id="own"></p>`, ".own { margin: 0 }", "// own script",
		`\u003c/script\u003e`} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "connect-src")
	require.NotContains(t, text, "ZgotmplZ")

	out.Reset()
	p.Served = true
	require.NoError(t, p.Write(&out))
	require.Contains(t, out.String(), "; connect-src 'self'")
	p.Data = func() {}
	require.ErrorContains(t, p.Write(&out), `data of the page "a <b>": json: unsupported type`)
}
