// This file tests servers: where they say they are, whom they answer, and how they end.

package serving

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

var hello = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })

// lines hands over what is written.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

func TestAServerAnswersUntilItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, ended := make(lines, 1), make(chan error)
	var warned bytes.Buffer
	s := Server{Name: "net", What: "network of x", Pages: "the picture", Address: "0", Handler: hello}
	go func() { ended <- s.Run(ctx, out, &warned) }()
	line := <-out
	require.Regexp(t, `^network of x at http://127\.0\.0\.1:\d+/ until Ctrl-C\n$`, line)
	answer, err := http.Get(regexp.MustCompile(`http://\S+`).FindString(line))
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, "hello", string(text))
	require.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
	cancel()
	require.NoError(t, <-ended)
	require.Empty(t, warned.String())
}

func TestAServerForOthersSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, ended := make(lines, 1), make(chan error)
	var warned bytes.Buffer
	s := Server{Name: "net", Pages: "the picture", Address: "0.0.0.0:0", Handler: hello}
	go func() { ended <- s.Run(ctx, out, &warned) }()
	require.Contains(t, <-out, "http://localhost:")
	cancel()
	require.NoError(t, <-ended)
	require.Contains(t, warned.String(),
		"rossreader net: --http=0.0.0.0:0: everybody who can reach this machine can read the picture")
}

func TestAddressesThatCannotBeServedAreErrors(t *testing.T) {
	s := Server{Address: "a:b:c", Handler: hello}
	require.ErrorIs(t, s.Run(t.Context(), io.Discard, io.Discard), cli.ErrUsage)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	s.Address = taken.Addr().String()
	require.ErrorContains(t, s.Run(t.Context(), io.Discard, io.Discard), "give another port")
}

func TestOtherHostsAndPagesOfOthersAreRefused(t *testing.T) {
	guarded := Guard([]string{"127.0.0.1"}, hello)
	for _, c := range []struct {
		host, site, mode string
		want             int
	}{
		{"127.0.0.1:8080", "", "", http.StatusOK},
		{"127.0.0.1:8080", "same-origin", "cors", http.StatusOK},
		{"evil.example", "", "", http.StatusForbidden},
		{"127.0.0.1:8080", "cross-site", "cors", http.StatusForbidden},
		{"127.0.0.1:8080", "cross-site", "navigate", http.StatusOK},
	} {
		r := httptest.NewRequest("GET", "http://"+c.host+"/", nil)
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
			r.Header.Set("Sec-Fetch-Mode", c.mode)
			if c.mode == "navigate" {
				r.Header.Set("Sec-Fetch-Dest", "document")
			}
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		require.Equal(t, c.want, w.Code, c)
	}
}
