// This file pins the end of the server at a signal.

package serve

import (
	"bytes"
	"net/http"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

// started is a writer that tells when something has been written.
type started chan string

func (s started) Write(p []byte) (int, error) { s <- string(p); return len(p), nil }

func TestTheServerEndsAtCtrlC(t *testing.T) {
	out, status := make(started, 1), make(chan int)
	var stderr bytes.Buffer
	go func() { status <- cli.Run(Command(), []string{"--http=0", folder(t)}, out, &stderr) }()
	where := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(<-out)
	require.NotEmpty(t, where)
	answer, err := http.Get(where)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, 200, answer.StatusCode)
	require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGINT))
	require.Zero(t, <-status, stderr.String())
	require.Empty(t, stderr.String())
	_, err = http.Get(where)
	require.Error(t, err)
}
