// Options that print something instead of a run.

package cmdline

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/usage"
)

func TestVersionIsPrintedInsteadOfARun(t *testing.T) {
	var out, errs bytes.Buffer
	code, ok := NewOptions("bikes").Main([]string{"--version"}, &out, &errs)
	require.False(t, ok)
	require.Zero(t, code)
	require.Regexp(t, `^bikes .*\nross +go-\S+\nrevision .*\ngo +go1\S+ \S+/\S+\n$`, out.String())
	require.Empty(t, errs.String())
}

func TestAModelMayHaveAnOptionOfTheNameOfAPrinter(t *testing.T) {
	o, version := NewOptions("bikes"), ""
	o.Group("Bikes").String(&version, "version", "of the bikes")
	_, err := o.Parse([]string{"--version=3"})
	require.NoError(t, err)
	require.Equal(t, "3", version)
	var help bytes.Buffer
	require.NoError(t, o.WriteHelp(&help))
	require.Contains(t, help.String(), "--version=str         of the bikes")
	require.NotContains(t, help.String(), "library")
}

func TestPrinterGetsItsValueAndItsErrorsAreTold(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{usage.Errorf("option --draw=x: no such shape; give circle"), 2, "bikes: option --draw=x: no such shape; give circle"},
		{errors.New("disk full"), 1, "bikes: --draw: disk full\n"},
	} {
		o := NewOptions("bikes")
		o.Printer("draw", "shape", "draw a shape", func(w io.Writer, value string) error {
			io.WriteString(w, value)
			return c.err
		})
		var out, errs bytes.Buffer
		code, ok := o.Main([]string{"--draw=x", "--nonsense"}, &out, &errs)
		require.False(t, ok)
		require.Equal(t, c.code, code)
		require.Equal(t, "x", out.String())
		require.Contains(t, errs.String(), c.text)
	}
}
